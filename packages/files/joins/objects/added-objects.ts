// Objects of several files beside each other: those of the first file, and of each other file those that the files
// before it lack, by their paths. Where two files have an object of one path, the first one counts.

import { createHash } from 'node:crypto'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { type FileAddress, type FileLink, type JoinedObjects, memberPath } from '@hyperslab/h5/reader'
import type { JoinConflict } from '@hyperslab/store/store'
import { refused, reportConflict } from '../conflicts.ts'
import type { OutlinedObject } from './walk-objects.ts'

type ValueOf<SomeMap> = SomeMap extends ReadonlyMap<unknown, infer Value> ? Value : never
export type AddedObjects = NonNullable<JoinedObjects['added']>
type AddedObject = ValueOf<AddedObjects['objects']>
type AddedAttributes = ValueOf<AddedObjects['attributes']>[number]
type ScaleUse = ValueOf<AddedObjects['uses']>[number]

/** A file with its objects. */
export interface FileWithObjects {
  /** For messages. */
  readonly name: string
  /** The name by which the reader opens it. */
  readonly file: string
  readonly objects: ReadonlyMap<FileAddress, OutlinedObject>
  /** The paths of the objects that it may add; default: all, and attributes of groups. */
  readonly wanted?: ReadonlySet<string>
}

/** Links that are added to those of the first file. @limit memory, links */
const MAX_ADDED = 262_144

/** Addresses in files, and that of a new dimension scale, are smaller than those of added objects. */
const FIRST_ADDRESS = 2 ** 52 + 1
/** Bytes of the hash of a path that are added to it: an object keeps its address while files come and go. */
const HASH_BYTES = 6

/** The objects that the other files add to those of the first one. `newDimensions`: dimensions that no file has. */
export async function addObjects(
  [first, ...others]: readonly FileWithObjects[],
  newDimensions = 0,
  conflicts?: JoinConflict[],
): Promise<AddedObjects> {
  const union = new ObjectUnion(first, newDimensions, conflicts)
  for (const other of others) await union.add(other)
  return union
}

/** An object of all files, with the name of its file. */
interface Place {
  readonly address: FileAddress
  readonly object: OutlinedObject
  readonly file: string
  /** The number of the dimension whose scale it is. */
  readonly number?: number | undefined
}

/** The names of the members and attributes that a group has so far. */
interface GroupNames {
  readonly titles: Set<string>
  readonly attributes: Set<string>
}

/** A group of all files to which links are added. */
interface GroupOfLinks {
  readonly address: FileAddress
  readonly path: string
  readonly titles: Set<string>
}

/** A file whose objects are being added. */
interface Adding extends FileWithObjects {
  readonly addedFile: AddedObject['file'] & {
    readonly addresses: Map<FileAddress, FileAddress>
    readonly dimensions: Map<number, number>
  }
}

class ObjectUnion implements AddedObjects {
  readonly objects = new Map<FileAddress, AddedObject>()
  readonly links = new Map<FileAddress, FileLink[]>()
  readonly attributes = new Map<FileAddress, AddedAttributes[]>()
  readonly uses = new Map<FileAddress, ScaleUse[]>()
  readonly #conflicts: JoinConflict[] | undefined
  readonly #places = new Map<string, Place>()
  readonly #groups = new Map<FileAddress, GroupNames>()
  /** The number of the next dimension that is added. Undefined: dimensions of the first file have none. */
  #nextNumber: number | undefined
  #left = MAX_ADDED

