// Axes through the client, against a table of answers: what the service says of datasets and their attributes.

import { Hyperslab } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { Contents } from '../data/contents.ts'
import { describeAxes } from './axes.ts'

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const REFERENCES = { class: 'H5T_VLEN', base: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' } }

const LETTER = { class: 'H5T_STRING', length: 1 }
const USERS = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'dataset', type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' } },
    { name: 'dimension', type: { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' } },
  ],
}

interface FakeObject {
  readonly class?: 'dataset' | 'group'
  /** Floats of 64 bits without it. */
  readonly type?: object
  readonly shape?: readonly number[]
  readonly values?: readonly number[]
  /** Letters, of the same number for each row. */
  readonly letters?: string
  /** Lists of ids are DIMENSION_LIST, or with the dimension REFERENCE_LIST. */
  readonly attributes?: Readonly<
    Record<string, string | number | readonly string[] | readonly (readonly (string | number)[])[]>
  >
}

/** A domain whose objects have their paths for ids: `d-lat` is at `/lat`. */
function domainOf(objects: Readonly<Record<string, FakeObject>>): Contents {
  const attributesOf = ({ attributes = {} }: FakeObject) =>
    Object.entries(attributes).map(([name, value]) => {
      const lists = Array.isArray(value?.[0 as never]) ? REFERENCES : STRING
      const type = name === 'REFERENCE_LIST' ? USERS : typeof value === 'number' ? F64 : lists
      const shape = Array.isArray(value)
        ? { class: 'H5S_SIMPLE', dims: [value.length] }
        : { class: 'H5S_SCALAR' }
      return { name, type, shape, value, created: 0 }
    })
  const dataset = (id: string, object: FakeObject) => ({
    class: object.class ?? 'dataset',
    id,
    domain: '/a',
    type: object.type ?? F64,
    shape: { class: 'H5S_SIMPLE', dims: object.shape ?? [] },
    attributes: Object.fromEntries(attributesOf(object).map(item => [item.name, item])),
    creationProperties: {},
    alias: [`/${id.slice(2)}`],
  })
  const answer = (method: string, url: URL, body: string): unknown => {
    const [, , id = '', part] = url.pathname.split('/').map(decodeURIComponent)
    const byPath = (path: string) => {
      const id = path === '/' ? 'g-' : `d-${path.slice(1)}`
      return objects[id]
        ? dataset(id, objects[id])
        : { status: 404, code: 'not-found', message: 'nothing there' }
    }
    if (url.pathname === '/' && method === 'POST') {
      const { h5paths } = JSON.parse(body) as { readonly h5paths: readonly string[] }
      return { h5paths: Object.fromEntries(h5paths.map(path => [path, byPath(path)])) }
    }
    if (url.pathname === '/') return byPath(url.searchParams.get('h5path') ?? '')
    const object = objects[id]
    if (object === undefined) return undefined
    if (part === 'attributes') return { attributes: attributesOf(object) }
    if (part === 'value') {
      const [, start = 0, stop] =
        /\[(\d+):(\d+)/.exec(url.searchParams.get('select') ?? '')?.map(Number) ?? []
      if (object.letters !== undefined) {
        const length = object.shape?.at(-1) ?? 0
        return Uint8Array.from(
          Buffer.from(object.letters, 'latin1').subarray(start * length, (stop ?? 0) * length),
        ).buffer
      }
      return Float64Array.from((object.values ?? []).slice(start, stop)).buffer
    }
    return dataset(id, object)
  }
  const client = new Hyperslab('http://test', {
    fetch: async (input, init) => {
      const found = answer(init?.method ?? 'GET', new URL(String(input)), String(init?.body))
      if (found === undefined) return new Response('{"message":"gone","code":"gone"}', { status: 410 })
      return new Response(found instanceof ArrayBuffer ? found : JSON.stringify(found))
    },
  })
  return new Contents(client, '/a')
}

async function axesOf(objects: Readonly<Record<string, FakeObject>>, id = 'd-data') {
  const source = domainOf({ 'g-': { class: 'group' }, ...objects })
  const { path, dataset, attributes } = await source.at(`/${id.slice(2)}`)
  if (dataset === undefined) throw new Error(`${id} is a dataset`)
  return describeAxes(source, { path, dataset, attributes })
}

const LAT: FakeObject = {
  shape: [3],
  values: [60, 0, -30.5],
  attributes: { CLASS: 'DIMENSION_SCALE', units: 'degrees_north', long_name: 'Latitude' },
}
const TIME: FakeObject = {
  shape: [2],
  values: [15, 45.25],
  attributes: { units: 'days since 2000-01-01', calendar: '360_day' },
}

async function textsOf({
  axes,
}: Awaited<ReturnType<typeof axesOf>>): Promise<readonly (readonly string[])[]> {
  return Promise.all(
    axes.map(async ({ name, length, coordinates }) => [
      name,
      ...(await Promise.all(Array.from({ length: Math.min(length, 3) }, (_, i) => coordinates.text(i)))),
    ]),
  )
}

describe('axes', () => {
  test('are the scales of HDF5', async () => {
    const data = { shape: [2, 3], attributes: { DIMENSION_LIST: [['datasets/d-time'], ['datasets/d-lat']] } }
    const found = await axesOf({ 'd-data': data, 'd-lat': LAT, 'd-time': TIME })
    expect(found.problems).toEqual([])
    expect(await textsOf(found)).toEqual([
      ['time', '2000-01-16', '2000-02-16 06:00'],
      ['lat', '60°N', '0°', '30.5°S'],
    ])
    const [time, lat] = found.axes
    expect(lat).toMatchObject({ label: 'Latitude (degrees_north)', role: 'latitude', growsDown: false })
    expect(await lat?.coordinates.numbers({ start: 0, stop: 3 })).toEqual(Float64Array.of(60, 0, -30.5))
    expect(time?.coordinates.format(30)).toBe('2000-02-01')
  })

  test('of a scale are the scale itself', async () => {
    const found = await axesOf({ 'd-lat': LAT }, 'd-lat')
    expect(await textsOf(found)).toEqual([['lat', '60°N', '0°', '30.5°S']])
  })

  test('of NeXus are named by the group', async () => {
    const objects: Readonly<Record<string, FakeObject>> = {
      'g-': { class: 'group', attributes: { NX_class: 'NXdata', signal: 'data', axes: ['.', 'x'] } },
      'd-data': { shape: [2, 3] },
      'd-x': { shape: [4], values: [0, 1, 2, 4], attributes: { units: 'mm' } },
      'd-other': { shape: [2, 3] },
    }
    const found = await axesOf(objects)
    // One value more than elements: the edges of bins.
    expect(await textsOf(found)).toEqual([
      ['D0', '0', '1'],
      ['x', '0 to 1 mm', '1 to 2 mm', '2 to 4 mm'],
    ])
    expect(await found.axes[1]?.coordinates.numbers({ start: 0, stop: 3 })).toEqual(
      Float64Array.of(0.5, 1.5, 3),
    )
    expect((await axesOf(objects, 'd-other')).axes.map(({ source }) => source)).toEqual([
      undefined,
      undefined,
    ])
  })

  test('are coordinates that CF names, where no other dimension has their length', async () => {
    const found = await axesOf({
      'd-data': { shape: [2, 3], attributes: { coordinates: 'height time lost' } },
      'd-time': TIME,
      'd-height': { shape: [], values: [2], attributes: { units: 'm' } },
    })
    expect(await textsOf(found)).toEqual([
      ['time', '2000-01-16', '2000-02-16 06:00'],
      ['D1', '0', '1', '2'],
    ])
    expect(found.others.map(({ path }) => path)).toEqual(['/height'])
  })

  test('have names without coordinates', async () => {
    const NAME = 'This is a netCDF dimension but not a netCDF variable         3'
    const found = await axesOf({
      'd-data': {
        shape: [3, 2],
        attributes: { DIMENSION_LIST: [['datasets/d-x'], []], DIMENSION_LABELS: ['', 'step'] },
      },
      'd-x': { shape: [3], attributes: { CLASS: 'DIMENSION_SCALE', NAME } },
    })
    expect(await textsOf(found)).toEqual([
      ['x', '0', '1', '2'],
      ['step', '0', '1'],
    ])
  })

  test('have the coordinates that CF names where the scale of the dimension has none, as those of WRF', async () => {
    const NAME = 'This is a netCDF dimension but not a netCDF variable         2'
    const found = await axesOf({
      'd-data': {
        shape: [2, 3],
        attributes: { DIMENSION_LIST: [['datasets/d-Time'], ['datasets/d-x']], coordinates: 'XLONG XTIME' },
      },
      'd-Time': { shape: [2], attributes: { CLASS: 'DIMENSION_SCALE', NAME } },
      'd-x': { shape: [3], attributes: { CLASS: 'DIMENSION_SCALE', NAME } },
      'd-XTIME': { shape: [2], values: [0, 360], attributes: { units: 'minutes since 2021-03-01 00:00:00' } },
      'd-XLONG': { shape: [2, 3] },
    })
    expect(await textsOf(found)).toEqual([
      ['XTIME', '2021-03-01', '2021-03-01 06:00'],
      ['x', '0', '1', '2'],
    ])
    expect(found.others.map(({ path }) => path)).toEqual(['/XLONG'])
  })

  test.each<[string, NonNullable<FakeObject['attributes']>, string | undefined]>([
    [
      'of another length',
      { DIMENSION_LIST: [['datasets/d-lat']] },
      'The axis lat has 3 values, the dimension has 5',
    ],
    ['of another rank', { DIMENSION_LIST: [['datasets/d-lat'], []] }, 'DIMENSION_LIST has 2 dimensions'],
    ['that is deleted', { DIMENSION_LIST: [['datasets/d-gone']] }, 'its scale is deleted'],
    ['that is no reference', { DIMENSION_LIST: [['lat']] }, undefined],
    ['that is the dataset itself', { DIMENSION_LIST: [['datasets/d-data']] }, undefined],
    ['that is nowhere', { axes: 'nowhere' }, undefined],
  ])('%s hides nothing', async (_, attributes, problem) => {
    const found = await axesOf({
      'd-data': { shape: [5], values: [0, 1, 2, 3, 4], attributes },
      'd-lat': LAT,
    })
    const [[, ...texts] = []] = await textsOf(found)
    expect(texts).toEqual(['0', '1', '2'])
    if (problem === undefined) expect(found.problems).toEqual([])
    else expect(found.problems.join()).toContain(problem)
  })

  test('a hundred thousand names are not all looked for', async () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `x${i}`).join(' ')
    const found = await axesOf({ 'd-data': { shape: [2], attributes: { coordinates: names } } })
    expect(found).toMatchObject({ others: [], problems: [] })
  })

  test('scalars have none', async () => {
    expect(await axesOf({ 'd-data': { shape: [] } })).toMatchObject({ axes: [], others: [], problems: [] })
  })
})

