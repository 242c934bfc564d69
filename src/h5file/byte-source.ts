// Where the bytes of a file come from: positions and lengths, nothing else. Files and sockets are opened above; a read
// may be a request to another machine.

import { HDF5_SIGNATURE, isSignature, signaturePositions } from './format/signature.ts'

export interface ByteRange {
  readonly position: number
  readonly length: number
}

export interface ByteSource {
  /** The length of the whole in bytes: now, if it grows. */
  readonly size: number
  /** Changes when the bytes may have changed. */
  readonly stamp: string
  /**
   * The bytes of each range, in order; fewer than its length only where the end is nearer. Ranges may overlap and come in any
   * order; near ones are read at once.
   */
  read(ranges: readonly ByteRange[], signal?: AbortSignal): Promise<readonly Uint8Array[]>
  /**
   * Fills `target` with the bytes from `position` on, and gives how many they are: fewer than its length only where the end is
   * nearer. For values: they are copied once, into memory that the caller may use again, but not after a failure: other parts
   * may still be on their way into it.
   */
  readInto(target: Uint8Array, position: number, signal?: AbortSignal): Promise<number>
}

/** Shorter memory does not lie at the beginning of a page. */
const LONG = 2 ** 18
const SHIFT = 48

/**
 * Memory for bytes of a file; it holds anything: zeros would take as long as the bytes. The system gives long memory that begins 16 bytes
 * after the beginning of a page, and some processors copy a page of a file to there four times slower than to 32 bytes or more after it.
 */
export function newMemory(length: number): Uint8Array {
  const shift = length < LONG ? 0 : SHIFT
  return new Uint8Array(Buffer.allocUnsafeSlow(length + shift).buffer, shift, length)
}

/**
 * Where the HDF5 part of the file begins, to which all its addresses are relative: the signature stands at 0, 512 or
 * a power of two beyond that. Undefined: the file is not an HDF5 file.
 */
export async function findSignature(source: ByteSource): Promise<number | undefined> {
  for (const position of signaturePositions(source.size)) {
    if (isSignature(await readRange(source, position, HDF5_SIGNATURE.length))) return position
  }
  return undefined
}

/** Ranges that one read gives. */
export interface JoinedRange extends ByteRange {
  /** The indexes of the ranges in it. */
  readonly members: readonly number[]
}

/** Joins ranges that are at most `gap` bytes apart, into ranges of at most `maxLength` bytes unless one alone is longer. */
export function joinRanges(
  ranges: readonly ByteRange[],
  gap: number,
  maxLength: number,
): readonly JoinedRange[] {
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a].position - ranges[b].position)
  const joined: { position: number; length: number; members: number[] }[] = []
  for (const index of order) {
    const { position, length } = ranges[index]
    const last = joined.at(-1)
    const end = position + length
    if (last && position <= last.position + last.length + gap && end - last.position <= maxLength) {
      last.length = Math.max(last.length, end - last.position)
      last.members.push(index)
    } else {
      joined.push({ position, length, members: [index] })
    }
  }
  return joined
}

/** The bytes of one range. */
export async function readRange(source: ByteSource, position: number, length: number): Promise<Uint8Array> {
  const [bytes] = await source.read([{ position, length }])
  return bytes
}
