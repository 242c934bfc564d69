// The data that h5web requests, from a domain of the service: objects level by level, values as bytes, files in its
// formats.

import {
  type Attribute,
  type AttributeValues,
  type ChildEntity,
  DataProviderApi,
  type Dataset,
  type Entity,
  EntityKind,
  type ExportFormat,
  type ExportURL,
  type ProvidedEntity,
  type ValuesStoreParams,
} from '@h5web/app'
import { extentsOf, parseDatatype } from '../../../client/datatype.ts'
import type { Api, Collection, DatasetShape, Domain, Hyperslab, Selection } from '../../../client/index.ts'
import { RequestError } from '../../../client/index.ts'
import { elementsFromJson } from '../../../client/json-elements.ts'
import { formatSelection } from '../../../client/selection.ts'
import { isUnreachable } from '../errors.ts'
import type { Session } from '../session.ts'
import { Batches } from './batches.ts'
import { graphics } from './graphics.ts'
import { attributeValue, elementValue } from './json-text.ts'
import { type LargePart, largePartOf } from './large-part.ts'
import { showsTable } from './shown-table.ts'
import { shapeOf, typeOf } from './types.ts'

type FoundObject = Api.FoundObject
type FoundGroup = Extract<FoundObject, { class: 'group' }>
type Link = Api.StoredLink & { readonly title: string }

/** A group with at most this many links comes with all of them in one answer; longer lists come by pages. */
const SHORT_LIST = 1000

export interface DomainApiOptions {
  /** All elements, however many there are. */
  readonly loadsWhole: boolean
  /** h5web shows a dataset, of which a slice, or all of it. It may be rendering: nothing may be rendered at once. */
  readonly onShow: (path: string, select: Selection | undefined) => void
  /** The part of a dataset that is too large to be passed to h5web; undefined: it is passed. */
  readonly onLarge: (path: string, part: LargePart | undefined, isSignal: boolean) => void
  /** Something was not answered as asked. h5web keeps such errors. */
  readonly onFail: (error: unknown) => void
}

export class DomainApi extends DataProviderApi {
  readonly #client: Hyperslab
  readonly #domain: Domain
  readonly #hasUser: boolean
  readonly #options: DomainApiOptions
  /** Objects that were read, and why others could not be read. */
  readonly #known = new Map<string, FoundObject | RequestError>()
  readonly #objects = new Batches(paths => this.#find(paths))
  readonly #shortLists = new Batches(paths => this.#listLinks(paths))

  constructor({ client, user }: Session, path: string, options: DomainApiOptions) {
    super(path)
    this.#options = options
    this.#client = client
    this.#domain = client.domain(path)
    this.#hasUser = user !== undefined
  }

  /** The domain, with the objects of other domains that its external links lead to. */
  get domain(): Domain {
    return this.#domain
  }

  override getEntity(path: string): Promise<ProvidedEntity> {
    return this.#watched(this.#entityAt(path))
  }

  override getValue({ dataset, selection }: ValuesStoreParams, signal?: AbortSignal): Promise<unknown> {
    return this.#watched(this.#valueAt(dataset.path, parseSelection(selection), signal), signal)
  }

  override getAttrValues({ path, attributes }: Entity): Promise<AttributeValues> {
    return attributes.length === 0 ? Promise.resolve({}) : this.#watched(this.#attributesAt(path))
  }

