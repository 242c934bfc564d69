import { describe, expect, test } from 'vitest'
import type { Attributes, NumberForm } from './attributes.ts'
import { firstLookOf } from './first-look.ts'
import { type AxisRole, colourDimension, growsDown, imageDimensions, roleOf } from './roles.ts'
import { meaningOf } from './values.ts'

type Strings = Readonly<Record<string, string | readonly string[]>>

function attributesOf(texts: Strings): Attributes {
  return new Map(Object.entries(texts).map(([name, text]) => [name, { data: [text].flat() }]))
}

const FLOAT = { kind: 'float', size: 8 } as const
const BYTE = { kind: 'unsigned', size: 1 } as const
const SHORT = { kind: 'signed', size: 2 } as const

describe('roles in a drawing', () => {
  const role = (values: Strings) => {
    const attributes = attributesOf(values)
    const type = { form: FLOAT, members: undefined, format: String }
    const found = roleOf(attributes, meaningOf(type, attributes))
    return [found, growsDown(attributes, found)]
  }

  test.each<[Strings, string | undefined, boolean]>([
    [{ units: 'degrees_north' }, 'latitude', false],
    [{ units: 'degrees_east' }, 'longitude', false],
    [{ units: 'hPa' }, 'vertical', true],
    [{ units: 'm', positive: 'up' }, 'vertical', false],
    [{ units: 'm', positive: 'Down' }, 'vertical', true],
    [{ units: 'days since 1970-01-01' }, 'time', false],
    [{ units: 'm', axis: 'Y' }, 'y', false],
    [{ units: 'm', standard_name: 'projection_x_coordinate' }, 'x', false],
    [{ units: 'm', standard_name: 'constructor', axis: 'toString' }, undefined, false],
    [{ units: 'K' }, undefined, false],
  ])('%j', (values, found, down) => {
    expect(role(values)).toEqual([found, down])
  })

  test.each<[readonly (AxisRole | undefined)[], object | undefined]>([
    [['time', 'latitude', 'longitude'], { y: 1, x: 2 }],
    [['longitude', 'latitude', 'time'], { y: 1, x: 0 }],
    [['latitude', 'longitude', undefined], { y: 0, x: 1 }],
    [['time', 'vertical'], { y: 1, x: 0 }],
    [['vertical', 'latitude'], { y: 0, x: 1 }],
    [[undefined, undefined, undefined], { y: 1, x: 2 }],
    [['time'], undefined],
  ])('%j', (roles, dimensions) => {
    expect(imageDimensions(roles.map(role => ({ role, length: 10 })))).toEqual(dimensions)
  })

  test('dimensions of one element are not drawn', () => {
    const axes = [5, 7, 1].map(length => ({ role: undefined, length }))
    expect(imageDimensions(axes)).toEqual({ y: 0, x: 1 })
  })
})

test.each<[NumberForm | undefined, readonly number[], Strings, number | undefined]>([
  [BYTE, [40, 60, 3], {}, 2],
  [BYTE, [5, 40, 60, 4], {}, 3],
  [BYTE, [40, 60, 5], {}, undefined],
  [BYTE, [3, 40, 3], {}, undefined],
  [FLOAT, [40, 60, 3], {}, undefined],
  [SHORT, [40, 60, 3], { CLASS: 'IMAGE', IMAGE_SUBCLASS: 'IMAGE_TRUECOLOR' }, 2],
  [
    BYTE,
    [3, 40, 60],
    { CLASS: 'IMAGE', IMAGE_SUBCLASS: 'IMAGE_TRUECOLOR', INTERLACE_MODE: 'INTERLACE_PLANE' },
    0,
  ],
  [BYTE, [40, 60, 3], { CLASS: 'IMAGE', IMAGE_SUBCLASS: 'IMAGE_INDEXED' }, undefined],
  [BYTE, [40, 60, 3], { axes: 'y:x:counter' }, undefined],
  [{ kind: 'unsigned', size: 2 }, [40, 60, 3], {}, 2],
  [SHORT, [40, 60, 3], {}, undefined],
  [undefined, [40, 60, 3], {}, undefined],
])('colours of %j of the shape %j with %j are in dimension %s', (form, shape, values, dimension) => {
  const isInteger = form !== FLOAT && form !== undefined
  expect(colourDimension({ form, isInteger, shape }, attributesOf(values))).toBe(dimension)
})

