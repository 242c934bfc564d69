// Dimension scales of arrays that are made through Zarr (common 31): whatever the order of the documents, a dimension
// has the scale at its name, and what is deleted or replaced leaves no reference behind.

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fields, type Method, type Reply, send, USER1 } from './client.ts'
import { type Domain, makeHome, newDomain } from './hsds/domain.ts'

const SEED = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** The items in an order that the seed decides. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed >>> 0
  const keyed = items.map(item => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return [state, item] as const
  })
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item)
}

beforeAll(makeHome)

let domain: Domain

beforeEach(async () => {
  domain = await newDomain()
})

type Format = 2 | 3

function ask(method: Method, format: Format, path: string, body?: unknown): Promise<Reply> {
  return send(method, `/zarr/v${format}${domain.path}/${path}`, body, { user: USER1 })
}

async function want(
  status: number,
  method: Method,
  format: Format,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const reply = await ask(method, format, path, body)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

type Document = readonly [path: string, body: Fields]

/** The documents of an array: in Zarr 2 the attributes have one of their own. */
function documentsOf(
  format: Format,
  path: string,
  names: readonly string[],
  shape = names.map(() => 4),
): Document[] {
  if (format === 2) {
    const body = {
      zarr_format: 2,
      shape,
      chunks: shape,
      dtype: '<i4',
      compressor: null,
      fill_value: null,
      order: 'C',
    }
    return [
      [`${path}/.zarray`, { ...body, filters: null }],
      [`${path}/.zattrs`, { _ARRAY_DIMENSIONS: names, units: 'm' }],
    ]
  }
  const body = {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: { units: 'm' },
    dimension_names: names,
  }
  return [[`${path}/zarr.json`, body]]
}

async function putAll(format: Format, documents: readonly Document[]): Promise<void> {
  for (const [path, body] of documents) {
    const reply = await ask('PUT', format, path, body)
    expect([201, 204], reply.story).toContain(reply.status)
  }
}

interface Scales {
  /** The titles of the scales of each array that has some. */
  readonly arrays: Record<string, readonly string[]>
  /** The dimensions that each scale lists. */
  readonly scales: Record<string, readonly string[]>
  /** The labels of those without scales. */
  readonly labels: Record<string, readonly string[]>
}

/** All scales in the root group, as a client of HDF5 sees them. */
async function scalesThere(): Promise<Scales> {
  const { links } = await domain.want<{ links: { title: string; id: string }[] }>(
    200,
    'GET',
    `/groups/${domain.root}/links`,
  )
  const titles = new Map(links.map(({ id, title }) => [`datasets/${id}`, title]))
  const titleOf = (reference: string) => titles.get(reference) ?? `nothing (${reference})`
  const found: Scales = { arrays: {}, scales: {}, labels: {} }
  for (const { id, title } of links) {
    if (!id.startsWith('d-')) continue
    const valueIn = async (name: string) => {
      const reply = await domain.send('GET', `/datasets/${id}/attributes/${name}`, undefined)
      return reply.status === 200 ? reply.json<{ value: unknown }>().value : undefined
    }
    const list = (await valueIn('DIMENSION_LIST')) as string[][] | undefined
    if (list) found.arrays[title] = list.flat().map(titleOf)
    const labels = (await valueIn('DIMENSION_LABELS')) as string[] | undefined
    if (labels) found.labels[title] = labels
    const uses = ((await valueIn('REFERENCE_LIST')) ?? []) as [string, number][]
    const isScale = (await valueIn('CLASS')) === 'DIMENSION_SCALE'
    if (isScale) found.scales[title] = uses.map(([array, d]) => `${titleOf(array)} ${d}`).sort()
  }
  return found
}

const ARRAYS: Record<string, readonly string[]> = {
  t: ['time', 'x'],
  bounds: ['x', 'nv'],
  time: ['time'],
  x: ['x'],
  twice: ['x', 'x'],
  u: [],
}

const EXPECTED: Scales = {
  arrays: { t: ['time', 'x'], bounds: ['x', 'nv'], twice: ['x', 'x'] },
  scales: { time: ['t 0'], x: ['bounds 0', 't 1', 'twice 0', 'twice 1'], nv: ['bounds 1'] },
  labels: {},
}

async function expectNames(format: Format, arrays: typeof ARRAYS): Promise<void> {
  for (const [path, names] of Object.entries(arrays)) {
    const key = format === 2 ? '.zattrs' : 'zarr.json'
    const document = (await want(200, 'GET', format, `${path}/${key}`)).json<Fields>()
    const attributes = format === 2 ? document : document.attributes
    expect(attributes).toEqual({ units: 'm', ...(format === 2 && { _ARRAY_DIMENSIONS: names }) })
    if (format === 3) expect(document.dimension_names).toEqual(names)
  }
}

test.each<Format>([2, 3])(
  `documents of Zarr %i in any order make the same scales (seed ${SEED})`,
  async format => {
    for (let round = 0; round < 6; round++) {
      domain = await newDomain()
      const all = Object.entries(ARRAYS).flatMap(([path, names]) => documentsOf(format, path, names))
      const documents = shuffled(all, SEED + round)
      const isTogether = round % 2 === 1
      if (isTogether) await Promise.all(documents.map(document => putAll(format, [document])))
      else await putAll(format, documents)
      const order = `round ${round}: ${documents.map(([path]) => path).join(' ')}`
      expect(await scalesThere(), order).toEqual(EXPECTED)
      await expectNames(format, ARRAYS)
    }
  },
)

test('a dimension without coordinates is no array, and goes with the last array that has it', async () => {
  await putAll(3, documentsOf(3, 'a', ['x', 'y']))
  await putAll(3, documentsOf(3, 'b', ['y']))
  await want(404, 'GET', 3, 'y/zarr.json')
  await want(404, 'DELETE', 3, 'y/zarr.json')
  const root = (await want(200, 'GET', 3, 'zarr.json')).json<{
    consolidated_metadata: { metadata: Fields }
  }>()
  expect(Object.keys(root.consolidated_metadata.metadata)).toEqual(['a', 'b'])
  expect(
    [...(await want(200, 'GET', 3, '')).text.matchAll(/href="([^"]*)"/g)].map(([, name]) => name),
  ).toEqual(['zarr.json', 'a', 'b'])
  await want(204, 'DELETE', 3, 'a/zarr.json')
  expect(await scalesThere()).toEqual({ arrays: { b: ['y'] }, scales: { y: ['b 0'] }, labels: {} })
  await want(204, 'DELETE', 3, 'b')
  expect(await scalesThere()).toEqual({ arrays: {}, scales: {}, labels: {} })
})

test('coordinates that are deleted, put again and resized keep the arrays that have them', async () => {
  await putAll(
    3,
    Object.entries(ARRAYS).flatMap(([path, names]) => documentsOf(3, path, names)),
  )
  await want(204, 'DELETE', 3, 'x')
  expect(await scalesThere()).toEqual(EXPECTED)
  await want(404, 'GET', 3, 'x/zarr.json')
  const { x: _, ...others } = ARRAYS
  await expectNames(3, others)
  await putAll(3, documentsOf(3, 'x', ['x']))
  await putAll(3, [['x/zarr.json', { ...documentsOf(3, 'x', ['x'])[0][1], shape: [9] }]])
  expect(await scalesThere()).toEqual(EXPECTED)
  // An array of another type replaces it.
  await putAll(3, [['x/zarr.json', { ...documentsOf(3, 'x', ['x'])[0][1], data_type: 'float64' }]])
  expect(await scalesThere()).toEqual(EXPECTED)
})

test('an array has scales for all its dimensions or none', async () => {
  await putAll(3, documentsOf(3, 't', ['time', 'x']))
  await putAll(3, documentsOf(3, 'v', ['time']))
  // This one has the name of a dimension, and is no scale.
  await putAll(3, documentsOf(3, 'x', ['x', 'z']))
  expect(await scalesThere()).toEqual({
    arrays: { v: ['time'] },
    scales: { time: ['v 0'] },
    labels: { t: ['time', 'x'], x: ['x', 'z'] },
  })
  await expectNames(3, { t: ['time', 'x'], v: ['time'], x: ['x', 'z'] })
  await putAll(3, [['x/zarr.json', { ...documentsOf(3, 'x', ['x'])[0][1] }]])
  expect(await scalesThere()).toEqual({
    arrays: { t: ['time', 'x'], v: ['time'] },
    scales: { time: ['t 0', 'v 0'], x: ['t 1'] },
    labels: {},
  })
})

test('other names make other dimensions, and a group takes the name of one', async () => {
  await putAll(3, documentsOf(3, 't', ['obs', 'x']))
  await putAll(3, documentsOf(3, 'x', ['x']))
  await putAll(3, documentsOf(3, 'x', ['other']))
  expect(await scalesThere()).toEqual({
    arrays: { x: ['other'] },
    scales: { other: ['x 0'] },
    labels: { t: ['obs', 'x'] },
  })
  await putAll(3, documentsOf(3, 'x', ['x']))
  await putAll(3, documentsOf(3, 'obs/deep', ['x']))
  expect(await scalesThere()).toEqual({ arrays: {}, scales: { x: [] }, labels: { t: ['obs', 'x'] } })
  await want(204, 'DELETE', 3, 'obs')
  expect(await scalesThere()).toEqual({
    arrays: { t: ['obs', 'x'] },
    scales: { obs: ['t 0'], x: ['t 1'] },
    labels: {},
  })
  await expectNames(3, { t: ['obs', 'x'], x: ['x'] })
})

test.each(['', 'a/b', 'x#', 'ü'])('a dimension with the name %j keeps it', async name => {
  await putAll(3, documentsOf(3, 'a', [name, 'y']))
  const { dimension_names } = (await want(200, 'GET', 3, 'a/zarr.json')).json<Fields>()
  expect(dimension_names).toEqual([name || 'phony_dim_4', 'y'])
  const { arrays } = await scalesThere()
  expect(arrays).toEqual(name === 'ü' ? { a: ['ü', 'y'] } : {})
})
