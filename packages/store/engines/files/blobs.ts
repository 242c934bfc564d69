// Blobs as files that are written once, under their final name: no reader knows the name before a commit, so no rename
// is needed. A part that a crash leaves is swept like any other blob that no record names.

import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nextTurn } from '@hyperslab/base/bounded'
import { type BlobPieces, type Blobs, checkBlobName, checkBlobPrefix } from '../../interfaces/engine.ts'
import { fileError, noBlob, valuesDamaged } from '../system-errors.ts'
import {
  type BlobEnd,
  Checksums,
  ChecksumWriter,
  decodeEnd,
  END_BYTES,
  LARGE_PART_BYTES,
  PART_BYTES,
} from './checksums.ts'
import { Directories } from './directories.ts'
import { FileSlots } from './file-slots.ts'
import { type OpenedFile, OpenFiles } from './open-files.ts'

const FILES_KEPT_OPEN = 64
/** Bytes of which the checksums are computed at a time: they take half a millisecond. */
const TURN_BYTES = 2 ** 20
/** Files that a put has open: the new file, and its directory, which is synced. */
const FILES_OF_PUT = 2

export class FileBlobs implements Blobs {
  readonly parallelism = 8
  readonly #root: string
  readonly #directories: Directories
  readonly #slots: FileSlots
  readonly #openFiles: OpenFiles<Promise<WrittenBlob>>

  /** The folder must exist and be durable. No more than `openFiles` are open at once, two at least. */
  constructor(root: string, openFiles = Number.POSITIVE_INFINITY) {
    this.#root = root
    this.#slots = new FileSlots(openFiles)
    this.#openFiles = new OpenFiles(FILES_KEPT_OPEN, this.#slots)
    this.#directories = new Directories(root)
  }

  async put(name: string, pieces: BlobPieces): Promise<void> {
    const path = this.#pathOf(name)
    await this.#slots.take(FILES_OF_PUT)
    try {
      await this.#putFile(name, path, pieces)
    } finally {
      this.#slots.give(FILES_OF_PUT)
    }
  }

  async #putFile(name: string, path: string, pieces: BlobPieces): Promise<void> {
    const handle = await createFile(path).catch((error: unknown) => {
      throw fileError(error)
    })
    try {
      if (Symbol.asyncIterator in pieces) await writeSparse(handle, name, pieces)
      else await writeAll(handle, [...pieces, await endOf(name, pieces)], 0)
      await Promise.all([handle.datasync(), this.#directories.sync(dirname(path))])
    } catch (error) {
      // A remaining part of the file does no harm; if it cannot be removed, the first error is reported.
      await unlink(path).catch(() => undefined)
      throw fileError(error)
    } finally {
      await handle.close()
    }
  }

  /**
   * The bytes are not compared with their checksums: where values are sent as they are stored, that would take half as
   * long again (docs/decisions/038).
   */
  read(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.#read(name, async file => {
      const { length } = await describe(file)
      return file.read(offset, inside(length, offset, into))
    })
  }

  readCompared(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.#read(name, async file => {
      const blob = await describe(file)
      const bytes = inside(blob.length, offset, into)
      const count = await file.read(offset, bytes)
      await compare(name, file, blob, offset, bytes.subarray(0, count))
      return count
    })
  }

  async #read(name: string, work: (file: BlobFile) => Promise<number>): Promise<number> {
    try {
      return await this.#openFiles.using(this.#pathOf(name), work)
    } catch (error) {
      throw hasCode(error, 'ENOENT', 'ENOTDIR') ? noBlob(name, error) : fileError(error)
    }
  }

  async size(name: string): Promise<number | undefined> {
    return (await this.#describe(name))?.length
  }

  async hasChecksums(name: string): Promise<boolean> {
    return (await this.#describe(name))?.end !== undefined
  }

  /** The description of the blob's file; undefined: there is no such file. */
  async #describe(name: string): Promise<WrittenBlob | undefined> {
    try {
      return await this.#openFiles.using(this.#pathOf(name), describe)
    } catch (error) {
      // A folder can be opened, but not read.
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined
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

/** A blob as the end of its file describes it. */
interface WrittenBlob {
  readonly length: number
  /** Undefined: the file has no checksums. */
  readonly end: BlobEnd | undefined
  /** Read when they are first needed. */
  checksums: Promise<Checksums> | undefined
}

type BlobFile = OpenedFile<Promise<WrittenBlob>>

/** The part of `into` for which the blob has bytes. */
function inside(length: number, offset: number, into: Uint8Array): Uint8Array {
  return into.subarray(0, Math.max(0, length - offset))
}

function describe(file: BlobFile): Promise<WrittenBlob> {
  file.known ??= readEnd(file).catch((error: unknown) => {
    // A failure of the disk may pass.
    file.known = undefined
    throw error
  })
  return file.known
}

async function readEnd(file: BlobFile): Promise<WrittenBlob> {
  const size = await file.size()
  const last = Buffer.alloc(Math.min(size, END_BYTES))
  await file.read(size - last.length, last)
  const end = decodeEnd(size, last)
  return { length: end?.length ?? size, end, checksums: undefined }
}

/** Throws `values-damaged` if bytes of the blob, from `offset` on, differ from the written ones. */
async function compare(
  name: string,
  file: BlobFile,
  blob: WrittenBlob,
  offset: number,
  bytes: Uint8Array,
): Promise<void> {
  if (blob.end === undefined) return
  blob.checksums ??= readChecksums(name, file, blob.end).catch((error: unknown) => {
    blob.checksums = undefined
    throw error
  })
  if ((await blob.checksums).areRight(offset, bytes)) return
  throw valuesDamaged(`The blob ${name} is damaged: its bytes are not those that were written`)
}

async function readChecksums(name: string, file: BlobFile, end: BlobEnd): Promise<Checksums> {
  const bytes = Buffer.alloc(end.endBytes)
  await file.read(end.length, bytes)
  return new Checksums(name, end, bytes)
}

/** A `delete` can remove a folder that was just created before the file is in it; then the creation is tried again. */
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

/** A call may write fewer bytes than it got, for example on a full disk; the next call then fails with the cause. */
async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], position: number): Promise<void> {
  let rest = pieces.filter(piece => piece.length > 0)
  for (let done = 0; rest.length > 0; ) {
    const { bytesWritten } = await handle.writev(rest, position + done)
    rest = without(rest, bytesWritten)
    done += bytesWritten
  }
}

/** The checksums of all pieces, a long one in turns. */
async function endOf(name: string, pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const checksums = new ChecksumWriter(PART_BYTES)
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += TURN_BYTES) {
      checksums.add(piece.subarray(at, at + TURN_BYTES))
      await nextTurn()
    }
  }
  return checksums.end(name)
}

/** Pieces of zeros become holes, so a copy of a sparse file is sparse, too. */
async function writeSparse(
  handle: FileHandle,
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const checksums = new ChecksumWriter(LARGE_PART_BYTES)
  let position = 0
  for await (const piece of pieces) {
    checksums.add(piece)
    if (!isZero(piece)) await writeAll(handle, [piece], position)
    position += piece.length
  }
  await writeAll(handle, [checksums.end(name)], position)
}

/** Every byte equals the one before it, and the first one is zero. */
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

/** Entries of a folder that are read at once; a folder may hold a million. @limit memory, entries */
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
