// Blobs as files that are written once, under their final name: nothing knows the name before a commit has named it,
// so there is nothing to rename. What a crash leaves of one is swept like any other blob that no record names.

import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobPieces, type Blobs, checkBlobName, checkBlobPrefix } from '../../engine.ts'
import { fileError, noBlob } from '../system-errors.ts'
import { Directories } from './directories.ts'
import { FilePlaces } from './file-places.ts'
import { OpenFiles } from './open-files.ts'

const FILES_KEPT_OPEN = 64
/** A new file, and its directory to be synced. */
const FILES_OF_PUT = 2

export class FileBlobs implements Blobs {
  readonly parallelism = 8
  readonly #root: string
  readonly #directories: Directories
  readonly #places: FilePlaces
  readonly #openFiles: OpenFiles

  /** The folder must exist and be durable. No more than `openFiles` are open at once, two at least. */
  constructor(root: string, openFiles = Number.POSITIVE_INFINITY) {
    this.#root = root
    this.#places = new FilePlaces(openFiles)
    this.#openFiles = new OpenFiles(FILES_KEPT_OPEN, this.#places)
    this.#directories = new Directories(root)
  }

  async put(name: string, pieces: BlobPieces): Promise<void> {
    const path = this.#pathOf(name)
    await this.#places.take(FILES_OF_PUT)
    try {
      await this.#putFile(path, pieces)
    } finally {
      this.#places.give(FILES_OF_PUT)
    }
  }

  async #putFile(path: string, pieces: BlobPieces): Promise<void> {
    const handle = await createFile(path).catch((error: unknown) => {
      throw fileError(error)
    })
    try {
      if (Symbol.asyncIterator in pieces) await writeSparse(handle, pieces)
      else await writeAll(handle, pieces, 0)
      await Promise.all([handle.datasync(), this.#directories.sync(dirname(path))])
    } catch (error) {
      // A rest of the file does no harm, and if it cannot be removed the first error is the one to report.
      await unlink(path).catch(() => undefined)
      throw fileError(error)
    } finally {
      await handle.close()
    }
  }

  async read(name: string, offset: number, into: Uint8Array): Promise<number> {
    try {
      return await this.#openFiles.read(this.#pathOf(name), offset, into)
    } catch (error) {
      throw hasCode(error, 'ENOENT', 'ENOTDIR') ? noBlob(name, error) : fileError(error)
    }
  }

  async size(name: string): Promise<number | undefined> {
    try {
      const entry = await stat(this.#pathOf(name))
      return entry.isFile() ? entry.size : undefined
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw fileError(error)
    }
  }

  async delete(name: string): Promise<void> {
    const path = this.#pathOf(name)
    this.#openFiles.forget(path)
    try {
      await unlink(path)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return
      throw fileError(error)
    }
    await this.#removeEmptyFolders(dirname(path))
  }

  async *list(prefix: string): AsyncIterable<string> {
    checkBlobPrefix(prefix)
    const folders = [prefix.slice(0, prefix.lastIndexOf('/') + 1)]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for await (const entry of entriesOf(join(this.#root, folder))) {
        const name = folder + entry.name
        if (!name.startsWith(prefix) || !/^[0-9a-f]+$/.test(entry.name)) continue
        if (entry.isDirectory()) folders.push(`${name}/`)
        else yield name
      }
    }
  }

  close(): Promise<void> {
    return this.#openFiles.close()
  }

  #pathOf(name: string): string {
    checkBlobName(name)
    return join(this.#root, name)
  }

  async #removeEmptyFolders(folder: string): Promise<void> {
    for (let path = folder; path !== this.#root; path = dirname(path)) {
      try {
        await rmdir(path)
      } catch (error) {
        if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return
        throw error
      }
    }
  }
}

/** A folder that was just made can be removed as empty by a `delete` before the file is in it; then again. */
const ATTEMPTS = 100

async function createFile(path: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(path, 'wx')
    } catch (error) {
      if (hasCode(error, 'EEXIST')) throw new Error(`There is already a file ${path}`, { cause: error })
      if (!hasCode(error, 'ENOENT') || attempt === ATTEMPTS) throw error
    }
    await mkdir(dirname(path), { recursive: true }).catch(nothingIfAbsent)
  }
}

/** A call may write less than it was given (on a full disk, for one); the next one then fails with the cause. */
async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], position: number): Promise<void> {
  let rest = pieces.filter(piece => piece.length > 0)
  for (let done = 0; rest.length > 0; ) {
    const { bytesWritten } = await handle.writev(rest, position + done)
    rest = without(rest, bytesWritten)
    done += bytesWritten
  }
}

/** Pieces of zeros become holes, so a copy of a sparse file is sparse, too. */
async function writeSparse(handle: FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let position = 0
  for await (const piece of pieces) {
    if (!isZero(piece)) await writeAll(handle, [piece], position)
    position += piece.length
  }
  await handle.truncate(position)
}

/** Every byte is that before it, and the first one is zero. */
function isZero(piece: Uint8Array): boolean {
  return piece[0] === 0 && Buffer.compare(piece.subarray(1), piece.subarray(0, -1)) === 0
}

/** The pieces without their first `count` bytes. */
function without(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  let skipped = 0
  let left = count
  for (const piece of pieces) {
    if (piece.length > left) break
    left -= piece.length
    skipped++
  }
  const [first, ...others] = pieces.slice(skipped)
  return first === undefined ? [] : [first.subarray(left), ...others]
}

/** Read at once; a folder may hold a million. */
const ENTRIES_AT_ONCE = 256

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const directory = await opendir(folder, { bufferSize: ENTRIES_AT_ONCE }).catch(nothingIfAbsent)
  if (directory) yield* directory
}

function nothingIfAbsent(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
