// Dimension scales of arrays that are made through Zarr, so that netCDF programs know their dimensions. The scale of
// a dimension is the member of its name in the group of the array: an array of rank 1 that is named like its own
// dimension or, where there is no member of that name, an empty dataset such as netCDF has for dimensions without
// coordinates. The Zarr view hides these. An array has scales for all its dimensions or for none: netCDF-C and h5netcdf
// fail for a whole group with one between (docs/decisions/145).

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { isScale, NOT_A_VARIABLE } from '@hyperslab/meaning/meaning'
import { type Dataspace, extentsOf, parseCreationProperties, UNLIMITED } from '@hyperslab/model/dataset'
import { parseDatatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { Dataset, HdfObject } from '@hyperslab/store/store'
import {
  DIMENSION_LABELS,
  DIMENSION_LIST,
  labelsOf,
  nameFault,
  REFERENCE_LIST,
  type ScaleUse,
  type ShownAttribute,
  scalesOf,
} from '@hyperslab/views/zarr'
import { storedValue } from '../attributes/attribute-value.ts'
import { knownAttributes, readKnownAttributes } from '../attributes/known-attributes.ts'
import type { OpenDomain, WriteContext } from '../context.ts'
import type { LocatedObject } from '../links/paths.ts'
import { ArrayDimensions, isUnlimited, readUses } from './array-dimensions.ts'
import { readAttributes, readDetails } from './objects.ts'

/** Dimensions that have one scale: its list of them is read and written with each array. @limit safety, dimensions */
const MAX_ATTACHED = 4096
/** Members of a group among which the arrays of a dimension are looked for. @limit safety, links */
const MAX_MEMBERS = 10_000

/** The member `zarr` in the creation properties of a dataset that is only the name of a dimension. */
const DIMENSION_ONLY = 'dimension'

/** Whether the object is a dimension without coordinates, which the Zarr view hides. */
export function isDimensionOnly(object: HdfObject): object is Dataset {
  return object.kind === 'dataset' && object.creationProperties.json.get('zarr') === DIMENSION_ONLY
}

/** Whether the array was made through Zarr. */
export function isMadeByZarr({ creationProperties }: Dataset): boolean {
  const kept = creationProperties.json.get('zarr')
  return kept !== undefined && kept !== DIMENSION_ONLY
}

/** The changes of one request. */
export class DimensionScales {
  readonly #context: WriteContext
  readonly #lists: ReferenceLists

  constructor(context: WriteContext) {
    this.#context = context
    this.#lists = new ReferenceLists(context)
  }

  /** Puts what was changed: call it once, at the end. */
  finish(): Promise<void> {
    return this.#lists.finish()
  }

  /** Takes all scales from a dataset that is to be deleted, and the dataset from those that it is the scale of. */
  async release(domain: OpenDomain, dataset: Dataset): Promise<void> {
    await this.#releaseUsers(domain, dataset.id)
    await this.#lists.remove(dataset.id, scalesOf(await readAttributes(this.#context, dataset.id)))
  }

  /** The arrays that have a scale keep the names of their dimensions as labels. */
  async #releaseUsers(domain: OpenDomain, scale: ObjectId): Promise<void> {
    const { reader, signal } = this.#context
    for (const id of new Set((await this.#lists.of(scale)).map(({ id }) => id))) {
      signal.throwIfAborted()
      const dataset = await reader.object(id)
      if (dataset?.kind !== 'dataset' || !isMadeByZarr(dataset)) continue
      const attributes = await readAttributes(this.#context, id)
      const dimensions = await new ArrayDimensions(this.#context).of(domain, dataset, attributes)
      await putLabels(
        this.#context,
        id,
        dimensions.map(({ name }) => name),
      )
      await this.#setScales(id, scalesOf(attributes), [])
    }
  }

  /**
   * Gives the arrays of a group their scales, after its member at the title was put or deleted. `before`: the object
   * that was there.
   */
  async settleMember(
    { domain, object: group }: LocatedObject,
    title: string,
    before?: ObjectId,
  ): Promise<void> {
    const { reader } = this.#context
    const link = await reader.link(group.id, title)
    const member = link?.target.class === 'H5L_TYPE_HARD' ? await reader.object(link.target.id) : undefined
    const isArray = member?.kind === 'dataset' && isMadeByZarr(member)
    const isOther = isArray && (await this.#settle(domain, group.id, title, member))
    // Arrays that name the dimension have made it a member, so at a new title none waits for it.
    if (before !== undefined && (isOther || before !== member?.id)) {
      await this.#settleUsers(domain, group.id, title)
    }
  }

  /** Settles the arrays of a group that have a dimension of this name, and no scale. */
  async #settleUsers(domain: OpenDomain, group: ObjectId, name: string): Promise<void> {
    const { reader, signal } = this.#context
    const titles = new Map<ObjectId, string>()
    for await (const { title, target } of reader.links(group, { limit: MAX_MEMBERS })) {
      const isOther = title !== name && target.class === 'H5L_TYPE_HARD' && target.kind === 'dataset'
      if (isOther) titles.set(target.id, title)
      if (isTurnOver()) await nextTurn()
      signal.throwIfAborted()
    }
    for await (const [id, details] of readDetails(this.#context, [...titles.keys()])) {
      if (!details || details instanceof HyperslabError) continue
      const { object } = details
      if (object.kind !== 'dataset' || !isMadeByZarr(object)) continue
      const attributes = await readAttributes(this.#context, id, details.attributes)
      if (!labelsOf(attributes).includes(name)) continue
      await this.#settle(domain, group, titles.get(id) ?? '', object, attributes)
    }
  }

  /**
   * Makes an array with labels a scale, or gives it scales in their place if it can have them. True: it has become a
   * scale, or is none any more.
   */
  async #settle(
    domain: OpenDomain,
    group: ObjectId,
    title: string,
    dataset: Dataset,
    attributes?: readonly ShownAttribute[],
  ): Promise<boolean> {
    const { writer } = this.#context
    const { id } = dataset
    const known = attributes ?? (await readAttributes(this.#context, id))
    const names = labelsOf(known)
    if (names.length === 0) return false
    const wasScale = isScale(knownAttributes(known))
    const isOwn = isOwnScale(dataset, names, title)
    if (wasScale && !isOwn) {
      await this.#releaseUsers(domain, id)
      for (const name of ['CLASS', 'NAME']) await writer.deleteAttribute(id, name)
    }
    const scales = isOwn ? [] : await this.#scalesFor(group, dataset, names)
    await this.#setScales(id, scalesOf(known), scales)
    if (isOwn) await makeScale(this.#context, id, title)
    if (isOwn || scales.length > 0) await writer.deleteAttribute(id, DIMENSION_LABELS)
    return isOwn !== wasScale
  }

  async #setScales(
    id: ObjectId,
    before: readonly (ObjectId | undefined)[],
    scales: readonly ObjectId[],
  ): Promise<void> {
    await this.#lists.remove(id, before)
    await this.#lists.add(id, scales)
    if (scales.length > 0) await putScales(this.#context, id, scales)
    else if (before.length > 0) await this.#context.writer.deleteAttribute(id, DIMENSION_LIST)
  }

  /** The scales of all dimensions; empty: a dimension cannot have one. */
  async #scalesFor(
    group: ObjectId,
    { space, id }: Dataset,
    names: readonly string[],
  ): Promise<readonly ObjectId[]> {
    const extents = extentsOf(space)
    if (names.length !== extents.length) return []
    const found = new Map<string, ObjectId>()
    const missing = new Set<string>()
    for (const [d, name] of names.entries()) {
      const scale = await this.#scaleAt(group, name, extents[d])
      if (scale === 'missing') missing.add(name)
      else if (scale && (await this.#lists.hasPlace(scale, id))) found.set(name, scale)
      else return []
    }
    for (const name of missing) found.set(name, await makeDimension(this.#context, group, name))
    return names.flatMap(name => found.get(name) ?? [])
  }

  /** Undefined: another member has the name, or no member can have it. */
  async #scaleAt(group: ObjectId, name: string, extent: number): Promise<ObjectId | 'missing' | undefined> {
    if (name === '' || nameFault(name, 3) !== undefined) return undefined
    const { reader } = this.#context
    const link = await reader.link(group, name)
    if (!link) return 'missing'
    const member = link.target.class === 'H5L_TYPE_HARD' ? await reader.object(link.target.id) : undefined
    if (member?.kind !== 'dataset' || extentsOf(member.space).length !== 1) return undefined
    if (!isScale(await readKnownAttributes(this.#context, member.id, ['CLASS']))) return undefined
    // A netCDF dimension that cannot grow has one length.
    return isUnlimited(member.space) || extentsOf(member.space)[0] === extent ? member.id : undefined
  }
}

/** Whether an array gives the coordinates of the dimension that it is named like. */
function isOwnScale({ space }: Dataset, names: readonly string[], title: string): boolean {
  return extentsOf(space).length === 1 && names.length === 1 && names[0] === title
}

/** The lists of the dimensions that have a scale: each is read and written once. */
class ReferenceLists {
  readonly #context: WriteContext
  readonly #lists = new Map<ObjectId, ScaleUse[]>()
  readonly #changed = new Set<ObjectId>()

  constructor(context: WriteContext) {
    this.#context = context
  }

  /** Whether the scale can have another dimension of the dataset. */
  async hasPlace(scale: ObjectId, dataset: ObjectId): Promise<boolean> {
    const uses = await this.of(scale)
    return uses.length < MAX_ATTACHED || uses.some(({ id }) => id === dataset)
  }

  async add(id: ObjectId, scales: readonly ObjectId[]): Promise<void> {
    for (const [dimension, scale] of scales.entries()) {
      const uses = await this.of(scale)
      uses.push({ id, dimension })
      this.#changed.add(scale)
    }
  }

  async remove(id: ObjectId, scales: readonly (ObjectId | undefined)[]): Promise<void> {
    for (const scale of new Set(scales)) {
      if (scale === undefined) continue
      const uses = await this.of(scale)
      this.#lists.set(
        scale,
        uses.filter(use => use.id !== id),
      )
      this.#changed.add(scale)
    }
  }

  async of(scale: ObjectId): Promise<ScaleUse[]> {
    const known = this.#lists.get(scale)
    if (known) return known
    const uses: ScaleUse[] = []
    for await (const use of readUses(this.#context, scale)) uses.push(use)
    this.#lists.set(scale, uses)
    return uses
  }

  /** A dimension without coordinates goes with the last array that has it. */
  async finish(): Promise<void> {
    const { reader, writer } = this.#context
    for (const scale of this.#changed) {
      const object = await reader.object(scale)
      const uses = this.#lists.get(scale) ?? []
      if (!object) continue
      if (uses.length > 0) await putUses(this.#context, scale, uses)
      else if (isDimensionOnly(object)) await writer.deleteObject(scale, { links: true })
      else await writer.deleteAttribute(scale, REFERENCE_LIST)
    }
  }
}

/** Creates a dimension without coordinates. It is as long as the longest array that has it. */
async function makeDimension(context: WriteContext, group: ObjectId, name: string): Promise<ObjectId> {
  const { writer, ids, now } = context
  const id = ids.newObject(group)
  const type = parseDatatype('H5T_IEEE_F32BE')
  const space: Dataspace = { class: 'H5S_SIMPLE', dims: [0], maxdims: [UNLIMITED] }
  const json = new Map<string, JsonValue>([
    [
      'layout',
      new Map<string, JsonValue>([
        ['class', 'H5D_CHUNKED'],
        ['dims', [1024]],
      ]),
    ],
    ['zarr', DIMENSION_ONLY],
  ])
  const creationProperties = parseCreationProperties(json, type, space)
  writer.expectFreeIds([id])
  writer.createFreshObject({ kind: 'dataset', id, created: now, acl: [], type, space, creationProperties })
  const target = { class: 'H5L_TYPE_HARD', kind: 'dataset', id } as const
  await writer.putLinks(group, { title: name, created: now, target })
  await makeScale(context, id, `${NOT_A_VARIABLE}.${'0'.padStart(10)}`)
  return id
}

/** Makes a dataset a dimension scale (H5DSset_scale). */
async function makeScale(context: WriteContext, id: ObjectId, name: string): Promise<void> {
  await putNow(context, id, 'CLASS', fixedText('DIMENSION_SCALE'), [], 'DIMENSION_SCALE')
  await putNow(context, id, 'NAME', fixedText(name), [], name)
}

/** A fixed string with the NUL at its end. */
function fixedText(text: string): JsonValue {
  return new Map<string, JsonValue>([
    ['class', 'H5T_STRING'],
    ['charSet', /^[ -~]*$/.test(text) ? 'H5T_CSET_ASCII' : 'H5T_CSET_UTF8'],
    ['strPad', 'H5T_STR_NULLTERM'],
    ['length', Buffer.byteLength(text) + 1],
  ])
}

const TEXT: JsonValue = new Map<string, JsonValue>([
  ['class', 'H5T_STRING'],
  ['charSet', 'H5T_CSET_UTF8'],
  ['strPad', 'H5T_STR_NULLTERM'],
  ['length', 'H5T_VARIABLE'],
])

const REFERENCE = new Map<string, JsonValue>([
  ['class', 'H5T_REFERENCE'],
  ['base', 'H5T_STD_REF_OBJ'],
])

function putScales(context: WriteContext, id: ObjectId, scales: readonly ObjectId[]): Promise<void> {
  const type = new Map<string, JsonValue>([
    ['class', 'H5T_VLEN'],
    ['base', REFERENCE],
  ])
  return putNow(
    context,
    id,
    DIMENSION_LIST,
    type,
    [scales.length],
    scales.map(scale => [referenceTo(scale)]),
  )
}

/** Names dimensions without scales (H5DSset_label). */
export function putLabels(
  context: WriteContext,
  id: ObjectId,
  names: readonly (string | undefined)[],
): Promise<void> {
  return putNow(
    context,
    id,
    DIMENSION_LABELS,
    TEXT,
    [names.length],
    names.map(name => name ?? ''),
  )
}

function putUses(context: WriteContext, scale: ObjectId, uses: readonly ScaleUse[]): Promise<void> {
  const field = (name: string, type: JsonValue) =>
    new Map<string, JsonValue>([
      ['name', name],
      ['type', type],
    ])
  const type = new Map<string, JsonValue>([
    ['class', 'H5T_COMPOUND'],
    ['fields', [field('dataset', REFERENCE), field('dimension', 'H5T_STD_I32LE')]],
  ])
  const value = uses.map(({ id, dimension }) => [referenceTo(id), dimension])
  return putNow(context, scale, REFERENCE_LIST, type, [uses.length], value)
}

function referenceTo(id: ObjectId): string {
  return PREFIXED_REFERENCES.format({ kind: 'dataset', id })
}

/** Puts an attribute that the service keeps right: the permission to put the array is enough. */
async function putNow(
  { writer, now }: WriteContext,
  owner: ObjectId,
  name: string,
  typeJson: JsonValue,
  dims: readonly number[],
  json: JsonValue,
): Promise<void> {
  const type = parseDatatype(typeJson)
  const space: Dataspace = dims.length === 0 ? { class: 'H5S_SCALAR' } : { class: 'H5S_SIMPLE', dims }
  const stored = await storedValue(type, space, json, { references: PREFIXED_REFERENCES })
  await writer.putAttributes(owner, { name, type, space, ...stored, created: now, lastModified: now })
}
