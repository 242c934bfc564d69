// A client of Hyperslab for browsers and Node, typed by its API. It needs `fetch` and nothing else.
//
// `request` and `open` send any request of the hsds dialect by its method and path; the other methods do what most
// programs need.

import type { AttributeItem, Dataset, FoundObject, LinkItem, ListedDomain, ValueStatistics } from './api.ts'
import {
  type BodyOf,
  Connection,
  type ConnectionOptions,
  OCTETS,
  type OperationName,
  type ParametersOf,
  RequestError,
  type RequestOptions,
} from './connection.ts'
import { type Datatype, extentsOf, fixedSize, parseDatatype, productOf } from './datatype.ts'
import { decodeElements, type Elements } from './decode.ts'
import { type EventOptions, type FeedItem, feedItems } from './events.ts'
import { base64OfBytes, bytesOfBase64, elementsFromJson } from './json-elements.ts'
import { type Part, partsOf as partsOfBody } from './multipart.ts'
import { decodeNpy } from './npy.ts'
import type {
  Abortable,
  AttributeValue,
  Collection,
  DatasetShape,
  FolderOptions,
  Json,
  ListedPath,
  NewElements,
  ObjectOptions,
  PageOptions,
  ReadOptions,
  SelectedElements,
  StatisticsOptions,
  UploadOptions,
  Values,
} from './options.ts'
import { listedPaths } from './paths.ts'
import {
  countsFromEnd,
  formatSelection,
  parseSelection,
  type Selection,
  selectedShape,
  selectionWithin,
} from './selection.ts'

export type * as Api from './api.ts'
export { basic, bearer, RequestError, UnreachableError } from './connection.ts'
export type { EventOptions, FeedEvent, FeedItem, FeedPosition } from './events.ts'
export type * from './options.ts'
export type { BodyOf, ConnectionOptions, Datatype, Elements, OperationName, RequestOptions, Selection }

/** The whole server. */
export class Hyperslab extends Connection {
  /** The domain at a path such as `/home/ann/run7.h5`. No request is sent. */
  domain(path: string): Domain {
    return new Domain(this, path)
  }

  /** The changes in a folder and all below it, as `Domain.events` gives those of a domain. */
  events(path: string, options: Omit<EventOptions, 'object' | 'h5path'> = {}): AsyncGenerator<FeedItem> {
    return feedItems(this, path, options)
  }

  /** The domains and folders in a folder, in the order of their names, by pages of `pageSize`, requested as needed. */
  async *folder(
    path: string,
    { pageSize = 1000, pattern, verbose, signal }: FolderOptions = {},
  ): AsyncGenerator<ListedDomain> {
    const domain = path.endsWith('/') ? path : `${path}/`
    yield* items(
      pageSize,
      ({ name }) => name,
      async page => {
        const parameters = { domain, ...page, pattern, ...(verbose && { verbose: 1 }) }
        return (await this.request('GET /domains', parameters, { signal })).domains
      },
    )
  }
}

/**
 * A domain, and the objects of others that its external links lead to: an object that `object` or `objects` has found
 * is requested in its own domain, and so are the members of its group.
 */
export class Domain {
  readonly path: string
  readonly #client: Connection
  /** The paths of other domains, by the half of their ids that differs between domains. */
  readonly #others = new Map<string, string>()

  constructor(client: Connection, path: string) {
    this.path = path
    this.#client = client
  }

  /** Creates the domain with an empty root group. */
  create(options: Abortable = {}) {
    return this.#client.request('PUT /', { domain: this.path }, options)
  }

  delete(options: Abortable = {}) {
    return this.#client.request('DELETE /', { domain: this.path }, options)
  }

  /** The id of the root group, the owner, the times; or of a folder the same without a root. */
  describe(options: Abortable = {}) {
    return this.#client.request('GET /', { domain: this.path }, options)
  }

