// References of kerchunk to the chunks of a domain (docs/decisions/069): ranges of its file where a reader of Zarr can
// decode them, else chunks of the Zarr view, in one state. fsspec reads them in test/clients.

import { inflateSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Fields, type Options, type Reply, send, USER1, USER2 } from './client.ts'
import { type Domain, expectRefusal, makeHome, newDomain, newPath } from './hsds/domain.ts'

type Refs = Record<string, string | [string] | [string, number, number]>

beforeAll(makeHome)

let domain: Domain

beforeEach(async () => {
  domain = await newDomain()
})

const I4 = 'H5T_STD_I32LE'
const NUMBERS = Array.from({ length: 600_000 }, (_, i) => (i * 7919) % 1000)

function ask(path: string, options: Options = {}, method: 'GET' | 'HEAD' = 'GET'): Promise<Reply> {
  return send(method, `/zarr/refs${path}`, undefined, { user: USER1, ...options })
}

async function refsOf(path: string): Promise<Refs> {
  const reply = await ask(path)
  expect(reply.status, reply.story).toBe(200)
  expect(reply.headers['content-type']).toBe('application/json')
  const { version, refs } = reply.json<{ version: number; refs: Refs }>()
  expect(version).toBe(1)
  return refs
}

/** The bytes that a reference leads to. */
async function follow(reference: Refs[string], user: string | undefined = USER1): Promise<Reply> {
  if (typeof reference === 'string') throw new Error('a document is no reference')
  const [address, first, length] = reference
  const { origin, pathname } = new URL(address)
  expect(origin).toBe(new URL(inject('address')).origin)
  const Range =
    first === undefined || length === undefined ? undefined : `bytes=${first}-${first + length - 1}`
  return send('GET', pathname, undefined, { user, headers: { ...(Range && { Range }) } })
}

const document = (refs: Refs, key: string): Fields => JSON.parse(String(refs[key]))

/**
 * Chunks with shuffle, deflate and a checksum; chunks without filters, of which one is missing; two of which the
 * extent cuts the second; a single one.
 */
async function fill(): Promise<Record<'filtered' | 'plain' | 'edge' | 'whole', string>> {
  const put = async (name: string, creation: object, value: readonly number[]) => {
    const id = await domain.dataset({ type: I4, ...creation, link: { id: domain.root, name } })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: [0], stop: [value.length], value })
    return id
  }
  const chunks = (filters: readonly string[]) => ({
    creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [300_000] }, filters },
  })
  return {
    filtered: await put(
      'filtered',
      { shape: [600_000], ...chunks(['shuffle', 'gzip', 'fletcher32']) },
      NUMBERS,
    ),
    plain: await put('plain', { shape: [900_000], ...chunks([]) }, NUMBERS),
    edge: await put('edge', { shape: [400_000], ...chunks([]) }, NUMBERS.slice(0, 400_000)),
    whole: await put('whole', { shape: [1000] }, NUMBERS.slice(0, 1000)),
  }
}

/** The same contents as a file that the store keeps. */
async function upload(): Promise<string> {
  const file = await send('GET', `/h5${domain.path}`, undefined, { user: USER1 })
  const path = newPath()
  const headers = { 'Content-Type': 'application/x-hdf5' }
  const reply = await send('PUT', `/?domain=${path}`, file.bytes, { user: USER1, headers })
  expect(reply.status, reply.story).toBe(201)
  return path
}

function unshuffled(bytes: Buffer): Buffer {
  const count = bytes.length / 4
  const ordered = Buffer.alloc(bytes.length)
  for (let i = 0; i < count; i++) for (let b = 0; b < 4; b++) ordered[4 * i + b] = bytes[b * count + i]
  return ordered
}

/** Whether the bytes are the numbers from the one with the index `first` on. */
function areNumbers(bytes: Buffer, first: number, count: number): boolean {
  return bytes.equals(Buffer.from(Int32Array.from(NUMBERS.slice(first, first + count)).buffer))
}

describe('references to a domain that is a file', () => {
  test('are ranges of it where the document can say what was done to them, else chunks of the view', async () => {
    await fill()
    const path = await upload()
    const refs = await refsOf(path)
    expect(document(refs, 'filtered/.zarray')).toMatchObject({
      compressor: { id: 'zlib' },
      filters: [{ id: 'shuffle', elementsize: 4 }],
    })
    for (const [key, first] of [
      ['filtered/0', 0],
      ['filtered/1', 300_000],
    ] as const) {
      expect(refs[key]).toEqual([expect.stringContaining('/h5/~'), expect.any(Number), expect.any(Number)])
      const part = await follow(refs[key])
      expect(part.status, part.story).toBe(206)
      expect(areNumbers(unshuffled(inflateSync(part.bytes)), first, 300_000)).toBe(true)
    }
    expect(document(refs, 'plain/.zarray')).toMatchObject({
      compressor: null,
      filters: null,
      fill_value: null,
    })
    expect(areNumbers((await follow(refs['plain/1'])).bytes, 300_000, 300_000)).toBe(true)
    // It is not stored: the view has its fill values.
    expect(refs['plain/2']).toEqual([
      expect.stringMatching(/\/zarr\/v2\/~[0-9a-f]{32}\/.*\/plain\/2$/),
      0,
      1_200_000,
    ])
    expect((await follow(refs['plain/2'])).bytes.equals(Buffer.alloc(1_200_000))).toBe(true)
    // Chunks of a file are whole, also at the edge.
    expect(refs['edge/1']).toEqual([expect.stringContaining('/h5/~'), expect.any(Number), 1_200_000])
    expect(areNumbers((await follow(refs['edge/1'])).bytes.subarray(0, 400_000), 300_000, 100_000)).toBe(true)
    expect(areNumbers((await follow(refs['whole/0'])).bytes.subarray(0, 4000), 0, 1000)).toBe(true)
  })

  test('are of one state: afterwards they are 410', async () => {
    await fill()
    const path = await upload()
    const refs = await refsOf(path)
    expect((await follow(refs['filtered/0'], USER2)).status).toBe(403)
    const changed = new URLSearchParams({ domain: path })
    const home = await send('GET', `/?${changed}`, undefined, { user: USER1 })
    const attribute = { type: I4, value: 1 }
    const target = `/groups/${home.json<{ root: string }>().root}/attributes/a?${changed}`
    expect((await send('PUT', target, attribute, { user: USER1 })).status).toBe(201)
    for (const key of ['filtered/0', 'plain/1', 'plain/2']) expectRefusal(await follow(refs[key]), 410)
    const after = await refsOf(path)
    expect(after['filtered/0']).toHaveLength(1)
    expect(document(after, 'filtered/.zarray')).toMatchObject({ compressor: { id: 'blosc' }, filters: null })
    expect((await follow(after['filtered/0'])).status).toBe(200)
  })
})

