// Values that are in other files, as layouts of classes H5D_CONTIGUOUS_REF, H5D_CHUNKED_REF and
// H5D_CHUNKED_REF_INDIRECT name them (hsds-values 18). The file holds the numbers 0, 1, 2, ... where the layouts of
// each test say.

import { deflateSync } from 'node:zlib'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteSource } from '@hyperslab/h5/reader'
import { HDF5_JSON, parseCreationProperties, type SimpleDataspace } from '@hyperslab/model/dataset'
import { parseDatatype } from '@hyperslab/model/datatype'
import { parseJson } from '@hyperslab/model/json'
import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import type { Hyperslab } from '@hyperslab/model/selection'
import { expandPieces } from '@hyperslab/model/values'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import type { Dataset, Reader } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { BufferPool } from '../../../store/chunks/buffer-pool.ts'
import { ChunkFilters } from '../../../store/chunks/chunk-filters.ts'
import { readReferenced } from './referenced-values.ts'

const TABLE = idFromHex('12'.repeat(16))

/** A file that is these numbers, 4 bytes each, after 8 bytes of something else. */
function fileOf(numbers: readonly number[]): Uint8Array {
  const values = Int32Array.from(numbers)
  return new Uint8Array([...Array<number>(8).fill(255), ...new Uint8Array(values.buffer)])
}

function upTo(end: number): number[] {
  return Array.from({ length: end }, (_, i) => i)
}

function sourceOf(bytes: Uint8Array): ByteSource {
  const part = (position: number, length: number) => bytes.subarray(position, position + length)
  return {
    size: bytes.length,
    stamp: 'one',
    read: async ranges => ranges.map(({ position, length }) => part(position, length)),
    async readInto(target, position) {
      const found = part(position, target.length)
      target.set(found)
      return found.length
    },
  }
}

function datasetOf(type: string, dims: readonly number[], properties: object, id = '34'.repeat(16)): Dataset {
  const parsed = parseDatatype(parseJson(type))
  const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims }
  const rules = { ...HDF5_JSON, referenceLayouts: true }
  return {
    kind: 'dataset',
    id: idFromHex(id),
    created: 1,
    acl: [],
    type: parsed,
    space,
    creationProperties: parseCreationProperties(parseJson(JSON.stringify(properties)), parsed, space, rules),
  }
}

const I32 = '"H5T_STD_I32LE"'

interface Files {
  readonly [uri: string]: Uint8Array
}

/** The elements of the box, read through the layout. */
async function read(
  files: Files,
  dims: readonly number[],
  properties: object,
  { start = dims.map(() => 0), count = dims, table }: Partial<Box> = {},
): Promise<readonly number[]> {
  const parts = {
    filters: new ChunkFilters(IN_THIS_THREAD, 2 ** 20),
    pool: new BufferPool(2 ** 20),
    pieceBytes: 64,
    reader: tableReader(table),
    async openFile(uri: string) {
      const bytes = files[uri]
      if (bytes) return sourceOf(bytes)
      throw new HyperslabError('file-not-found', `no file ${uri}`)
    },
  }
  const ones = dims.map(() => 1)
  const selection: Hyperslab = { kind: 'hyperslab', start, stride: ones, count, block: ones }
  const numbers: number[] = []
  const pieces = readReferenced(parts, datasetOf(I32, dims, properties), selection)
  for await (const { data } of expandPieces(datasetOf(I32, dims, properties).type, pieces)) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    for (let at = 0; at < data.length; at += 4) numbers.push(view.getInt32(at, true))
  }
  return numbers
}

interface Box {
  readonly start: readonly number[]
  readonly count: readonly number[]
  readonly table: Table
}

interface Table {
  readonly type: string
  readonly dims: readonly number[]
  /** Packed, in row-major order. */
  readonly rows: readonly Uint8Array[]
}

