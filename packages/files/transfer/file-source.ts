// Files as sources of bytes: local ones, and others of which any range can be read.

import { type BigIntStats, fstatSync, openSync, statSync } from 'node:fs'
import { joinRanges } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type ByteSource, findTruncation, newMemory } from '@hyperslab/h5/reader'
import type { Timestamp } from '@hyperslab/model/names'
import { isOpenLockFile } from '@hyperslab/store/engines'
import { FileDescriptor } from './file-descriptor.ts'

/** Ranges that are nearer are one read: it takes less time than a second one. */
const GAP = 16 * 1024
/** Bytes of joined reads of a file. @limit speed, bytes, bench/results.md#062-limits-of-speed */
const MAX_JOINED = 4 * 2 ** 20
/** Reads at once: new memory takes time for each page, and a single thread would wait for all of them. */
const PARALLEL_READS = 4
const PARALLEL_BYTES = 4 * 2 ** 20
const PIECE_BYTES = 2 ** 20

export interface OpenFileSource extends ByteSource {
  readonly lastModified: Timestamp
  /** All bytes, in pieces whose memory is reused when the next one is requested. */
  pieces(signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Throws `file-unreadable` when the path is another file now, or the file was written since it was opened. */
  requireUnchanged(): void
  close(): void
}

export function openFileSource(path: string): OpenFileSource {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stat) throw new HyperslabError('file-not-found', `there is no file ${path}`, { subject: path })
  if (!stat.isFile()) throw new HyperslabError('not-hdf5', `${path} is not a file`, { subject: path })
  if (isOpenLockFile(stat))
    throw new HyperslabError('not-hdf5', `${path} is the lock file of the data folder`, { subject: path })
  const number = openSync(path, 'r')
  const { size, mtimeMs, ino } = fstatSync(number)
  const stamp = stampOf(fstatSync(number, { bigint: true }))
  const file = new FileDescriptor(number)
  return {
    ...descriptorSource(file, size, stamp),
    lastModified: Math.floor(mtimeMs * 1000),
    requireUnchanged() {
      // The HDF5 library has opened the path itself.
      const now = statSync(path, { throwIfNoEntry: false })
      if (now?.ino === ino && now.size === size && now.mtimeMs === mtimeMs) return
      throw new HyperslabError(
        'file-unreadable',
        `${path} was changed while it was read, and is not imported: import it again when no program writes to it`,
        { subject: path },
      )
    },
    pieces: signal => piecesOf(file, signal),
    close: () => file.close(),
  }
}

/** Changes when the bytes may have changed, and when the file was renamed or got other permissions. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  // A template would keep all of its parts in memory.
  return [dev, ino, size, mtimeNs, ctimeNs].join('-')
}

/** The first `size` bytes of an open file. */
export function descriptorSource(file: FileDescriptor, size: number, stamp: string): ByteSource {
  return { size, stamp, ...rangesOf(size, (target, position) => fillPiece(target, file, position)) }
}

/** Fills the target with the bytes from `position` on; returns their number, fewer than its length only at the end. */
export type ReadRange = (target: Uint8Array, position: number) => Promise<number>

/** Ranges of a file of `size` bytes; near ones are read at once, and several at a time. */
export function rangesOf(size: number, readRange: ReadRange): Pick<ByteSource, 'read' | 'readInto'> {
  return {
    async read(ranges, signal) {
      const results: Uint8Array[] = new Array(ranges.length)
      const joined = joinRanges(ranges, GAP, MAX_JOINED)
      const waiting = joined.values()
      const readNext = async () => {
        for (const { position, length, members } of waiting) {
          const memory = newMemory(Math.max(0, Math.min(length, size - position)))
          const bytes = memory.subarray(0, await fill(memory, readRange, position, signal))
          for (const index of members) {
            const start = ranges[index].position - position
            results[index] = bytes.subarray(start, start + ranges[index].length)
          }
        }
      }
      await Promise.all(Array.from({ length: Math.min(PARALLEL_READS, joined.length) }, readNext))
      return results
    },
    readInto: (target, position, signal) => fill(target, readRange, position, signal),
  }
}

function piecesOf(file: FileDescriptor, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let position = 0
  return filledPieces(async buffer => {
    const length = await fillPiece(buffer, file, position)
    position += length
    return length
  }, signal)
}

/**
 * The pieces that `fill` writes into the memory that it gets, until it returns 0. While a piece is used the next one is
 * filled, and then its memory is reused: new memory for each would cost more than the copying.
 */
export async function* filledPieces(
  fill: (buffer: Uint8Array) => Promise<number>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const buffers = [newMemory(PIECE_BYTES), newMemory(PIECE_BYTES)] as const
  const fillNext = (number: number) => {
    const buffer = buffers[number % 2 === 0 ? 0 : 1]
    const piece = fill(buffer).then(length => buffer.subarray(0, length))
    // The failure is thrown when the piece is awaited.
    piece.catch(() => {})
    return piece
  }
  let next = fillNext(0)
  for (let number = 1; ; number++) {
    const piece = await next
    signal?.throwIfAborted()
    if (piece.length === 0) return
    next = fillNext(number)
    try {
      yield piece
    } finally {
      await next.catch(() => {})
    }
  }
}

/** Fills the target; returns the number of bytes, fewer than its length only at the end of the file. */
async function fill(
  target: Uint8Array,
  readRange: ReadRange,
  position: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  signal?.throwIfAborted()
  if (target.length <= PARALLEL_BYTES) return readRange(target, position)
  let [next, filled] = [0, 0]
  const fillNext = async () => {
    while (next < target.length) {
      signal?.throwIfAborted()
      const start = next
      next += PARALLEL_BYTES
      const count = await readRange(target.subarray(start, next), position + start)
      filled += count
    }
  }
  const readers = Math.min(PARALLEL_READS, Math.ceil(target.length / PARALLEL_BYTES))
  await Promise.all(Array.from({ length: readers }, fillNext))
  return filled
}

async function fillPiece(target: Uint8Array, file: FileDescriptor, position: number): Promise<number> {
  let filled = 0
  while (filled < target.length) {
    const count = await file.readSome(target, filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

/** The beginning of a file, read before it is opened. */
export interface FileTest {
  readonly isHdf5: boolean
  /** The reason why a part of it cannot be read: it is cut off. */
  readonly damage?: string
}

export const NOT_HDF5: FileTest = { isHdf5: false }
const SOUND: FileTest = { isHdf5: true }

/** `base`: the position of the signature; undefined: there is none. */
export async function testAt(source: ByteSource, base: number | undefined): Promise<FileTest> {
  if (base === undefined) return NOT_HDF5
  const damage = await findTruncation(source, base)
  return damage === undefined ? SOUND : { isHdf5: true, damage }
}
