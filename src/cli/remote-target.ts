// Imports into a running server over its HTTP interface, in the classic dialect, which creates missing folders. Times are those
// of the import, and readers see the domain while it is filled; if the import fails, the domain is deleted.

import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { HyperslabError } from '../errors.ts'
import type { Box } from '../h5file/reader.ts'
import { parseCreationProperties } from '../hdf5/creation-properties.ts'
import { type Dataspace, extentsOf, UNLIMITED } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { formatDatatype } from '../hdf5/datatype/format.ts'
import { isVariableSize } from '../hdf5/datatype/layout.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import { type JsonObject, type JsonOutput, type JsonValue, stringifyJson } from '../hdf5/json.ts'
import { parseJson } from '../hdf5/json-parser.ts'
import {
  COLLECTIONS,
  formatUuid,
  type ObjectKind,
  type ObjectReference,
  parseUuid,
} from '../hdf5/object-id.ts'
import { toNullPadded } from '../hdf5/values/binary.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import { elementsToJson } from '../hdf5/values/json-tree.ts'
import { hasReferences } from '../hdf5/values/references.ts'
import { classicReferences } from '../http/dialect/classic/values.ts'
import type { ImportedFile, LinkTarget } from '../storage/store.ts'
import type {
  CreatedDataset,
  ImportTarget,
  NewAttribute,
  NewDataset,
  Publication,
} from '../transfer/target.ts'
import { UsageError } from './usage-error.ts'

export interface HttpTargetOptions {
  readonly endpoint: string
  /** Of the new domain: the name in requests, and the path in messages. */
  readonly dnsName: string
  readonly path: DomainPath
  readonly credentials?: { readonly name: string; readonly password: string }
}

const STYLE = { references: classicReferences, nonFinite: 'bare', float32: 'widened' } as const

/** Creates the domain; throws the error of the server if that fails. */
export async function openHttpTarget(options: HttpTargetOptions): Promise<ImportTarget> {
  const send = sender(options)
  const answer = await send('PUT', '/').catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.status !== 409) throw error
    const why = '--replace needs a data folder, because over HTTP it would not be atomic'
    throw new UsageError(`${error.message}; ${why}: delete the domain first: ${deletionOf(options)}`, 1)
  })
  return new HttpTarget(send, { kind: 'group', id: idOf(answer, 'root') }, options)
}

/** Whether the domain was created after the last change of the file. The server tells when that was to the second. */
export async function isNewerThan(options: HttpTargetOptions, file: ImportedFile): Promise<boolean> {
  try {
    const answer = await sender(options)('GET', '/')
    const created = Date.parse(String(answer.get('created')))
    return answer.has('root') && file.lastModified < (created + 1000) * 1000
  } catch (error) {
    if (error instanceof Refusal && [404, 410].includes(error.status)) return false
    throw error
  }
}

/** Sends a request to the domain; returns the members of the response. */
type Send = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: JsonOutput,
) => Promise<JsonObject>

/** What the server has answered instead of what was asked for. */
class Refusal extends UsageError {
  readonly status: number

  constructor(message: string, status: number) {
    super(message, 1)
    this.status = status
  }
}

class HttpTarget implements ImportTarget {
  readonly root: ObjectReference
  readonly #send: Send
  readonly #options: HttpTargetOptions
  /** The types and shapes of the datasets, which the JSON of their values does not contain. */
  readonly #types = new Map<string, { readonly type: Datatype; readonly rank: number }>()

  constructor(send: Send, root: ObjectReference, options: HttpTargetOptions) {
    this.#send = send
    this.root = root
    this.#options = options
  }

  createGroup(): Promise<ObjectReference> {
    return this.#create('group', {})
  }

  createDatatype(type: Datatype): Promise<ObjectReference> {
    return this.#create('datatype', { type: formatDatatype(type) })
  }

  async createDataset({
    type,
    committedType,
    space,
    creationProperties,
  }: NewDataset): Promise<CreatedDataset> {
    const { json: reported, fillValue } = creationProperties
    // The server would fill with a fill value that the file only reports.
    const used = fillValue ? reported : new Map([...reported].filter(([name]) => name !== 'fillValue'))
    const { json, chunkDims } = acceptable(used, type, space)
    const created = await this.#create('dataset', {
      type: typeJson(type, committedType),
      ...shapeJson(space),
      creationProperties: json,
    })
    this.#types.set(created.id, { type, rank: extentsOf(space).length })
    return { ...created, ...(chunkDims && { chunkDims }) }
  }

  async putLink(group: ObjectReference, title: string, target: LinkTarget): Promise<boolean> {
    const body = linkJson(target)
    if (!body) return false
    await this.#send('PUT', `${pathOf(group)}/links/${encodeURIComponent(title)}`, body)
    return true
  }

  async putAttribute(owner: ObjectReference, attribute: NewAttribute): Promise<void> {
    const { name, type, committedType, space, value } = attribute
    await this.#send('PUT', `${pathOf(owner)}/attributes/${encodeURIComponent(name)}`, {
      type: typeJson(type, committedType),
      ...shapeJson(space),
      ...(value && { value: elementsToJson(type, extentsOf(space), value, STYLE) }),
    })
  }

  async writeValues(dataset: ObjectReference, { start, count }: Box, elements: Elements): Promise<void> {
    const known = this.#types.get(dataset.id)
    if (!known) throw new Error(`the dataset ${dataset.id} was not created by this import`)
    const { type, rank } = known
    const stop = start.map((first, d) => first + (count[d] ?? 0))
    await this.#send('PUT', `${pathOf(dataset)}/value`, {
      ...(rank > 0 && { start, stop }),
      // The bytes of stored references are our own format, which no server accepts.
      ...(isVariableSize(type) || hasReferences(type)
        ? { value: elementsToJson(type, count, elements, STYLE) }
        : { value_base64: base64(toNullPadded(type, elements.data)) }),
    })
  }

  async markUnreadable(dataset: ObjectReference): Promise<boolean> {
    await this.#send('DELETE', pathOf(dataset))
    return false
  }

  /** The domain exists already. The server does not report which folders it created. */
  async publish(): Promise<Publication> {
    return { newFolders: [], replaced: false }
  }

  async abandon(): Promise<void> {
    try {
      await this.#send('DELETE', '/')
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new UsageError(
        `the domain ${this.#options.path} is left behind incomplete, because deleting it failed too (${error.message}); ` +
          `delete it: ${deletionOf(this.#options)}`,
        1,
      )
    }
  }

  async #create(kind: ObjectKind, body: JsonOutput): Promise<ObjectReference> {
    return { kind, id: idOf(await this.#send('POST', `/${COLLECTIONS[kind]}`, body), 'id') }
  }
}