function tableReader(table: Table | undefined): Pick<Reader, 'object' | 'readValues'> {
  return {
    object: async (id: ObjectId) =>
      table && id === TABLE ? datasetOf(table.type, table.dims, {}, TABLE) : undefined,
    async *readValues(_dataset, selection) {
      if (table === undefined || selection.kind !== 'points') throw new Error('not read so')
      const { coordinates, rank } = selection
      for (let at = 0; at < coordinates.length; at += rank) {
        const index = table.dims.reduce((sum, extent, d) => sum * extent + coordinates[at + d], 0)
        yield { count: 1, data: table.rows[index], heap: new Uint8Array() }
      }
    },
  }
}

describe('a contiguous layout', () => {
  const layout = { class: 'H5D_CONTIGUOUS_REF', file_uri: 'b/k', offset: 8, size: 400 }

  it('gives the bytes from its offset on, also of a box', async () => {
    const files = { 'b/k': fileOf(upTo(100)) }
    expect(await read(files, [10, 10], { layout })).toEqual(upTo(100))
    expect(await read(files, [10, 10], { layout }, { start: [3, 8], count: [2, 2] })).toEqual([
      38, 39, 48, 49,
    ])
  })

  it('reads as zeros behind its size, whatever the fill value', async () => {
    const properties = { layout: { ...layout, size: 80 }, fillValue: 7 }
    const numbers = await read({ 'b/k': fileOf(upTo(20)) }, [10, 10], properties)
    expect(numbers).toEqual(upTo(100).map(number => (number < 20 ? number : 0)))
  })

  it('is an error when the file ends before it, also of a box that is there', async () => {
    const files = { 'b/k': fileOf(upTo(99)) }
    for (const count of [
      [10, 10],
      [1, 1],
    ]) {
      await expect(read(files, [10, 10], { layout }, { count })).rejects.toMatchObject({
        code: 'values-unreadable',
        message: expect.stringContaining(
          'the values in b/k at 8 cannot be read: they end at 408, and the file at 404',
        ),
      })
    }
    expect(await read(files, [9, 11], { layout })).toEqual(upTo(99))
  })

  it('is an error that names a file which is not there', async () => {
    await expect(read({}, [10, 10], { layout })).rejects.toMatchObject({ code: 'file-not-found' })
    expect(await read({}, [0, 10], { layout })).toEqual([])
  })
})

describe('a layout of chunks', () => {
  const chunked = (chunks: object) => ({ class: 'H5D_CHUNKED_REF', file_uri: 'b/k', dims: [2, 3], chunks })

  it('gives the chunks that it lists, and the fill value for the others', async () => {
    const files = { 'b/k': fileOf(upTo(12)) }
    const properties = { layout: chunked({ '0_0': [8, 24], '1_1': [32, 24] }), fillValue: -1 }
    expect(await read(files, [3, 4], properties)).toEqual([0, 1, 2, -1, 3, 4, 5, -1, -1, -1, -1, 6])
  })

  it('decodes chunks that went through filters', async () => {
    const packed = deflateSync(fileOf(upTo(6)).subarray(8))
    const properties = {
      layout: chunked({ '0_0': [5, packed.length] }),
      filters: [{ class: 'H5Z_FILTER_DEFLATE', id: 1, level: 4 }],
    }
    const files = { 'b/k': new Uint8Array([1, 2, 3, 4, 5, ...packed]) }
    expect(await read(files, [2, 3], properties)).toEqual(upTo(6))
    await expect(read({ 'b/k': files['b/k'].fill(9, 8) }, [2, 3], properties)).rejects.toMatchObject({
      code: 'values-unreadable',
    })
  })

  it.each([
    ['ends behind the file', [8, 24]],
    ['has another length', [8, 20]],
  ])('is an error where a chunk %s', async (_, location) => {
    const files = { 'b/k': fileOf(upTo(5)) }
    await expect(read(files, [2, 3], { layout: chunked({ '0_0': location }) })).rejects.toMatchObject({
      code: 'values-unreadable',
      message: expect.stringContaining('the chunk [0, 0]'),
    })
  })
})

