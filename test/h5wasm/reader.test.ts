// The reader on files that h5wasm itself writes, so that this runs where there is nothing but Node. What h5wasm
// cannot write is compared with h5py in test/h5py.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import h5wasm, { type FileOptions, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../src/h5file/byte-source.ts'
import type { FileAddress, FileLink, H5FileReader } from '../../src/h5file/reader.ts'
import { idFromHex, type ObjectReference } from '../../src/hdf5/object-id.ts'
import { elementsToJson } from '../../src/hdf5/values/json-tree.ts'
import { PREFIXED_REFERENCES } from '../../src/hdf5/values/references.ts'
import { memorySource } from '../fixtures/byte-source.ts'
import { openH5wasmReader } from './reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-reader-'))
const path = join(folder, 'made.h5')
const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

let reader: H5FileReader

function sourceOf(file: string): ByteSource {
  return memorySource(readFileSync(file))
}

beforeAll(async () => {
  await ready
  const file = new h5wasm.File(path, 'w')
  file.create_attribute('title', 'grün')
  file.create_attribute('numbers', new Int32Array([1, -2, 3]))
  const group = file.create_group('group')
  group.create_dataset({ name: 'big', data: new BigInt64Array([2n ** 63n - 1n, -1n]) })
  group.create_dataset({
    name: 'chunked',
    data: Float32Array.from({ length: 600 }, (_, index) => index / 2),
    shape: [20, 30],
    maxshape: [null, 30],
    chunks: [6, 7],
    compression: 'gzip',
    compression_opts: [4],
  })
  group.create_dataset({ name: 'text', data: ['a', 'bc', ''] })
  group.create_dataset({ name: 'references', data: [group.create_reference()] })
  file.create_soft_link('/group/text', 'soft')
  file.create_external_link('other.h5', '/there', 'external')
  file.create_hard_link('/group', 'again')
  file.create_hard_link('/', 'circle')
  file.close()
  reader = await openH5wasmReader(path, sourceOf(path))
})

afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true, force: true })
})

async function linkOf(group: FileAddress, title: string): Promise<FileLink> {
  const link = (await reader.links(group)).find(candidate => candidate.title === title)
  if (!link) throw new Error(`there is no link ${title}`)
  return link
}

async function objectAt(...titles: readonly string[]): Promise<FileAddress> {
  let address = reader.root
  for (const title of titles) {
    const link = await linkOf(address, title)
    if (link.class !== 'H5L_TYPE_HARD') throw new Error(`${title} is not a hard link`)
    address = link.address
  }
  return address
}

async function values(
  titles: readonly string[],
  start: readonly number[],
  count: readonly number[],
  target?: ObjectReference,
) {
  const address = await objectAt(...titles)
  const elements = await reader.readValues(address, start, count, () => target)
  return elementsToJson((await reader.dataset(address)).type, count, elements, style)
}

describe('h5wasm reader', () => {
  it('names links of every class, and one object with two hard links by one address', async () => {
    expect(await linkOf(reader.root, 'soft')).toEqual({
      title: 'soft',
      class: 'H5L_TYPE_SOFT',
      h5path: '/group/text',
    })
    expect(await linkOf(reader.root, 'external')).toEqual({
      title: 'external',
      class: 'H5L_TYPE_EXTERNAL',
      h5path: '/there',
      file: 'other.h5',
    })
    expect(await objectAt('again')).toBe(await objectAt('group'))
    expect(await objectAt('circle')).toBe(reader.root)
    expect(await reader.object(await objectAt('group', 'text'))).toMatchObject({ kind: 'dataset' })
  })

  it('reads attributes', async () => {
    const attributes = await reader.attributes(reader.root, () => undefined)
    const json = attributes.map(({ name, type, space, value }) => {
      const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
      return [name, value && elementsToJson(type, dims, value, style)]
    })
    expect(json.sort()).toEqual([
      ['numbers', [1, -2, 3]],
      ['title', 'grün'],
    ])
  })

  it('reads boxes of values', async () => {
    expect(await values(['group', 'chunked'], [5, 28], [3, 2])).toEqual([
      [89, 89.5],
      [104, 104.5],
      [119, 119.5],
    ])
    expect(await values(['group', 'text'], [0], [3])).toEqual(['a', 'bc', ''])
    expect(await values(['group', 'big'], [0], [2])).toEqual([2n ** 63n - 1n, -1])
  })

  it('has type, dataspace and creation properties', async () => {
    const { type, space, creationProperties } = await reader.dataset(await objectAt('group', 'chunked'))
    const { layout, chunkDims, json } = creationProperties
    expect(type).toEqual({ class: 'H5T_FLOAT', size: 4, order: 'LE' })
    expect(space).toEqual({ class: 'H5S_SIMPLE', dims: [20, 30], maxdims: ['H5S_UNLIMITED', 30] })
    expect([layout, chunkDims]).toEqual(['H5D_CHUNKED', [6, 7]])
    expect(json.get('filters')).toEqual([
      new Map<string, unknown>([
        ['id', 1],
        ['name', 'deflate'],
        ['level', 4],
        ['class', 'H5Z_FILTER_DEFLATE'],
      ]),
    ])
    expect(json.get('allocTime')).toBe('H5D_ALLOC_TIME_INCR')
  })

  it('turns references into those of the objects that stand for theirs, or null with a warning', async () => {
    const target: ObjectReference = { kind: 'group', id: idFromHex('0123456789abcdef'.repeat(2)) }
    expect(await values(['group', 'references'], [0], [1], target)).toEqual([
      PREFIXED_REFERENCES.format(target),
    ])
    expect(reader.warnings).toEqual([])
    expect(await values(['group', 'references'], [0], [1])).toEqual([''])
    expect(reader.warnings.map(warning => warning.message)).toEqual([
      expect.stringContaining('a reference becomes null: no link leads to its object'),
    ])
  })
})

