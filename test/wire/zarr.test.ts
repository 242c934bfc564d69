// The Zarr view of domains (docs/decisions/064): documents, chunks, tags, and the permission that they need. Real
// clients read it in test/clients.

import { inflateSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fields, type Options, type Reply, send, USER1, USER2 } from './client.ts'
import { type Domain, expectRefusal, makeHome, newDomain } from './hsds/domain.ts'

beforeAll(makeHome)

let domain: Domain

beforeEach(async () => {
  domain = await newDomain()
})

const NUMBERS = Array.from({ length: 100 }, (_, i) => i)
const I4 = 'H5T_STD_I32LE'

function ask(
  format: 2 | 3,
  path: string,
  options: Options = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Reply> {
  const target = `/zarr/v${format}${domain.path}/${path.split('/').map(encodeURIComponent).join('/')}`
  return send(method, target, undefined, { user: USER1, ...options })
}

async function document(format: 2 | 3, path: string): Promise<Fields> {
  const reply = await ask(format, path)
  expect(reply.status, reply.story).toBe(200)
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.text).toMatch(/^[\x20-\x7e]*$/)
  return reply.json()
}

async function refuse(status: number, format: 2 | 3, path: string, options?: Options): Promise<Fields> {
  const reply = await ask(format, path, options)
  expectRefusal(reply, status)
  return reply.json()
}

/** 100 integers in chunks of 40, with shuffle and deflate. */
async function deflated(name: string, properties: Fields = {}): Promise<string> {
  return domain.dataset({
    type: I4,
    shape: [100],
    creationProperties: {
      layout: { class: 'H5D_CHUNKED', dims: [40] },
      filters: ['shuffle', 'gzip'],
      ...properties,
    },
    link: { id: domain.root, name },
  })
}

const put = (id: string, value: readonly unknown[]) =>
  domain.want(200, 'PUT', `/datasets/${id}/value`, { value })

/** Length of the stored chunks: those below 1 MiB are made larger. */
async function chunkLength(name: string): Promise<number> {
  return ((await document(2, `${name}/.zarray`)).chunks as number[])[0]
}

/** The integers in a frame of Blosc. */
function integersIn(frame: Buffer): number[] {
  const [flags, size] = [frame[2], frame[3]]
  const length = frame.readUInt32LE(4)
  expect(frame.readUInt32LE(12)).toBe(frame.length)
  const plain = flags & 2 ? frame.subarray(16) : blocksOf(frame, length)
  const count = length / 4
  return Array.from({ length: count }, (_, i) => {
    if (!(flags & 1)) return plain.readInt32LE(4 * i)
    expect(size).toBe(4)
    return (
      plain[i] + plain[count + i] * 2 ** 8 + plain[2 * count + i] * 2 ** 16 + (plain[3 * count + i] << 24)
    )
  })
}

/** Blocks of deflate. */
function blocksOf(frame: Buffer, length: number): Buffer {
  const block = frame.readUInt32LE(8)
  const blocks = Array.from({ length: Math.ceil(length / block) }, (_, i) => {
    const at = frame.readUInt32LE(16 + 4 * i)
    const stream = frame.subarray(at + 4, at + 4 + frame.readUInt32LE(at))
    return stream.length === Math.min(block, length - i * block) ? stream : inflateSync(stream)
  })
  return Buffer.concat(blocks)
}

const REFERENCE = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }

async function attribute(id: string, name: string, body: Fields): Promise<void> {
  await domain.want(201, 'PUT', `/datasets/${id}/attributes/${name}`, body)
}

async function textAttribute(id: string, name: string, value: string): Promise<void> {
  const type = {
    class: 'H5T_STRING',
    length: value.length,
    charSet: 'H5T_CSET_ASCII',
    strPad: 'H5T_STR_NULLPAD',
  }
  await attribute(id, name, { type, value })
}

/** A scale, with the datasets that it names: their ids, and the numbers of the dimensions. */
async function scale(
  body: Fields,
  uses: readonly (readonly [id: string, dimension: number])[],
  name: string,
): Promise<string> {
  const id = await domain.dataset(body)
  await textAttribute(id, 'CLASS', 'DIMENSION_SCALE')
  await textAttribute(id, 'NAME', name)
  const fields = [
    { name: 'dataset', type: REFERENCE },
    { name: 'dimension', type: 'H5T_STD_U32LE' },
  ]
  const value = uses.map(([used, dimension]) => [`datasets/${used}`, dimension])
  await attribute(id, 'REFERENCE_LIST', {
    type: { class: 'H5T_COMPOUND', fields },
    shape: [uses.length],
    value,
  })
  return id
}

