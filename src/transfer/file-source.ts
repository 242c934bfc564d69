// A local file as a source of bytes.

import { closeSync, fstatSync, openSync, read, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { HyperslabError } from '../errors.ts'
import { type ByteSource, joinRanges } from '../h5file/byte-source.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'

const readFile = promisify(read)

/** Ranges that are nearer are one read: it takes less time than a second one. */
const GAP = 16 * 1024
const MAX_JOINED = 4 * 2 ** 20
const PARALLEL_READS = 4
const PIECE_BYTES = 2 ** 20

export interface OpenFileSource extends ByteSource {
  readonly lastModified: Timestamp
  /** All bytes, in pieces whose memory is used again when the next one is asked for. */
  pieces(signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Throws `file-unreadable` when the path is another file now, or the file was written since it was opened. */
  requireUnchanged(): void
  close(): void
}

export function openFileSource(path: string): OpenFileSource {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new HyperslabError('file-not-found', `there is no file ${path}`, { subject: path })
  if (!stat.isFile()) throw new HyperslabError('not-hdf5', `${path} is not a file`, { subject: path })
  const file = openSync(path, 'r')
  const { size, mtimeMs, ino } = fstatSync(file)
  const { dev, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true })
  return {
    size,
    stamp: `${dev}-${ino}-${size}-${mtimeNs}-${ctimeNs}`,
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
    async read(ranges, signal) {
      const results: Uint8Array[] = new Array(ranges.length)
      const joined = joinRanges(ranges, GAP, MAX_JOINED).values()
      const readNext = async () => {
        for (const { position, length, members } of joined) {
          signal?.throwIfAborted()
          const bytes = await readBytes(file, position, Math.max(0, Math.min(length, size - position)))
          for (const index of members) {
            const start = ranges[index].position - position
            results[index] = bytes.subarray(start, start + ranges[index].length)
          }
        }
      }
      await Promise.all(Array.from({ length: PARALLEL_READS }, readNext))
      return results
    },
    close: () => closeSync(file),
  }
}

/** While a piece is used the next one is read. Fresh memory for each would cost more than the copying. */
async function* piecesOf(file: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const
  const readNext = (number: number) => {
    const read = readInto(buffers[number % 2 === 0 ? 0 : 1], file, number * PIECE_BYTES)
    // The failure is thrown when the piece is awaited.
    read.catch(() => {})
    return read
  }
  let next = readNext(0)
  for (let number = 1; ; number++) {
    const piece = await next
    signal?.throwIfAborted()
    if (piece.length === 0) return
    next = readNext(number)
    try {
      yield piece
    } finally {
      await next.catch(() => {})
    }
  }
}

/** Fewer only where the file ends. */
function readBytes(file: number, position: number, length: number): Promise<Uint8Array> {
  return readInto(Buffer.allocUnsafeSlow(length), file, position)
}

async function readInto(bytes: Buffer, file: number, position: number): Promise<Uint8Array> {
  const { length } = bytes
  let done = 0
  while (done < length) {
    const { bytesRead } = await readFile(file, bytes, done, length - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
