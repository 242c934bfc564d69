// The fields that a query can name: the members of a compound and all that is nested in them, with the names of the
// columns of CSV (common 14), `pos.x` and `m[0][1]`; or `_`, the element of any other type. Members are in maps: a long
// query names thousands of fields of a type of thousands of members.

import { type ArrayType, type CompoundType, type Datatype, elementSize } from '@hyperslab/model/datatype'
import type { Field } from './block.ts'

/**
 * The fields of a name: none, or several if names of members have points or brackets, as in `{a.b: {c}, a: {b.c}}`.
 * The name of a member at the top means that member only.
 */
export type FindFields = (name: string) => readonly Field[]

export function fieldsOf(type: Datatype): FindFields {
  const top = membersOf(
    type.class === 'H5T_COMPOUND' ? type : { class: 'H5T_COMPOUND', fields: [{ name: '_', type }] },
  )
  return name => {
    const member = top.members.get(name)
    const found = member
      ? [{ type: member.part.type, offset: member.offset }]
      : partsAt(top, `.${name}`, 0, 0)
    return Array.from(found, field => ({ ...field, stride: top.size }))
  }
}

/** A type, with all in it at hand. */
type Part = Members | ArrayPart | { readonly kind: 'value'; readonly type: Datatype; readonly size: number }

interface Members {
  readonly kind: 'members'
  readonly type: CompoundType
  readonly size: number
  readonly members: ReadonlyMap<string, { readonly part: Part; readonly offset: number }>
  /** The lengths of the names, each once. */
  readonly lengths: readonly number[]
}

interface ArrayPart {
  readonly kind: 'array'
  readonly type: ArrayType
  readonly size: number
  readonly element: Part
}

function partOf(type: Datatype): Part {
  if (type.class === 'H5T_COMPOUND') return membersOf(type)
  if (type.class !== 'H5T_ARRAY') return { kind: 'value', type, size: elementSize(type) }
  const element = partOf(type.base)
  const size = type.dims.reduce((product, extent) => product * extent, element.size)
  return { kind: 'array', type, size, element }
}

function membersOf(type: CompoundType): Members {
  let size = 0
  const members = new Map<string, { readonly part: Part; readonly offset: number }>()
  for (const { name, type: member } of type.fields) {
    const part = partOf(member)
    members.set(name, { part, offset: size })
    size += part.size
  }
  const lengths = [...new Set(type.fields.map(({ name }) => name.length))]
  return { kind: 'members', type, size, members, lengths }
}

interface FoundPart {
  readonly type: Datatype
  readonly offset: number
}

/** The parts to which the steps of a name lead, from the character `at` on: `.member` and `[index]`. */
function* partsAt(part: Part, steps: string, at: number, offset: number): Generator<FoundPart> {
  if (at === steps.length) {
    yield { type: part.type, offset }
  } else if (part.kind === 'members') {
    if (steps[at] !== '.') return
    for (const length of part.lengths) {
      const end = at + 1 + length
      const member = end > steps.length ? undefined : part.members.get(steps.slice(at + 1, end))
      if (member) yield* partsAt(member.part, steps, end, offset + member.offset)
    }
  } else if (part.kind === 'array') {
    yield* elementsAt(part, steps, at, offset)
  }
}

const INDEX = /\[(0|[1-9]\d*)\]/y

/** The parts behind an index for each dimension, or a part of the array behind fewer. */
function* elementsAt(
  { type, size, element }: ArrayPart,
  steps: string,
  at: number,
  offset: number,
): Generator<FoundPart> {
  let [next, start, length] = [at, offset, size]
  for (const [d, extent] of type.dims.entries()) {
    if (next === steps.length) {
      yield { type: { ...type, dims: type.dims.slice(d) }, offset: start }
      return
    }
    INDEX.lastIndex = next
    const [step, index] = INDEX.exec(steps) ?? []
    if (step === undefined || Number(index) >= extent) return
    length /= extent
    start += Number(index) * length
    next += step.length
  }
  yield* partsAt(element, steps, next, start)
}

/** The name of the first value in a field, which is neither a compound nor an array: `pos.x` in `pos`. */
export function firstValue(name: string, type: Datatype): string {
  if (type.class === 'H5T_ARRAY') return firstValue(`${name}${'[0]'.repeat(type.dims.length)}`, type.base)
  if (type.class !== 'H5T_COMPOUND') return name
  const [{ name: member, type: memberType }] = type.fields
  return firstValue(`${name}.${member}`, memberType)
}
