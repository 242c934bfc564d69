// A box of an array with adjacent elements, in the file itself, in other files or in one chunk. Near rows are read
// together with the bytes between them.

import type { AbortCheck, ByteRange } from '@hyperslab/base/bounded'
import { product } from '@hyperslab/model/dataset'
import { newMemory } from '../../byte-source.ts'
import type { Box } from '../../file-reader.ts'
import type { FileBytes } from '../structures/file-bytes.ts'
import { partOf } from './box-memory.ts'
import { type BoxRuns, runsOfBox } from './box-runs.ts'
import { type ExternalRange, readExternal } from './external.ts'

/** Bytes of chunks, or of rows with the bytes between them, that are read at once. @limit memory, bytes */
export const READ_AT_ONCE = 8 * 2 ** 20
/** The gap up to which rows are read with the bytes between them. */
const ROW_GAP = 16 * 1024
/** Rows of one read. @limit safety, rows */
const MAX_ROWS = 16_384

/** The runs of a box of an array of these extents. */
export function boxRuns(dims: readonly number[], { start, count }: Box): BoxRuns {
  return runsOfBox(count, dims, start, count, zeros(count))
}

/** The bytes of an array whose elements follow one another; positions count from the first one. */
export interface Rows {
  read(ranges: readonly ByteRange[]): Promise<readonly Uint8Array[]>
  readInto(target: Uint8Array, position: number): Promise<void>
}

export function rowsAt(
  bytes: FileBytes,
  address: number,
  structure: string,
  signal: AbortCheck | undefined,
): Rows {
  return {
    async read(ranges) {
      signal?.throwIfAborted()
      const shifted = ranges.map(({ position, length }) => ({ position: address + position, length }))
      return bytes.readValues(shifted, structure)
    },
    async readInto(target, position) {
      signal?.throwIfAborted()
      await bytes.readInto(target, address + position, structure)
    },
  }
}

export function externalRows(parts: readonly ExternalRange[], signal: AbortCheck | undefined): Rows {
  const readInto = (target: Uint8Array, position: number) => readExternal(parts, target, position, signal)
  const readOne = async ({ position, length }: ByteRange) => {
    const bytes = new Uint8Array(length)
    await readInto(bytes, position)
    return bytes
  }
  return { read: ranges => Promise.all(ranges.map(readOne)), readInto }
}

/** A box of an array. One run is not copied. */
export async function readRows(
  rows: Rows,
  dims: readonly number[],
  box: Box,
  size: number,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const byteCount = product(box.count) * size
  const target = partOf(into, byteCount) ?? newMemory(byteCount)
  const runs = boxRuns(dims, box)
  const length = runs.length * size
  if (runs.count === 1) {
    let position = 0
    runs.each(0, 1, from => {
      position = from * size
    })
    await rows.readInto(target, position)
    return target
  }
  for (let first = 0; first < runs.count; ) {
    // One read spans as many runs as the limit of bytes allows, including the bytes between them.
    const ranges: { position: number; length: number }[] = []
    let span = 0
    let end = first
    runs.each(first, Math.min(runs.count, first + MAX_ROWS), from => {
      const last = ranges.at(-1)
      const position = from * size
      const gap = last ? position - last.position - last.length : 0
      span += length + (gap <= ROW_GAP ? gap : 0)
      if (span > READ_AT_ONCE && ranges.length > 0) return
      ranges.push({ position, length })
      end++
    })
    const pieces = await rows.read(ranges)
    let at = first * length
    for (const piece of pieces) {
      target.set(piece, at)
      at += length
    }
    first = end
  }
  return target
}

export function zeros(count: readonly number[]): readonly number[] {
  return count.map(() => 0)
}
