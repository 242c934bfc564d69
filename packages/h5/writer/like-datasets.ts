// Datasets that differ only in their values take the same number of bytes in a file. A domain may have many thousands
// of them, so each is compared with those that were planned last. Domains keep the common parts of such datasets once
// in memory, so the comparison is one of identity.

import { isVariableSize } from '@hyperslab/model/datatype'
import { hasReferences } from '@hyperslab/model/values'
import type { SourceAttribute, SourceDataset, SourceDetails } from './source.ts'

/**
 * Kinds of datasets that follow each other in turn, and are planned like others.
 * @limit speed, entries, bench/results.md#061-memories-that-pay
 */
const MAX_KNOWN = 16

interface PlannedDataset<Plan> {
  readonly dataset: SourceDataset
  readonly attributes: readonly SourceAttribute[]
  readonly chunks: number
  readonly plan: Plan
}

export class LikeDatasets<Plan> {
  readonly #known: PlannedDataset<Plan>[] = []

  /** The plan of a dataset that is like this one. */
  find({ object, attributes, chunks }: SourceDetails): Plan | undefined {
    if (object.kind !== 'dataset' || !attributes) return undefined
    for (const known of this.#known) {
      if (known.chunks !== chunks || !areAlike(known.dataset, object)) continue
      if (haveSameHeads(known.attributes, attributes)) return known.plan
    }
    return undefined
  }

  /** Keeps a plan that depends only on the parts that `find` compares; others are not kept. */
  add({ object, attributes, chunks }: SourceDetails, plan: Plan): void {
    if (object.kind !== 'dataset' || !attributes || chunks === undefined) return
    if (!isComparable(object) || attributes.some(({ committedType }) => committedType !== undefined)) return
    this.#known.push({ dataset: object, attributes, chunks, plan })
    if (this.#known.length > MAX_KNOWN) this.#known.shift()
  }
}

/**
 * Whether the length of a dataset follows from the compared parts, and planning its values uses no global heap and has
 * no loss.
 */
function isComparable({ type, committedType, filled, creationProperties }: SourceDataset): boolean {
  const { layout, filters } = creationProperties
  if (committedType !== undefined || filled !== undefined) return false
  return layout !== 'H5D_CHUNKED' && filters.length === 0 && !isVariableSize(type) && !hasReferences(type)
}

function areAlike(known: SourceDataset, dataset: SourceDataset): boolean {
  return (
    known.type === dataset.type &&
    known.space === dataset.space &&
    known.creationProperties === dataset.creationProperties &&
    dataset.committedType === undefined &&
    dataset.filled === undefined
  )
}

/** Whether the attributes differ only in their values. */
function haveSameHeads(known: readonly SourceAttribute[], attributes: readonly SourceAttribute[]): boolean {
  if (known.length !== attributes.length) return false
  for (let index = 0; index < known.length; index++) {
    const { name, type, space } = known[index]
    const attribute = attributes[index]
    if (name !== attribute.name || type !== attribute.type || space !== attribute.space) return false
    if (attribute.committedType !== undefined) return false
  }
  return true
}
