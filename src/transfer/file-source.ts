// A local file as a source of bytes.

import { closeSync, fstatSync, openSync, read, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { HyperslabError } from '../errors.ts'
import type { ByteSource } from '../h5file/byte-source.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'

const readFile = promisify(read)

export interface OpenFileSource extends ByteSource {
  readonly lastModified: Timestamp
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
  return {
    size,
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
    async read(position, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - position)))
      let done = 0
      while (done < bytes.length) {
        const { bytesRead } = await readFile(file, bytes, done, bytes.length - done, position + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return bytes.subarray(0, done)
    },
    close: () => closeSync(file),
  }
}
