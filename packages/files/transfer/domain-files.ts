// Domains as HDF5 files and HDF5 files as domains: the implementation of `DomainFiles`.
//
// A file that comes is stored in the data folder as the file of contents that no domain has yet, piece by piece; short
// ones stay in memory. So it is where its chunks can be taken over, and if the import fails, the client leaves or the
// process dies, it goes with these contents (docs/decisions/025).

import { ByteGate } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type ByteSource, type OpenSibling, openH5File } from '@hyperslab/h5/reader'
import { ChunkEncoding } from '@hyperslab/h5/writer'
import { locateFile, namesToTry } from '@hyperslab/model/dataset'
import { type FilterRunner, IN_THIS_THREAD } from '@hyperslab/store/chunks'
import type { Store } from '@hyperslab/store/store'
import { boundedDecoder } from './bounded-decoder.ts'
import { chunkDecoder } from './chunk-decoder.ts'
import { DomainFileMaker } from './domain-file.ts'
import { filledPieces, rangesOf } from './file-source.ts'
import { type CopiedFile, IncompleteFile, importFile } from './import-file.ts'
import { ImportNotUndone } from './import-not-undone.ts'
import { ImportTarget } from './target.ts'
import type { DomainFiles, FileLoss, IncomingFile } from './whole-files.ts'

export interface DomainFilesOptions {
  /** Bytes of a file that is taken: the setting max_upload. */
  readonly maxUpload: number
  /** The runner of the filters of chunks. Default: this thread. */
  readonly filterRunner?: FilterRunner
}

/** Files of up to this many bytes are kept in memory. @limit memory, bytes */
const MAX_IN_MEMORY = 4 * 2 ** 20
/** Files that are imported at once: each decodes, converts and holds batches of changes. */
const PARALLEL_IMPORTS = 2
/** Losses that an answer names. @limit safety, losses */
const MAX_LOSSES = 100
/** The name of the file in messages. */
const NAME = 'the body'

/** A file that has arrived. */
interface SpooledFile extends CopiedFile {
  readonly source: ByteSource
}

export function openDomainFiles(
  store: Store,
  { maxUpload, filterRunner = IN_THIS_THREAD }: DomainFilesOptions,
): DomainFiles {
  const decode = chunkDecoder(filterRunner)
  const imports = new ByteGate(PARALLEL_IMPORTS)
  const encoding = new ChunkEncoding((pipeline, chunk) => filterRunner.encode(pipeline, chunk))
  const maker = new DomainFileMaker(encoding)
  return {
    open: (reader, root, request) => maker.open(reader, root, request),
    async take({ pieces, length = 0, names, strict, linkedFiles, signal, publish }) {
      requireSize(length, maxUpload)
      let published: Awaited<ReturnType<typeof publish>> | undefined
      const target = new ImportTarget(store, {
        time: store.now(),
        async publish(writer, root) {
          published = await publish(writer, root)
          return { newFolders: [], replaced: false }
        },
      })
      const file = await undoing(target, () => spool(store, target, limited(pieces, maxUpload)))
      const losses = await imports.pass(1, async () => {
        const reader = await undoing(target, async () => {
          signal.throwIfAborted()
          const openSibling = ownFile(file.source, names)
          return openH5File(file.source, NAME, {
            openSibling,
            decode: boundedDecoder(decode, file.source.size),
          })
        })
        const options = { signal, progress() {}, requireUnchanged() {}, file, strict, decode }
        const locate = linkedFiles && (async (name: string) => locateFile(linkedFiles, name))
        const imported = importFile(reader, target, { ...options, ...(locate && { locate }) })
        return imported.then(({ warnings }) => warnings, rethrow)
      })
      if (published === undefined) throw new Error('the contents were not published')
      return { published, losses: listed(losses) }
    },
  }
}

