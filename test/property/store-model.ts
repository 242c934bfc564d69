// The contract of interfaces/store.ts as plain maps and arrays: obviously right, and all in one file. The property test
// compares every store with it.

import { extentsOf } from '@hyperslab/model/dataset'
import { SLOT_SIZE } from '@hyperslab/model/datatype'
import type { Acl, DomainPath, ObjectId, ObjectKind } from '@hyperslab/model/names'
import { rootOf } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type {
  Attribute,
  Dataset,
  DomainEntry,
  HdfObject,
  Link,
  Page,
  Tombstone,
} from '../../packages/store/interfaces/store.ts'
import { naiveCoordinates } from '../arbitraries/selection.ts'

/** The content of a dataset of the model: strings or numbers, by their coordinates. Missing: the fill value. */
export type Value = number | string

interface ModelObject {
  object: HdfObject
  links: Map<string, Link>
  attributes: Map<string, Attribute>
  values: Map<string, Value>
  /** Deleted links by name, with the time of creation that keeps their positionOf in the order. */
  deletedLinks: Map<string, number>
  deletedAttributes: Map<string, number>
  /** Counts up with every change. */
  version: number
}

export class StoreModel {
  #domains = new Map<DomainPath, DomainEntry>()
  #deletedDomains = new Set<DomainPath>()
  #objects = new Map<ObjectId, ModelObject>()
  #deletedObjects = new Set<ObjectId>()
  #changes = 0
  /** The time of the changes that are made now. */
  time = 0
  /** The last change of any object, by the root of its domain. */
  #lastModified = new Map<ObjectId, number>()