  async #watched<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work
    } catch (error) {
      const isOfService = error instanceof RequestError || isUnreachable(error)
      if (isOfService && !signal?.aborted) this.#options.onFail(error)
      throw error
    }
  }

  async #entityAt(path: string): Promise<ProvidedEntity> {
    const object = await this.#at(path)
    const name = path === '/' ? this.filepath : path.slice(path.lastIndexOf('/') + 1)
    const entity = entityOf(path, name, object)
    if (entity.kind !== EntityKind.Group) return entity
    const isGroup = !(object instanceof RequestError) && object.class === 'group'
    return { ...entity, children: isGroup ? await this.#children(path, object) : [] }
  }

  async #valueAt(
    path: string,
    select: Selection | undefined,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const dataset = datasetOf(await this.#require(path))
    if (!dataset) throw new Error(`${path} is no dataset`)
    if (dataset.shape?.includes(0)) throw new Error('The dataset has no elements yet: an extent is 0.')
    this.#options.onShow(path, select)
    const part = await this.#largePartOf(dataset, select)
    if (signal?.aborted) throw signal.reason
    this.#options.onLarge(path, part, this.#isSignal(path))
    if (part) {
      const hint = part.shape ? 'the plot above shows them.' : 'they cannot be drawn.'
      throw new Error(`These elements are not loaded, because they are many: ${hint}`)
    }
    const { data } = await this.#domain.read(dataset, {
      ...(select && { select }),
      ...(signal && { signal }),
    })
    const isOne = dataset.shape?.length === 0 || select?.every(part => typeof part === 'number')
    return isOne ? elementValue(dataset.type, data[0]) : data
  }

  /** Whether the dataset is the signal of its NeXus group, and not one of the axes. */
  #isSignal(path: string): boolean {
    const slash = path.lastIndexOf('/')
    const group = this.#known.get(path.slice(0, slash) || '/')
    const isGroup = group !== undefined && !(group instanceof RequestError)
    return (
      isGroup &&
      attributesOf(group).some(
        ({ name, value }) => name === 'signal' && String(value) === path.slice(slash + 1),
      )
    )
  }

  async #largePartOf(dataset: DatasetShape, select: Selection | undefined): Promise<LargePart | undefined> {
    const { loadsWhole } = this.#options
    const partFor = (isTable: boolean) => largePartOf(dataset, select, { ...graphics(), isTable, loadsWhole })
    const drawn = partFor(false)
    return drawn && (partFor(true) ?? ((await showsTable()) ? undefined : drawn))
  }

  async #attributesAt(path: string): Promise<AttributeValues> {
    const object = await this.#require(path)
    const values = stringAttributes(object)
    if (values) return values
    const all: Record<string, unknown> = {}
    for await (const { name, type, shape, data } of this.#domain.attributes(
      collectionOf(object),
      object.id,
    )) {
      all[name] = attributeValue(type, shape, data)
    }
    return all
  }

  /** The reason why no object is at a path; undefined: there is one. */
  async reasonAt(path: string): Promise<string | undefined> {
    const object = await this.#at(path)
    return object instanceof RequestError ? object.message : undefined
  }

  override getExportURL(format: ExportFormat, { path }: Dataset, selection?: string): ExportURL | undefined {
    const shown = parseSelection(selection)
    // h5web asks each time that it draws, also slices that it has kept: for those it does not ask for values.
    this.#options.onShow(path, shown)
    const known = this.#known.get(path)
    if (!known || known instanceof RequestError) return undefined
    const { id } = known
    const select = shown && formatSelection(shown)
    const parameters = { id, domain: this.#domain.pathOf(id), format, select }
    if (!this.#hasUser) return new URL(this.#client.url('GET /datasets/{id}/value', parameters))
    // A link has no credentials.
    return async () => (await this.#client.open('GET /datasets/{id}/value', parameters)).blob()
  }

  /** The paths of all objects that hard links reach from the object at the path. */
  override async getSearchablePaths(path: string): Promise<string[]> {
    const { id } = await this.#require(path)
    const parameters = { id, domain: this.#domain.pathOf(id), follow_links: 1 }
    const { links } = await this.#client.request('GET /groups/{id}/links', parameters)
    const paths: string[] = []
    const visit = (group: string, at: string, above: ReadonlySet<string>): void => {
      const members = Array.isArray(links) ? (group === id ? links : []) : links[group]
      if (!Array.isArray(members)) return
      for (const link of members) {
        if (paths.length >= MAX_SEARCHABLE) return
        const child = childPath(at, link.title)
        paths.push(child)
        // A group may be in itself.
        if (link.class === 'H5L_TYPE_HARD' && link.collection === 'groups' && !above.has(link.id))
          visit(link.id, child, new Set([...above, link.id]))
      }
    }
    visit(id, path, new Set([id]))
    return paths
  }

  async #require(path: string): Promise<FoundObject> {
    const object = await this.#at(path)
    if (object instanceof RequestError) throw object
    return object
  }

  /** The object at a path, or the reason why there is none. Rejects when the service does not answer this. */
  async #at(path: string): Promise<FoundObject | RequestError> {
    return this.#known.get(path) ?? this.#objects.get(path)
  }

  async #find(paths: readonly string[]): Promise<ReadonlyMap<string, FoundObject | RequestError>> {
    const found = await this.#domain.objects(paths, { attributes: true })
    for (const [path, object] of found) this.#known.set(path, object)
    return found
  }

  /** All links of the groups at the paths. */
  async #listLinks(paths: readonly string[]): Promise<ReadonlyMap<string, readonly Link[]>> {
    const lists = new Map<string, readonly Link[]>()
    for (const [path, object] of await this.#domain.objects(paths, { links: true })) {
      if (object instanceof RequestError) continue
      const links = 'links' in object ? (object.links ?? {}) : {}
      lists.set(
        path,
        Object.entries(links).map(([title, link]) => ({ ...link, title })),
      )
    }
    return lists
  }

  async #links(path: string, { id, linkCount }: FoundGroup): Promise<readonly Link[]> {
    if (linkCount === 0) return []
    if (linkCount <= SHORT_LIST) return this.#shortLists.get(path)
    const links: Link[] = []
    for await (const link of this.#domain.links(id)) links.push(link)
    return links
  }

  async #children(path: string, group: FoundGroup): Promise<ChildEntity[]> {
    const links = await this.#links(path, group)
    const childOf = async (link: Link): Promise<ChildEntity> => {
      const { title } = link
      const at = childPath(path, title)
      return entityOf(at, title, await this.#objects.get(at), link)
    }
    return Promise.all(links.map(childOf))
  }
}