/** It has no checksums, so bytes can be changed. */
const OLD_FORMAT: FileOptions = { libver: ['earliest', 'v108'] }

describe('what was never written', () => {
  /** The fill value message: version 2, allocated incrementally, filled if set, a default value. */
  const FILLED_IF_SET = Buffer.of(2, 3, 2, 1, 0, 0, 0, 0)
  const NEVER_FILLED = Buffer.of(2, 3, 1, 1, 0, 0, 0, 0)

  it('is zero, and not what memory held before, with the fill time NEVER as well', async () => {
    const file = join(folder, 'never.h5')
    const made = new h5wasm.File(file, 'w', OLD_FORMAT)
    const length = 100_000
    made.create_dataset({ name: 'a', data: new Uint8Array(length).fill(0xab) })
    const dataset = made.create_dataset({
      name: 'b',
      data: new Uint8Array(8).fill(1),
      shape: [8],
      maxshape: [null],
      chunks: [8],
    })
    dataset.resize([length])
    made.close()
    const bytes = readFileSync(file)
    const message = bytes.indexOf(FILLED_IF_SET)
    expect(message).toBeGreaterThan(0)
    bytes.set(NEVER_FILLED, message)
    writeFileSync(file, bytes)
    const opened = await openH5wasmReader(file, sourceOf(file))
    const [a, b] = (await opened.links(opened.root)).map(link =>
      link.class === 'H5L_TYPE_HARD' ? link.address : '',
    )
    expect((await opened.dataset(b)).creationProperties.json.get('fillTime')).toBe('H5D_FILL_TIME_NEVER')
    const batches: unknown[] = []
    for await (const batch of (await opened.storedChunks(b))?.batches() ?? []) batches.push(batch)
    expect(batches).toEqual([[[0]]])
    for (let i = 0; i < 3; i++) {
      const before = await opened.readValues(a, [0], [length], () => undefined)
      expect(before.data.every(byte => byte === 0xab)).toBe(true)
      const { data } = await opened.readValues(b, [0], [length], () => undefined)
      expect(data.findLastIndex(byte => byte !== 0)).toBe(7)
    }
    await opened.close()
  })
})

describe('names that are not UTF-8', () => {
  it('are reported and left out, since h5wasm garbles them', async () => {
    const file = join(folder, 'latin.h5')
    const made = new h5wasm.File(file, 'w', OLD_FORMAT)
    made.create_dataset({ name: 'good', data: new Uint8Array(1) })
    made.create_dataset({ name: 'zu gro~', data: new Uint8Array(1) })
    made.create_soft_link('/zu viel~', 'soft')
    made.create_soft_link('/good', 'zz~')
    made.close()
    // The last byte of each name becomes that of a letter in Latin-1.
    const latin = readFileSync(file, 'latin1').replaceAll('~', 'ß')
    writeFileSync(file, latin, 'latin1')
    const opened = await openH5wasmReader(file, sourceOf(file))
    const links = await opened.links(opened.root)
    expect(links.map(link => [link.title, link.class])).toContainEqual(['good', 'H5L_TYPE_HARD'])
    expect(links.some(link => link.class === 'H5L_TYPE_USER_DEFINED')).toBe(false)
    expect(opened.warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining('its name is not UTF-8')]),
    )
    await opened.close()
  })
})

describe('openH5wasmReader', () => {
  it.each([
    ['empty', Buffer.alloc(0), 'is not an HDF5 file'],
    ['text', Buffer.from('this is not an hdf5 file'), 'is not an HDF5 file'],
    ['a signature and nothing else', Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), 'cannot be read'],
  ])('refuses a file that is %s', async (name, bytes, message) => {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    await expect(openH5wasmReader(file, sourceOf(file))).rejects.toThrow(message)
  })

  it('refuses a file that was cut short', async () => {
    const file = join(folder, 'cut.h5')
    writeFileSync(file, readFileSync(path).subarray(0, 3000))
    await expect(openH5wasmReader(file, sourceOf(file))).rejects.toThrow('truncated')
  })
})
