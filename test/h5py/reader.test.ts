// The reader of files against h5py: every object, link, attribute and value of the sample files, where they are, and
// of files made to hold what the samples do not.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve as resolvePath } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../src/h5file/byte-source.ts'
import type { OpenSibling } from '../../src/h5file/reader/data-file.ts'
import { openH5File } from '../../src/h5file/reader/reader.ts'
import type {
  ChunkCoordinates,
  FileAddress,
  FileDataset,
  FileLink,
  H5FileReader,
  ReferenceResolver,
} from '../../src/h5file/reader.ts'
import { extentsOf } from '../../src/hdf5/dataspace.ts'
import type { JsonObject } from '../../src/hdf5/json.ts'
import { idFromHex, type ObjectId, type ObjectKind } from '../../src/hdf5/object-id.ts'
import type { Elements } from '../../src/hdf5/values/elements.ts'
import { openFileSource } from '../../src/transfer/file-source.ts'
import { compareValue, valueJson } from './compare.ts'
import { asObject, describeFiles, isMissing, makeFiles, PYTHON, SAMPLE_FILES } from './h5py.ts'

/** What the reader cannot give although h5py can, by path. */
const KNOWN_GAPS = new Map([
  // The library gives fill values, which nobody can tell from data.
  ['/virtual missing', 'the source x in nowhere.h5 is missing'],
  ['/virtual unknown', 'the source a/y in virtual-source.h5 is missing'],
])

/** References are compared by the addresses of what they refer to, so ids are made of addresses. */
const idOf = (address: FileAddress): ObjectId => idFromHex(BigInt(address).toString(16).padStart(32, '0'))
const addressText = (id: ObjectId): string => BigInt(`0x${id}`).toString()

interface FoundDataset {
  readonly dataset: FileDataset
  readonly elements: Elements | undefined
}

async function withReader(path: string, work: (reader: H5FileReader) => Promise<void>): Promise<void> {
  const closing: (() => void)[] = []
  const open = (name: string): ByteSource => {
    const source = openFileSource(name)
    closing.push(() => source.close())
    return source
  }
  const openSibling =
    (from: string): OpenSibling =>
    async name => {
      const sibling = resolvePath(dirname(from), name)
      if (!existsSync(sibling)) return undefined
      return { source: open(sibling), path: sibling, openSibling: openSibling(sibling) }
    }
  try {
    const reader = await openH5File(open(path), path, { openSibling: openSibling(path) })
    await work(reader)
    await reader.close()
  } finally {
    for (const close of closing) close()
  }
}

function linkJson(link: FileLink): readonly string[] {
  switch (link.class) {
    case 'H5L_TYPE_HARD':
      return ['hard', link.address]
    case 'H5L_TYPE_SOFT':
      return ['soft', link.h5path]
    case 'H5L_TYPE_EXTERNAL':
      return ['external', link.h5path, link.file]
    case 'H5L_TYPE_USER_DEFINED':
      return ['user-defined']
  }
}

async function readDataset(
  reader: H5FileReader,
  address: FileAddress,
  resolve: ReferenceResolver,
): Promise<FoundDataset> {
  const dataset = await reader.dataset(address)
  if (dataset.space.class === 'H5S_NULL') return { dataset, elements: undefined }
  const dims = extentsOf(dataset.space)
  return {
    dataset,
    elements: await reader.readValues(
      address,
      dims.map(() => 0),
      dims,
      resolve,
    ),
  }
}

function compareDataset(expected: JsonObject, { dataset, elements }: FoundDataset): void {
  const dims = extentsOf(dataset.space)
  const shape = expected.get('shape')
  if (shape !== null) expect(dims).toEqual(shape)
  expect(dataset.committedType ?? null).toBe(expected.get('committed'))
  const { json, fillValue } = dataset.creationProperties
  const layout = asObject(json.get('layout'))
  expect(layout.get('dims') ?? null).toEqual(expected.get('chunks'))
  if (expected.get('layout') !== 'H5D_VIRTUAL') expect(layout.get('class')).toBe(expected.get('layout'))
  expect(json.get('allocTime')).toBe(`H5D_ALLOC_TIME_${expected.get('allocTime')}`)
  expect(json.get('fillTime')).toBe(`H5D_FILL_TIME_${expected.get('fillTime')}`)
  const filters = json.get('filters') ?? []
  expect(Array.isArray(filters) && filters.map(filter => asObject(filter).get('id'))).toEqual(
    expected.get('filters'),
  )
  if (fillValue)
    expect([valueJson(dataset.type, [], fillValue, addressText)]).toEqual(expected.get('fillValue'))
  else if (dataset.space.class !== 'H5S_NULL') expect(expected.get('fillValue')).toBeNull()
  const maxshape = expected.get('maxshape')
  if (dataset.space.class === 'H5S_SIMPLE' && dataset.space.maxdims) {
    expect(dataset.space.maxdims.map(extent => (extent === 'H5S_UNLIMITED' ? null : extent))).toEqual(
      maxshape,
    )
  } else if (shape !== null) {
    expect(maxshape).toEqual(shape)
  }
  compareValue(expected, dataset.type, dims, elements, addressText)
}

