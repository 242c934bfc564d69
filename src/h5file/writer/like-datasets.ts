// Datasets that are alike but for their values take as many bytes in a file. A domain may have many thousands of them, so they are
// compared with those that were planned last. Domains keep what such datasets have alike in memory once, so to compare is to look whether
// it is the same.

import { isVariableSize } from '../../hdf5/datatype/layout.ts'
import { hasReferences } from '../../hdf5/values/references.ts'
import type { SourceAttribute, SourceDataset, SourceDetails } from './source.ts'

/** Kinds of datasets that follow each other by turns. */
const MAX_KNOWN = 16

interface Known<Plan> {
  readonly details: SourceDetails
  readonly plan: Plan
}

export class LikeDatasets<Plan> {
  /** The newest last. */
  readonly #known: Known<Plan>[] = []

  /** The plan of a dataset that is like this one. */
  find(details: SourceDetails): Plan | undefined {
    for (const known of this.#known) if (areAlike(known.details, details)) return known.plan
    return undefined
  }

  /** `plan` depends on nothing but what `areAlike` compares. */
  add(details: SourceDetails, plan: Plan): void {
    if (!isComparable(details)) return
    this.#known.push({ details, plan })
    if (this.#known.length > MAX_KNOWN) this.#known.shift()
  }
}

/** Its length follows from itself, and planning its values puts nothing into the global heap and tells of no loss. */
function isComparable({ object, attributes, chunks }: SourceDetails): boolean {
  if (object.kind !== 'dataset' || !attributes || chunks === undefined) return false
  const { type, committedType, filled, creationProperties } = object
  if (committedType !== undefined || filled !== undefined) return false
  if (isVariableSize(type) || hasReferences(type)) return false
  const { layout, filters } = creationProperties
  return layout !== 'H5D_CHUNKED' && filters.length === 0 && attributes.every(isComparableAttribute)
}

function isComparableAttribute({ committedType }: SourceAttribute): boolean {
  return committedType === undefined
}

function areAlike(known: SourceDetails, { object, attributes, chunks }: SourceDetails): boolean {
  if (known.chunks !== chunks || known.attributes?.length !== attributes?.length) return false
  if (object.kind !== 'dataset' || !isLike(known.object as SourceDataset, object)) return false
  return (
    known.attributes?.every((attribute, index) => isLikeAttribute(attribute, attributes?.[index])) ?? false
  )
}

function isLike(known: SourceDataset, dataset: SourceDataset): boolean {
  return (
    known.type === dataset.type &&
    known.space === dataset.space &&
    known.creationProperties === dataset.creationProperties &&
    dataset.committedType === undefined &&
    dataset.filled === undefined
  )
}

function isLikeAttribute(known: SourceAttribute, attribute: SourceAttribute | undefined): boolean {
  return (
    known.name === attribute?.name &&
    known.type === attribute.type &&
    known.space === attribute.space &&
    attribute.committedType === undefined
  )
}
