// The bytes of an element that are copied when only some members of a compound are written.

import { elementSize } from '../datatype/layout.ts'
import type { FieldCopy } from './elements-builder.ts'
import type { Projection } from './project.ts'

/** The copy from elements of the chosen members only into whole ones. */
export function chosenIntoWhole({ type, runs }: Projection): FieldCopy {
  const stretches = runs.map(({ inWhole, inChosen, length }) => ({ from: inChosen, to: inWhole, length }))
  return { sourceSize: elementSize(type), stretches }
}

/** The copy of the chosen members from whole elements into whole ones. */
export function chosenOfWhole({ wholeSize, runs }: Projection): FieldCopy {
  const stretches = runs.map(({ inWhole, length }) => ({ from: inWhole, to: inWhole, length }))
  return { sourceSize: wholeSize, stretches }
}