describe('references to a stored domain', () => {
  test('are chunks of the view, of all of it, a group or an array', async () => {
    await fill()
    const group = await domain.group('g 名')
    await domain.dataset({ type: I4, shape: [3, 2], link: { id: group, name: 'd' } })
    await domain.dataset({ type: I4, shape: [], link: { id: group, name: 'scalar' } })
    await domain.dataset({ type: I4, shape: [0, 3], maxdims: [0, 3], link: { id: group, name: 'empty' } })
    const all = await refsOf(domain.path)
    const below = Object.keys(all).filter(key => key.startsWith('g 名/'))
    expect(below.sort()).toEqual(
      ['.zattrs', '.zgroup', 'd/.zarray', 'd/.zattrs', 'd/0.0', 'empty/.zarray', 'empty/.zattrs']
        .map(at)
        .concat(['scalar/.zarray', 'scalar/.zattrs', 'scalar/0'].map(at)),
    )
    const ofGroup = await refsOf(`${domain.path}/${encodeURIComponent('g 名')}`)
    expect(Object.keys(ofGroup).map(at).sort()).toEqual(below)
    for (const key of ['d/0.0', 'scalar/0']) {
      expect(ofGroup[key]).toEqual(all[at(key)])
      expect((await follow(ofGroup[key])).status).toBe(206)
    }
    const ofArray = await refsOf(`${domain.path}/filtered`)
    expect(Object.keys(ofArray).sort()).toEqual(['.zarray', '.zattrs', '0', '1'])
    expect(ofArray['1']).toEqual(all['filtered/1'])
    function at(key: string): string {
      return `g 名/${key}`
    }
  })

  test('name only chunks that are stored where the document has a fill value', async () => {
    const id = await domain.dataset({
      type: I4,
      shape: [900_000],
      creationProperties: {
        layout: { class: 'H5D_CHUNKED', dims: [300_000] },
        filters: ['gzip'],
        fillValue: -9,
      },
      link: { id: domain.root, name: 'd' },
    })
    await domain.want(201, 'PUT', `/datasets/${id}/attributes/_FillValue`, {
      type: I4,
      shape: [1],
      value: [-9],
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: [300_000], stop: [300_001], value: [5] })
    const refs = await refsOf(domain.path)
    expect(document(refs, 'd/.zarray')).toMatchObject({ fill_value: -9 })
    expect(
      Object.keys(refs)
        .filter(key => key.startsWith('d/'))
        .sort(),
    ).toEqual(['d/.zarray', 'd/.zattrs', 'd/1'])
  })

  test('have a tag and a length', async () => {
    await fill()
    const { bytes, headers } = await ask(domain.path)
    const head = await ask(domain.path, {}, 'HEAD')
    expect([head.headers.etag, head.headers['content-length']]).toEqual([headers.etag, String(bytes.length)])
    expect(headers['cache-control']).toBe('private, no-cache')
    const known = { headers: { 'If-None-Match': String(headers.etag) } }
    expect((await ask(domain.path, known)).status).toBe(304)
    await domain.group('later')
    expect((await ask(domain.path, known)).status).toBe(200)
  })

  test('are 1,000,000 at most', async () => {
    await domain.dataset({
      type: I4,
      shape: [2 ** 45],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [1_000_000] } },
      link: { id: domain.root, name: 'long' },
    })
    await domain.dataset({ type: I4, shape: [2], link: { id: domain.root, name: 'short' } })
    const reply = await ask(domain.path)
    expectRefusal(reply, 413)
    expect(reply.json()).toMatchObject({ code: 'too-many-references' })
    expect(Object.keys(await refsOf(`${domain.path}/short`))).toContain('0')
  })

  test('that there are none of are 404, and of what has no form in Zarr 501', async () => {
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    await domain.dataset({ type, shape: 1, link: { id: domain.root, name: 'r' } })
    expectRefusal(await ask(`${domain.path}/none`), 404)
    expectRefusal(await ask(`${domain.path}/.zgroup`), 404)
    expectRefusal(await ask(`${domain.path}/r`), 501)
    expectRefusal(await ask('/no/such.h5'), 404)
    expect(document(await refsOf(domain.path), '.zattrs')).toMatchObject({
      _left_out: { r: expect.any(String) },
    })
  })
})
