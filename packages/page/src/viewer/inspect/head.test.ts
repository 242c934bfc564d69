import { type Datatype, Hyperslab } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import type { DatasetAxes } from '../meaning/axes.ts'
import { Coordinates } from '../meaning/coordinates.ts'
import { meaningOf } from '../meaning/values.ts'
import { coordinatesText, headOf } from './head.ts'

const INT16: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I16LE' }
const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const TEXTS = { units: 'K', scale_factor: 'two' }
const ATTRIBUTES = new Map(
  Object.entries(TEXTS).map(([name, text]) => [name, { name, type: STRING, shape: [], data: [text] }]),
)

function axesOf(names: readonly string[], parts: Partial<DatasetAxes> = {}): DatasetAxes {
  const axes = names.map(name => ({ name })) as unknown as DatasetAxes['axes']
  return {
    axes,
    shown: {} as DatasetAxes['shown'],
    others: [],
    gridMapping: undefined,
    problems: [],
    ...parts,
  }
}

describe('the head of a dataset', () => {
  const dataset = { id: 'd-1', type: INT16, shape: [2, 3000] }

  test('has the names of its dimensions, its units, and all problems', () => {
    const axes = axesOf(['time', 'lat'], { problems: ['The axis lat has 2 values.'] })
    const head = headOf(dataset, meaningOf(INT16, ATTRIBUTES), axes)
    expect([head.extents, head.type]).toEqual(['(time: 2, lat: 3,000)', 'int16, K'])
    expect(head.problems).toEqual([
      'scale_factor is not one finite number: it is ignored',
      'The axis lat has 2 values.',
    ])
  })

  test('says that values are packed, and that letters are strings', () => {
    const factor = { form: { kind: 'float', size: 8 }, data: Float64Array.of(0.5) } as const
    const packed = meaningOf(INT16, new Map([['scale_factor', { ...factor, name: 'scale_factor' }]]) as never)
    expect(headOf(dataset, packed, undefined)).toEqual({
      extents: '(D0: 2, D1: 3,000)',
      type: 'int16, packed: values are unpacked by scale_factor and add_offset',
      problems: [],
    })
    const shown = { letters: 4 } as DatasetAxes['shown']
    expect(headOf(dataset, undefined, axesOf([], { shown })).type).toBe(
      'int16, letters of strings along the last dimension',
    )
  })

  test.each([
    [undefined, 'no elements'],
    [[], 'scalar'],
  ])('of the shape %j has %s', (shape, extents) => {
    expect(headOf({ ...dataset, shape }, undefined, undefined).extents).toBe(extents)
  })
})

test.each([
  [3, '0  1  2'],
  [5, '0  1  2  3  4'],
  [1000, '0  1  2  …  999'],
])('%i coordinates are told as %s', async (length, text) => {
  const domain = new Hyperslab('http://test').domain('/a')
  const coordinates = new Coordinates(domain, { length })
  expect(await coordinatesText({ coordinates, length })).toBe(text)
})
