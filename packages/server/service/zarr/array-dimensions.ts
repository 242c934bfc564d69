// The dimensions of arrays as netCDF has them: names, and lengths that can be beyond the extents of a dataset. The
// length of an unlimited dimension is that of the longest dataset that its scale names; shorter ones are declared with
// it, and their elements beyond their extents are missing (docs/decisions/096).

import { BoundedMap, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type Attributes, isScale, numbersOf } from '@hyperslab/meaning/meaning'
import { type Dataspace, extentsOf, UNLIMITED } from '@hyperslab/model/dataset'
import { compareUtf8, type ObjectId } from '@hyperslab/model/names'
import type { Dataset, LinkKey } from '@hyperslab/store/store'
import {
  COORDINATES,
  DIMENSION_NUMBER,
  labelsOf,
  madeByZarr,
  REFERENCE_LIST,
  type ScaleUse,
  type ShownAttribute,
  scalesOf,
  usesOfScale,
} from '@hyperslab/views/zarr'
import { knownAttributes } from '../attributes/known-attributes.ts'
import type { Context, OpenDomain } from '../context.ts'
import { resultOrError } from '../links/paths.ts'
import { readAttributes, readDetails } from './objects.ts'

export interface Dimension {
  /** Absent: it has no name. */
  readonly name?: string
  readonly extent: number
}

/** A dimension scale: the title of a link to it, and the length of its dimension. */
interface Scale {
  readonly title?: string
  readonly length: number
}

/**
 * Datasets that one dimension scale names: with more its dimension has no name, if it is unlimited.
 * @limit safety, datasets
 */
const MAX_USES = 50_000

/** Lengths of netCDF dimensions that are kept. @limit memory, scales */
const MAX_SCALES = 10_000

/** Scales by the state of their domain: otherwise each document would look at all datasets of its dimensions. */
export type KeptScales = BoundedMap<string, Scale>

export function keepScales(): KeptScales {
  /**
   * Lengths of the unlimited dimensions: without them each document would read all datasets of its dimensions.
   * @limit safety, scales
   */
  const scales = new BoundedMap<string, Scale>(MAX_SCALES)
  return scales
}

/** The dimensions of the arrays of one request. */
export class ArrayDimensions {
  readonly #context: Context
  readonly #kept: KeptScales | undefined
  readonly #scales = new Map<ObjectId, Promise<Scale | undefined>>()
  readonly #titles = new Map<ObjectId, Promise<string | undefined>>()
  readonly #numbers = new Map<ObjectId, Promise<ReadonlyMap<number, ObjectId>>>()

  constructor(context: Context, kept?: KeptScales) {
    this.#context = context
    this.#kept = kept
  }

