// What h5web asks for, from a domain of the service: objects level by level, values as bytes, files in its formats.

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
import { formatSelection } from '../../../client/selection.ts'
import type { Session } from '../session.ts'
import { Batches } from './batches.ts'
import { attributeValue, elementValue } from './json-text.ts'
import { isLarge } from './large-slices.ts'
import { shapeOf, typeOf } from './types.ts'

/** An object that was read. */
interface KnownObject {
  readonly collection: Collection
  readonly id: string
  /** Of a dataset. */
  readonly dataset?: DatasetShape
}

type FoundObject = Api.FoundObject
type DescribeOptions = Pick<
  Api.Operations['POST /']['parameters'],
  'include_attrs' | 'include_links' | 'ignore_nan'
>
type FoundGroup = Extract<FoundObject, { class: 'group' }>
type Link = Api.StoredLink & { readonly title: string }

/** A group with at most so many links comes with all of them in one answer; longer lists come by pages. */
const SHORT_LIST = 1000

export interface DomainApiOptions {
  /** Also slices that LargeImage shows. */
  readonly loadsWhole: boolean
  /** h5web shows a dataset, of which a slice, or all of it. It may be rendering: nothing may be rendered at once. */
  readonly onShow: (path: string, select: Selection | undefined) => void
}

export class DomainApi extends DataProviderApi {
  readonly #client: Hyperslab
  readonly #domain: Domain
  readonly #hasUser: boolean
  readonly #loadsWhole: boolean
  readonly #onShow: DomainApiOptions['onShow']
  readonly #known = new Map<string, KnownObject>()
  readonly #objects = new Batches(paths => this.#find(paths))
  /** At the ends of soft and external links: one that leads nowhere fails its request. */
  readonly #linkedObjects = new Batches(paths => this.#find(paths))
  readonly #shortLists = new Batches(paths => this.#listLinks(paths))

  constructor({ client, user }: Session, path: string, { loadsWhole, onShow }: DomainApiOptions) {
    super(path)
    this.#loadsWhole = loadsWhole
    this.#onShow = onShow
    this.#client = client
    this.#domain = client.domain(path)
    this.#hasUser = user !== undefined
  }

  override async getEntity(path: string): Promise<ProvidedEntity> {
    const object = await this.#objects.get(path)
    const name = path === '/' ? this.filepath : path.slice(path.lastIndexOf('/') + 1)
    const entity = this.#entity(path, name, object)
    if (entity.kind !== EntityKind.Group) return entity
    return { ...entity, children: object.class === 'group' ? await this.#children(path, object) : [] }
  }

  override async getValue(
    { dataset: { path }, selection }: ValuesStoreParams,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { dataset } = await this.#require(path)
    if (!dataset) throw new Error(`${path} is no dataset`)
    if (dataset.shape?.includes(0)) throw new Error('The dataset has no elements yet: an extent is 0.')
    const select = parseSelection(selection)
    this.#onShow(path, select)
    if (!this.#loadsWhole && isLarge(dataset, select))
      throw new Error('These elements are not loaded, because they are many: the image above shows them.')
    const { data } = await this.#domain.read(dataset, {
      ...(select && { select }),
      ...(signal && { signal }),
    })
    const isOne = dataset.shape?.length === 0 || select?.every(part => typeof part === 'number')
    return isOne ? elementValue(dataset.type, data[0]) : data
  }

