// The walk of an import: the objects of a file, found from the root group along the links, then objects, links,
// attributes and values into the target. A part that cannot be read or stored becomes a warning that names its path;
// the rest is imported.

import { posix } from 'node:path'
import { inParallel, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ChunkDecoder } from '@hyperslab/h5/reader'
import {
  type FileAddress,
  type FileWarning,
  type H5FileReader,
  memberPath,
  untilDamaged,
} from '@hyperslab/h5/reader'
import type { Acl, DomainPath, ObjectReference } from '@hyperslab/model/names'
import { attributeName, linkTitle } from '@hyperslab/model/names'
import type { LinkTarget } from '@hyperslab/store/store'
import { linkTargetOf, newName, PARALLEL_OBJECTS, readObject } from './file-objects.ts'
import {
  type FoundObject,
  type FoundObjects,
  findObjects,
  linksOf,
  type SourceFile,
} from './found-objects.ts'
import { type ListUsers, readAcls } from './h5serv-acls.ts'
import { H5servTable } from './h5serv-table.ts'
import { ImportNotUndone } from './import-not-undone.ts'
import { type Task, ValueImport } from './import-values.ts'
import { Losses } from './losses.ts'
import type { ImportTarget, Publication } from './target.ts'

/** Finds the path of the file of that name, relative to the folder of the file that names it; undefined: unknown. */
export type Locate = (name: string) => Promise<string | undefined>

/** The same; undefined also if the name itself is that path. */
export async function locateElsewhere(name: string, locate: Locate): Promise<string | undefined> {
  const path = await locate(name)
  return posix.normalize(name) === path ? undefined : path
}

/** Called with the progress in bytes of values; each object counts as a few bytes. */
export type ImportProgress = (done: number, total: number) => void

/** A file as a whole. */
export interface CopiedFile {
  readonly size: number
  /** All bytes; the memory of a piece may be reused when the next one is requested. */
  readonly pieces: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

export interface ImportOptions {
  readonly signal: AbortSignal
  readonly progress: ImportProgress
  /** Finds files that external links name; absent: their locations are unknown. */
  readonly locate?: Locate
  /** Called when everything has been read, before it is published: throws if the file was changed meanwhile. */
  readonly requireUnchanged: () => void
  /** The file; absent: none of its chunks can be taken over as they are. */
  readonly file?: CopiedFile
  /** True: a file with a loss is not imported (`IncompleteFile`), and all chunks are decoded to find damage. */
  readonly strict?: boolean
  /** The users of the access control lists in a file of h5serv; absent: these lists are left out. */
  readonly listUsers?: ListUsers
  /** Runs the filters of chunks that are decoded only to find damage. Default: in this thread. */
  readonly decode?: ChunkDecoder
}

export interface ImportSummary {
  readonly groups: number
  readonly datasets: number
  /** The number of those datasets whose values could not be read. */
  readonly unreadable: number
  readonly datatypes: number
  readonly attributes: number
  /** The bytes of the values of the other datasets. */
  readonly bytes: number
  /** The losses. */
  readonly warnings: readonly FileWarning[]
  readonly newFolders: readonly DomainPath[]
  /** True: a domain of that name was replaced. */
  readonly replaced: boolean
}

/** Reads of values that run at once. */
const PARALLEL_TASKS = 4

/** The smallest file that is kept; the values of smaller ones are converted, and then stored with the records. */
const MIN_ADOPTED_FILE = 2 ** 20

/** Bytes that an object counts in the progress, by the time that its records take to write. */
const OBJECT_BYTES = 1000

/** Fills the target and publishes it. If it throws, the target has been abandoned. */
export async function importFile(
  reader: H5FileReader,
  target: ImportTarget,
  options: ImportOptions,
): Promise<ImportSummary> {
  try {
    const walk = new Import(reader, target, options)
    const summary = await walk.run()
    options.requireUnchanged()
    return { ...summary, ...(await target.publish(summary.warnings.length > 0, walk.rootAcl)) }
  } catch (error) {
    await target.abandon().catch((second: unknown) => {
      throw new ImportNotUndone([error, second])
    })
    throw error
  }
}

/** A file with losses, which is not imported because the import is strict. */
export class IncompleteFile extends HyperslabError {
  readonly warnings: readonly FileWarning[]