/** Gives a dataset its scales, some for each dimension. */
async function attach(id: string, scales: readonly (readonly string[])[]): Promise<void> {
  await attribute(id, 'DIMENSION_LIST', {
    type: { class: 'H5T_VLEN', base: REFERENCE },
    shape: [scales.length],
    value: scales.map(ids => ids.map(scale => `datasets/${scale}`)),
  })
}

const NOT_A_VARIABLE = 'This is a netCDF dimension but not a netCDF variable.         0'

describe('dimensions', () => {
  /** `long` of 5 elements and `short` of 3, whose chunk has 4 values stored, with the unlimited dimension `Time`. */
  async function makeTime(): Promise<void> {
    const [long, short] = await Promise.all(
      ['long', 'short'].map(name =>
        domain.dataset({
          type: I4,
          shape: [5],
          maxdims: [0],
          creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [40_000] }, fillValue: -9 },
          link: { id: domain.root, name },
        }),
      ),
    )
    for (const id of [long, short]) await put(id, [1, 2, 3, 4, 5])
    await domain.want(201, 'PUT', `/datasets/${short}/shape`, { shape: [3] })
    const body = { type: 'H5T_IEEE_F32BE', shape: [0], maxdims: [0], link: { id: domain.root, name: 'Time' } }
    const time = await scale(
      body,
      [
        [long, 0],
        [short, 0],
      ],
      NOT_A_VARIABLE,
    )
    for (const id of [long, short]) await attach(id, [[time]])
  }

  test('that are unlimited are as long as the longest dataset; shorter ones are filled up', async () => {
    await makeTime()
    const { consolidated_metadata: below } = await document(3, 'zarr.json')
    const nodes = (below as Fields).metadata as Record<string, Fields>
    expect(Object.keys(nodes).sort()).toEqual(['long', 'short'])
    for (const name of ['long', 'short']) {
      expect(nodes[name]).toMatchObject({ shape: [5], dimension_names: ['Time'] })
      expect(await document(2, `${name}/.zarray`)).toMatchObject({ shape: [5] })
      expect(await document(2, `${name}/.zattrs`)).toMatchObject({ _ARRAY_DIMENSIONS: ['Time'] })
    }
    const { bytes } = await ask(3, 'short/c/0')
    expect([0, 1, 2, 3, 4, 5].map(i => bytes.readInt32LE(4 * i))).toEqual([1, 2, 3, -9, -9, -9])
  })

  test('grow with their datasets', async () => {
    await makeTime()
    await document(3, 'short/zarr.json')
    const { id } = (await domain.want(200, 'GET', `/groups/${domain.root}/links/long`)).link as Fields
    const count = (await chunkLength('long')) + 1
    await domain.want(201, 'PUT', `/datasets/${id}/shape`, { shape: [count] })
    expect(await document(3, 'short/zarr.json')).toMatchObject({ shape: [count] })
    await refuse(404, 3, 'short/c/1')
    await refuse(404, 3, 'short/c/2')
    const { bytes } = await ask(2, 'short/1')
    expect([bytes.readInt32LE(0), bytes.length]).toEqual([-9, 4 * (count - 1)])
    await refuse(404, 2, 'short/2')
    const refs = await send('GET', `/zarr/refs${domain.path}`, undefined, { user: USER1 })
    const keys = Object.keys(refs.json<{ refs: Fields }>().refs)
    expect(keys.filter(key => key.startsWith('short/')).sort()).toEqual([
      'short/.zarray',
      'short/.zattrs',
      'short/0',
      'short/1',
    ])
  })

  test('have the names of scales with a null dataspace, and of the last of several scales', async () => {
    const id = await domain.dataset({ type: I4, shape: [3, 2], link: { id: domain.root, name: 'a' } })
    const linked = (name: string) => ({ type: I4, link: { id: domain.root, name } })
    const x = await scale({ ...linked('x'), shape: 'H5S_NULL' }, [[id, 0]], 'x')
    const first = await scale({ ...linked('first'), shape: [2] }, [[id, 1]], 'first')
    const last = await scale({ ...linked('last'), shape: [2] }, [[id, 1]], 'last')
    await attach(id, [[x], [first, last]])
    expect(await document(3, 'a/zarr.json')).toMatchObject({ shape: [3, 2], dimension_names: ['x', 'last'] })
  })

  test('of a scale with several are found by their numbers, also in the group above', async () => {
    const number = (id: string, value: number) => attribute(id, '_Netcdf4Dimid', { type: I4, value })
    const group = await domain.group('g')
    const length = await scale(
      { type: I4, shape: [4], link: { id: domain.root, name: 'length' } },
      [],
      'length',
    )
    await number(length, 0)
    const name = await scale({ type: I4, shape: [2, 4], link: { id: group, name: 'name' } }, [], 'name')
    await number(name, 1)
    await attribute(name, '_Netcdf4Coordinates', { type: I4, shape: [2], value: [1, 0] })
    expect(await document(3, 'g/name/zarr.json')).toMatchObject({ dimension_names: ['name', 'length'] })
  })
})

