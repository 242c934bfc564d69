// The door to reading reads all that the door to writing writes; and each source of bytes, a server that ignores
// Range or whose file changes among them.

import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blobSource, fileSource } from './byte-sources.ts'
import type { WritableValue } from './encode-values.ts'
import {
  array,
  BOOLEAN,
  bigEndian,
  bitfield,
  compound,
  enumeration,
  fixedString,
  opaque,
  REFERENCE,
  sequence,
  TYPES,
} from './make-types.ts'
import { H5Dataset, type H5File, H5Group, openFile, type Slice } from './reader.ts'
import { urlSource } from './url-source.ts'
import { type DatasetOptions, type NewH5File, newFile, UNLIMITED } from './writer.ts'

async function reopened(file: NewH5File): Promise<H5File> {
  return openFile(await file.toBytes())
}

async function datasetOf(file: H5File, path: string): Promise<H5Dataset> {
  const object = await file.get(path)
  if (object instanceof H5Dataset) return object
  throw new Error(`${path} is no dataset`)
}

async function roundTrip(value: WritableValue, options: DatasetOptions = {}): Promise<H5Dataset> {
  const file = newFile()
  file.root.createDataset('x', value, options)
  return datasetOf(await reopened(file), '/x')
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

const COUNTED = Float64Array.from({ length: 60 }, (_, i) => i)

describe('values', () => {
  it.each([
    [new Int8Array([-1, 2])],
    [new Uint16Array([1, 65_535])],
    [new Int32Array([-(2 ** 31), 7])],
    [new BigInt64Array([-(2n ** 63n), 1n])],
    [new BigUint64Array([2n ** 64n - 1n])],
    [new Float32Array([1.5, Number.NaN])],
    [new Float64Array([0.1, -0])],
  ])('of %s come back in the same array', async values => {
    const { values: read, shape } = await (await roundTrip(values)).read()
    expect(read).toEqual(values)
    expect(shape).toEqual([values.length])
  })

  it.each<[string, WritableValue, DatasetOptions, unknown]>([
    ['numbers', [1, 2.5], {}, new Float64Array([1, 2.5])],
    ['strings', ['a', 'ü', ''], {}, ['a', 'ü', '']],
    ['booleans', [true, false], {}, [true, false]],
    ['big-endian integers', [1, -2], { type: bigEndian(TYPES.int16) }, new Int16Array([1, -2])],
    ['big-endian floats', [1.5], { type: bigEndian(TYPES.float64) }, new Float64Array([1.5])],
    ['strings of fixed length', ['ab', 'c'], { type: fixedString(3) }, ['ab', 'c']],
    ['bits', [5], { type: bitfield(2) }, new Uint16Array([5])],
    [
      'members of enumerations',
      ['B', 1],
      { type: enumeration(TYPES.uint8, { A: 1, B: 2 }) },
      new Uint8Array([2, 1]),
    ],
    ['sequences', [[1, 2], []], { type: sequence(TYPES.int32) }, [new Int32Array([1, 2]), new Int32Array(0)]],
    ['arrays', [[1, 2, 3]], { type: array(TYPES.int8, [3]) }, [new Int8Array([1, 2, 3])]],
    ['opaque bytes', [Uint8Array.of(1, 2)], { type: opaque(2, 'tag') }, [Uint8Array.of(1, 2)]],
    [
      'compounds',
      [{ n: 1, s: 'one', b: true }],
      { type: compound({ n: TYPES.int64, s: TYPES.string, b: BOOLEAN }) },
      [{ n: 1n, s: 'one', b: true }],
    ],
    ['sequences of strings', [['a', 'b']], { type: sequence(TYPES.string) }, [['a', 'b']]],
  ])('%s come back', async (_name, value, options, expected) => {
    expect((await (await roundTrip(value, options)).read()).values).toEqual(expected)
    // Filters need chunks.
    const filtered = await roundTrip(value, { ...options, deflate: 6, shuffle: true, chunks: [1] })
    expect((await filtered.read()).values).toEqual(expected)
  })

  it('of a scalar have no extents', async () => {
    const { shape, values } = await (await roundTrip(7)).read()
    expect([shape, values[0]]).toEqual([[], 7])
  })

  it.each<[string, WritableValue, DatasetOptions, string]>([
    ['too few', [1, 2], { shape: [3] }, 'value-count-mismatch'],
    ['ragged', [[1], [2, 3]], {}, 'value-count-mismatch'],
    ['too large', [300], { type: TYPES.uint8 }, 'type-mismatch'],
    ['too long', ['abc'], { type: fixedString(2) }, 'type-mismatch'],
    ['of another kind', ['a'], { type: TYPES.float64 }, 'type-mismatch'],
  ])('that are %s are rejected', (_name, value, options, code) => {
    expect(() => newFile().root.createDataset('x', value, options)).toThrow(expect.objectContaining({ code }))
  })
})

describe('datasets', () => {
  it('keep chunks, filters and the largest shape', async () => {
    const dataset = await roundTrip(COUNTED, {
      shape: [6, 10],
      chunks: [4, 4],
      maxShape: [UNLIMITED, 10],
      shuffle: true,
      deflate: 9,
      fletcher32: true,
    })
    expect([dataset.shape, dataset.chunks, dataset.maxShape]).toEqual([
      [6, 10],
      [4, 4],
      [UNLIMITED, 10],
    ])
    expect(dataset.filters).toEqual([2, 1, 3])
    expect((await dataset.read()).values).toEqual(COUNTED)
  })

  it.each([32_000, 32_001, 32_004, 32_008, 32_015, 32_003])('go through filter %i', async id => {
    const dataset = await roundTrip(COUNTED, { chunks: [20], filters: [{ id }] })
    expect(dataset.filters).toEqual([id])
    expect((await dataset.read()).values).toEqual(COUNTED)
  })

  it.each<[readonly Slice[], readonly number[], readonly number[]]>([
    [[1], [10], [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]],
    [
      [
        [0, 2],
        [8, 10],
      ],
      [2, 2],
      [8, 9, 18, 19],
    ],
    [
      [
        [0, 6, 5],
        [-1, 10],
      ],
      [2, 1],
      [9, 59],
    ],
    [[-1, -1], [], [59]],
    [[[3, 3]], [0, 10], []],
    [
      [
        [0, 4, 3],
        [0, 10, 4],
      ],
      [2, 3],
      [0, 4, 8, 30, 34, 38],
    ],
  ])('give the part %j', async (slices, shape, values) => {
    const dataset = await roundTrip(COUNTED, { shape: [6, 10], chunks: [4, 4] })
    const part = await dataset.read(slices)
    expect([part.shape, [...part.values]]).toEqual([shape, values])
  })

  it.each<[readonly Slice[]]>([[[6]], [[[0, 2, 0]]], [[0, 0, 0]], [[[0.5, 2]]]])(
    'reject %j',
    async slices => {
      const dataset = await roundTrip(COUNTED, { shape: [6, 10] })
      await expect(dataset.read(slices)).rejects.toMatchObject({ code: 'malformed-selection' })
    },
  )
})

describe('files', () => {
  it('have groups, links, attributes, committed types and references', async () => {
    const file = newFile({ time: new Date('2020-01-01') })
    const entry = file.root.createGroup('entry')
    const data = entry.createDataset('data', new Int32Array([1, 2, 3]), { attributes: { units: 'K' } })
    entry.setAttribute('shape', [1, 2]).setAttribute('none', 'old').setAttribute('none', 'new')
    file.root.createSoftLink('soft', '/entry/data').createHardLink('hard', data)
    file.root.createExternalLink('other', 'other.h5', '/x').createDatatype('type', TYPES.int16)
    file.root.createDataset('reference', data, { type: REFERENCE })
    const read = await reopened(file)
    const titles = (await listOf(read.root.links())).map(({ title, class: kind }) => [title, kind])
    expect(titles).toContainEqual(['other', 'H5L_TYPE_EXTERNAL'])
    const found = await datasetOf(read, '/soft')
    expect(found.address).toBe((await datasetOf(read, 'hard')).address)
    expect((await found.attribute('units'))?.value).toBe('K')
    const group = await read.get('entry')
    const attributes = (await listOf((group ?? read.root).attributes())).map(({ name, value }) => [
      name,
      value,
    ])
    expect(attributes).toEqual([
      ['shape', new Float64Array([1, 2])],
      ['none', 'new'],
    ])
    const reference = (await (await datasetOf(read, 'reference')).read()).values[0]
    expect(reference).toEqual({ address: found.address })
    if (typeof reference !== 'object' || !reference || !('address' in reference))
      throw new Error('no reference')
    expect((await read.at({ address: String(reference.address) })).kind).toBe('dataset')
    expect(await read.get('/no/such')).toBeUndefined()
    expect(read.warnings).toEqual([])
    expect(group).toBeInstanceOf(H5Group)
  })

  it('reject a second link of one title', () => {
    const { root } = newFile()
    root.createGroup('a')
    expect(() => root.createGroup('a')).toThrow(expect.objectContaining({ code: 'link-exists' }))
    expect(() => root.createGroup('a/b')).toThrow(expect.objectContaining({ code: 'malformed-name' }))
  })
})

async function sample(): Promise<Uint8Array> {
  const file = newFile()
  file.root.createDataset(
    'big',
    Float64Array.from({ length: 40_000 }, (_, i) => i),
  )
  return file.toBytes()
}

async function lastOf(file: H5File): Promise<unknown> {
  return (await (await datasetOf(file, 'big')).read([-1])).values[0]
}

/** A server of one file. */
function serving(state: {
  bytes: Uint8Array
  tag?: string
  ignoresRange?: boolean
  requests?: number
}): typeof fetch {
  return async (_url, init) => {
    state.requests = (state.requests ?? 0) + 1
    const headers = new Headers(init?.headers)
    const etag = state.tag && { etag: state.tag }
    const ifRange = headers.get('if-range')
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers.get('range') ?? '') ?? []
    const isWhole = state.ignoresRange || (ifRange !== null && ifRange !== state.tag)
    if (isWhole) return new Response(new Uint8Array(state.bytes), { status: 200, headers: { ...etag } })
    const part = state.bytes.slice(Number(first), Number(last) + 1)
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${state.bytes.length}`
    return new Response(part, { status: 206, headers: { 'content-range': range, ...etag } })
  }
}

describe('sources', () => {
  it('are an open file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'h5-'))
    await writeFile(join(folder, 'a.h5'), await sample())
    const handle = await open(join(folder, 'a.h5'))
    try {
      expect(await lastOf(await openFile(await fileSource(handle)))).toBe(39_999)
    } finally {
      await handle.close()
      await rm(folder, { recursive: true })
    }
  })

  it('are a Blob', async () => {
    const blob = new Blob([new Uint8Array(await sample())])
    expect(await lastOf(await openFile(blobSource(blob)))).toBe(39_999)
  })

  it('are an address, of which only parts are requested', async () => {
    const state = { bytes: await sample(), tag: '"1"', requests: 0 }
    const source = await urlSource('http://x/a.h5', { fetch: serving(state) })
    expect(await lastOf(await openFile(source))).toBe(39_999)
    expect(state.requests).toBeLessThanOrEqual(3)
  })

  it('reject a server that ignores Range', async () => {
    const state = { bytes: await sample(), ignoresRange: true }
    await expect(urlSource('http://x/a.h5', { fetch: serving(state) })).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('ignores Range'),
    })
  })

  it.each(['"2"', 'W/"2"', undefined])('reject a file that changes, with the tag %s', async tag => {
    const bytes = await sample()
    const state = { bytes, tag: tag?.replace('2', '1') }
    const source = await urlSource('http://x/a.h5', {
      fetch: serving(state as { bytes: Uint8Array; tag: string }),
    })
    const file = await openFile(source)
    state.tag = tag
    state.bytes = new Uint8Array([...bytes, 0])
    await expect(lastOf(file)).rejects.toMatchObject({ code: 'file-changed' })
  })
})