/** Opens the file itself, by each of its names; other files are missing. */
function ownFile(source: ByteSource, names: readonly string[]): OpenSibling {
  const openSibling: OpenSibling = async name => {
    const isOwn = namesToTry(name).some(one => names.includes(one.replace(/^(\.\/+)+/, '')))
    return isOwn ? { source, path: NAME, openSibling } : undefined
  }
  return openSibling
}

/** The result of `work`; if it fails, the target is removed. */
async function undoing<T>(target: ImportTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Contents that cannot be removed now are removed when the process has ended, or after an hour.
    await target.abandon().catch(() => {})
    throw error
  }
}

/** Throws the error of an import in the terms of an upload. */
function rethrow(error: unknown): never {
  if (error instanceof ImportNotUndone) throw error.errors[0]
  if (!(error instanceof IncompleteFile)) throw error
  const parts = listed(error.warnings).map(({ path, message }) => `${path}: ${message}`)
  const rule = 'nothing was stored, because with strict=1 no part of the file may be left out or changed'
  throw new HyperslabError('file-unreadable', `${rule}: ${parts.join('; ')}`)
}

/** The first losses, and the number of the others. */
function listed(losses: readonly FileLoss[]): readonly FileLoss[] {
  const more = losses.length - MAX_LOSSES
  if (more <= 0) return losses
  return [
    ...losses.slice(0, MAX_LOSSES),
    { path: '/', message: `${more} more parts were left out or changed` },
  ]
}

function requireSize(length: number, maxUpload: number): void {
  if (length <= maxUpload) return
  throw new HyperslabError(
    'body-too-large',
    `the file must not be larger than ${maxUpload} bytes, the setting max_upload`,
  )
}

async function* limited(
  pieces: IncomingFile<unknown>['pieces'],
  maxUpload: number,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    requireSize(length, maxUpload)
    yield piece
  }
}

async function spool(
  store: Store,
  target: ImportTarget,
  pieces: AsyncGenerator<Uint8Array>,
): Promise<SpooledFile> {
  const first: Uint8Array[] = []
  let length = 0
  try {
    while (length <= MAX_IN_MEMORY) {
      const piece = await pieces.next()
      if (piece.done) return inMemory(Buffer.concat(first, length))
      first.push(piece.value)
      length += piece.value.length
    }
    const file = await target.storeFile(once(first, assembled(pieces)))
    const size = file.length
    const readRange = (into: Uint8Array, position: number) =>
      store.readFile(target.root.id, file, position, into)
    const source = { size, stamp: file.version, ...rangesOf(size, readRange) }
    return { size, source, pieces: isStored }
  } finally {
    await pieces.return(undefined)
  }
}

/** The bytes in larger pieces, one of which is filled while the one before it is written. */
function assembled(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let remainder: Uint8Array = new Uint8Array(0)
  return filledPieces(async buffer => {
    let used = 0
    while (used < buffer.length) {
      if (remainder.length === 0) {
        const next = await pieces.next()
        if (next.done) break
        remainder = next.value
      }
      const part = remainder.subarray(0, buffer.length - used)
      buffer.set(part, used)
      used += part.length
      remainder = remainder.subarray(part.length)
    }
    return used
  })
}

function isStored(): never {
  throw new Error('the file is in the store already')
}

function inMemory(bytes: Uint8Array): SpooledFile {
  const size = bytes.length
  const readRange = async (into: Uint8Array, position: number) => {
    const found = bytes.subarray(position, position + into.length)
    into.set(found)
    return found.length
  }
  async function* pieces() {
    yield bytes
  }
  return { size, source: { size, stamp: '', ...rangesOf(size, readRange) }, pieces }
}

/**
 * The pieces, which can be read only once. The store would read them a second time after it has made room on a full
 * disk.
 */
function once(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isBegun = false
  async function* pieces() {
    if (isBegun) {
      const rule = 'the disk of the data folder was full; there is room now, but the file must be sent again'
      throw new HyperslabError('storage-full', rule)
    }
    isBegun = true
    yield* first
    yield* rest
  }
  return { [Symbol.asyncIterator]: pieces }
}