/** An object that cannot be reached is in the tree by its link. */
function entityOf(path: string, name: string, object: FoundObject | RequestError, link?: Link): ChildEntity {
  if (object instanceof RequestError)
    return { name, path, kind: EntityKind.Unresolved, attributes: [], ...(link && linkOf(link)) }
  const attributes = attributesOf(object).map(
    (attribute): Attribute => ({
      name: attribute.name,
      shape: shapeOf(extentsOf(attribute.shape)),
      type: typeOf(parseDatatype(attribute.type)),
    }),
  )
  const entity = { name, path, attributes, ...(link && linkOf(link)) }
  switch (object.class) {
    case 'group':
      return { ...entity, kind: EntityKind.Group }
    case 'datatype':
      return {
        ...entity,
        kind: EntityKind.Datatype,
        type: typeOf(parseDatatype(object.type)),
        rawType: object.type,
      }
    case 'dataset':
      return {
        ...entity,
        kind: EntityKind.Dataset,
        shape: shapeOf(extentsOf(object.shape)),
        type: typeOf(parseDatatype(object.type)),
        rawType: object.type,
      }
  }
}

function collectionOf(object: FoundObject): Collection {
  return `${object.class}s`
}

function datasetOf(object: FoundObject): DatasetShape | undefined {
  if (object.class !== 'dataset') return undefined
  return { id: object.id, type: parseDatatype(object.type), shape: extentsOf(object.shape) }
}

type ReadableAttribute = Exclude<Api.AttributeItem, { unreadable: string }>

/** The attributes that can be read. */
function attributesOf({ attributes }: FoundObject): readonly ReadableAttribute[] {
  return Object.values(attributes ?? {}).filter(attribute => 'type' in attribute)
}

/**
 * The attributes that came with the object, if all are strings: JSON has them exactly. Groups of NeXus are known by
 * such attributes.
 */
function stringAttributes(object: FoundObject): AttributeValues | undefined {
  const values: Record<string, unknown> = {}
  for (const { name, value, encoding, ...item } of attributesOf(object)) {
    const type = parseDatatype(item.type)
    if (type.class !== 'H5T_STRING' || value === undefined || encoding !== undefined) return undefined
    const shape = extentsOf(item.shape)
    values[name] = attributeValue(type, shape, shape ? elementsFromJson(type, shape, value) : [])
  }
  return values
}

/** The most paths of one search. */
const MAX_SEARCHABLE = 100_000

function childPath(path: string, title: string): string {
  return path === '/' ? `/${title}` : `${path}/${title}`
}

function linkOf(link: Link): Pick<Entity, 'link'> {
  if (link.class === 'H5L_TYPE_SOFT') return { link: { class: 'Soft', path: link.h5path } }
  if (link.class === 'H5L_TYPE_EXTERNAL')
    return { link: { class: 'External', path: link.h5path, file: link.file } }
  return {}
}

/** Parses a selection as h5web spells it: `0,:,2:5`; empty for all elements. */
function parseSelection(selection: string | undefined): Selection | undefined {
  return selection?.split(',').map(part => {
    if (part === ':') return undefined
    const [start, stop] = part.split(':').map(Number)
    return stop === undefined ? start : { start, stop }
  })
}