/** Goes through the whole file by its links, as an importer does, and compares every object met. */
async function compareFile(reader: H5FileReader, expected: JsonObject): Promise<void> {
  const objects = asObject(expected.get('objects'))
  expect(reader.root).toBe(expected.get('root'))
  const paths = new Map<FileAddress, string>([[reader.root, '']])
  const kinds = new Map<FileAddress, ObjectKind>()
  for (const [address, path] of paths) {
    const { kind } = await reader.object(address)
    kinds.set(address, kind)
    if (kind !== 'group') continue
    const links = await reader.links(address)
    const titles = Object.fromEntries(links.map(link => [link.title, linkJson(link)]))
    expect(titles, `links of ${path}`).toEqual(
      Object.fromEntries(asObject(asObject(objects.get(address)).get('links'))),
    )
    for (const link of links) {
      if (link.class === 'H5L_TYPE_HARD' && !paths.has(link.address))
        paths.set(link.address, `${path}/${link.title}`)
    }
  }
  expect([...paths.keys()].sort()).toEqual([...objects.keys()].sort())
  const resolve: ReferenceResolver = address => {
    const kind = kinds.get(address)
    return kind && { kind, id: idOf(address) }
  }
  for (const [address, path] of paths) {
    const described = asObject(objects.get(address))
    const kind = kinds.get(address)
    expect(kind).toBe(described.get('kind'))
    const gap = KNOWN_GAPS.get(path)
    if (gap !== undefined) {
      await expect(readDataset(reader, address, resolve)).rejects.toThrow(gap)
      continue
    }
    await compareAttributes(path, asObject(described.get('attributes')), reader, address, resolve)
    if (kind === 'datatype') expect(await reader.datatype(address)).toBeDefined()
    if (kind !== 'dataset') continue
    if (/external raw|inflate|filter/.test(String(described.get('unreadable')))) {
      await expect(readDataset(reader, address, resolve)).rejects.toThrow(
        /the external file .* is missing|cannot decode it/,
      )
      continue
    }
    compareDataset(described, await readDataset(reader, address, resolve))
  }
}

async function compareAttributes(
  path: string,
  expected: JsonObject,
  reader: H5FileReader,
  owner: FileAddress,
  resolve: ReferenceResolver,
): Promise<void> {
  const attributes = await reader.attributes(owner, resolve)
  expect(attributes.map(({ name }) => name).sort(), `attributes of ${path}`).toEqual(
    [...expected.keys()].sort(),
  )
  for (const attribute of attributes) {
    const described = asObject(expected.get(attribute.name))
    expect(attribute.committedType ?? null).toBe(described.get('committed'))
    compareValue(described, attribute.type, extentsOf(attribute.space), attribute.value, addressText)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-h5py-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('the reader', () => {
  if (PYTHON === undefined) return
  makeFiles(folder)
  const made = readdirSync(folder).map(name => join(folder, name))
  isMissing('the folder of sample files', SAMPLE_FILES.length > 0)
  const files = [...made, ...SAMPLE_FILES]
  const descriptions = describeFiles(files)

  it.each(files.map((file, index) => ({ name: basename(file), file, expected: descriptions[index] })))(
    'reads $name as h5py does',
    async ({ file, expected }) => {
      if (expected.has('error')) {
        await expect(withReader(file, async () => {})).rejects.toThrow('is not an HDF5 file')
        return
      }
      await withReader(file, reader => compareFile(reader, expected))
    },
  )

  it.each(['sparse-earliest.h5', 'sparse-latest.h5'])('finds the stored chunks in %s', async name => {
    await withReader(join(folder, name), async reader => {
      for (const link of await reader.links(reader.root)) {
        if (link.class !== 'H5L_TYPE_HARD') continue
        const { space, creationProperties } = await reader.dataset(link.address)
        const stored = await reader.storedChunks(link.address)
        const chunks: ChunkCoordinates[] = []
        for await (const batch of stored?.batches() ?? []) chunks.push(...batch)
        const [attribute] = await reader.attributes(link.address, () => undefined)
        if (creationProperties.layout !== 'H5D_CHUNKED') {
          expect(stored && chunks, link.title).toEqual(link.title === 'zeros' ? undefined : [])
          continue
        }
        const chunkDims = stored?.chunkDims ?? []
        const starts = chunks.map(chunk => chunk.map((index, d) => index * chunkDims[d]))
        const expected = attribute ? attribute.value?.data[0] : 50
        expect(new Set(starts.map(String)).size, link.title).toBe(expected)
        // Those with other values have been compared already: here, that there are none besides.
        const dims = extentsOf(space)
        for (const start of starts) {
          const count = start.map((first, d) => Math.min(chunkDims[d], dims[d] - first))
          const { data } = await reader.readValues(link.address, start, count, () => undefined)
          expect(
            data.some(byte => byte !== 0),
            `${link.title} at ${start}`,
          ).toBe(true)
        }
      }
    })
  })
})