  /** Undefined: there is none at the path. */
  async dataset(path: string): Promise<DatasetShape | undefined> {
    return (await this.#require(path)).dataset
  }

  override async getAttrValues({ path, attributes }: Entity): Promise<AttributeValues> {
    if (attributes.length === 0) return {}
    const { collection, id } = await this.#require(path)
    const values: Record<string, unknown> = {}
    for await (const { name, type, shape, data } of this.#domain.attributes(collection, id)) {
      values[name] = attributeValue(type, shape, data)
    }
    return values
  }

  override getExportURL(format: ExportFormat, { path }: Dataset, selection?: string): ExportURL | undefined {
    const shown = parseSelection(selection)
    // h5web asks each time that it draws, also slices that it has kept: for those it does not ask for values.
    this.#onShow(path, shown)
    const known = this.#known.get(path)
    if (!known) return undefined
    const select = shown && formatSelection(shown)
    const parameters = { id: known.id, domain: this.#domain.path, format, select }
    if (!this.#hasUser) return new URL(this.#client.url('GET /datasets/{id}/value', parameters))
    // A link has no credentials.
    return async () => (await this.#client.open('GET /datasets/{id}/value', parameters)).blob()
  }

  /** Of all objects that hard links reach from the object at the path. */
  override async getSearchablePaths(path: string): Promise<string[]> {
    const { id } = await this.#require(path)
    const parameters = { id, domain: this.#domain.path, follow_links: 1 }
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

  async #require(path: string): Promise<KnownObject> {
    const known = this.#known.get(path)
    if (known) return known
    await this.#objects.get(path)
    const found = this.#known.get(path)
    if (!found) throw new Error(`There is no object at ${path}`)
    return found
  }

  async #find(paths: readonly string[]): Promise<ReadonlyMap<string, FoundObject>> {
    const objects = new Map<string, FoundObject>()
    for (const [path, object] of await this.#describe(paths, { include_attrs: 1, ignore_nan: 1 })) {
      if (!('id' in object)) continue
      objects.set(path, object)
      this.#keep(path, object)
    }
    return objects
  }

  async #describe(paths: readonly string[], options: DescribeOptions) {
    const parameters = {
      domain: this.#domain.path,
      follow_soft_links: 1,
      follow_external_links: 1,
      ...options,
    }
    const { h5paths } = await this.#client.request('POST /', parameters, { body: { h5paths: [...paths] } })
    return Object.entries(h5paths)
  }

  /** All links of the groups at the paths. */
  async #listLinks(paths: readonly string[]): Promise<ReadonlyMap<string, readonly Link[]>> {
    const lists = new Map<string, readonly Link[]>()
    for (const [path, object] of await this.#describe(paths, { include_links: 1 })) {
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

  #keep(path: string, object: FoundObject): void {
    const { id } = object
    if (object.class !== 'dataset') {
      this.#known.set(path, { id, collection: `${object.class}s` })
      return
    }
    const dataset = { id, type: parseDatatype(object.type), shape: extentsOf(object.shape) }
    this.#known.set(path, { id, collection: 'datasets', dataset })
  }

  async #children(path: string, group: FoundGroup): Promise<ChildEntity[]> {
    const links = await this.#links(path, group)
    const childOf = async (link: Link): Promise<ChildEntity> => {
      const { title } = link
      const at = childPath(path, title)
      const isHard = link.class === 'H5L_TYPE_HARD'
      // What a group has is asked for when it is opened.
      if (isHard && link.id.startsWith('g-'))
        return { name: title, path: at, kind: EntityKind.Group, attributes: [] }
      try {
        const object = await (isHard ? this.#objects : this.#linkedObjects).get(at)
        return this.#entity(at, title, object, link)
      } catch (error) {
        // The tree shows what cannot be reached by its link.
        if (isHard || !(error instanceof RequestError)) throw error
        return { name: title, path: at, kind: EntityKind.Unresolved, attributes: [], ...linkOf(link) }
      }
    }
    return Promise.all(links.map(childOf))
  }

  #entity(path: string, name: string, object: FoundObject, link?: Link): ChildEntity {
    const attributes = Object.values(object.attributes ?? {}).map(
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
}

/** Of one search. */
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

/** As h5web spells it: `0,:,2:5`; nothing for all. */
function parseSelection(selection: string | undefined): Selection | undefined {
  return selection?.split(',').map(part => {
    if (part === ':') return undefined
    const [start, stop] = part.split(':').map(Number)
    return stop === undefined ? start : { start, stop }
  })
}