describe('documents', () => {
  test('of a group name all that is below it, once', async () => {
    const group = await domain.group('g')
    await domain.dataset({ type: I4, shape: [3, 2], link: { id: group, name: '名' } })
    await domain.want(201, 'PUT', `/groups/${group}/links/up`, { id: domain.root })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/g/名' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/nowhere`, { h5path: '/none' })
    await domain.dataset({
      type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
      shape: 1,
      link: { id: domain.root, name: 'r' },
    })
    await domain.want(201, 'PUT', `/groups/${group}/attributes/note`, {
      type: {
        class: 'H5T_STRING',
        length: 'H5T_VARIABLE',
        charSet: 'H5T_CSET_UTF8',
        strPad: 'H5T_STR_NULLTERM',
      },
      value: 'é',
    })
    const three = (await document(3, 'zarr.json')) as { consolidated_metadata: Fields; attributes: Fields }
    const nodes = three.consolidated_metadata.metadata as Record<string, Fields>
    expect(Object.keys(nodes).sort()).toEqual(['g', 'g/名', 'soft'])
    expect(nodes['g/名']).toMatchObject({ shape: [3, 2], data_type: 'int32', node_type: 'array' })
    expect(nodes.g).toMatchObject({ node_type: 'group', attributes: { note: 'é' } })
    expect(Object.keys(three.attributes._left_out as Fields).sort()).toEqual(['nowhere', 'r'])
    const two = (await document(2, '.zmetadata')).metadata as Fields
    expect(Object.keys(two).sort()).toEqual(
      [
        '.zattrs',
        '.zgroup',
        'g/.zattrs',
        'g/.zgroup',
        'g/名/.zarray',
        'g/名/.zattrs',
        'soft/.zarray',
        'soft/.zattrs',
      ].sort(),
    )
    expect(await document(2, 'g/up/g/名/.zarray')).toEqual(two['g/名/.zarray'])
    expect(await document(3, 'g/up/g/名/zarr.json')).toEqual(nodes['g/名'])
    expect(await document(2, '.zattrs')).toEqual(two['.zattrs'])
    expect(await document(2, '.zgroup')).toEqual({ zarr_format: 2 })
    const error = await refuse(501, 3, 'r/zarr.json')
    expect(error.code).toBe('type-unsupported')
    await refuse(501, 3, 'r/c/0')
  })

  test('leave out names that readers ask for in another meaning: they would find no chunks there', async () => {
    const names = ['a\\b', 'a#b', 'a?b', '%2F', 'tab\there', '..', 'zarr.json']
    for (const name of names) {
      await domain.dataset({ type: I4, shape: [2], link: { id: domain.root, name } })
    }
    const { attributes, consolidated_metadata: below } = await document(3, 'zarr.json')
    expect(Object.keys((attributes as Fields)._left_out as Fields).sort()).toEqual([...names].sort())
    expect(attributes).toMatchObject({
      _left_out: { 'a#b': 'readers of Zarr end an address at the # in its name' },
    })
    expect(below).toMatchObject({ metadata: {} })
    expect(await document(3, 'a\\b/zarr.json')).toMatchObject({ shape: [2] })
    expect(await document(3, 'a#b/zarr.json')).toMatchObject({ shape: [2] })
  })

  test('change with the domain', async () => {
    await document(3, 'zarr.json')
    await domain.group('later')
    const { consolidated_metadata: below } = await document(3, 'zarr.json')
    expect(below).toMatchObject({ metadata: { later: { node_type: 'group' } } })
  })

  test('of compounds are those of their members', async () => {
    const fields = [
      { name: 'a', type: I4 },
      { name: 'b', type: 'H5T_IEEE_F64BE' },
    ]
    const id = await domain.dataset({
      type: { class: 'H5T_COMPOUND', fields },
      shape: [2],
      link: { id: domain.root, name: 't' },
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: [
        [1, 0.5],
        [2, 1.5],
      ],
    })
    expect(await document(3, 't/zarr.json')).toMatchObject({ node_type: 'group' })
    expect(await document(3, 't/b/zarr.json')).toMatchObject({ data_type: 'float64', shape: [2] })
    const { bytes } = await ask(3, 't/b/c/0')
    expect([bytes.readDoubleBE(0), bytes.readDoubleBE(8)]).toEqual([0.5, 1.5])
    expect(await document(2, 't/.zarray')).toMatchObject({
      dtype: [
        ['a', '<i4'],
        ['b', '>f8'],
      ],
    })
    const packed = await ask(2, 't/0')
    expect([packed.bytes.readInt32LE(12), packed.bytes.readDoubleBE(16)]).toEqual([2, 1.5])
  })

  test('that readers look for in vain, and keys that are none, are 404', async () => {
    await deflated('d')
    for (const path of [
      '.zarray',
      'd/.zgroup',
      'd/.zmetadata',
      'zarr.json',
      'd/zarr.json',
      'd/c/0',
      'd/0.0',
      'd/-1',
      'd/01',
      'd',
      '.gmac',
      'none/.zarray',
    ])
      await refuse(404, 2, path)
    for (const path of ['.zgroup', 'd/0', 'd/c', 'd/c/0/0', 'd/c/0.0', 'd/c/1e1', 'd/c/x', 'd', 'none/c/0'])
      await refuse(404, 3, path)
    expectRefusal(await send('GET', '/zarr/v3/no/such/domain.h5/zarr.json'), 404)
    expectRefusal(await send('GET', '/zarr/v3/'), 404)
  })
})

