// Compounds with only some of their members, in an order of one's own (contract 30, section 10). Elements are projected
// column by column, in the widest units that sizes and places allow; what lies in the heap is shared, not copied.

import { HyperslabError } from '../../errors.ts'
import type { CompoundType, Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { excerpt } from '../json.ts'
import type { Elements } from './elements.ts'

/** Bytes that are adjacent in the whole element and in the one with the chosen members. */
export interface MemberRun {
  readonly inWhole: number
  readonly inChosen: number
  readonly length: number
}

/** Some members of a compound type. */
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
  const offsets = offsetsOf(type)
  const runs: MemberRun[] = []
  let inChosen = 0
  const fields = names.map((name, position) => {
    const index = type.fields.findIndex(field => field.name === name)
    if (index < 0) {
      const hint = name.includes(',') ? ' (in a text ":" separates the names)' : ''
      throw malformedFields(names, `there is no member ${excerpt(name)}${hint}`)
    }
    if (names.indexOf(name) < position) throw malformedFields(names, `${excerpt(name)} is named twice`)
    const length = elementSize(type.fields[index].type)
    addRun(runs, { inWhole: offsets[index], inChosen, length })
    inChosen += length
    return type.fields[index]
  })
  if (fields.length === 0) throw malformedFields(names, 'at least one member has to be named')
  return { wholeSize: elementSize(type), type: { class: 'H5T_COMPOUND', fields }, runs }
}

function offsetsOf({ fields }: CompoundType): readonly number[] {
  let offset = 0
  return fields.map(({ type }) => {
    const start = offset
    offset += elementSize(type)
    return start
  })
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
  for (const run of runs) copyColumn(data, wholeSize, chosen, size, run, count)
  return { count, data: chosen, heap }
}

function copyColumn(
  whole: Uint8Array,
  wholeSize: number,
  chosen: Uint8Array,
  chosenSize: number,
  { inWhole, inChosen, length }: MemberRun,
  count: number,
): void {
  const alignment = wholeSize | chosenSize | inWhole | inChosen | length | whole.byteOffset
  const unit = alignment % 4 === 0 ? 4 : alignment % 2 === 0 ? 2 : 1
  const from = inUnits(whole, unit)
  const to = inUnits(chosen, unit)
  const units = length / unit
  const readStep = wholeSize / unit
  const writeStep = chosenSize / unit
  let read = inWhole / unit
  let write = inChosen / unit
  for (let i = 0; i < count; i++, read += readStep, write += writeStep) {
    for (let n = 0; n < units; n++) to[write + n] = from[read + n]
  }
}

function inUnits(bytes: Uint8Array, unit: 1 | 2 | 4): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, byteLength } = bytes
  if (unit === 1) return bytes
  return unit === 2
    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
    : new Uint32Array(buffer, byteOffset, byteLength / 4)
}
