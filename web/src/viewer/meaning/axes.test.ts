// Axes through the client, against a table of answers: what the service says of datasets and their attributes.

import { describe, expect, test } from 'vitest'
import { parseDatatype } from '../../../../client/datatype.ts'
import { Hyperslab } from '../../../../client/index.ts'
import { type DomainSource, readAttributes } from './attributes.ts'
import { describeAxes } from './axes.ts'

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const REFERENCES = { class: 'H5T_VLEN', base: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' } }

interface FakeObject {
  readonly class?: 'dataset' | 'group'
  readonly shape?: readonly number[]
  readonly values?: readonly number[]
  /** Lists of ids are DIMENSION_LIST. */
  readonly attributes?: Readonly<
    Record<string, string | number | readonly string[] | readonly (readonly string[])[]>
  >
}

/** A domain whose objects have their paths for ids: `d-lat` is at `/lat`. */
function domainOf(objects: Readonly<Record<string, FakeObject>>): DomainSource {
  const dataset = (id: string, { class: kind = 'dataset', shape = [] }: FakeObject) => ({
    class: kind,
    id,
    domain: '/a',
    type: F64,
    shape: { class: 'H5S_SIMPLE', dims: shape },
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
    if (part === 'attributes')
      return {
        attributes: Object.entries(object.attributes ?? {}).map(([name, value]) => {
          const type = Array.isArray(value?.[0 as never])
            ? REFERENCES
            : typeof value === 'number'
              ? F64
              : STRING
          const shape = Array.isArray(value)
            ? { class: 'H5S_SIMPLE', dims: [value.length] }
            : { class: 'H5S_SCALAR' }
          return { name, type, shape, value, created: 0 }
        }),
      }
    if (part === 'value') {
      const [, start = 0, stop] =
        /\[(\d+):(\d+)\]/.exec(url.searchParams.get('select') ?? '')?.map(Number) ?? []
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
  return { client, domain: client.domain('/a') }
}

async function axesOf(objects: Readonly<Record<string, FakeObject>>, id = 'd-data') {
  const source = domainOf({ 'g-': { class: 'group' }, ...objects })
  const attributes = await readAttributes(source, 'datasets', {
    id,
    attributeCount: Object.keys(objects[id]?.attributes ?? {}).length,
  })
  const dataset = { id, type: parseDatatype(F64), shape: objects[id]?.shape }
  return describeAxes(source, { path: `/${id.slice(2)}`, dataset, attributes })
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
    expect(await axesOf({ 'd-data': { shape: [] } })).toEqual({ axes: [], others: [], problems: [] })
  })
})
