// Compounds with only some of their members, in the order of the request (hsds-values 10). Elements are projected
// column by column, in the widest units that sizes and offsets allow; the heap is shared, not copied.

import { HyperslabError } from '@hyperslab/base/errors'
import type { CompoundType, Datatype } from '../datatype/datatype.ts'
import { elementSize, fieldOffsets } from '../datatype/layout.ts'
import { excerpt } from '../json/json.ts'
import type { Elements } from './elements.ts'
import { stretchesCopier } from './elements-builder.ts'

/** Bytes that are adjacent in the whole element and in the one with the chosen members. */
export interface MemberRun {
  readonly inWhole: number
  readonly inChosen: number
  readonly length: number
}

/** The selected members of a compound type. */
export interface Projection {
  /** The size of the whole element. */
  readonly wholeSize: number
  /** A compound of the chosen members, in the order chosen. */
  readonly type: CompoundType
  readonly runs: readonly MemberRun[]
}

/** The members of these names; `malformed-fields` for a type without members, and for unknown or repeated names. */
export function chooseFields(type: Datatype, names: readonly string[]): Projection {
  if (type.class !== 'H5T_COMPOUND') {
    throw malformedFields(names, `only compounds have members, the type is ${type.class}`)
  }
  const offsets = fieldOffsets(type)
  const runs: MemberRun[] = []
  let inChosen = 0
  const fields = names.map((name, position) => {
    const index = type.fields.findIndex(field => field.name === name)
    if (index < 0) {
      const hint = name.includes(',') ? ' (in a string ":" separates the names)' : ''
      throw malformedFields(names, `there is no member ${excerpt(name)}${hint}`)
    }
    if (names.indexOf(name) < position) throw malformedFields(names, `${excerpt(name)} is named twice`)
    const length = elementSize(type.fields[index].type)
    addRun(runs, { inWhole: offsets[index], inChosen, length })
    inChosen += length
    return type.fields[index]
  })
  if (fields.length === 0) throw malformedFields(names, 'name at least one member')
  return { wholeSize: elementSize(type), type: { class: 'H5T_COMPOUND', fields }, runs }
}

/** Members that follow one another in both elements are one run. */
function addRun(runs: MemberRun[], run: MemberRun): void {
  const last = runs.at(-1)
  if (last === undefined || last.inWhole + last.length !== run.inWhole) runs.push(run)
  else runs[runs.length - 1] = { ...last, length: last.length + run.length }
}

function malformedFields(names: readonly string[], rule: string): HyperslabError {
  return new HyperslabError('malformed-fields', `fields=${excerpt(names.join(':'))}: ${rule}`)
}

/** The elements with the chosen members only. */
export function project({ type, wholeSize, runs }: Projection, elements: Elements): Elements {
  const { count, data, heap } = elements
  const size = elementSize(type)
  const chosen = new Uint8Array(count * size)
  const stretches = runs.map(({ inWhole, inChosen, length }) => ({ from: inWhole, to: inChosen, length }))
  stretchesCopier(data, chosen, stretches, wholeSize, size)(0, 1, 0, 1, count)
  return { count, data: chosen, heap }
}