  constructor(first: FileWithObjects, newDimensions: number, conflicts: JoinConflict[] | undefined) {
    this.#conflicts = conflicts
    let number: number | undefined = -1
    for (const [address, object] of first.objects) {
      const { path, links, attributes } = object
      this.#places.set(path, { address, object, file: first.name, number: object.scale?.number })
      if (links)
        this.#groups.set(address, {
          titles: new Set(links.map(({ title }) => title)),
          attributes: new Set(attributes),
        })
      if (object.scale && number !== undefined)
        number = object.scale.number === undefined ? undefined : Math.max(number, object.scale.number)
    }
    this.#nextNumber = number === undefined ? undefined : number + 1 + newDimensions
  }

  async add(file: FileWithObjects): Promise<void> {
    const { objects, wanted } = file
    const addedFile = { name: file.file, addresses: new Map(), dimensions: new Map() }
    const adding: Adding = { ...file, addedFile }
    const [[root, group]] = objects
    this.#meet(adding, root, group)
    for (const [own, { path, links = [], attributes = [] }] of objects) {
      if (isTurnOver()) await nextTurn()
      const address = addedFile.addresses.get(own)
      const names = address === undefined ? undefined : this.#groups.get(address)
      if (address === undefined || !names) continue
      const others = attributes.filter(name => !names.attributes.has(name))
      if (others.length > 0 && !wanted) {
        for (const name of others) names.attributes.add(name)
        addTo(this.attributes, address, { file: addedFile, address: own, names: new Set(others) })
      }
      for (const link of links) this.#addLink(adding, { address, path, titles: names.titles }, link)
    }
    this.#addUses(adding)
  }

  /** Adds a link of a group, and the object that it leads to, if this is the path of the object. */
  #addLink(adding: Adding, group: GroupOfLinks, link: FileLink): void {
    const { objects, addedFile, wanted } = adding
    const { title } = link
    const path = memberPath(group.path, title)
    const own = link.class === 'H5L_TYPE_HARD' ? link.address : ''
    const object = objects.get(own)
    const isItsPath = object?.path === path
    if (group.titles.has(title)) {
      if (isItsPath) this.#meet(adding, own, object)
      return
    }
    if (wanted && !(isItsPath && wanted.has(path))) return
    if (isItsPath) this.#addObject(adding, own, object)
    const address = addedFile.addresses.get(own)
    const isHard = link.class === 'H5L_TYPE_HARD'
    if (isHard && address === undefined) return
    group.titles.add(title)
    addTo(this.links, group.address, isHard && address !== undefined ? { ...link, address } : link)
    if (this.#left-- === 0) throw refused(`they add more than ${MAX_ADDED} links to the first one`)
  }

  #addObject({ name, addedFile }: Adding, own: FileAddress, object: OutlinedObject): void {
    const address = this.#newAddress(object.path)
    const before = object.scale?.number
    const number = before === undefined || this.#nextNumber === undefined ? undefined : this.#nextNumber++
    if (before !== undefined && number !== undefined) addedFile.dimensions.set(before, number)
    addedFile.addresses.set(own, address)
    this.objects.set(address, { file: addedFile, address: own, path: object.path })
    this.#places.set(object.path, { address, object, file: name, number })
    // Its attributes are those of its file; its links are added one by one.
    if (object.links) this.#groups.set(address, { titles: new Set(), attributes: new Set(object.attributes) })
  }

  #newAddress(path: string): FileAddress {
    const hash = createHash('sha1').update(path).digest().readUIntBE(0, HASH_BYTES)
    for (let number = FIRST_ADDRESS + hash; ; number++) {
      const address = String(number)
      if (!this.objects.has(address)) return address
    }
  }

  /** Attaches the dimension scales to the datasets that the file has added. */
  #addUses({ objects, addedFile }: Adding): void {
    for (const [own, { scales = [] }] of objects) {
      const dataset = addedFile.addresses.get(own)
      if (dataset === undefined || this.objects.get(dataset)?.file !== addedFile) continue
      for (const [dimension, scale] of scales.entries()) {
        const address = scale === undefined ? undefined : addedFile.addresses.get(scale)
        if (address !== undefined) addTo(this.uses, address, { dataset, dimension })
      }
    }
  }

  /** Notes the object of the path as the one that stands for an object of a file. */
  #meet({ name, wanted, addedFile }: Adding, own: FileAddress, { path, kind, scale }: OutlinedObject): void {
    const place = this.#places.get(path)
    if (place?.object.kind !== kind) return
    const { address, object, file, number } = place
    addedFile.addresses.set(own, address)
    if (!scale || !object.scale) return
    if (scale.number !== undefined && number !== undefined) addedFile.dimensions.set(scale.number, number)
    if (scale.length === object.scale.length || wanted?.has(path) === false) return
    const lengths = `${object.scale.length} in ${file} and ${scale.length} in ${name}`
    const reason = `the dimension scale ${path} has the length ${lengths}`
    reportConflict(this.#conflicts, { files: [file, name], object: path, reason })
  }
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
