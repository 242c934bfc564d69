// What can be reached in a mounted file from its root group: along hard links, which make the lists of a domain's objects, and along
// references, whose objects are found by their ids too. Each walk goes on only as far as a caller needs.

import type { FileAddress, FileLink, H5FileReader, ReferenceResolver } from '../h5file/reader.ts'
import { logicalBytes } from '../hdf5/dataset-layout.ts'
import { extentsOf } from '../hdf5/dataspace.ts'
import { elementSize } from '../hdf5/datatype/layout.ts'
import type { ObjectId, ObjectKind } from '../hdf5/object-id.ts'
import { hasReferences } from '../hdf5/values/references.ts'
import type { Dataset } from '../storage/store.ts'
import { boxesOf, boxesOfChunks } from '../transfer/boxes.ts'
import { isTurnOver, nextTurn, sortInTurns } from '../turns.ts'
import type { MountedLinks } from './links.ts'
import type { MountedObjects } from './objects.ts'
import { tolerate } from './tolerate.ts'
import { Walk } from './walk.ts'

/** What links from the root group lead to. */
export interface LinkedObjects {
  /** In the order of their ids. */
  readonly ids: Readonly<Record<ObjectKind, readonly ObjectId[]>>
  readonly logicalBytes: number
}

/** Elements of references that the walk reads at once. */
const BOX_ELEMENTS = 16_384

export class ReachableObjects {
  readonly #reader: H5FileReader
  readonly #objects: MountedObjects
  readonly #links: MountedLinks
  /** Along hard links. */
  readonly #linkWalk: Walk
  /** Along hard links and references. */
  readonly #referenceWalk: Walk
  /** The groups that have a hard link to the object. */
  readonly #parents = new Map<FileAddress, FileAddress[]>()
  readonly #linked: { [kind in ObjectKind]: ObjectId[] } = { group: [], dataset: [], datatype: [] }
  #logicalBytes = 0
  #all: Promise<LinkedObjects> | undefined

  constructor(reader: H5FileReader, objects: MountedObjects, links: MountedLinks) {
    this.#reader = reader
    this.#objects = objects
    this.#links = links
    this.#linkWalk = new Walk(reader.root, address => this.#visitLinks(address))
    this.#referenceWalk = new Walk(reader.root, address => this.#visitReferences(address))
  }

  /** Whether a link or a reference leads to an object at the address. */
  async has(address: FileAddress): Promise<boolean> {
    const isMet = () => this.#objects.hasMet(address)
    if (!isMet()) await this.#linkWalk.complete(isMet)
    if (!isMet()) await this.#referenceWalk.complete(isMet)
    return isMet()
  }

  /** The groups that have a hard link to the object. */
  async parentsOf(address: FileAddress): Promise<readonly FileAddress[]> {
    await this.#linkWalk.complete()
    return this.#parents.get(address) ?? []
  }

  /** The objects that the hard links of a group lead to. */
  async #visitLinks(address: FileAddress): Promise<Iterable<FileAddress>> {
    const object = await tolerate(this.#objects.object(address))
    const links = object?.kind === 'group' ? (await this.#links.of(address)).byName : []
    if (!object) return []
    const targets = await hardTargets(links)
    // From here on nothing fails, so nothing is counted twice.
    this.#linked[object.kind].push(object.id)
    if (object.kind === 'dataset') this.#logicalBytes += logicalBytes(object)
    for (const target of targets) {
      if (isTurnOver()) await nextTurn()
      const parents = this.#parents.get(target)
      if (parents) parents.push(address)
      else this.#parents.set(target, [address])
    }
    return targets
  }

  /** The objects that the hard links, the attributes and the values of an object lead to. */
  async #visitReferences(address: FileAddress): Promise<Iterable<FileAddress>> {
    const object = await tolerate(this.#objects.object(address))
    if (!object) return []
    const named = await hardTargets(object.kind === 'group' ? (await this.#links.of(address)).byName : [])
    const resolve = (target: FileAddress) => {
      named.add(target)
      return undefined
    }
    await tolerate(this.#visitAttributes(address, resolve))
    if (object.kind === 'dataset') {
      const { committedType, isOfOthers } = await this.#reader.dataset(address)
      if (committedType !== undefined) resolve(committedType)
      // The values of other files name no objects here, and those of other datasets here are read there: each once.
      if (!isOfOthers) await tolerate(this.#readAllReferences(object, address, resolve))
    }
    return named
  }

  async #visitAttributes(address: FileAddress, resolve: ReferenceResolver): Promise<void> {
    for await (const batch of this.#reader.attributes(address, resolve)) {
      for (const { committedType } of batch) if (committedType !== undefined) resolve(committedType)
    }
  }

  /** Reads the values of a dataset that has references, so that `resolve` gets all of them. */
  async #readAllReferences(
    { type, space, creationProperties: { chunkDims } }: Dataset,
    address: FileAddress,
    resolve: ReferenceResolver,
  ): Promise<void> {
    if (space.class === 'H5S_NULL' || !hasReferences(type)) return
    const dims = extentsOf(space)
    const most = Math.ceil(BOX_ELEMENTS / elementSize(type))
    const stored = await this.#reader.storedChunks(address)
    const boxes = stored
      ? boxesOfChunks(dims, stored.chunkDims, most, stored.batches)
      : boxesOf(dims, chunkDims, most)
    for await (const { start, count } of boxes) {
      await this.#reader.readValues(address, start, count, resolve)
    }
  }

  /** All that hard links lead to. */
  all(): Promise<LinkedObjects> {
    this.#all ??= this.#findAll().catch((error: unknown) => {
      this.#all = undefined
      throw error
    })
    return this.#all
  }

  async #findAll(): Promise<LinkedObjects> {
    await this.#linkWalk.complete()
    const { group, dataset, datatype } = this.#linked
    return {
      ids: {
        group: await sortInTurns(group, compareIds),
        dataset: await sortInTurns(dataset, compareIds),
        datatype: await sortInTurns(datatype, compareIds),
      },
      logicalBytes: Math.min(this.#logicalBytes, Number.MAX_SAFE_INTEGER),
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

function compareIds(a: ObjectId, b: ObjectId): number {
  return a < b ? -1 : a > b ? 1 : 0
}
