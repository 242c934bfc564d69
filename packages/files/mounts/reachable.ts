// The objects that can be reached in a mounted file from its root group: along hard links, which make the lists of a
// domain's objects together with the objects of h5serv's table, and along references, whose objects are found by their
// ids too. Each walk continues only as far as a caller needs. The bytes read for references are limited in proportion
// to the length of the file, because a few bytes of it may become gigabytes of references.

import { type AbortCheck, ByteGate, isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileLink, H5FileReader, ReferenceResolver } from '@hyperslab/h5/reader'
import { extentsOf, logicalBytes, product } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import type { ObjectId, ObjectKind } from '@hyperslab/model/names'
import { hasReferences } from '@hyperslab/model/values'
import type { Dataset, HdfObject, MountedContents } from '@hyperslab/store/store'
import { boxesOf, boxesOfChunks } from '../transfer/boxes.ts'
import type { H5servTable } from '../transfer/h5serv-table.ts'
import type { MountedLinks } from './links.ts'
import type { MountedObjects } from './objects.ts'
import { tolerate, tolerated } from './tolerate.ts'
import { Walk } from './walk.ts'

/** The objects that links from the root group lead to. */
export interface LinkedObjects {
  /** The ids in ascending order. */
  readonly ids: Readonly<Record<ObjectKind, readonly ObjectId[]>>
  readonly logicalBytes: number
  /** The reason why links of a group are left out: even their names cannot be read. */
  readonly damage?: HyperslabError
}

/** Bytes of references that the walk reads at once; eight times as many from a chunk. */
const BOX_BYTES = 4 * 2 ** 20
/** The limit of the bytes read for references, decoded chunks included, and what each byte of the file adds to it. */
const FREE_BYTES = 256 * 2 ** 20
/** Bytes that are searched for references, for each byte of the file. @limit safety, times */
const MAX_RATIO = 64
/** Objects that only references lead to, readable or not. @limit safety, objects */
const MAX_REFERENCED = 2 ** 18
/** Objects that are searched for values in other files: some 40 s and 1 GiB. @limit safety, objects */
const MAX_SEARCHED = 2 ** 20
/** Names of other files that are kept, and the length of each. @limit memory, names */
const MAX_NAMES = 20
/** Longer names of other files are left out. @limit memory, characters */
const MAX_NAME_LENGTH = 1024
/** The approximate memory of an object that was found. */
const FOUND_BYTES = 150

export class ReachableObjects {
  readonly #reader: H5FileReader
  readonly #table: H5servTable
  readonly #objects: MountedObjects
  readonly #links: MountedLinks
  /** Along hard links. */
  readonly #linkWalk: Walk
  /** Along hard links and references. */
  readonly #referenceWalk: Walk
  /** The groups that have a hard link to the object. */
  readonly #parents = new Map<FileAddress, FileAddress[]>()
  /** Names of HDF5 files that links and virtual datasets have. */
  readonly #names = new Set<string>()
  readonly #linked: { [kind in ObjectKind]: ObjectId[] } = { group: [], dataset: [], datatype: [] }
  readonly #budget: ReferenceBudget
  /** One dataset after another: several with chunks that are decoded in parts would decode them again for each part. */
  readonly #oneDataset = new ByteGate(1)
  #logicalBytes = 0
  #damage: HyperslabError | undefined
  #all: LinkedObjects | undefined

  constructor(
    reader: H5FileReader,
    table: H5servTable,
    objects: MountedObjects,
    links: MountedLinks,
    fileSize: number,
  ) {
    this.#reader = reader
    this.#table = table
    this.#objects = objects
    this.#links = links
    this.#budget = new ReferenceBudget(fileSize)
    this.#linkWalk = new Walk(reader.root, address => this.#visitLinks(address))
    this.#referenceWalk = new Walk(reader.root, (address, signal) => this.#visitReferences(address, signal))
  }

