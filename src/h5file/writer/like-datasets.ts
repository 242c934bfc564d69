// Datasets that are alike but for their values take as many bytes in a file. A domain may have many thousands of them,
// so they are compared with those that were planned last. Domains keep what such datasets have alike in memory once, so
// to compare is to look whether it is the same.

import { isVariableSize } from '../../hdf5/datatype/layout.ts'
import { hasReferences } from '../../hdf5/values/references.ts'
import type { SourceAttribute, SourceDataset, SourceDetails } from './source.ts'

/** Kinds of datasets that follow each other in turn. */
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

  /** `plan` depends on nothing but what `find` compares. Datasets of which that is not so are not kept. */
  add({ object, attributes, chunks }: SourceDetails, plan: Plan): void {
    if (object.kind !== 'dataset' || !attributes || chunks === undefined) return
    if (!isComparable(object) || attributes.some(({ committedType }) => committedType !== undefined)) return
    this.#known.push({ dataset: object, attributes, chunks, plan })
    if (this.#known.length > MAX_KNOWN) this.#known.shift()
  }
}

/** Its length follows from itself, and planning its values puts nothing into the global heap and tells of no loss. */
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

/** The attributes differ in nothing but their values. */
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