  copy(): StoreModel {
    const copy = new StoreModel()
    copy.#domains = new Map(this.#domains)
    copy.#deletedDomains = new Set(this.#deletedDomains)
    copy.#deletedObjects = new Set(this.#deletedObjects)
    copy.#changes = this.#changes
    copy.#lastModified = new Map(this.#lastModified)
    for (const [id, object] of this.#objects) {
      copy.#objects.set(id, {
        ...object,
        links: new Map(object.links),
        attributes: new Map(object.attributes),
        values: new Map(object.values),
        deletedLinks: new Map(object.deletedLinks),
        deletedAttributes: new Map(object.deletedAttributes),
      })
    }
    return copy
  }

  // Reading

  domain(path: DomainPath): DomainEntry | undefined {
    return this.#domains.get(path)
  }

  children(folder: string, page: Page = {}): DomainEntry[] {
    const prefix = folder === '/' ? '/' : `${folder}/`
    const isChild = (path: string): boolean =>
      path.startsWith(prefix) && path !== '/' && !path.slice(prefix.length).includes('/')
    const entries = [...this.#domains.values()].filter(({ path }) => isChild(path))
    return paged(entries, ({ path }) => path.slice(prefix.length), page)
  }

  wasDomainDeleted(path: DomainPath): boolean {
    return this.#deletedDomains.has(path)
  }

  object(id: ObjectId): HdfObject | undefined {
    return this.#objects.get(id)?.object
  }

  version(id: ObjectId): number | undefined {
    return this.#objects.get(id)?.version
  }

  objects(root: ObjectId, kind: ObjectKind): ObjectId[] {
    const isMember = ({ id, kind: of }: HdfObject): boolean => rootOf(id) === root && of === kind
    return [...this.#objects.values()].flatMap(({ object }) => (isMember(object) ? [object.id] : [])).sort()
  }

  links(group: ObjectId, page: Page = {}): Link[] {
    const object = this.#objects.get(group)
    if (!object) return []
    return listed([...object.links.values()], link => link.title, object.deletedLinks, page)
  }

  attributes(owner: ObjectId, page: Page = {}): Attribute[] {
    const object = this.#objects.get(owner)
    if (!object) return []
    return listed([...object.attributes.values()], ({ name }) => name, object.deletedAttributes, page)
  }

  wasDeleted(tombstone: Tombstone): boolean {
    if ('object' in tombstone) return this.#deletedObjects.has(tombstone.object)
    if ('title' in tombstone) {
      return this.#objects.get(tombstone.group)?.deletedLinks.has(tombstone.title) ?? false
    }
    return this.#objects.get(tombstone.owner)?.deletedAttributes.has(tombstone.attribute) ?? false
  }

  values(id: ObjectId, selection: Selection, fill: Value): Value[] {
    const values = this.#objects.get(id)?.values
    return naiveCoordinates(selection).map(coordinates => values?.get(coordinates.join()) ?? fill)
  }

  /** The counts of a domain, as far as they do not depend on how things are stored. */
  statistics(path: DomainPath): object | undefined {
    const entry = this.#domains.get(path)
    if (entry?.root === undefined) return undefined
    const { root } = entry
    const datasets = this.objects(root, 'dataset').map(id => this.object(id) as Dataset)
    return {
      groups: this.objects(root, 'group').length,
      datasets: datasets.length,
      datatypes: this.objects(root, 'datatype').length,
      logicalBytes: datasets.reduce((sum, dataset) => sum + logicalBytes(dataset), 0),
      lastModified: Math.max(entry.lastModified, this.#lastModified.get(root) ?? 0),
    }
  }

  names(root: ObjectId): number {
    return [...this.#domains.values()].filter(entry => entry.root === root).length
  }

  // Writing

  putDomain(entry: DomainEntry): void {
    const before = this.#domains.get(entry.path)?.root
    this.#domains.set(entry.path, entry)
    if (before !== entry.root) this.#dropUnnamed(before)
    if (entry.root !== undefined) this.#deletedDomains.delete(entry.path)
  }

  deleteDomain(path: DomainPath): void {
    const root = this.#domains.get(path)?.root
    this.#domains.delete(path)
    this.#dropUnnamed(root)
    this.#deletedDomains.add(path)
  }

  createObject(object: HdfObject): void {
    this.#deletedObjects.delete(object.id)
    this.#objects.set(object.id, {
      object,
      links: new Map(),
      attributes: new Map(),
      values: new Map(),
      deletedLinks: new Map(),
      deletedAttributes: new Map(),
      version: ++this.#changes,
    })
    this.#touch(object.id, object.created)
  }

  deleteObject(id: ObjectId, { links }: { links: boolean }): void {
    if (links) {
      for (const [group, { links }] of this.#objects) {
        for (const { title, target } of links.values()) {
          if (target.class === 'H5L_TYPE_HARD' && target.id === id) this.deleteLink(group, title)
        }
      }
    }
    this.#objects.delete(id)
    this.#deletedObjects.add(id)
    this.#touch(id)
  }

  setAcl(id: ObjectId, acl: Acl): void {
    const changed = this.#change(id)
    changed.object = { ...changed.object, acl }
  }

  setExtents(dataset: Dataset, dims: readonly number[]): void {
    const changed = this.#change(dataset.id)
    const { object } = changed
    if (object.kind !== 'dataset' || object.space.class !== 'H5S_SIMPLE') throw new Error('no extents')
    changed.object = { ...object, space: { ...object.space, dims } }
    for (const coordinates of changed.values.keys()) {
      if (coordinates.split(',').some((coordinate, d) => Number(coordinate) >= dims[d])) {
        changed.values.delete(coordinates)
      }
    }
  }

  putLink(group: ObjectId, link: Link): void {
    const changed = this.#change(group)
    changed.links.set(link.title, link)
    changed.deletedLinks.delete(link.title)
  }

  deleteLink(group: ObjectId, title: string): boolean {
    const link = this.#objects.get(group)?.links.get(title)
    if (!link) return false
    const changed = this.#change(group)
    changed.links.delete(title)
    changed.deletedLinks.set(title, link.created)
    return true
  }

  putAttribute(owner: ObjectId, attribute: Attribute): void {
    const changed = this.#change(owner)
    changed.attributes.set(attribute.name, attribute)
    changed.deletedAttributes.delete(attribute.name)
  }

  deleteAttribute(owner: ObjectId, name: string): boolean {
    const attribute = this.#objects.get(owner)?.attributes.get(name)
    if (!attribute) return false
    const changed = this.#change(owner)
    changed.attributes.delete(name)
    changed.deletedAttributes.set(name, attribute.created)
    return true
  }

  writeValues(id: ObjectId, selection: Selection, values: readonly Value[]): void {
    if (values.length === 0) return
    const changed = this.#change(id)
    naiveCoordinates(selection).forEach((coordinates, i) => {
      changed.values.set(coordinates.join(), values[i])
    })
  }

  #change(id: ObjectId): ModelObject {
    const object = this.#objects.get(id)
    if (!object) throw new Error(`the model has no object ${id}`)
    object.version = ++this.#changes
    this.#touch(id)
    return object
  }

  #touch(id: ObjectId, time = this.time): void {
    const root = rootOf(id)
    this.#lastModified.set(root, Math.max(time, this.#lastModified.get(root) ?? 0))
  }

  /** Objects that no domain has any more are removed. */
  #dropUnnamed(root: ObjectId | undefined): void {
    if (root === undefined || this.names(root) > 0) return
    for (const id of this.#objects.keys()) if (rootOf(id) === root) this.#objects.delete(id)
    for (const id of this.#deletedObjects) if (rootOf(id) === root) this.#deletedObjects.delete(id)
    this.#lastModified.delete(root)
  }
}

function logicalBytes({ type, space }: Dataset): number {
  const size = type.class === 'H5T_INTEGER' ? type.size : SLOT_SIZE
  return extentsOf(space).reduce((product, extent) => product * extent, size)
}

export function extents(object: HdfObject | undefined): readonly number[] {
  return object?.kind === 'dataset' ? extentsOf(object.space) : []
}

function listed<T extends { readonly created: number }>(
  members: readonly T[],
  nameOf: (member: T) => string,
  deleted: ReadonlyMap<string, number>,
  page: Page,
): T[] {
  if (page.order !== 'created') return paged(members, nameOf, page)
  const positionOf = (created: number, name: string): string => `${String(created).padStart(16, '0')} ${name}`
  const marker = page.marker
  if (marker === undefined) return paged(members, member => positionOf(member.created, nameOf(member)), page)
  const created = members.find(member => nameOf(member) === marker)?.created ?? deleted.get(marker)
  if (created === undefined) return []
  const at = { ...page, marker: positionOf(created, marker) }
  return paged(members, member => positionOf(member.created, nameOf(member)), at)
}

/** In the order of UTF-8, after the marker, at most as many as the limit. */
function paged<T>(items: readonly T[], keyOf: (item: T) => string, { marker, limit }: Page): T[] {
  const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return [...items]
    .sort((a, b) => compare(keyOf(a), keyOf(b)))
    .filter(item => marker === undefined || compare(keyOf(item), marker) > 0)
    .slice(0, limit)
}