  get heldBytes(): number {
    return FOUND_BYTES * (this.#linkWalk.size + this.#referenceWalk.size)
  }

  /**
   * Whether a link or a reference leads to an object at the address. Throws `file-unreadable` when there are more
   * references than are read for that.
   */
  async has(address: FileAddress, signal?: AbortCheck): Promise<boolean> {
    const isMet = () => this.#objects.hasMet(address)
    if (!isMet()) await this.#linkWalk.complete(signal, isMet)
    if (!isMet()) await this.#referenceWalk.complete(signal, () => isMet() || this.#budget.isSpent)
    if (!isMet()) this.#budget.requireRest()
    return isMet()
  }

  /** Walks until all is known that the result has. */
  async usesOfOthers(signal: AbortCheck): ReturnType<MountedContents['usesOfOthers']> {
    const hasValues = () => this.#objects.hasValuesOfOthers
    const isEnough = () =>
      this.#linkWalk.size > MAX_SEARCHED || (hasValues() && this.#names.size === MAX_NAMES)
    await this.#linkWalk.complete(signal, isEnough)
    const names = [...this.#names]
    return { hasValues: hasValues() || (this.#linkWalk.isComplete ? false : undefined), names }
  }

  /** The groups that have a hard link to the object. */
  async parentsOf(address: FileAddress, signal?: AbortCheck): Promise<readonly FileAddress[]> {
    await this.#linkWalk.complete(signal)
    return this.#parents.get(address) ?? []
  }

  /** The objects that the hard links of a group lead to. */
  async #visitLinks(address: FileAddress): Promise<Iterable<FileAddress>> {
    const object = await tolerate(this.#objects.object(address))
    const links = object?.kind === 'group' ? await this.#links.get(address) : undefined
    if (!object) return []
    this.#damage ??= links?.damage
    const targets = await hardTargets(links?.byName ?? [])
    const anonymous = await this.#anonymousIn(address)
    for (const name of await this.#namesIn(object, address, links?.byName ?? [])) {
      if (this.#names.size < MAX_NAMES && name.length <= MAX_NAME_LENGTH) this.#names.add(name)
    }
    // No later step fails, so no link is counted twice.
    this.#linked[object.kind].push(object.id)
    if (object.kind === 'dataset') this.#logicalBytes += logicalBytes(object)
    for (const target of targets) {
      if (isTurnOver()) await nextTurn()
      const parents = this.#parents.get(target)
      if (parents) parents.push(address)
      else this.#parents.set(target, [address])
    }
    for (const target of anonymous) {
      this.#objects.meet(target)
      targets.add(target)
    }
    return targets
  }

  /** The files that the external links of a group name, or that the sources of a virtual dataset are in. */
  async #namesIn(
    { kind }: HdfObject,
    address: FileAddress,
    links: readonly FileLink[],
  ): Promise<Iterable<string>> {
    if (this.#names.size === MAX_NAMES) return []
    if (kind === 'group') return externalFiles(links)
    const sources = this.#objects.isOfOthers(address) && this.#reader.sourceFiles?.(address)
    return (sources && (await tolerate(sources))) || []
  }

  /** The objects that the table of h5serv has without a link, for the root group. */
  async #anonymousIn(address: FileAddress): Promise<readonly FileAddress[]> {
    if (address !== this.#reader.root || !this.#table.isThere) return []
    return this.#table.anonymous(tolerated)
  }

  /** The objects that the hard links, the attributes and the values of an object lead to. */
  async #visitReferences(address: FileAddress, signal: AbortCheck): Promise<Iterable<FileAddress>> {
    signal.throwIfAborted()
    const object = await tolerate(this.#objects.object(address))
    if (!object) return []
    const named = await hardTargets(object.kind === 'group' ? (await this.#links.get(address)).byName : [])
    for (const target of await this.#anonymousIn(address)) named.add(target)
    const resolve = (target: FileAddress) => {
      if (this.#linkWalk.hasFound(target) || named.has(target)) return undefined
      this.#budget.useObject()
      named.add(target)
      return undefined
    }
    await tolerate(this.#visitAttributes(address, resolve, signal))
    if (object.kind === 'dataset') {
      const { committedType } = await this.#reader.dataset(address)
      if (committedType !== undefined) resolve(committedType)
      await this.#oneDataset.pass(1, () =>
        tolerate(this.#readAllReferences(object, address, resolve, signal)),
      )
    }
    return named
  }

  async #visitAttributes(
    address: FileAddress,
    resolve: ReferenceResolver,
    signal: AbortCheck,
  ): Promise<void> {
    for await (const batch of this.#reader.attributes(address, resolve)) {
      signal.throwIfAborted()
      for (const { type, committedType, value } of batch) {
        if (committedType !== undefined) resolve(committedType)
        if (value && hasReferences(type)) this.#budget.useBytes(value.heap.length)
      }
    }
  }

  /** Reads the values of a dataset that has references, so that `resolve` gets all of them. */
  async #readAllReferences(
    { type, space, creationProperties: { chunkDims } }: Dataset,
    address: FileAddress,
    resolve: ReferenceResolver,
    signal: AbortCheck,
  ): Promise<void> {
    if (space.class === 'H5S_NULL' || !hasReferences(type)) return
    const { isVirtual, elementBytes = elementSize(type) } = await this.#reader.dataset(address)
    // Values of other files refer to no objects of this one, and those of other datasets of this file are read with
    // these.
    if (isVirtual) return
    const dims = extentsOf(space)
    const most = Math.ceil(BOX_BYTES / elementBytes)
    const stored = await this.#reader.storedChunks(address)
    const boxes = stored
      ? boxesOfChunks(dims, stored.chunkDims, most, stored.batches)
      : boxesOf(dims, chunkDims, most)
    for await (const { start, count } of boxes) {
      signal.throwIfAborted()
      // Reading a part of a chunk costs as much as the whole chunk.
      this.#budget.useBytes(Math.max(product(count), product(stored?.chunkDims ?? [])) * elementBytes)
      const { heap } = await this.#reader.readValues(address, start, count, resolve, { signal })
      this.#budget.useBytes(heap.length)
    }
  }

  /** All objects that hard links lead to. */
  async all(signal?: AbortCheck): Promise<LinkedObjects> {
    this.#all ??= await this.#findAll(signal)
    return this.#all
  }

  async #findAll(signal: AbortCheck | undefined): Promise<LinkedObjects> {
    await this.#linkWalk.complete(signal)
    const { group, dataset, datatype } = this.#linked
    return {
      ids: {
        group: await sortInTurns(group, compareIds),
        dataset: await sortInTurns(dataset, compareIds),
        datatype: await sortInTurns(datatype, compareIds),
      },
      logicalBytes: Math.min(this.#logicalBytes, Number.MAX_SAFE_INTEGER),
      ...(this.#damage && { damage: this.#damage }),
    }
  }
}

async function hardTargets(links: readonly FileLink[]): Promise<Set<FileAddress>> {
  const targets = new Set<FileAddress>()
  for (const link of links) {
    if (isTurnOver()) await nextTurn()
    if (link.class === 'H5L_TYPE_HARD') targets.add(link.address)
  }
  return targets
}

async function externalFiles(links: readonly FileLink[]): Promise<Set<string>> {
  const files = new Set<string>()
  for (const link of links) {
    if (isTurnOver()) await nextTurn()
    if (link.class === 'H5L_TYPE_EXTERNAL') files.add(link.file)
  }
  return files
}

function compareIds(a: ObjectId, b: ObjectId): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The bytes that may be read of one file to find the objects that only references lead to. */
class ReferenceBudget {
  #bytes: number
  #objects = MAX_REFERENCED

  constructor(fileSize: number) {
    this.#bytes = FREE_BYTES + MAX_RATIO * fileSize
  }

  get isSpent(): boolean {
    return this.#bytes < 0 || this.#objects < 0
  }

  useBytes(bytes: number): void {
    this.#bytes -= bytes
    this.requireRest()
  }

  useObject(): void {
    this.#objects--
    this.requireRest()
  }

  /** Throws when the budget is used up. */
  requireRest(): void {
    if (!this.isSpent) return
    throw new HyperslabError(
      'file-unreadable',
      'no link leads to an object of this id, and the references of the file are more than are searched for one',
    )
  }
}
