// Which bytes of an element are copied when only some members of a compound are written.

import { elementSize } from '../datatype/layout.ts'
import type { Projection } from './project.ts'

/** What is copied of each element; whatever else the target holds stays. */
export interface FieldCopy {
  /** Bytes of an element that is copied from. */
  readonly sourceSize: number
  readonly stretches: readonly Stretch[]
}

/** Bytes that lie together: `length` of them at `from` in the source's element and at `to` in the target's. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly length: number
}

/** From elements of the chosen members only into whole ones. */
export function chosenIntoWhole({ type, runs }: Projection): FieldCopy {
  const stretches = runs.map(({ inWhole, inChosen, length }) => ({ from: inChosen, to: inWhole, length }))
  return { sourceSize: elementSize(type), stretches }
}

/** The chosen members from whole elements into whole ones. */
export function chosenOfWhole({ wholeSize, runs }: Projection): FieldCopy {
  const stretches = runs.map(({ inWhole, length }) => ({ from: inWhole, to: inWhole, length }))
  return { sourceSize: wholeSize, stretches }
}