  /** The object at an HDF5 path such as `/entry/data`. Also through soft and external links. */
  async object(h5path: string, { signal, ...parts }: ObjectOptions = {}): Promise<FoundObject> {
    const parameters = { domain: this.path, h5path, ...FOLLOWED, ...partsOf(parts) }
    const answer = await this.#client.request('GET /', parameters, { signal })
    if (!('id' in answer)) throw new Error('the server has answered with a domain, not with an object')
    return this.#learn(answer)
  }

  /** The result of `object` for each of the paths, or its error; one request covers many paths. */
  async objects(
    h5paths: readonly string[],
    { signal, ...parts }: ObjectOptions = {},
  ): Promise<ReadonlyMap<string, FoundObject | RequestError>> {
    const found = new Map<string, FoundObject | RequestError>()
    const parameters = { domain: this.path, ...FOLLOWED, ...partsOf(parts), include_errors: 1 }
    for (let first = 0; first < h5paths.length; first += PATHS_AT_ONCE) {
      const body = { h5paths: h5paths.slice(first, first + PATHS_AT_ONCE) }
      const answer = await this.#client.request('POST /', parameters, { body, signal })
      for (const [path, item] of Object.entries(answer.h5paths)) {
        if ('id' in item) found.set(path, this.#learn(item))
        else found.set(path, new RequestError(item.message, item.status, item.code))
      }
    }
    return found
  }

  /**
   * The paths of all that is below the root group, with what is there, as they come: those near the root first. At most
   * 200,000. What only soft and external links lead to is not among them.
   */
  paths({ signal }: Abortable = {}): AsyncGenerator<readonly ListedPath[]> {
    return listedPaths(this.#client, this.path, signal)
  }

  /** The path of the domain that an object is in: this one, or another one that a path led to. */
  pathOf(id: string): string {
    return this.#others.get(domainPartOf(id)) ?? this.path
  }

  #learn(object: FoundObject): FoundObject {
    // A bucket is before the path: external links stay in it.
    const [bucket = ''] = this.path.startsWith('hdf5:') ? [] : this.path.split('/')
    const path = bucket + object.domain
    if (path !== this.path) this.#others.set(domainPartOf(object.id), path)
    return object
  }

  /** The links of a group, of an id or path, in the order of their titles, by pages. */
  async *links(idOrPath: string, { pageSize = 1000, signal }: PageOptions = {}): AsyncGenerator<LinkItem> {
    const group = await this.#idOf(idOrPath, signal)
    yield* items(
      pageSize,
      ({ title }) => title,
      async page => {
        const parameters = { id: group, domain: this.pathOf(group), ...page }
        const { links } = await this.#client.request('GET /groups/{id}/links', parameters, { signal })
        // The links of one group are a list.
        return Array.isArray(links) ? links : []
      },
    )
  }

  /**
   * The attributes of an object, of an id or path, with their values, by pages. Large values take a request each.
   * Attributes of a mounted file that cannot be read are skipped; `GET /{collection}/{id}/attributes` lists them with
   * the reason.
   */
  async *attributes(
    collection: Collection,
    idOrPath: string,
    { pageSize = 100, signal }: PageOptions = {},
  ): AsyncGenerator<AttributeValue> {
    const id = await this.#idOf(idOrPath, signal)
    const read = async (page: Page) => {
      const form = {
        IncludeData: 1,
        encoding: 'base64' as const,
        max_data_size: LARGE_ATTRIBUTE,
        ignore_nan: 1,
      }
      const parameters = { id, domain: this.pathOf(id), ...form, ...page }
      const name = `GET /${collection}/{id}/attributes` as const
      const { attributes } = await this.#client.request(name, parameters, { signal })
      // The attributes of one object are a list.
      return Array.isArray(attributes) ? attributes : []
    }
    for await (const item of items<AttributeItem>(pageSize, ({ name }) => name, read)) {
      if ('unreadable' in item) continue
      const type = parseDatatype(item.type)
      const shape = extentsOf(item.shape)
      const elements = (): Elements | Promise<Elements> => {
        if (shape === undefined) return []
        if (item.value === undefined)
          return this.#largeAttribute(collection, id, item.name, type, shape, signal)
        if (item.encoding !== 'base64') return elementsFromJson(type, shape, item.value)
        return decodeElements(type, productOf(shape), bytesOfBase64(String(item.value)))
      }
      yield { name: item.name, type, shape, data: await elements() }
    }
  }

  async #largeAttribute(
    collection: Collection,
    id: string,
    name: string,
    type: Datatype,
    shape: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Elements> {
    const operation = `GET /${collection}/{id}/attributes/{name}/value` as const
    if (fixedSize(type) !== undefined) {
      return decodeElements(type, productOf(shape), await this.#bytes(operation, { id, name }, signal))
    }
    const parameters = { id, name, domain: this.pathOf(id), ignore_nan: 1 }
    const { value } = await this.#client.request(operation, parameters, { signal })
    return elementsFromJson(type, shape, value)
  }

  /** The dataset of an id, or at an HDF5 path such as `/entry/data`, also through soft and external links. */
  async dataset(idOrPath: string, options: Abortable = {}): Promise<DatasetShape> {
    if (!isPath(idOrPath)) return this.#datasetOf(idOrPath, options)
    const object = await this.object(idOrPath, options)
    if (object.class === 'dataset') return shapeOf(object)
    throw new Error(`${idOrPath} in ${this.path} must be a dataset, not a ${object.class}`)
  }

  async #datasetOf(id: string, options: Abortable): Promise<DatasetShape> {
    const parameters = { id, domain: this.pathOf(id) }
    return shapeOf(await this.#client.request('GET /datasets/{id}', parameters, options))
  }

  async #idOf(idOrPath: string, signal: AbortSignal | undefined): Promise<string> {
    return isPath(idOrPath) ? (await this.object(idOrPath, { signal })).id : idOrPath
  }

  /** The selected elements of a dataset, or of that at a path: as bytes, so that all numbers are exact. */
  async read(
    dataset: DatasetShape | string,
    { select: selected, reduce, part, missing, valid, mask, signal }: ReadOptions = {},
  ): Promise<Values> {
    const {
      id,
      type,
      shape: extents,
    } = typeof dataset === 'string' ? await this.dataset(dataset, { signal }) : dataset
    if (extents === undefined) return { shape: [], data: [] }
    const select = selectionOf(selected, extents)
    const selection = select && { select: formatSelection(select) }
    if ([reduce, part, missing, valid, mask].some(option => option !== undefined)) {
      const parameters = { id, ...selection, reduce, part, missing, valid, mask, format: 'npy' as const }
      return decodeNpy(await this.#bytes('GET /datasets/{id}/value', parameters, signal))
    }
    const shape = selectedShape(extents, select)
    const count = productOf(shape)
    if (count === 0) return { shape, data: decodeElements(type, 0, new Uint8Array(0)) }
    const bytes = await this.#bytes('GET /datasets/{id}/value', { id, ...selection }, signal)
    return { shape, data: decodeElements(type, count, bytes) }
  }

  /**
   * The extremes, mean, deviation and histogram of the selected numbers, computed by the server. Results that are not
   * finite are null.
   */
  async statistics(
    { id }: Pick<DatasetShape, 'id'>,
    { select, bins, part, missing, valid, mask, signal }: StatisticsOptions = {},
  ): Promise<ValueStatistics> {
    const parameters = {
      id,
      domain: this.pathOf(id),
      ...(await this.#selectionFor(id, select, signal)),
      statistics: 1,
      bins,
      part,
      missing,
      valid,
      mask,
      ignore_nan: 1,
    }
    const answer = await this.#client.request('GET /datasets/{id}/value', parameters, { signal })
    if (!('nanCount' in answer)) throw new Error('the server has answered with values, not with statistics')
    return answer
  }

  /**
   * Writes elements as JSON, or bytes in the type of the dataset, which has the id or path. The answer comes when they
   * are durable.
   */
  async write(
    idOrPath: string,
    data: Uint8Array | ReadableStream<Uint8Array> | Json,
    { select, signal }: Pick<ReadOptions, 'select' | 'signal'> = {},
  ): Promise<void> {
    const isBytes = data instanceof Uint8Array || data instanceof ReadableStream
    const id = await this.#idOf(idOrPath, signal)
    const selection = await this.#selectionFor(id, select, signal)
    const parameters = { id, domain: this.pathOf(id), ...selection }
    await this.#client.request('PUT /datasets/{id}/value', parameters, {
      body: isBytes ? data : { value: data },
      signal,
    })
  }

  /** The result of `read` for each of them, in one request: all are as of one moment. They are of one domain. */
  async readSeveral(
    parts: readonly SelectedElements[],
    { signal }: Abortable = {},
  ): Promise<readonly Values[]> {
    const selections = parts.map(({ dataset, select }) => selectionOf(select, dataset.shape ?? []))
    const shapes = parts.map(({ dataset: { shape }, points }, i) =>
      points ? [points.length] : shape && selectedShape(shape, selections[i]),
    )
    const values = parts.flatMap(({ dataset: { id }, points }, i) => {
      const select = points ? undefined : selections[i]
      const selection = { ...(points && { points }), ...(select && { select: formatSelection(select) }) }
      return hasElements(shapes[i]) ? [{ id, ...selection }] : []
    })
    const bytes = values.length === 0 ? [] : await this.#partsOf(values, signal)
    let next = 0
    return parts.map(({ dataset: { type } }, i): Values => {
      const shape = shapes[i]
      if (shape === undefined) return { shape: [], data: [] }
      if (!hasElements(shape)) return { shape, data: decodeElements(type, 0, new Uint8Array(0)) }
      const part = bytes[next++]
      if (part === undefined) throw new Error('the server has answered with fewer values than were asked for')
      const isJson = part.contentType.startsWith('application/json')
      const data = isJson
        ? elementsFromJson(type, shape, JSON.parse(new TextDecoder().decode(part.bytes)))
        : decodeElements(type, productOf(shape), part.bytes)
      return { shape, data }
    })
  }

  async #partsOf(
    values: readonly { readonly id: string; readonly select?: string; readonly points?: object }[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Part[]> {
    const domain = this.#domainOfAll(values)
    const headers = { accept: 'multipart/mixed' }
    // Points are a list of numbers, or of lists.
    const body = { values: [...values] } as never
    const response = await this.#client.open('POST /values', { domain }, { body, headers, signal })
    const type = response.headers.get('content-type') ?? ''
    return partsOfBody(type, new Uint8Array(await response.arrayBuffer()))
  }

  /**
   * Writes all in their order, in one step: all or none, and no reader sees a part of them. They are of one domain. The
   * answer comes when they are durable.
   */
  async writeSeveral(parts: readonly NewElements[], { signal }: Abortable = {}): Promise<void> {
    if (parts.length === 0) return
    const selections: { readonly select?: string }[] = []
    for (const { id, select } of parts) selections.push(await this.#selectionFor(id, select, signal))
    const values = parts.map(({ id, data }, i) => ({
      id,
      ...selections[i],
      ...(data instanceof Uint8Array ? { value_base64: base64OfBytes(data) } : { value: data as never }),
    }))
    await this.#client.request(
      'PUT /values',
      { domain: this.#domainOfAll(parts) },
      { body: { values }, signal },
    )
  }

  /** The parameter for a selection. What counts from the end needs the present shape. */
  async #selectionFor(
    id: string,
    selected: Selection | string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly select?: string }> {
    if (selected === undefined) return {}
    const selection = typeof selected === 'string' ? parseSelection(selected) : selected
    if (!countsFromEnd(selection)) return { select: formatSelection(selection) }
    const { shape = [] } = await this.#datasetOf(id, { signal })
    return { select: formatSelection(selectionWithin(selection, shape)) }
  }

  #domainOfAll(parts: readonly { readonly id: string }[]): string {
    const [domain = this.path, ...others] = new Set(parts.map(({ id }) => this.pathOf(id)))
    if (others.length === 0) return domain
    throw new Error(`one request is about one domain, not about ${domain} and ${others.join(' and ')}`)
  }

  /**
   * Each change of the domain, or of one object, in order and as it happens, until the signal aborts. It goes on where
   * it was after the connection has ended. `start` and `gone` are not changes: the domain is to be read then.
   */
  events(options: EventOptions = {}): AsyncGenerator<FeedItem> {
    return feedItems(this.#client, this.path, options)
  }

  /** The domain as an HDF5 file; its body streams. */
  download({ signal }: Abortable = {}): Promise<Response> {
    return this.#client.open('GET /', { domain: this.path, format: 'hdf5' }, { signal })
  }

  /** Creates the domain from an HDF5 file, wholly or not at all. With `replace`, an existing domain is replaced. */
  upload(
    file: Blob | Uint8Array | ReadableStream<Uint8Array>,
    { replace = false, signal }: UploadOptions = {},
  ) {
    const headers = { 'content-type': 'application/x-hdf5' }
    const parameters = { domain: this.path, ...(replace && { replace: 1 }) }
    return this.#client.request('PUT /', parameters, { body: file, headers, signal })
  }

  async #bytes<Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Name> & { readonly id: string },
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const headers = { accept: OCTETS }
    const domain = this.pathOf(parameters.id)
    const response = await this.#client.open(name, { ...parameters, domain }, { headers, signal })
    return new Uint8Array(await response.arrayBuffer())
  }
}

interface Page {
  readonly Limit: number
  /** The last item of the page before. */
  readonly Marker?: string
}

const FOLLOWED = { follow_soft_links: 1, follow_external_links: 1 }

/** Paths of one request, which should be short, because its answer comes as a whole. @limit safety, paths */
const PATHS_AT_ONCE = 500

function partsOf({ attributes, links }: Omit<ObjectOptions, 'signal'>) {
  const form = typeof attributes === 'number' && { encoding: 'base64' as const, max_data_size: attributes }
  return {
    ...(attributes && { include_attrs: 1, ignore_nan: 1, ...form }),
    ...(links && { include_links: 1 }),
  }
}

/** Paths begin with a slash, and ids with a letter. */
function isPath(idOrPath: string): boolean {
  return idOrPath.startsWith('/')
}

function shapeOf({ id, type, shape }: Pick<Dataset, 'id' | 'type' | 'shape'>): DatasetShape {
  return { id, type: parseDatatype(type), shape: extentsOf(shape) }
}

function selectionOf(
  selected: Selection | string | undefined,
  shape: readonly number[],
): Selection | undefined {
  if (selected === undefined) return undefined
  return selectionWithin(typeof selected === 'string' ? parseSelection(selected) : selected, shape)
}

/** Ids of one domain have the same first half: `d-45a882e1-9d0111e8-...`. */
function domainPartOf(id: string): string {
  return id.slice(2, 19)
}

function hasElements(shape: readonly number[] | undefined): boolean {
  return shape !== undefined && productOf(shape) > 0
}

/** Bytes from which a value is requested alone. */
const LARGE_ATTRIBUTE = 65_536

/** The items of a list that is read by pages: each page begins after the last item of the one before. */
async function* items<Item>(
  pageSize: number,
  markerOf: (item: Item) => string,
  read: (page: Page) => Promise<readonly Item[]>,
): AsyncGenerator<Item> {
  for (let Marker: string | undefined; ; ) {
    const page = await read({ Limit: pageSize, ...(Marker !== undefined && { Marker }) })
    yield* page
    const last = page.at(-1)
    if (page.length < pageSize || last === undefined) return
    Marker = markerOf(last)
  }
}