/** The command that deletes the domain. */
function deletionOf({ endpoint, dnsName, credentials }: HttpTargetOptions): string {
  const user = credentials ? `-u ${credentials.name} ` : ''
  return `curl -X DELETE ${user}-H 'Host: ${dnsName}' ${baseOf(endpoint)}/`
}

function baseOf(endpoint: string): string {
  return endpoint.replace(/\/+$/, '')
}

function sender({ endpoint, dnsName, path: domain, credentials }: HttpTargetOptions): Send {
  const base = baseOf(endpoint)
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.name}:${credentials.password}`).toString('base64')}`
  return async (method, path, body) => {
    const url = `${base}${path}?host=${encodeURIComponent(dnsName)}`
    const headers = authorization === undefined ? {} : { authorization }
    const { status, text } = await request(
      url,
      { method, headers },
      body === undefined ? '' : stringifyJson(body),
    )
    if (status < 200 || status > 299)
      throw new Refusal(`${method} ${base}${path} for ${domain}: ${status} ${messageOf(text)}`, status)
    return asObject(parseJson(text))
  }
}

/** Uses `node:http`, because `fetch` rejects some ports and resolves a title `..`. */
function request(
  url: string,
  options: RequestOptions,
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? https.request : http.request
    // The path unchanged: URL would normalize it.
    const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
    const headers = { ...options.headers, 'content-length': Buffer.byteLength(body) }
    const sent = send(url, { ...options, headers, path }, response => {
      const fail = (error: Error) => reject(unreachable(url, error))
      text(response).then(answer => resolve({ status: response.statusCode ?? 0, text: answer }), fail)
    })
    sent.on('error', error => reject(unreachable(url, error)))
    sent.end(body)
  })
}

function unreachable(url: string, error: NodeJS.ErrnoException): UsageError {
  // A host with several addresses fails with several errors, and no message.
  return new UsageError(`${new URL(url).origin} cannot be reached: ${error.message || error.code}`, 1)
}

/** The message of an error response; a server of another kind may send anything. */
function messageOf(text: string): string {
  try {
    return String(asObject(parseJson(text)).get('message') ?? text)
  } catch {
    return text.slice(0, 200)
  }
}

function asObject(json: JsonValue): JsonObject {
  return json instanceof Map ? json : new Map()
}

function idOf(answer: JsonObject, member: string): ObjectReference['id'] {
  const text = answer.get(member)
  const id = typeof text === 'string' ? parseUuid(text) : undefined
  if (!id)
    throw new UsageError(
      `the response has no "${member}": --endpoint must be the address of a Hyperslab server`,
      1,
    )
  return id
}

function pathOf({ kind, id }: ObjectReference): string {
  return `/${COLLECTIONS[kind]}/${formatUuid(id)}`
}

function typeJson(type: Datatype, committedType: ObjectReference | undefined): JsonOutput {
  return committedType ? formatUuid(committedType.id) : formatDatatype(type)
}

function shapeJson(space: Dataspace): { [name: string]: JsonOutput } {
  if (space.class === 'H5S_NULL') return { shape: 'H5S_NULL' }
  if (space.class === 'H5S_SCALAR') return {}
  const maxdims = space.maxdims?.map(extent => (extent === UNLIMITED ? 0 : extent))
  return { shape: space.dims, ...(maxdims && { maxdims }) }
}

/** Properties that the service rejects are left out, so that the server chooses; with the chunks that our servers choose. */
function acceptable(
  json: JsonObject,
  type: Datatype,
  space: Dataspace,
): { readonly json: JsonOutput; readonly chunkDims: readonly number[] | undefined } {
  try {
    return { json, chunkDims: parseCreationProperties(json, type, space).chunkDims }
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
    return { json: {}, chunkDims: parseCreationProperties(undefined, type, space).chunkDims }
  }
}

/** As one string: the encoder of values would build it from many pieces. */
function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** Undefined: the HTTP interface cannot create such a link. */
function linkJson(target: LinkTarget): JsonOutput | undefined {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return { id: formatUuid(target.id) }
    case 'H5L_TYPE_SOFT':
      return { h5path: target.h5path }
    case 'H5L_TYPE_EXTERNAL':
      return { h5path: target.h5path, h5domain: target.h5domain }
    case 'H5L_TYPE_USER_DEFINED':
      return undefined
  }
}
