// The objects of a mounted file. An object is known by its address once links or references have named it; decoded
// objects are kept within limits. References to unreadable objects are null.

import { BoundedMap, inParallel } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, H5FileReader, ReferenceResolver } from '@hyperslab/h5/reader'
import type { Acl, ObjectId, ObjectKind, ObjectReference } from '@hyperslab/model/names'
import type { Dataset, HdfObject } from '@hyperslab/store/store'
import { harmless, PARALLEL_OBJECTS, readObject } from '../transfer/file-objects.ts'
import type { H5servTable } from '../transfer/h5serv-table.ts'
import type { MountedFile } from './mount.ts'
import { addressOfId, idAtAddress } from './object-ids.ts'
import { tolerated } from './tolerate.ts'

/** The facts about a mounted file that are known without opening it. */
export type MountedFileState = Omit<MountedFile, 'open'>

/**
 * The result of `read`, in whose values references name the objects of the file. `read` is called again when it has met
 * references to objects that had not been read yet.
 */
export type ReadReferences = <T>(read: (resolve: ReferenceResolver) => Promise<T>) => Promise<T>

/** The most objects that are kept, with the bytes of their fill values. @limit memory, objects */
const MAX_OBJECTS = 32_768
const FILL_BYTES_OF_OBJECT = 4096
/** The memory of an object that is kept decoded, and of one that was met, about. */
const OBJECT_BYTES = FILL_BYTES_OF_OBJECT
const MET_BYTES = 400
/** The most unreadable references that are remembered. @limit memory, references */
const MAX_UNREADABLE = 10_000

export class MountedObjects {
  readonly #reader: H5FileReader
  readonly #table: H5servTable
  readonly #file: MountedFileState
  readonly #root: ObjectId
  readonly #acl: Acl
  /** The objects that links and references have named; undefined: not read yet, or not readable. */
  readonly #met = new Map<FileAddress, ObjectKind | undefined>()
  /** References that lead to nothing: they are null. @limit speed, references, bench/results.md#062-limits-of-speed */
  readonly #unreadable = new BoundedMap<FileAddress, HyperslabError>(MAX_UNREADABLE)
  /** Objects of mounted files. @limit speed, objects, bench/results.md#024-mounts */
  readonly #objects = new BoundedMap<FileAddress, HdfObject>(MAX_OBJECTS, { weightOf: weightOfObject })
  /** Datasets whose values change without the file. */
  readonly #ofOthers = new Set<FileAddress>()
  /** Datasets whose values are not all in the file. */
  readonly #cut = new Set<FileAddress>()

  /** `acl`: of the root group. */
  constructor(
    reader: H5FileReader,
    table: H5servTable,
    file: MountedFileState,
    { root, acl }: { root: ObjectId; acl: Acl },
  ) {
    this.#reader = reader
    this.#table = table
    this.#file = file
    this.#root = root
    this.#acl = acl
    this.meet(reader.root)
  }

  get heldBytes(): number {
    return OBJECT_BYTES * this.#objects.weight + MET_BYTES * (this.#met.size + this.#unreadable.size)
  }

  /** Notes that a link names an object at the address. */
  meet(address: FileAddress): void {
    if (!this.#met.has(address)) this.#met.set(address, undefined)
  }

  /** Whether a link or a reference has named an object at the address. */
  hasMet(address: FileAddress): boolean {
    return this.#met.has(address)
  }

  /** Whether it is a dataset whose values change without the file. */
  isOfOthers(address: FileAddress): boolean {
    return this.#ofOthers.has(address)
  }

  /** Whether there is such a dataset among the objects that have been read. */
  get hasValuesOfOthers(): boolean {
    return this.#ofOthers.size > 0
  }

  /** Whether its values are in the file according to its header. If not, more must be checked. */
  areValuesHere({ creationProperties: { layout } }: Dataset, address: FileAddress): boolean {
    return layout !== 'H5D_CHUNKED' && !this.#ofOthers.has(address) && !this.#cut.has(address)
  }

  addressOf({ id }: HdfObject): FileAddress {
    const address = id === this.#root ? this.#reader.root : addressOfId(this.#root, id)
    if (address === undefined) throw new Error(`the object ${id} is not in ${this.#file.path}`)
    return address
  }

  idAt(address: FileAddress): ObjectId {
    return address === this.#reader.root ? this.#root : idAtAddress(this.#root, address)
  }

  /** The decoded object; undefined: it is not decoded. A walk over all objects does not change its age in the cache. */
  known(address: FileAddress): HdfObject | undefined {
    return this.#objects.get(address)
  }

  /** Throws when the object cannot be part of a domain. */
  async object(address: FileAddress): Promise<HdfObject> {
    const known = this.#objects.use(address)
    if (known) return known
    const opened = await readObject(this.#reader, address)
    const base = {
      id: this.idAt(address),
      created: opened.modified === undefined ? this.#file.lastModified : opened.modified * 1e6,
      acl: address === this.#reader.root ? this.#acl : [],
    }
    let object: HdfObject
    switch (opened.kind) {
      case 'group':
        object = { ...base, kind: opened.kind }
        break
      case 'datatype':
        object = { ...base, kind: opened.kind, type: opened.type }
        break
      case 'dataset': {
        const dataset = await this.#table.withGiven(opened.dataset, address, tolerated)
        const { committedType, type, space, creationProperties, isOfOthers, isCut } = dataset
        if (isOfOthers) this.#ofOthers.add(address)
        if (isCut) this.#cut.add(address)
        const committed = await this.committed(committedType)
        object = { ...base, kind: opened.kind, type, ...committed, space, creationProperties }
      }
    }
    this.#met.set(address, object.kind)
    this.#objects.set(address, object)
    return object
  }

  /** Undefined: no object can be read there. */
  async #referenceTo(address: FileAddress): Promise<ObjectReference | undefined> {
    const known = this.knownReference(address)
    if (known || this.#unreadable.get(address)) return known
    try {
      const { kind, id } = await this.object(address)
      return { kind, id }
    } catch (error) {
      this.#unreadable.set(address, harmless(error))
      return undefined
    }
  }

  /** Undefined: no such object has been read yet. */
  knownReference(address: FileAddress): ObjectReference | undefined {
    const kind = this.#met.get(address)
    return kind && { kind, id: this.idAt(address) }
  }

  /** The id of a committed datatype, as a member of the object with the type; empty when it cannot be read. */
  async committed(address: FileAddress | undefined): Promise<{ committedType?: ObjectId }> {
    const reference = address === undefined ? undefined : await this.#referenceTo(address)
    return reference ? { committedType: reference.id } : {}
  }

  readonly readReferences: ReadReferences = async <T>(
    read: (resolve: ReferenceResolver) => Promise<T>,
  ): Promise<T> => {
    const unknown = new Set<FileAddress>()
    const result = await read(address => {
      const reference = this.knownReference(address)
      if (!reference && !this.#unreadable.get(address)) unknown.add(address)
      return reference
    })
    if (unknown.size === 0) return result
    await inParallel(unknown, PARALLEL_OBJECTS, async address => {
      await this.#referenceTo(address)
    })
    return read(address => this.knownReference(address))
  }
}

function weightOfObject(object: HdfObject): number {
  const fillValue = object.kind === 'dataset' ? object.creationProperties.fillValue : undefined
  return 1 + Math.ceil((fillValue?.data.length ?? 0) / FILL_BYTES_OF_OBJECT)
}