  async of(
    domain: OpenDomain,
    dataset: Dataset,
    attributes: readonly ShownAttribute[],
  ): Promise<readonly Dimension[]> {
    const extents = extentsOf(dataset.space)
    const known = knownAttributes(attributes)
    const ids = isScale(known) ? await this.#scalesOfScale(dataset, known) : scalesOf(attributes)
    const dimensions: Dimension[] = []
    const labels = labelsOf(attributes)
    if (madeByZarr(dataset.creationProperties.json)) {
      // Writers of Zarr get the extents that they have put.
      for (const [d, extent] of extents.entries()) {
        const id = ids[d]
        const name = labels.length > 0 ? labels[d] : id && (await this.#titleOf(id))
        dimensions.push({ ...(name && { name }), extent })
      }
      return dimensions
    }
    for (const [d, extent] of extents.entries()) {
      const attached = ids[d]
      const id = attached ?? (await this.#labelledScale(dataset.id, labels[d] ?? ''))
      const scale = id && (await this.#scale(domain, id))
      const isOther = scale && (attached ? scale.length < extent : scale.length !== extent)
      // Equal names with different extents would make the group unreadable for xarray.
      if (scale?.title === undefined || isOther) dimensions.push({ extent })
      else dimensions.push({ name: scale.title, extent: scale.length })
    }
    return dimensions
  }

  /** The dimension scale that a label names, in the group of a dataset, or in the groups above it. */
  async #labelledScale(id: ObjectId, label: string): Promise<ObjectId | undefined> {
    if (label === '') return undefined
    const { reader } = this.#context
    for await (const group of this.#groupsOf(id)) {
      const target = (await reader.link(group, label))?.target
      if (target?.class !== 'H5L_TYPE_HARD' || target.kind !== 'dataset') continue
      for await (const [found, details] of readDetails(this.#context, [target.id])) {
        if (!details || details instanceof HyperslabError) continue
        const attributes = await readAttributes(this.#context, found, details.attributes)
        if (isScale(knownAttributes(attributes))) return found
      }
    }
    return undefined
  }

  /** The group of a dataset, and the groups above it. */
  async *#groupsOf(id: ObjectId): AsyncGenerator<ObjectId> {
    const seen = new Set<ObjectId>()
    for (let above = await this.#firstLink(id); above; above = await this.#firstLink(above.group)) {
      if (seen.has(above.group)) return
      seen.add(above.group)
      yield above.group
    }
  }

  /** The scales of the dimensions of a dataset that is a scale itself: netCDF gives them by numbers. */
  async #scalesOfScale(
    { id, space }: Dataset,
    attributes: Attributes,
  ): Promise<readonly (ObjectId | undefined)[]> {
    const numbers = numbersOf(attributes, COORDINATES) ?? []
    if (extentsOf(space).length < 2 || numbers.length === 0) return [id]
    const scales: (ObjectId | undefined)[] = []
    for (const number of numbers) scales.push(await this.#numberedScale(id, Number(number)))
    return scales
  }

  /** The scale of a number in the group of a dataset, or in the groups above it. */
  async #numberedScale(id: ObjectId, number: number): Promise<ObjectId | undefined> {
    for await (const group of this.#groupsOf(id)) {
      const found = (await this.#numberedScales(group)).get(number)
      if (found) return found
    }
    return undefined
  }

  #numberedScales(group: ObjectId): Promise<ReadonlyMap<number, ObjectId>> {
    const known = this.#numbers.get(group) ?? this.#readNumberedScales(group)
    this.#numbers.set(group, known)
    return known
  }

  async #readNumberedScales(group: ObjectId): Promise<ReadonlyMap<number, ObjectId>> {
    const { reader, signal } = this.#context
    const found = new Map<number, ObjectId>()
    const ids: ObjectId[] = []
    for await (const { target } of reader.links(group)) {
      if (target.class === 'H5L_TYPE_HARD' && target.kind === 'dataset') ids.push(target.id)
      if (ids.length > MAX_USES) return found
      if (isTurnOver()) await nextTurn()
      signal.throwIfAborted()
    }
    for await (const [id, details] of readDetails(this.#context, ids)) {
      if (!details || details instanceof HyperslabError) continue
      const attributes = knownAttributes(await readAttributes(this.#context, id, details.attributes))
      const [number] = (isScale(attributes) && numbersOf(attributes, DIMENSION_NUMBER)) || []
      if (number !== undefined) found.set(Number(number), id)
    }
    return found
  }

  #scale(domain: OpenDomain, id: ObjectId): Promise<Scale | undefined> {
    const known = this.#scales.get(id) ?? this.#findScale(domain, id)
    this.#scales.set(id, known)
    return known
  }

  async #findScale({ root }: OpenDomain, id: ObjectId): Promise<Scale | undefined> {
    if (!this.#kept) return this.#readScale(id)
    const { state } = await this.#context.reader.state(root.id)
    const key = `${state} ${id}`
    const known = this.#kept.use(key)
    if (known) return known
    const scale = await this.#readScale(id)
    if (scale) this.#kept.set(key, scale)
    return scale
  }

  /** Undefined: there is no such scale, or it is one of too many datasets. */
  async #readScale(id: ObjectId): Promise<Scale | undefined> {
    const object = await this.#context.reader.object(id)
    if (object?.kind !== 'dataset') return undefined
    const title = (await this.#firstLink(id))?.title
    const length = await this.#lengthOf(id, object.space)
    return title === undefined || length === undefined ? undefined : { title, length }
  }

  #titleOf(id: ObjectId): Promise<string | undefined> {
    const known = this.#titles.get(id) ?? this.#firstLink(id).then(link => link?.title)
    this.#titles.set(id, known)
    return known
  }

  /** The link whose title is the first one, of all that lead to an object. */
  async #firstLink(id: ObjectId): Promise<LinkKey | undefined> {
    const { reader, signal } = this.#context
    let first: LinkKey | undefined
    for await (const link of reader.linksTo(id)) {
      if (!first || compareUtf8(link.title, first.title) < 0) first = link
      await nextTurn()
      signal.throwIfAborted()
    }
    return first
  }

  async #lengthOf(id: ObjectId, space: Dataspace): Promise<number | undefined> {
    const own = extentsOf(space)[0] ?? 0
    if (space.class !== 'H5S_NULL' && !isUnlimited(space)) return own
    const uses = await this.#usesOf(id)
    if (!uses) return undefined
    let length = own
    for await (const [used, details] of readDetails(this.#context, [...uses.keys()])) {
      // Datasets that are deleted or unreadable are not shown.
      if (!details || details instanceof HyperslabError || details.object.kind !== 'dataset') continue
      const extents = extentsOf(details.object.space)
      for (const d of uses.get(used) ?? []) length = Math.max(length, extents[d] ?? 0)
    }
    return length
  }

  /** The datasets that have the scale, each with the numbers of these dimensions; undefined: there are too many. */
  async #usesOf(id: ObjectId): Promise<ReadonlyMap<ObjectId, readonly number[]> | undefined> {
    const uses = new Map<ObjectId, number[]>()
    for await (const { id: used, dimension } of readUses(this.#context, id)) {
      if (uses.size >= MAX_USES) return undefined
      uses.set(used, [...(uses.get(used) ?? []), dimension])
    }
    return uses
  }
}

/**
 * The dimensions that have a scale. A damaged list names none: datasets that are longer than the scale then have a
 * dimension of their own.
 */
export async function* readUses({ reader }: Context, scale: ObjectId): AsyncGenerator<ScaleUse> {
  const list = await resultOrError(reader.attribute(scale, REFERENCE_LIST))
  if (!list || list instanceof HyperslabError || !list.value) return
  const pieces = 'pieces' in list.value ? list.value.pieces : [list.value]
  for await (const piece of pieces) {
    for (const use of usesOfScale(list.type, piece)) {
      yield use
      if (isTurnOver()) await nextTurn()
    }
  }
}

export function isUnlimited(space: Dataspace): boolean {
  return space.class === 'H5S_SIMPLE' && space.maxdims?.[0] === UNLIMITED
}