describe('strings of letters', () => {
  /** A dimension of netCDF without coordinates. */
  const dimension = (length: number, ...users: readonly (readonly [string, number])[]): FakeObject => ({
    shape: [length],
    attributes: {
      CLASS: 'DIMENSION_SCALE',
      NAME: `This is a netCDF dimension but not a netCDF variable. ${length}`,
      ...(users.length > 0 && { REFERENCE_LIST: users.map(([id, d]) => [`datasets/${id}`, d]) }),
    },
  })
  const over = (...dimensions: readonly string[]) => ({
    DIMENSION_LIST: dimensions.map(name => [`datasets/d-${name}`]),
  })
  const NAMES: FakeObject = {
    type: LETTER,
    shape: [2, 4],
    letters: 'OsloBr\0 ',
    attributes: over('station', 'strlen'),
  }

  test('lack the dimension of their length, and are coordinates', async () => {
    const objects = {
      'd-station': dimension(2, ['d-name', 0], ['d-data', 0]),
      'd-strlen': dimension(4, ['d-name', 1]),
      'd-name': NAMES,
      'd-data': { shape: [2], attributes: { ...over('station'), coordinates: 'name' } },
    }
    const { shown } = await axesOf(objects, 'd-name')
    expect(shown).toMatchObject({ type: { class: 'H5T_STRING', length: 4 }, shape: [2], letters: 4 })
    expect(await textsOf(await axesOf(objects))).toEqual([['name', 'Oslo', 'Br']])
  })

  test.each<[string, Readonly<Record<string, FakeObject>>, boolean]>([
    ['without a list of users', { 'd-strlen': dimension(4) }, true],
    [
      'other names use it',
      { 'd-strlen': dimension(4, ['d-name', 1], ['d-other', 1]), 'd-other': NAMES },
      true,
    ],
    ['numbers use it', { 'd-strlen': dimension(4, ['d-name', 1], ['d-other', 0]), 'd-other': LAT }, false],
    [
      'letters have it first',
      { 'd-strlen': dimension(4, ['d-name', 1], ['d-other', 0]), 'd-other': NAMES },
      false,
    ],
    [
      'many use it',
      { 'd-strlen': dimension(4, ...Array.from({ length: 20 }, (_, i) => [`d-${i}`, 1] as const)) },
      false,
    ],
    [
      'it has coordinates',
      { 'd-strlen': { shape: [4], values: [1, 2, 3, 4], attributes: { CLASS: 'DIMENSION_SCALE' } } },
      false,
    ],
    ['HDF5 without dimensions', { 'd-name': { ...NAMES, attributes: {} } }, false],
    [
      'longer strings',
      { 'd-strlen': dimension(4), 'd-name': { ...NAMES, type: { ...LETTER, length: 2 } } },
      false,
    ],
    ['no letters', { 'd-strlen': dimension(0), 'd-name': { ...NAMES, shape: [2, 0] } }, false],
  ])('%s', async (_, objects, areStrings) => {
    const { shown } = await axesOf({ 'd-station': dimension(2), 'd-name': NAMES, ...objects }, 'd-name')
    expect(shown.letters).toBe(areStrings ? 4 : undefined)
  })

  test('are the dates of WRF for its dimension Time', async () => {
    const dates = ['2000-01-24_12:00:00', '2000-01-24_15:00:00']
    const objects = {
      'd-Time': dimension(2, ['d-Times', 0], ['d-data', 0], ['d-data', 1]),
      'd-DateStrLen': dimension(19, ['d-Times', 1]),
      'd-Times': {
        type: LETTER,
        shape: [2, 19],
        letters: dates.join(''),
        attributes: over('Time', 'DateStrLen'),
      },
      'd-data': { shape: [2, 2], attributes: over('Time', 'station') },
      'd-station': dimension(2),
    }
    const described = await axesOf(objects)
    expect(await textsOf(described)).toEqual([
      ['Times', ...dates],
      ['station', '0', '1'],
    ])
    const numbers = await described.axes[0]?.coordinates.numbers({ start: 0, stop: 2 })
    expect(numbers).toEqual(
      Float64Array.of(Date.UTC(2000, 0, 24, 12) / 1000, Date.UTC(2000, 0, 24, 15) / 1000),
    )
    expect((await axesOf(objects, 'd-Times')).axes[0]?.source).toBeUndefined()
  })

  test('that are names are no dates', async () => {
    const { axes } = await axesOf({
      'd-station': dimension(2),
      'd-strlen': dimension(4),
      'd-name': { ...NAMES, letters: '19942001' },
      'd-data': { shape: [2], attributes: { ...over('station'), coordinates: 'name' } },
    })
    expect(await axes[0]?.coordinates.numbers({ start: 0, stop: 2 })).toEqual(
      Float64Array.of(Number.NaN, Number.NaN),
    )
  })
})