describe('chunks', () => {
  test('of a layout that is exact have the shape given (hsds-values 16)', async () => {
    await deflated('e', { layout: { class: 'H5D_CHUNKED', dims: [40], exact: true } })
    expect(await chunkLength('e')).toBe(40)
  })

  test('are frames of Blosc around the stored bytes; the last one is filled up', async () => {
    const id = await deflated('d')
    await put(id, NUMBERS)
    const length = await chunkLength('d')
    const chunks = Math.ceil(100 / length)
    const read: number[] = []
    for (let i = 0; i < chunks; i++) {
      const [two, three] = [await ask(2, `d/${i}`), await ask(3, `d/c/${i}`)]
      expect(two.status, two.story).toBe(200)
      expect(two.headers['content-type']).toBe('application/octet-stream')
      expect(Buffer.compare(two.bytes, three.bytes)).toBe(0)
      const integers = integersIn(two.bytes)
      expect(integers.length).toBe(length)
      read.push(...integers)
    }
    expect(read.slice(0, 100)).toEqual(NUMBERS)
    await refuse(404, 3, `d/c/${chunks}`)
    await refuse(404, 2, `d/${chunks}`)
  })

  test('that are not stored are 404 in Zarr 3, and sent in Zarr 2', async () => {
    await deflated('d', { fillValue: -7 })
    expect(await document(3, 'd/zarr.json')).toMatchObject({ fill_value: -7 })
    expect((await refuse(404, 3, 'd/c/0')).code).toBe('object-not-found')
    expect(await document(2, 'd/.zarray')).toMatchObject({ fill_value: null })
    const { bytes } = await ask(2, 'd/0')
    expect(new Set(integersIn(bytes))).toEqual(new Set([-7]))
    await domain.dataset({ type: I4, shape: [], link: { id: domain.root, name: 'scalar' } })
    expect((await ask(2, 'scalar/0')).bytes).toEqual(Buffer.alloc(4))
  })

  test('have a tag that changes with them, and ranges', async () => {
    const id = await deflated('d')
    await put(id, NUMBERS)
    const first = await ask(3, 'd/c/0')
    const { etag } = first.headers
    expect(etag).toMatch(/^"[0-9a-f]+"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const known = { headers: { 'If-None-Match': String(etag) } }
    // The answer that comes again may be one that was kept.
    for (let time = 0; time < 4; time++) {
      const again = await ask(3, 'd/c/0', known)
      expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, etag, 0])
      expect(again.headers['cache-control']).toBe('private, no-cache')
      const other = await ask(3, 'd/c/0', { headers: { ...known.headers, 'If-Match': '"other"' } })
      expect(other.status).toBe(412)
    }
    const head = await ask(3, 'd/c/0', {}, 'HEAD')
    expect([head.status, head.headers['content-length']]).toEqual([200, String(first.bytes.length)])
    const part = await ask(3, 'd/c/0', { headers: { Range: 'bytes=4-7' } })
    expect([part.status, part.bytes]).toEqual([206, first.bytes.subarray(4, 8)])
    await put(id, NUMBERS.toReversed())
    const changed = await ask(3, 'd/c/0', known)
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
    expect(integersIn(changed.bytes)[0]).toBe(99)
  })

  test('have what was written to a part of them', async () => {
    const id = await domain.dataset({
      type: I4,
      shape: [400_000],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [400_000] }, filters: ['gzip'] },
      link: { id: domain.root, name: 'd' },
    })
    const value = Array.from({ length: 400_000 }, (_, i) => i)
    await put(id, value)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: [10], stop: [12], value: [-1, -2] })
    const integers = integersIn((await ask(3, 'd/c/0')).bytes)
    expect(integers.slice(8, 14)).toEqual([8, 9, -1, -2, 12, 13])
    expect(integers.at(-1)).toBe(399_999)
  })

  test('whose frames are made of several blocks have their length too', async () => {
    const id = await deflated('d', { filters: [{ id: 32004 }] })
    await put(id, NUMBERS)
    const { bytes } = await ask(3, 'd/c/0')
    const head = await ask(3, 'd/c/0', {}, 'HEAD')
    expect(head.headers['content-length']).toBe(String(bytes.length))
    const part = await ask(3, 'd/c/0', { headers: { Range: 'bytes=-8' } })
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(-8)])
  })

  test('of a dataset without elements are none', async () => {
    await domain.dataset({ type: I4, shape: [0, 3], maxdims: [0, 3], link: { id: domain.root, name: 'd' } })
    expect(await document(3, 'd/zarr.json')).toMatchObject({ shape: [0, 3] })
    await refuse(404, 3, 'd/c/0/0')
  })
})

