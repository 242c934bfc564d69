// Reading the patches of a chunk: all of them are found, those with elements that the read needs are fetched.

import { inOrder } from '@hyperslab/base/bounded'
import { EMPTY_HEAP } from '@hyperslab/model/values'
import type { Patch } from '../chunks/chunk-index.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import { numbersWithin } from '../chunks/patches.ts'
import { valuesDamaged } from '../engines/system-errors.ts'
import { type ChunkAddress, type PatchNumbers, valuesName } from './chunk-record.ts'
import { blobOfPatch, bytesIn, type DecodedPatch, decodePatch, isSound, patchKeys } from './patches.ts'
import { readBlob, readBlobCompared, type ValueSource } from './value-source.ts'

/** The patches of a chunk that a read uses: those with elements between two offsets. */
interface PatchesRead {
  readonly address: ChunkAddress
  readonly numbers: PatchNumbers
  readonly first: number
  readonly end: number
}

/** Blobs of patches that are read at once: each may hold half of a chunk. */
const PARALLEL_BLOBS = 2

export async function* readPatches(
  source: ValueSource,
  layout: ChunkLayout,
  { address, numbers, first, end }: PatchesRead,
): AsyncGenerator<Patch> {
  const patches = await findPatches(source, layout, address, numbers)
  const used = patches.filter(patch => blobOfPatch(patch) === undefined || isWithin(patch, first, end))
  const read = (patch: DecodedPatch) => readElements(source, layout, address, patch, { first, end })
  if (used.some(patch => blobOfPatch(patch))) yield* inOrder(used, PARALLEL_BLOBS, read)
  else for (const patch of used) yield await read(patch)
}

function isWithin({ runs }: DecodedPatch, first: number, end: number): boolean {
  return numbersWithin(runs, first, end) !== undefined
}

async function findPatches(
  source: ValueSource,
  layout: ChunkLayout,
  address: ChunkAddress,
  numbers: PatchNumbers,
): Promise<readonly DecodedPatch[]> {
  const where = `a chunk of the dataset ${address.dataset}`
  if (!isSound(numbers))
    throw valuesDamaged(`${where} cannot have the patches ${numbers.from} to ${numbers.to}`)
  const { from, bytes: expected } = numbers
  const found = await Promise.all(patchKeys(address, numbers).map(key => source.get(key)))
  let bytes = 0
  const patches = found.map((value, i) => {
    const name = `the patch ${from + i} of ${where}`
    if (value === undefined) throw valuesDamaged(`${name} is lost`)
    try {
      const patch = decodePatch(layout, value)
      bytes += value.length + bytesIn(blobOfPatch(patch))
      return patch
    } catch (cause) {
      throw valuesDamaged(
        `${name} is damaged: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      )
    }
  })
  if (bytes !== expected)
    throw valuesDamaged(`the patches of ${where} have ${bytes} bytes instead of ${expected}`)
  return patches
}

/** Reads elements: all if they are of variable size, others from the first to the last one that is needed. */
async function readElements(
  source: ValueSource,
  { isVariableSize }: ChunkLayout,
  address: ChunkAddress,
  { runs, fields, count, size, elements }: DecodedPatch,
  { first, end }: { readonly first: number; readonly end: number },
): Promise<Patch> {
  if (!('version' in elements)) return { runs, fields, elements, from: 0 }
  const all = { from: 0, to: count }
  const { from, to } = (isVariableSize ? undefined : numbersWithin(runs, first, end)) ?? all
  const { dataLength, heapLength } = elements
  const bytes = new Uint8Array((to - from) * size + heapLength)
  const read = to - from === count ? readBlobCompared : readBlob
  await read(source, valuesName(address, elements), from * size, bytes)
  const heap = heapLength === 0 ? EMPTY_HEAP : bytes.subarray(dataLength)
  return {
    runs,
    fields,
    elements: { count: to - from, data: bytes.subarray(0, (to - from) * size), heap },
    from,
  }
}
