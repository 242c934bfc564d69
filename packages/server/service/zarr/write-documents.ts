// The documents that writers of Zarr send: groups, arrays and attributes become those of HDF5. Metadata that are made
// of what is there, such as consolidated ones, are accepted and not stored.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Dataspace, extentsOf, UNLIMITED } from '@hyperslab/model/dataset'
import { isSameType } from '@hyperslab/model/datatype'
import {
  excerpt,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '@hyperslab/model/json'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { Dataset, Group } from '@hyperslab/store/store'
import {
  attributeFrom,
  DOCUMENTS,
  documentText,
  filterOf,
  keptCodec,
  type NewArray,
  type NodeDocuments,
  nameFault,
  OF_VIEW,
  parseArray,
  type ShownAttribute,
  type ZarrFormat,
} from '@hyperslab/views/zarr'
import { requireWritable } from '../access/access.ts'
import { deleteAttribute, type NewAttribute, putAttributes } from '../attributes/attributes.ts'
import type { OpenDomain, WriteContext } from '../context.ts'
import { createDataset } from '../creation/datasets.ts'
import { createGroup } from '../creation/groups.ts'
import { createDomain } from '../domains/domain-creation.ts'
import { openDomain } from '../domains/domains.ts'
import type { LocatedObject } from '../links/paths.ts'
import { openObject } from '../objects/objects.ts'
import { changeExtents } from '../values/extents.ts'
import { DimensionScales, putLabels } from './dimension-scales.ts'
import { datasetNode } from './locate.ts'
import { DocumentMaker, isArray } from './nodes.ts'
import { removeMember } from './remove.ts'
import { domainPlace, requireNewPlace, type WritePlace, writePlace } from './write-place.ts'

/** The effect of a request. */
export type DocumentChange = 'created' | 'changed'

/** Puts the document `name` of the node at the path. */
export async function putDocument(
  context: WriteContext,
  path: string,
  name: string,
  json: JsonObject,
  format: ZarrFormat,
): Promise<DocumentChange> {
  const kind = kindOf(name, json, format)
  const { root, path: domainPath, titles } = await domainPlace(context, path)
  if (kind === 'array' && titles.length === 0) {
    const problem = `${domainPath} cannot be an array: the root of an HDF5 file is a group, so name an array in it`
    throw new HyperslabError('malformed-body', problem)
  }
  if (!root && kind === 'consolidated') {
    throw new HyperslabError('domain-not-found', `there is no domain ${domainPath}`, { subject: domainPath })
  }
  const place = await writePlace(context, root ?? (await newDomain(context, domainPath)), titles)
  requireNames(place.missing, format)
  if (kind === 'consolidated') {
    await openObject(context, place.found.domain, place.found.object.kind, place.found.object.id, 'update')
    requireFound(place)
    return 'changed'
  }
  const scales = new DimensionScales(context)
  if (place.hidden) {
    await scales.release(place.found.domain, place.hidden)
    await context.writer.deleteObject(place.hidden.id, { links: true })
  }
  const put = { group: putGroup, array: putArray, attributes: putAttributesOf }[kind]
  const change = await put(context, place, json, format, scales)
  await settleScales(context, place, scales)
  return change
}

/** Settles the scales of the groups in which a document has changed a member. */
async function settleScales(
  context: WriteContext,
  { found, link, missing, hidden }: WritePlace,
  scales: DimensionScales,
): Promise<void> {
  if (missing.length > 0) {
    await scales.settleMember(found, missing[0], hidden?.id)
    const made = await writePlace(context, found, missing)
    if (made.link && missing.length > 1) await scales.settleMember(made.link.group, made.link.title)
  } else if (link) await scales.settleMember(link.group, link.title, found.object.id)
  await scales.finish()
}

type DocumentKind = 'group' | 'array' | 'attributes' | 'consolidated'

function kindOf(name: string, json: JsonObject, format: ZarrFormat): DocumentKind {
  const declared = json.get('zarr_format')
  const documents = DOCUMENTS[format]
  if ('attributes' in documents) {
    if (name === documents.attributes) return 'attributes'
    if (name === documents.consolidated) return 'consolidated'
  }
  if (declared !== format) {
    throw new HyperslabError(
      'malformed-body',
      `zarr_format must be ${format} in ${name} below /zarr/v${format}, not ${excerpt(declared ?? null)}`,
    )
  }
  const type = json.get('node_type')
  if (format === 2) return name === DOCUMENTS[2].group ? 'group' : 'array'
  if (type === 'group' || type === 'array') return type
  throw new HyperslabError(
    'malformed-body',
    `node_type must be "group" or "array", not ${excerpt(type ?? null)}`,
  )
}

/** Throws for names of new nodes that readers of Zarr cannot ask for. */
function requireNames(titles: readonly string[], format: ZarrFormat): void {
  for (const title of titles) {
    const fault = nameFault(title, format)
    if (fault) throw new HyperslabError('malformed-path', `${excerpt(title)} cannot be a node: ${fault}`)
  }
}

function requireFound({ missing }: WritePlace): void {
  if (missing.length === 0) return
  throw new HyperslabError(
    'object-not-found',
    `there is no object ${excerpt(missing.join('/'))}: put its document first`,
  )
}

/** The new domain belongs to the caller, as one of `PUT /?domain=` does. */
async function newDomain(context: WriteContext, path: WritePath): Promise<LocatedObject> {
  const { name } = context.caller
  await requireNewPlace(context, path)
  await createDomain(context, path, {
    ...(name !== undefined && { owner: name, closed: true }),
    createParents: false,
  })
  const domain = await openDomain(context, path)
  return { domain, object: domain.root }
}

type WritePath = Parameters<typeof createDomain>[1]

/** Attributes may come before the array that they are of: it takes over those of the empty group that is made here. */
async function putAttributesOf(
  context: WriteContext,
  { found, missing }: WritePlace,
  json: JsonObject,
  format: ZarrFormat,
): Promise<DocumentChange> {
  const { domain } = found
  const made = missing.length > 0 && (await createGroup(context, domain, newLink(found, missing)))
  await setAttributesOf(context, made ? { domain, object: made.object } : found, json, format)
  return made ? 'created' : 'changed'
}

async function putGroup(
  context: WriteContext,
  { found, missing }: WritePlace,
  json: JsonObject,
  format: ZarrFormat,
): Promise<DocumentChange> {
  const given = json.get('attributes')
  const attributes = format === 3 && isJsonObject(given) ? given : undefined
  if (missing.length > 0) {
    const { object } = await createGroup(context, found.domain, newLink(found, missing))
    const none = { format, listed: [], shown: new Map() }
    if (attributes) await setAttributes(context, found.domain, object, attributes, none)
    return 'created'
  }
  if (found.object.kind !== 'group') {
    throw new HyperslabError('link-exists', 'there is an array at this path: DELETE its document first')
  }
  await openObject(context, found.domain, 'group', found.object.id, 'update')
  if (attributes) await setAttributesOf(context, found, attributes, format)
  return 'changed'
}

function newLink({ object }: LocatedObject, titles: readonly string[]) {
  return { link: { start: object.id, titles, isAbsolute: false, implicit: true } }
}

async function putArray(
  context: WriteContext,
  { found, link, missing }: WritePlace,
  json: JsonObject,
  format: ZarrFormat,
  scales: DimensionScales,
): Promise<DocumentChange> {
  const array = parseArray(json, format)
  if (missing.length > 0) {
    await newArray(context, found, missing, array, format)
    return 'created'
  }
  const { domain, object } = found
  if (object.kind === 'group') {
    for await (const { title } of context.reader.links(object.id, { limit: 1 })) {
      const problem = `there is a group with ${excerpt(title)} at this path: DELETE its members and its document first`
      throw new HyperslabError('link-exists', problem)
    }
  }
  if (object.kind === 'dataset' && (await isSameArray(context, domain, object, array, json, format))) {
    await updateArray(context, domain, object, array, format)
    return 'changed'
  }
  if (!link) throw new HyperslabError('root-group-protected', 'the root group cannot be an array')
  // In Zarr 2 they are in a document of their own, which stays.
  const kept =
    format === 2 && object.kind !== 'datatype' ? await shownAttributes(context, found, format) : undefined
  await removeMember(context, link, found, scales)
  const made = await newArray(context, link.group, [link.title], array, format)
  if (kept) {
    const json = parseJson(Buffer.from(stringifyJson(kept.shown, 'text'))) as JsonObject // it is a map
    await setAttributesOf(context, { domain: link.group.domain, object: made }, json, format)
  }
  return 'changed'
}

/** Creates the dataset. It can grow in all dimensions, as arrays of Zarr can. */
async function newArray(
  context: WriteContext,
  group: LocatedObject,
  titles: readonly string[],
  array: NewArray,
  format: ZarrFormat,
): Promise<Dataset> {
  const { domain } = group
  const { type, dims, chunkDims, fillValue, codec, attributes } = array
  const isScalar = dims.length === 0
  const space: Dataspace = isScalar
    ? { class: 'H5S_SCALAR' }
    : { class: 'H5S_SIMPLE', dims, maxdims: dims.map(() => UNLIMITED) }
  const layout = new Map<string, JsonValue>([
    ['class', 'H5D_CHUNKED'],
    ['dims', chunkDims],
  ])
  const creationProperties = new Map<string, JsonValue>([
    ...(isScalar ? [] : [['layout', layout] as const]),
    ...(codec && !isScalar ? [['filters', [filterOf(codec)]] as const] : []),
    ...(fillValue === undefined ? [] : [['fillValue', fillValue] as const]),
    ['zarr', keptCodec(codec)],
  ])
  const { object } = await createDataset(context, domain, {
    ...newLink(group, titles),
    type: { type },
    space,
    creationProperties,
  })
  const marks: JsonObject = new Map(
    // Readers of Zarr 2 take the fill value for missing data.
    format === 2 && fillValue !== undefined ? [['_FillValue', fillValue]] : [],
  )
  const given = new Map([...marks, ...(attributes ?? [])])
  await setAttributes(context, domain, object, given, { format, listed: [], shown: new Map() })
  await nameDimensions(context, object, array.dimensionNames)
  return object
}

/** Whether a document defines the array that is there: all but its extents, names and attributes are the same. */
async function isSameArray(
  context: WriteContext,
  domain: OpenDomain,
  dataset: Dataset,
  array: NewArray,
  json: JsonObject,
  format: ZarrFormat,
): Promise<boolean> {
  const shown = await shownArray(context, domain, dataset, format)
  if (!shown) return false
  const text = documentText(DOCUMENTS[format].array, shown, format)
  const there = parseJson(Buffer.from(text ?? '{}')) as JsonObject
  const same = (names: readonly string[]) =>
    names.every(name => textOf(there.get(name)) === textOf(json.get(name)))
  if (
    same(format === 3 ? ['data_type', 'chunk_grid', 'codecs'] : ['dtype', 'chunks', 'compressor', 'filters'])
  )
    return same(['fill_value'])
  const before = parsedOrNone(there, format)
  return (
    before !== undefined &&
    isSameType(before.type, array.type) &&
    before.chunkDims.join() === array.chunkDims.join() &&
    JSON.stringify(before.codec) === JSON.stringify(array.codec) &&
    same(['fill_value'])
  )
}

function textOf(json: JsonValue | undefined): string {
  return stringifyJson(json ?? null, 'text')
}

/** Undefined: the view shows an array that could not be made through it. */
function parsedOrNone(json: JsonObject, format: ZarrFormat): NewArray | undefined {
  try {
    return parseArray(json, format)
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

async function shownArray(
  context: WriteContext,
  domain: OpenDomain,
  dataset: Dataset,
  format: ZarrFormat,
): Promise<NodeDocuments | undefined> {
  const node = datasetNode(domain, dataset, [], format)
  if (!isArray(node)) return undefined
  const maker = new DocumentMaker(context, format)
  return maker.array(node, await maker.attributes(dataset.id))
}

async function updateArray(
  context: WriteContext,
  domain: OpenDomain,
  dataset: Dataset,
  array: NewArray,
  format: ZarrFormat,
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, 'dataset', dataset.id, 'update')
  const shown = await shownArray(context, domain, dataset, format)
  // A dataset that is shorter than its dimension is declared with the length of that.
  const isAsShown = (shown?.dims ?? extentsOf(dataset.space)).join() === array.dims.join()
  if (!isAsShown) await changeExtents(context, dataset, array.dims, { shrink: true })
  if (array.attributes) await setAttributesOf(context, { domain, object: dataset }, array.attributes, format)
  await nameDimensions(context, dataset, array.dimensionNames, namesIn(shown))
}

function namesIn(shown: NodeDocuments | undefined): readonly JsonValue[] {
  const names = shown?.metadata.dimension_names ?? shown?.attributes.get(DIMENSIONS)
  return Array.isArray(names) ? (names as readonly JsonValue[]) : []
}

/** Names dimensions by labels, in whose place scales come. */
async function nameDimensions(
  context: WriteContext,
  dataset: Dataset,
  names: readonly (string | undefined)[] | undefined,
  shown: readonly JsonValue[] = [],
): Promise<void> {
  if (!names || names.length === 0 || names.join('\0') === shown.join('\0')) return
  if (!dataset.creationProperties.json.has('zarr')) {
    throw new HyperslabError(
      'malformed-body',
      `dimension_names must be [${shown.join(', ')}]: scales name the dimensions of this dataset`,
    )
  }
  await putLabels(context, dataset.id, names)
}

function inputOf({ type, shape, value }: ReturnType<typeof attributeFrom>): NewAttribute {
  return {
    type: { type },
    space: shape.length === 0 ? { class: 'H5S_SCALAR' } : { class: 'H5S_SIMPLE', dims: shape },
    value,
    references: PREFIXED_REFERENCES,
    checkReferences: false,
    replace: true,
    same: 'accept',
  }
}

/** The attributes of an object as they are, and as the view shows them. */
interface KnownAttributes {
  readonly format: ZarrFormat
  readonly listed: readonly ShownAttribute[]
  readonly shown: NodeDocuments['attributes']
}

/** Makes the shown attributes of a group or an array those of the document. */
async function setAttributesOf(
  context: WriteContext,
  { domain, object }: LocatedObject,
  json: JsonObject,
  format: ZarrFormat,
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, object.kind, object.id, 'update')
  const { listed, shown, documents } = await shownAttributes(context, { domain, object }, format)
  await setAttributes(context, domain, object as Dataset | Group, json, { format, listed, shown })
  const names = json.get(DIMENSIONS)
  if (object.kind !== 'dataset' || names === undefined) return
  // The view shows a list of one item as this item.
  const text = (isJsonList(names) ? names : [names]).map(name =>
    typeof name === 'string' ? name : undefined,
  )
  await nameDimensions(context, object, text, namesIn(documents))
}

/** The names of the dimensions of an array, in Zarr 2. */
const DIMENSIONS = '_ARRAY_DIMENSIONS'

async function shownAttributes(context: WriteContext, { domain, object }: LocatedObject, format: ZarrFormat) {
  const maker = new DocumentMaker(context, format)
  const listed = await maker.attributes(object.id)
  const documents =
    object.kind === 'dataset'
      ? await shownArray(context, domain, object, format)
      : maker.group(listed, new Map())
  return { listed, documents, shown: documents?.attributes ?? new Map() }
}

/** Attributes that are the same as shown stay as they are, with the types that they have. */
async function setAttributes(
  context: WriteContext,
  domain: OpenDomain,
  owner: Dataset | Group,
  json: JsonObject,
  { format, listed, shown }: KnownAttributes,
): Promise<void> {
  const items = new Map<string, NewAttribute>()
  for (const [name, value] of json) {
    const isOfView = OF_VIEW.has(name) || (owner.kind === 'dataset' && name === DIMENSIONS)
    const isAsShown = shown.has(name) && textOf(value) === stringifyJson(shown.get(name) ?? null, 'text')
    if (isOfView || isAsShown) continue
    const type = owner.kind === 'dataset' ? owner.type : undefined
    items.set(name, inputOf(attributeFrom(name, value, format, type)))
  }
  for (const { name } of listed) {
    if (shown.has(name) && !json.has(name)) await deleteAttribute(context, domain, owner, name)
  }
  if (items.size > 0) await putAttributes(context, domain, [{ owner, items }])
}
