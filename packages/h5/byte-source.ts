// The source of the bytes of a file, which knows only positions and lengths. Files and sockets are opened above; a read
// may be a request to another machine.

import type { ByteRange, TargetRange } from '@hyperslab/base/bounded'
import { unfilledMemory } from '@hyperslab/model/values'
import { HDF5_SIGNATURE, isSignature, signaturePositions } from './format/signature.ts'

export interface ByteSource {
  /** The length of the file in bytes; the current one, if it grows. */
  readonly size: number
  /** Changes when the bytes may have changed. */
  readonly stamp: string
  /**
   * The bytes of each range, in order; fewer than its length only at the end of the file. Ranges may overlap and come
   * in any order; near ones are read at once.
   */
  read(ranges: readonly ByteRange[], signal?: AbortSignal): Promise<readonly Uint8Array[]>
  /**
   * Fills `target` with the bytes from `position` on, and returns their number, fewer than its length only at the end
   * of the file. Used for values, so that they are copied once. The caller may reuse the memory, but not after a
   * failure, when other parts may still be written into it.
   */
  readInto(target: Uint8Array, position: number, signal?: AbortSignal): Promise<number>
  /**
   * Fills a part of `target` with the bytes of each range, and returns the number of bytes missing after the end.
   * Absent: reading many short ranges far apart is not faster than reading all bytes between them.
   */
  readonly readRanges?: (ranges: readonly TargetRange[], target: Uint8Array) => Promise<number>
}

/** Bytes in memory. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    stamp: '',
    read: async ranges => ranges.map(({ position, length }) => bytes.subarray(position, position + length)),
    async readInto(target, position) {
      const found = bytes.subarray(position, position + target.length)
      target.set(found)
      return found.length
    },
  }
}

/** Shorter memory is not at the beginning of a page. */
const LONG = 2 ** 18
const SHIFT = 48

/**
 * Memory for bytes of a file, with arbitrary content: filling it with zeros would take as long as reading. The system
 * gives long memory that begins 16 bytes after the beginning of a page, and some processors copy a page of a file to
 * there four times slower than to 32 bytes or more after it.
 */
export function newMemory(length: number): Uint8Array {
  const shift = length < LONG ? 0 : SHIFT
  return unfilledMemory(length + shift).subarray(shift)
}

/**
 * The position of the HDF5 part of the file, to which all its addresses are relative: the signature is at 0, 512 or a
 * power of two beyond that. Undefined: the file is not an HDF5 file.
 */
export async function findSignature(source: ByteSource): Promise<number | undefined> {
  for (const position of signaturePositions(source.size)) {
    if (isSignature(await readRange(source, position, HDF5_SIGNATURE.length))) return position
  }
  return undefined
}

/** The bytes of one range. */
export async function readRange(source: ByteSource, position: number, length: number): Promise<Uint8Array> {
  const [bytes] = await source.read([{ position, length }])
  return bytes
}