describe('a table of chunks', () => {
  const member = (name: string, type: string) => `{"name":"${name}","type":${type}}`
  const PLACES = `${member('offset', '"H5T_STD_I64LE"')},${member('size', '"H5T_STD_I32LE"')}`
  const URI = member(
    'file_uri',
    '{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","strPad":"H5T_STR_NULLPAD","length":8}',
  )
  const compound = (fields: string) => `{"class":"H5T_COMPOUND","fields":[${fields}]}`
  const row = (offset: number, size: number, uri?: string) => {
    const bytes = new Uint8Array(uri === undefined ? 12 : 20)
    const view = new DataView(bytes.buffer)
    view.setBigInt64(0, BigInt(offset), true)
    view.setInt32(8, size, true)
    if (uri !== undefined) bytes.set(Buffer.from(uri), 12)
    return bytes
  }
  const indirect = {
    class: 'H5D_CHUNKED_REF_INDIRECT',
    dims: [4],
    chunk_table: `d-${'12121212-'.repeat(2)}1212-121212-121212`,
  }

  it('says where chunks lie; a size of 0 is the fill value', async () => {
    const table = { type: compound(PLACES), dims: [3], rows: [row(24, 16), row(0, 0), row(8, 16)] }
    const properties = { layout: { ...indirect, file_uri: 's3://b/k' }, fillValue: 9 }
    const numbers = await read({ 's3://b/k': fileOf(upTo(8)) }, [12], properties, { table })
    expect(numbers).toEqual([4, 5, 6, 7, 9, 9, 9, 9, 0, 1, 2, 3])
  })

  it('names a file in each row when the layout names none', async () => {
    const table = {
      type: compound(`${PLACES},${URI}`),
      dims: [2],
      rows: [row(8, 16, 'b/two'), row(8, 16, 'b/one')],
    }
    const files = { 'b/one': fileOf(upTo(4)), 'b/two': fileOf([9, 8, 7, 6]) }
    expect(await read(files, [8], { layout: indirect }, { table })).toEqual([9, 8, 7, 6, 0, 1, 2, 3])
  })

  it('has a row for each chunk of the file, of which a chunk of the layout holds several', async () => {
    const table = { type: compound(PLACES), dims: [4], rows: upTo(4).map(i => row(8 + 8 * (3 - i), 8)) }
    const properties = { layout: { ...indirect, file_uri: 'b/k', hyper_dims: [2] } }
    const numbers = await read({ 'b/k': fileOf(upTo(8)) }, [8], properties, { table })
    expect(numbers).toEqual([6, 7, 4, 5, 2, 3, 0, 1])
  })

  it('leaves the fill value where it ends before the dataset', async () => {
    const table = { type: compound(PLACES), dims: [1], rows: [row(8, 16)] }
    const properties = { layout: { ...indirect, file_uri: 'b/k' } }
    expect(await read({ 'b/k': fileOf(upTo(4)) }, [6], properties, { table })).toEqual([0, 1, 2, 3, 0, 0])
  })

  it('names a file that is longer than paths only where a chunk is stored', async () => {
    const long = URI.replace('8', '5000')
    const table = (size: number) => ({
      type: compound(`${PLACES},${long}`),
      dims: [1],
      rows: [new Uint8Array([...row(8, size), ...Buffer.alloc(5000, 'a')])],
    })
    const properties = { layout: indirect, fillValue: 9 }
    expect(await read({}, [4], properties, { table: table(0) })).toEqual([9, 9, 9, 9])
    await expect(read({}, [4], properties, { table: table(16) })).rejects.toMatchObject({
      code: 'file-not-found',
      message: expect.stringContaining('at most 4103 bytes'),
    })
  })

  it.each<[string, Table | undefined, string]>([
    ['is not there', undefined, 'object-not-found'],
    ['has no such members', { type: compound(member('a', I32)), dims: [1], rows: [] }, 'values-unreadable'],
    ['names no file', { type: compound(PLACES), dims: [1], rows: [] }, 'values-unreadable'],
    [
      'has a negative offset',
      { type: compound(`${PLACES},${URI}`), dims: [1], rows: [row(-1, 16, 'b/k')] },
      'values-unreadable',
    ],
  ])('is an error when it %s', async (_, table, code) => {
    await expect(
      read({ 'b/k': fileOf([]) }, [4], { layout: indirect }, { ...(table && { table }) }),
    ).rejects.toMatchObject({
      code,
    })
  })
})
