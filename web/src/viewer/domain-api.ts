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
import type { Api, Collection, DatasetShape, Domain, Hyperslab, Selection } from '../../../client/index.ts'
import { extentsOf, parseDatatype, RequestError } from '../../../client/index.ts'
import { formatSelection } from '../../../client/selection.ts'
import type { Session } from '../session.ts'
import { shapeOf, typeOf } from './types.ts'

/** An object that was read. */
interface Known {
  readonly collection: Collection
  readonly id: string
  /** Of a dataset. */
  readonly dataset?: DatasetShape
}

type FoundObject = Api.FoundObject

/** Paths in one request. */
const PATHS_AT_ONCE = 500

export class DomainApi extends DataProviderApi {
  readonly #client: Hyperslab
  readonly #domain: Domain
  readonly #hasUser: boolean
  readonly #known = new Map<string, Known>()

  constructor({ client, user }: Session, path: string) {
    super(path)
    this.#client = client
    this.#domain = client.domain(path)
    this.#hasUser = user !== undefined
  }

  override async getEntity(path: string): Promise<ProvidedEntity> {
    const objects = await this.#find([path])
    const object = objects.get(path)
    if (object === undefined) throw new Error(`There is no object at ${path}`)
    const name = path === '/' ? this.filepath : path.slice(path.lastIndexOf('/') + 1)
    const entity = this.#entity(path, name, object)
    if (entity.kind !== EntityKind.Group) return entity
    return { ...entity, children: await this.#children(path, object.id) }
  }

  override async getValue(
    { dataset: { path }, selection }: ValuesStoreParams,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { dataset } = await this.#require(path)
    if (!dataset) throw new Error(`${path} is no dataset`)
    const select = selection === undefined ? undefined : parseSelection(selection)
    const { data } = await this.#domain.read(dataset, {
      ...(select && { select }),
      ...(signal && { signal }),
    })
    const isOne = dataset.shape?.length === 0 || select?.every(part => typeof part === 'number')
    return isOne ? data[0] : data
  }

  override async getAttrValues({ path, attributes }: Entity): Promise<AttributeValues> {
    if (attributes.length === 0) return {}
    const { collection, id } = await this.#require(path)
    const values: Record<string, unknown> = {}
    for await (const { name, shape, data } of this.#domain.attributes(collection, id)) {
      values[name] = shape?.length === 0 ? data[0] : data
    }
    return values
  }

  override getExportURL(format: ExportFormat, { path }: Dataset, selection?: string): ExportURL | undefined {
    const known = this.#known.get(path)
    if (!known) return undefined
    const select = selection === undefined ? undefined : formatSelection(parseSelection(selection))
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

  async #require(path: string): Promise<Known> {
    const known = this.#known.get(path)
    if (known) return known
    await this.#find([path])
    const found = this.#known.get(path)
    if (!found) throw new Error(`There is no object at ${path}`)
    return found
  }

  /** The objects at the paths; those that lead nowhere are left out. */
  async #find(paths: readonly string[]): Promise<Map<string, FoundObject>> {
    const objects = new Map<string, FoundObject>()
    for (let first = 0; first < paths.length; first += PATHS_AT_ONCE) {
      const parameters = { domain: this.#domain.path, include_attrs: 1, ignore_nan: 1, ...FOLLOWED }
      const body = { h5paths: paths.slice(first, first + PATHS_AT_ONCE) }
      const { h5paths } = await this.#client.request('POST /', parameters, { body })
      for (const [path, object] of Object.entries(h5paths)) {
        if (!('id' in object)) continue
        objects.set(path, object)
        this.#keep(path, object)
      }
    }
    return objects
  }

  /** One request for all, or, if a link among them leads nowhere, halves of them until it is alone. */
  async #findReachable(paths: readonly string[]): Promise<Map<string, FoundObject>> {
    if (paths.length === 0) return new Map()
    try {
      return await this.#find(paths)
    } catch (error) {
      if (!(error instanceof RequestError) || error.status >= 500) throw error
      if (paths.length === 1) return new Map()
      const half = Math.ceil(paths.length / 2)
      const [first, second] = [paths.slice(0, half), paths.slice(half)]
      return new Map([...(await this.#findReachable(first)), ...(await this.#findReachable(second))])
    }
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

  async #children(path: string, group: string): Promise<ChildEntity[]> {
    const links: Api.LinkItem[] = []
    for await (const link of this.#domain.links(group)) links.push(link)
    const isGroup = (link: Api.LinkItem) => link.class === 'H5L_TYPE_HARD' && link.collection === 'groups'
    const pathsOf = (some: readonly Api.LinkItem[]) => some.map(({ title }) => childPath(path, title))
    // What groups have is asked for when they are opened.
    const hard = links.filter(link => link.class === 'H5L_TYPE_HARD' && !isGroup(link))
    const others = links.filter(link => link.class !== 'H5L_TYPE_HARD')
    const objects = new Map([
      ...(await this.#find(pathsOf(hard))),
      ...(await this.#findReachable(pathsOf(others))),
    ])
    return links.map((link): ChildEntity => {
      const { title } = link
      const at = childPath(path, title)
      if (isGroup(link)) return { name: title, path: at, kind: EntityKind.Group, attributes: [] }
      const object = objects.get(at)
      if (object) return this.#entity(at, title, object, link)
      return { name: title, path: at, kind: EntityKind.Unresolved, attributes: [], ...linkOf(link) }
    })
  }

  #entity(path: string, name: string, object: FoundObject, link?: Api.LinkItem): Exclude<ChildEntity, never> {
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

const FOLLOWED = { follow_soft_links: 1, follow_external_links: 1 }

function childPath(path: string, title: string): string {
  return path === '/' ? `/${title}` : `${path}/${title}`
}

function linkOf(link: Api.LinkItem): Pick<Entity, 'link'> {
  if (link.class === 'H5L_TYPE_SOFT') return { link: { class: 'Soft', path: link.h5path } }
  if (link.class === 'H5L_TYPE_EXTERNAL')
    return { link: { class: 'External', path: link.h5path, file: link.file } }
  return {}
}

/** As h5web spells it: `0,:,2:5`. */
function parseSelection(selection: string): Selection {
  return selection.split(',').map(part => {
    if (part === ':') return undefined
    const [start, stop] = part.split(':').map(Number)
    return stop === undefined ? start : { start, stop }
  })
}