  constructor(warnings: readonly FileWarning[]) {
    super('file-unreadable', 'not imported, because parts of it cannot be, and --strict is given')
    this.warnings = warnings
  }
}

class Import {
  readonly #reader: H5FileReader
  readonly #target: ImportTarget
  readonly #options: ImportOptions
  readonly #losses = new Losses()
  readonly #file: SourceFile
  readonly #values: ValueImport
  /** The objects of the domain by their addresses in the file. */
  readonly #references = new Map<FileAddress, ObjectReference>()
  readonly #resolve = (address: FileAddress) => this.#references.get(address)
  /** Used committed datatypes to which no link leads; undefined: the object there is not one, or cannot be read. */
  readonly #unlinkedTypes = new Map<FileAddress, ObjectReference | undefined>()
  /** The access control lists of the file. */
  #acls: ReadonlyMap<FileAddress, Acl> = new Map()
  #attributeCount = 0
  #doneBytes = 0
  #totalBytes = 0

  constructor(reader: H5FileReader, target: ImportTarget, options: ImportOptions) {
    this.#reader = reader
    this.#target = target
    this.#options = options
    const { file, signal, strict, decode } = options
    const table = new H5servTable(reader)
    this.#file = { reader, table, losses: this.#losses, signal, ...(file && { size: file.size }) }
    this.#values = new ValueImport(reader, target, {
      signal,
      advance: bytes => this.#advance(bytes),
      resolve: this.#resolve,
      ...(file && { fileSize: file.size }),
      ...(strict !== undefined && { strict }),
      ...(decode && { decode }),
    })
  }

  /** The access control list of the root group in the file; undefined: it has none. */
  get rootAcl(): Acl | undefined {
    return this.#acls.get(this.#reader.root)
  }

  async run(): Promise<Omit<ImportSummary, keyof Publication>> {
    const found = await findObjects(this.#file)
    this.#acls = await readAcls(this.#file, this.#options.listUsers)
    this.#requireWhole()
    const { all, datatypes, groups, datasets, bytes, adoptable } = found
    this.#totalBytes = bytes + all.length * OBJECT_BYTES
    const size = this.#options.file?.size ?? 0
    // A file with values in other files is not the domain, so it is not sent in its place.
    const needsOthers = datasets.some(({ dataset }) => dataset?.isOfOthers)
    this.#values.isAdopting = !needsOthers && size >= MIN_ADOPTED_FILE && 2 * adoptable >= size
    // Committed datatypes first, since datasets use them.
    for (const objects of [datatypes, groups, datasets]) await this.#createObjects(objects)
    for (const group of groups) await this.#putLinks(group)
    this.#requireWhole()
    await this.#adoptFile(found)
    await inParallel(this.#contents(all), PARALLEL_TASKS, async task => {
      await task()
      if (isTurnOver()) await nextTurn()
    })
    // This waits until no box of these datasets is being written.
    await this.#markUnreadable()
    this.#requireWhole()
    const { unreadable } = this.#values
    const unread = [...unreadable.keys()].reduce((sum, object) => sum + object.bytes, 0)
    return {
      groups: groups.length,
      datasets: datasets.length,
      unreadable: unreadable.size,
      datatypes: datatypes.length + [...this.#unlinkedTypes.values()].filter(Boolean).length,
      attributes: this.#attributeCount,
      bytes: bytes - unread,
      warnings: this.#warnings,
    }
  }

  get #warnings(): readonly FileWarning[] {
    return [...this.#reader.warnings, ...this.#losses.list]
  }

  #requireWhole(): void {
    const warnings = this.#warnings
    if (this.#options.strict && warnings.length > 0) throw new IncompleteFile(warnings)
  }

  async #createObjects(objects: readonly FoundObject[]): Promise<void> {
    for (const object of objects) {
      this.#references.set(object.address, await this.#create(object))
      this.#advance(OBJECT_BYTES)
      if (isTurnOver()) await nextTurn()
    }
  }

  async #create(object: FoundObject): Promise<ObjectReference> {
    const { address, type: committed, dataset } = object
    if (address === this.#reader.root) return this.#target.root
    const acl = this.#acls.get(address)
    if (committed) return this.#target.createDatatype(committed, acl)
    if (!dataset) return this.#target.createGroup(acl)
    const { type, space, creationProperties, committedType } = dataset
    const other = this.#values.chunkDimsOf(object, dataset)
    const { kind, id, chunkDims } = await this.#target.createDataset({
      type,
      ...(await this.#committed(committedType)),
      space,
      // The properties of the file are once in memory for all equal datasets.
      creationProperties: other ? { ...creationProperties, chunkDims: other } : creationProperties,
      ...(acl && { acl }),
    })
    if (chunkDims) this.#values.noteChunks(object, dataset, chunkDims)
    return { kind, id }
  }

  /**
   * The committed datatype in the domain, as a member of the object that uses it. One to which no link leads is created
   * now.
   */
  async #committed(address: FileAddress | undefined): Promise<{ committedType?: ObjectReference }> {
    if (address === undefined) return {}
    const reference = this.#references.get(address) ?? (await this.#unlinkedType(address))
    return reference ? { committedType: reference } : {}
  }

  async #unlinkedType(address: FileAddress): Promise<ObjectReference | undefined> {
    if (this.#unlinkedTypes.has(address)) return this.#unlinkedTypes.get(address)
    const path = this.#reader.pathOf(address)
    const object = await this.#losses.tolerate(path, () => readObject(this.#reader, address))
    const created = object?.kind === 'datatype' ? await this.#target.createDatatype(object.type) : undefined
    this.#unlinkedTypes.set(address, created)
    return created
  }

  async #putLinks({ address }: FoundObject): Promise<void> {
    const group = this.#references.get(address)
    if (!group) return
    const path = this.#reader.pathOf(address)
    let order = 0
    for await (const link of linksOf(this.#file, address)) {
      const linkPath = memberPath(path, link.title)
      const title = await this.#losses.tolerate(linkPath, () => linkTitle(link.title))
      const position = order++
      if (title === undefined) continue
      const target = linkTargetOf(link, this.#resolve)
      if (target) {
        await this.#target.putLink(group, title, await this.#located(target), position)
      } else if (!this.#losses.isKnown(linkPath)) {
        this.#losses.add(linkPath, 'the link is left out, because its target is')
      }
    }
  }

  async #located(target: LinkTarget): Promise<LinkTarget> {
    const { locate } = this.#options
    if (target.class !== 'H5L_TYPE_EXTERNAL' || !locate) return target
    const foundAt = await locateElsewhere(target.h5domain, locate)
    return foundAt === undefined ? target : { ...target, foundAt }
  }

  /** Stores the file itself, if enough of it can be taken over as it is. */
  async #adoptFile({ bytesOfAdoptable }: FoundObjects): Promise<void> {
    const { file } = this.#options
    if (!this.#values.isAdopting || !file) return
    const advance = (length: number) => this.#advance((length / file.size) * bytesOfAdoptable)
    const pieces = { [Symbol.asyncIterator]: () => piecesOf(file, advance, this.#options.signal) }
    await this.#target.putFile(pieces)
  }

  /**
   * Puts the attributes and yields the tasks for the values, a group of objects at a time, so that the reader and the
   * target process each object once.
   */
  async *#contents(objects: readonly FoundObject[]): AsyncGenerator<Task> {
    for (let from = 0; from < objects.length; from += PARALLEL_OBJECTS) {
      const batch = objects.slice(from, from + PARALLEL_OBJECTS)
      for (const object of batch) {
        const owner = this.#references.get(object.address)
        if (owner) await this.#putAttributes(object.address, owner)
      }
      yield* this.#values.tasks(batch)
    }
    // Their attributes may use further ones, which then follow.
    for (const [address, owner] of this.#unlinkedTypes) if (owner) await this.#putAttributes(address, owner)
  }

  /** Puts the attributes; only those that the reader decodes together are in memory. */
  async #putAttributes(address: FileAddress, owner: ObjectReference): Promise<void> {
    const path = this.#reader.pathOf(address)
    const names = new Set<string>()
    let order = 0
    const batches = this.#reader.attributes(address, this.#resolve)
    for await (const batch of untilDamaged(batches, work => this.#losses.tolerate(path, work))) {
      this.#options.signal.throwIfAborted()
      for (const { name, type, committedType, space, value } of batch) {
        const position = order++
        const isNew = await this.#losses.tolerate(path, () => {
          this.#values.countHeap(value)
          return newName(attributeName(name), names)
        })
        if (isNew === undefined) continue
        const committed = await this.#committed(committedType)
        const attribute = { name, type, space, ...(value && { value }), ...committed, order: position }
        await this.#target.putAttribute(owner, attribute)
        this.#attributeCount++
        if (isTurnOver()) await nextTurn()
      }
    }
  }

  async #markUnreadable(): Promise<void> {
    for (const [{ address }, reason] of this.#values.unreadable) {
      const reference = this.#references.get(address)
      if (!reference) continue
      await this.#target.markUnreadable(reference, reason)
      const message = `the dataset is imported without values, because they cannot be read: ${reason}`
      this.#losses.add(this.#reader.pathOf(address), message)
    }
  }

  #advance(bytes: number): void {
    this.#options.signal.throwIfAborted()
    this.#doneBytes += bytes
    this.#options.progress(this.#doneBytes, this.#totalBytes)
  }
}

/** The bytes of the file; throws unless their number is its size. */
async function* piecesOf(
  { size, pieces }: CopiedFile,
  advance: (length: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = size
  for await (const piece of pieces(signal)) {
    left -= piece.length
    yield piece
    advance(piece.length)
  }
  if (left !== 0) throw new HyperslabError('file-unreadable', 'the file was changed while it was copied')
}