const TRUECOLOR = { CLASS: 'IMAGE', IMAGE_SUBCLASS: 'IMAGE_TRUECOLOR', INTERLACE_MODE: 'INTERLACE_LINE' }

describe('the first look', () => {
  const lookAt = (shape: readonly number[], own: Strings, group: Strings = {}) =>
    firstLookOf({ form: FLOAT, isInteger: false, shape }, attributesOf(own), attributesOf(group))

  test.each<[readonly number[], Strings, string]>([
    [[9], {}, 'line'],
    [[], {}, 'line'],
    [[9, 9], {}, 'image'],
    [[9, 9], { interpretation: 'spectrum' }, 'line'],
    [[9, 9, 3], {}, 'image'],
    [[9, 9, 3], { interpretation: 'rgb-image' }, 'colours'],
    [[9, 9, 5], { interpretation: 'rgb-image' }, 'image'],
    [[9, 3, 9], TRUECOLOR, 'colours'],
  ])('of the shape %j with %j is %s', (shape, own, kind) => {
    expect(lookAt(shape, own).kind).toBe(kind)
  })

  test.each<[NumberForm, readonly number[], Strings, object]>([
    [BYTE, [3, 40, 60], {}, { kind: 'image', colours: 0 }],
    [BYTE, [5, 3, 40, 60], {}, { kind: 'image', colours: 1 }],
    [BYTE, [3, 40, 60], { CLASS: 'IMAGE' }, { kind: 'image', colours: 0 }],
    [BYTE, [3, 40, 60], { interpretation: 'rgb-image' }, { kind: 'colours', colours: 0 }],
    [BYTE, [40, 60, 3], { interpretation: 'rgb-image' }, { kind: 'colours', colours: 2 }],
    [BYTE, [40, 3, 60], TRUECOLOR, { kind: 'colours', colours: 1 }],
    [BYTE, [3, 4, 60], {}, { kind: 'image', colours: undefined }],
    [SHORT, [3, 40, 60], {}, { kind: 'image', colours: undefined }],
    [FLOAT, [40, 60, 3], {}, { kind: 'image', colours: 2 }],
  ])('of %j of the shape %j with %j knows the colours', (form, shape, own, look) => {
    expect(
      firstLookOf({ form, isInteger: form !== FLOAT, shape }, attributesOf(own), new Map()),
    ).toMatchObject(look)
  })

  test.each<[string, Strings, object]>([
    ['slices', { default_slice: ['2', '.', '.'] }, { slice: [2, 'y', 'x'] }],
    ['one axis', { default_slice: ['.', '0', '1'] }, { slice: ['x', 0, 1] }],
    ['no slice of another rank', { default_slice: ['2', '.'] }, { slice: undefined }],
    ['no slice of words', { default_slice: ['a', '.', '.'] }, { slice: undefined }],
    [
      'scales',
      { SILX_style: '{"signal_scale_type":"log","axes_scale_type":["sqrt","log"]}' },
      { scale: 'log', axisScales: [undefined, 'log'] },
    ],
    ['no scale of a wrong style', { SILX_style: '{"signal' }, { scale: undefined, axisScales: [] }],
    ['no scale of null', { SILX_style: 'null' }, { scale: undefined, axisScales: [] }],
  ])('has %s', (_, group, look) => {
    expect(lookAt([9, 9, 9], {}, group)).toMatchObject(look)
  })
})
