// Short reads of files of this machine, and columns of contiguous values that are read with them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TargetRange } from '@hyperslab/base/bounded'
import { joined, planFile } from '@hyperslab/h5/writer'
import { expandPieces, singlePiece } from '@hyperslab/model/values'
import { afterAll, expect, it, vi } from 'vitest'
import {
  all,
  dataset,
  domain,
  group,
  hardLink,
  int32s,
  newId,
  newRoot,
  numbersOf,
} from '../../../test/conformance/sample-objects.ts'
import { joinElements, openMounted } from '../../../test/fixtures/mounted-values.ts'
import { openMemoryStore } from '../../../test/fixtures/server.ts'
import { DIRECT_CALLS, FileDescriptor } from '../transfer/file-descriptor.ts'
import { type LocalFile, openLocalFile } from './local-file.ts'

const store = openMemoryStore()
const folder = await mkdtemp(join(tmpdir(), 'hyperslab-local-file-'))
const opened: LocalFile[] = []
afterAll(async () => {
  for (const file of opened) file.close()
  await rm(folder, { recursive: true })
  await store.close()
})

async function openWritten(name: string, bytes: Uint8Array): Promise<LocalFile> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const file = await openLocalFile({ path, name, calls: DIRECT_CALLS })
  if (!file) throw new Error(`${name} is not there`)
  opened.push(file)
  return file
}

it('gives each range at its offset, and counts what the file does not have', async ({ skip }) => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7 + (i >> 8)) % 251)
  const { readRanges } = await openWritten('bytes', bytes)
  if (!readRanges) return skip('SKIPPED: the folder of temporary files is not on a local disk')
  const ranges: TargetRange[] = Array.from({ length: 200 }, (_, i) => {
    return { position: (i * 38_557) % 99_000, length: 1 + (i % 50), offset: 60 * i }
  })
  const target = new Uint8Array(12_000)
  const expected = new Uint8Array(12_000)
  for (const { position, length, offset } of ranges) {
    expected.set(bytes.subarray(position, position + length), offset)
  }
  expect(await readRanges(ranges, target)).toBe(0)
  expect(Buffer.compare(target, expected)).toBe(0)
  expect(await readRanges([{ position: 99_990, length: 50, offset: 0 }], target)).toBe(40)
  expect(await readRanges([{ position: 200_000, length: 5, offset: 0 }], target)).toBe(5)
  expect(await readRanges([], target)).toBe(0)
})

it('reads ranges in other threads once the disk has been waited for', async ({ skip }) => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 11 + (i >> 7)) % 253)
  const { readRanges } = await openWritten('slow', bytes)
  if (!readRanges) return skip('SKIPPED: the folder of temporary files is not on a local disk')
  const { readAtOnce } = FileDescriptor.prototype
  let count = 0
  vi.spyOn(FileDescriptor.prototype, 'readAtOnce').mockImplementation(function (
    this: FileDescriptor,
    ...range
  ) {
    count++
    const begun = performance.now()
    while (performance.now() - begun < 2);
    return readAtOnce.apply(this, range)
  })
  const ranges = Array.from({ length: 200 }, (_, i) => ({
    position: 500 * i + 1,
    length: 500,
    offset: 500 * i,
  }))
  const target = new Uint8Array(100_000)
  try {
    expect(await readRanges(ranges, target), 'the last range ends a byte behind the file').toBe(1)
  } finally {
    vi.restoreAllMocks()
  }
  expect(Buffer.compare(target.subarray(0, 99_999), bytes.subarray(1))).toBe(0)
  expect(count, 'three steps of 16 reads').toBe(48)
})

it('is read element by element for a column of long rows', async ({ skip }) => {
  const [rows, columns] = [64, 4096]
  const root = newRoot()
  const made = dataset(newId(root), { dims: [rows, columns], chunkDims: [rows, columns] })
  const layout = 'H5D_CONTIGUOUS'
  const stored = { ...made, creationProperties: { ...made.creationProperties, layout } } as const
  const numbers = Array.from({ length: rows * columns }, (_, i) => i)
  await store.write(async writer => {
    await writer.putDomain(domain('/column.h5', root))
    for (const object of [group(root), stored]) await writer.createObject(object)
    await writer.putLinks(root, hardLink('d', stored.id, 1, 'dataset'))
    await writer.writeValues(stored, all(stored), singlePiece(int32s(numbers)))
  })
  const bytes = await store.read(async reader => joined((await planFile(reader, root)).pieces()))
  const file = await openWritten('column.h5', bytes)
  const { readRanges } = file
  if (!readRanges) return skip('SKIPPED: the folder of temporary files is not on a local disk')
  const lengths: number[] = []
  const counting: LocalFile = {
    ...file,
    readRanges(ranges, target) {
      for (const { length } of ranges) lengths.push(length)
      return readRanges(ranges, target)
    },
  }
  const { values, datasets } = await openMounted(counting, 'column.h5', { pieceBytes: 2 ** 20 })
  const [found] = datasets
  const ones = [1, 1]
  const selection = {
    kind: 'hyperslab',
    start: [0, 17],
    stride: ones,
    count: [rows, 1],
    block: ones,
  } as const
  const pieces = expandPieces(found.dataset.type, values.read(found.dataset, found.address, selection))
  const column = numbersOf(await joinElements(found.dataset, rows, pieces))
  expect(column).toEqual(Array.from({ length: rows }, (_, i) => i * columns + 17))
  expect(lengths).toEqual(column.map(() => 4))
})
