// Sources of the bytes of a file: a file handle of Node, a Blob or File of a browser, memory, and an address that is
// read by ranges. None of them imports anything of Node.

import { type ByteRange, joinRanges } from '@hyperslab/base/bounded'
import { type ByteSource, sourceOf } from '../byte-source.ts'

/** Ranges of a file or a Blob that are at most this far apart are read at once. */
const GAP = 64 * 1024
const LONGEST_READ = 16 * 2 ** 20

/** The result of `open` of node:fs/promises. */
export interface FileHandle {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  stat(): Promise<{ readonly size: number; readonly mtimeMs: number }>
}

/** Bytes in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return sourceOf(bytes)
}

/** An open file. The caller closes the handle. The file must not change while it is read. */
export async function fileSource(handle: FileHandle): Promise<ByteSource> {
  const { size, mtimeMs } = await handle.stat()
  const fill = async (target: Uint8Array, position: number): Promise<number> => {
    let done = 0
    while (done < target.length) {
      const { bytesRead } = await handle.read(target, done, target.length - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return done
  }
  const readRange = async ({ position, length }: ByteRange): Promise<Uint8Array> => {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, await fill(bytes, position))
  }
  return {
    size,
    stamp: `${mtimeMs} ${size}`,
    read: ranges => readJoined(ranges, GAP, LONGEST_READ, readRange),
    readInto: fill,
  }
}

/** A Blob, such as a file that a user chose or dropped. */
export function blobSource(blob: Blob): ByteSource {
  const readRange = async ({ position, length }: ByteRange): Promise<Uint8Array> =>
    new Uint8Array(await blob.slice(position, position + length).arrayBuffer())
  return {
    size: blob.size,
    stamp: String(blob.size),
    read: ranges => readJoined(ranges, GAP, LONGEST_READ, readRange),
    async readInto(target, position) {
      const bytes = await readRange({ position, length: target.length })
      target.set(bytes)
      return bytes.length
    },
  }
}

/** Reads near ranges at once, and returns the bytes of each. */
export async function readJoined(
  ranges: readonly ByteRange[],
  gap: number,
  longest: number,
  readRange: (range: ByteRange) => Promise<Uint8Array>,
): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = new Array(ranges.length)
  const read = async (joined: ReturnType<typeof joinRanges>[number]): Promise<void> => {
    const bytes = await readRange(joined)
    for (const index of joined.members) {
      const { position, length } = ranges[index]
      const start = position - joined.position
      pieces[index] = bytes.subarray(start, start + length)
    }
  }
  await Promise.all(joinRanges(ranges, gap, longest).map(read))
  return pieces
}