describe('addresses of a state', () => {
  test('answer for ever what they answer, or 410 when the domain has changed', async () => {
    const id = await deflated('d')
    await put(id, NUMBERS)
    const plain = await ask(3, 'd/zarr.json')
    const pinned = String(plain.headers['content-location'])
    expect(pinned).toMatch(/^\/zarr\/v3\/~[0-9a-f]{32}\//)
    const at = (target: string) => send('GET', target, undefined, { user: USER1 })
    const fixed = await at(pinned)
    expect([fixed.status, fixed.text]).toEqual([200, plain.text])
    expect(fixed.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(fixed.headers['content-location']).toBeUndefined()
    const chunk = await at(pinned.replace('zarr.json', 'c/0'))
    expect(integersIn(chunk.bytes)[1]).toBe(1)
    expect(chunk.headers['cache-control']).toContain('immutable')
    await domain.group('later')
    expectRefusal(await at(pinned), 410)
    expectRefusal(await at(pinned.replace('zarr.json', 'c/0')), 410)
    expect((await ask(3, 'd/zarr.json')).headers['content-location']).not.toBe(pinned)
  })

  test('with what other domains have are asked for again', async () => {
    const other = await newDomain()
    await other.dataset({ type: I4, shape: [2], link: { id: other.root, name: 'd' } })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/ext`, { h5path: '/d', h5domain: other.path })
    for (const path of ['zarr.json', 'ext/zarr.json']) {
      const pinned = String((await ask(3, path)).headers['content-location'])
      const reply = await send('GET', pinned, undefined, { user: USER1 })
      expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'private, no-cache'])
    }
  })
})

describe('permission', () => {
  const AS_USER2 = { user: USER2 }

  test('behind a link is required there: a chunk that may not be read is never missing', async () => {
    const other = await newDomain()
    const id = await other.dataset({ type: I4, shape: [2], link: { id: other.root, name: 'd' } })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/ext`, { h5path: '/d', h5domain: other.path })
    await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    await other.want(200, 'PUT', `/datasets/${id}/value`, { value: [5, 6] })
    expect((await ask(3, 'ext/c/0')).bytes.readInt32LE(4)).toBe(6)
    await refuse(403, 3, 'ext/c/0', AS_USER2)
    await refuse(403, 2, 'ext/.zarray', AS_USER2)
    const reply = await ask(3, 'zarr.json', AS_USER2)
    expect(reply.json()).toMatchObject({ attributes: { _left_out: { ext: 'the caller may not read it' } } })
    await other.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    expect((await ask(3, 'ext/c/0', AS_USER2)).status).toBe(200)
  })

  test('of everybody lets caches share the answer', async () => {
    await domain.want(201, 'PUT', '/acls/default', { read: true })
    expect((await ask(3, 'zarr.json', { user: undefined })).headers['cache-control']).toBe('no-cache')
  })
})
