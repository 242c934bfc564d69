// A query over scalars with names, such as the attributes of a group. They are combined into one element of a compound
// type, so that they compare like the members of a dataset's elements.

import { HyperslabError } from '@hyperslab/base/errors'
import { type CompoundType, type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'
import {
  type Elements,
  type ReferenceSyntax,
  slotLength,
  slotStart,
  writeSlot,
} from '@hyperslab/model/values'
import { compileQuery, type ElementTest } from './compile.ts'
import { fieldsOf } from './fields.ts'
import type { Condition, Query } from './query.ts'

export interface Scalar {
  /** An integer, a float or a string. */
  readonly type: Datatype
  /** One element. */
  readonly value: Elements
}

export interface ScalarQuery {
  /** The names that the query compares, each once. */
  readonly names: readonly string[]
  /**
   * The scalars in the order of `names`. A value that the query cannot compare, such as a number with a string, does
   * not match.
   */
  matches(scalars: readonly Scalar[]): boolean
}

export function compileScalarQuery(query: Query, references: ReferenceSyntax): ScalarQuery {
  const names = [...new Set(fieldNamesIn(query.condition))]
  // Scalars of many owners mostly have the same types one after another.
  let cached: { readonly types: string; readonly test: ElementTest | undefined } | undefined
  return {
    names,
    matches(scalars) {
      const types = JSON.stringify(scalars.map(({ type }) => type))
      if (cached?.types !== types) cached = { types, test: testOf(query, typeOf(names, scalars), references) }
      return cached.test?.test(elementOf(scalars), 0, 1)[0] === 1
    },
  }
}

function* fieldNamesIn(condition: Condition): Iterable<string> {
  switch (condition.kind) {
    case 'comparison':
    case 'membership':
      yield condition.field.name
      break
    case 'not':
      yield* fieldNamesIn(condition.operand)
      break
    default:
      for (const operand of condition.operands) yield* fieldNamesIn(operand)
  }
}

function typeOf(names: readonly string[], scalars: readonly Scalar[]): CompoundType {
  return { class: 'H5T_COMPOUND', fields: scalars.map(({ type }, i) => ({ name: names[i], type })) }
}

/** The test for a type; undefined: the query cannot compare it. */
function testOf(query: Query, type: CompoundType, references: ReferenceSyntax): ElementTest | undefined {
  try {
    return compileQuery(query, fieldsOf(type), references)
  } catch (error) {
    if (error instanceof HyperslabError && error.code === 'malformed-query') return undefined
    throw error
  }
}

function elementOf(scalars: readonly Scalar[]): Elements {
  const data = new Uint8Array(scalars.reduce((length, { type }) => length + elementSize(type), 0))
  const heap = new Uint8Array(scalars.reduce((length, { value }) => length + value.heap.length, 0))
  let offset = 0
  let heapAt = 0
  for (const { type, value } of scalars) {
    data.set(value.data, offset)
    heap.set(value.heap, heapAt)
    // A string: its slot is all of it.
    if (isVariableSize(type))
      writeSlot(data, offset, heapAt + slotStart(data, offset), slotLength(data, offset))
    offset += elementSize(type)
    heapAt += value.heap.length
  }
  return { count: 1, data, heap }
}
