// Memory for the bytes of a box: that of the caller or new one, with the fill value where no element was written.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { newMemory } from '../../byte-source.ts'
import type { StoredDataset } from './value-source.ts'

/** The memory of the caller, if it is long enough. */
export function partOf(into: Uint8Array | undefined, length: number): Uint8Array | undefined {
  return into && into.length >= length ? into.subarray(0, length) : undefined
}

/** Bytes of elements that were never written. */
export function filled(
  { fillValue }: StoredDataset,
  length: number,
  into: Uint8Array | undefined,
): Uint8Array {
  const bytes = partOf(into, length)?.fill(0) ?? new Uint8Array(length)
  if (!fillValue?.some(byte => byte !== 0)) return bytes
  bytes.set(fillValue)
  for (let done = fillValue.length; done < length; done *= 2) bytes.copyWithin(done, 0, done)
  return bytes
}

/** Bytes that are filled or copied in one turn of the event loop: a millisecond, or two in fresh memory. */
const BYTES_PER_TURN = 2 ** 20

/** Fills megabytes, in several turns of the event loop. */
export async function filledInTurns(
  dataset: StoredDataset,
  length: number,
  into: Uint8Array | undefined,
): Promise<Uint8Array> {
  if (length <= BYTES_PER_TURN) return filled(dataset, length, into)
  const bytes = partOf(into, length) ?? newMemory(length)
  const { elementSize } = dataset
  const step = Math.ceil(BYTES_PER_TURN / elementSize) * elementSize
  for (let start = 0; start < length; start += step) {
    const part = bytes.subarray(start, start + step)
    filled(dataset, part.length, part)
    if (isTurnOver()) await nextTurn()
  }
  return bytes
}
