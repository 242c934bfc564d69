// The attributes of the objects of a mounted file. Short ones are kept decoded, within limits; of others only the names
// are kept, and only as many values are in memory as might be kept.

import { BoundedMap, isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileAttribute, H5FileReader, ReferenceResolver } from '@hyperslab/h5/reader'
import { attributeName, compareUtf8, type Timestamp } from '@hyperslab/model/names'
import type { Attribute, ListedAttribute } from '@hyperslab/store/store'
import { newName } from '../transfer/file-objects.ts'
import type { OnDamage } from './links.ts'
import type { MountedObjects } from './objects.ts'
import { failureOf } from './tolerate.ts'

export interface ObjectAttributes {
  /** Names, as `H5FileReader.attributes` orders them, then those of attributes that cannot be read. */
  readonly byCreation: readonly string[]
  readonly byName: readonly string[]
  /** Absent: they are too many to be kept, and are read again for each page. */
  readonly decoded?: ReadonlyMap<string, Attribute>
  /** Bytes of all attributes, whether they are kept or not. */
  readonly decodedBytes: number
  /** Attributes that cannot be read, with the reasons. */
  readonly failures: ReadonlyMap<string, HyperslabError>
  /** The reason why the first of the attributes without a name that the model allows is left out. */
  readonly damage?: HyperslabError
  /** Bytes that the attributes take in memory. */
  readonly bytes: number
}

/** The most bytes of the attributes of one object that are in memory at once. @limit memory, bytes */
const MAX_ATTRIBUTE_BYTES = 16 * 2 ** 20
/** The most bytes of the attributes of all objects that are kept decoded. @limit memory, bytes */
const MAX_KEPT_BYTES = 64 * 2 ** 20
/** Bytes of an attribute beside its value. */
const ATTRIBUTE_OVERHEAD = 1024
/** Bytes of the name of an attribute that is not kept. */
const NAME_BYTES = 64

export class MountedAttributes {
  readonly #reader: H5FileReader
  readonly #objects: MountedObjects
  readonly #time: Timestamp
  readonly #onDamage: OnDamage
  /** Attributes of mounted files. @limit speed, bytes, bench/results.md#024-mounts */
  readonly #attributes = new BoundedMap<FileAddress, ObjectAttributes>(MAX_KEPT_BYTES, {
    weightOf: ({ bytes }) => bytes,
  })

  /** `time`: of the last change of the file, which is that of each attribute. */
  constructor(reader: H5FileReader, objects: MountedObjects, time: Timestamp, onDamage: OnDamage) {
    this.#onDamage = onDamage
    this.#reader = reader
    this.#objects = objects
    this.#time = time
  }

  get heldBytes(): number {
    return this.#attributes.weight
  }

  /**
   * The decoded attributes; undefined: they are not decoded. A walk over all objects does not change their age in the
   * cache.
   */
  known(owner: FileAddress): ObjectAttributes | undefined {
    return this.#attributes.get(owner)
  }

  async get(owner: FileAddress): Promise<ObjectAttributes> {
    const known = this.#attributes.use(owner)
    if (known) return known
    const attributes = await this.#objects.readReferences(resolve => this.#read(owner, resolve))
    if (attributes.bytes <= MAX_ATTRIBUTE_BYTES) this.#attributes.set(owner, attributes)
    return attributes
  }

  async #read(owner: FileAddress, resolve: ReferenceResolver): Promise<ObjectAttributes> {
    const failures = new Map<string, HyperslabError>()
    const names = new Set<string>()
    const decoded = new Map<string, Attribute>()
    let decodedBytes = ATTRIBUTE_OVERHEAD
    let damage: HyperslabError | undefined
    const onFailure = (error: HyperslabError, name?: string) => {
      const isNamed = name !== undefined && !failureOf(() => attributeName(name))
      if (isNamed) failures.set(name, error)
      else damage ??= error
    }
    for await (const batch of this.#reader.attributes(owner, resolve, onFailure)) {
      for (const attribute of batch) {
        if (isTurnOver()) await nextTurn()
        const failure = failureOf(() => newName(attributeName(attribute.name), names))
        if (failure) {
          onFailure(failure)
          continue
        }
        decodedBytes += bytesOfAttribute(attribute)
        if (decodedBytes > MAX_ATTRIBUTE_BYTES) decoded.clear()
        else decoded.set(attribute.name, await this.#attribute(attribute))
      }
    }
    if (damage) this.#onDamage(owner, damage)
    // If a name occurs twice, it is that of the attribute that can be read.
    for (const name of failures.keys()) {
      if (names.has(name)) failures.delete(name)
      else names.add(name)
    }
    const byCreation = [...names]
    const byName = await sortInTurns(byCreation, compareUtf8)
    const isKept = decodedBytes <= MAX_ATTRIBUTE_BYTES
    const bytes = isKept ? decodedBytes : NAME_BYTES * names.size
    const kept = { ...(damage && { damage }), ...(isKept && { decoded }) }
    return { byCreation, byName, failures, decodedBytes, bytes, ...kept }
  }

  /**
   * The attributes in the order of the names. At most as many of those that are not kept are in memory as might be
   * kept.
   */
  async *named(
    owner: FileAddress,
    { byCreation, decoded, decodedBytes, failures }: ObjectAttributes,
    names: readonly string[],
  ): AsyncGenerator<ListedAttribute> {
    const parts = decoded ? 1 : Math.ceil(decodedBytes / MAX_ATTRIBUTE_BYTES)
    const most = Math.max(1, Math.ceil(byCreation.length / parts))
    for (let from = 0; from < names.length; from += most) {
      const some = names.slice(from, from + most)
      const found = decoded ?? (await this.#find(owner, some))
      for (const name of some) {
        const attribute = found.get(name) ?? this.#unreadable(name, failures)
        if (attribute) yield attribute
      }
    }
  }

  #unreadable(name: string, failures: ReadonlyMap<string, HyperslabError>): ListedAttribute | undefined {
    const reason = failures.get(name)
    return reason && { name, reason, created: this.#time, lastModified: this.#time }
  }

  /**
   * Reads the attributes of these names. Their references are resolved already, because all attributes were read
   * before.
   */
  async #find(owner: FileAddress, names: readonly string[]): Promise<ReadonlyMap<string, Attribute>> {
    const requested = new Set(names)
    const attributes = new Map<string, Attribute>()
    for await (const batch of this.#reader.attributes(owner, address =>
      this.#objects.knownReference(address),
    )) {
      for (const attribute of batch) {
        if (isTurnOver()) await nextTurn()
        // The first attribute of a name counts.
        if (requested.delete(attribute.name)) attributes.set(attribute.name, await this.#attribute(attribute))
      }
      if (requested.size === 0) break
    }
    return attributes
  }

  async #attribute({ committedType, ...attribute }: FileAttribute): Promise<Attribute> {
    const time = this.#time
    const committed = await this.#objects.committed(committedType)
    return { ...attribute, ...committed, created: time, lastModified: time }
  }
}

/** The approximate bytes of an attribute in memory. */
function bytesOfAttribute({ value }: FileAttribute): number {
  return ATTRIBUTE_OVERHEAD + (value?.data.length ?? 0) + (value?.heap.length ?? 0)
}
