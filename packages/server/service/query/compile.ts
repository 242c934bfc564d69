// Compiles a query to a test of elements in storage form: every field is looked up and every literal is checked against
// the field's type here, once; the result is closures over columns of bytes.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype, FloatType, IntegerType } from '@hyperslab/model/datatype'
import { excerpt, sourceOf } from '@hyperslab/model/json'
import {
  decodeText,
  type Elements,
  integerOf,
  PREFIXED_REFERENCES,
  type ReferenceSyntax,
} from '@hyperslab/model/values'
import { BLOCK_LENGTH, type Field, type Outcomes, type Test } from './block.ts'
import { type FindFields, firstValue } from './fields.ts'
import { compareNumber, numberIn } from './number-tests.ts'
import type { Comparator, Condition, FieldName, Literal, Query } from './query.ts'
import { compareText, isText, textIn } from './text-tests.ts'
import { malformedQuery, SIGNS_ONLY } from './tokens.ts'

/** A query compiled for a type. */
export interface ElementTest {
  /** Comparisons for each element; the cost of a test grows with them. */
  readonly comparisons: number
  /**
   * A byte for each of the `count` elements from `first` on, at most BLOCK_LENGTH: 1 if the query holds, else 0.
   * Valid until the next call.
   */
  test(elements: Elements, first: number, count: number): Uint8Array
}

/**
 * Compiles a query; throws `malformed-query` for a field that is unknown, ambiguous or cannot be compared, and for a
 * literal that does not fit its field.
 */
export function compileQuery(query: Query, find: FindFields, references: ReferenceSyntax): ElementTest {
  const compiler = new Compiler(query, find, references)
  const test = compiler.compile(query.condition, 0)
  if (compiler.comparisons > MAX_COMPARISONS) {
    const rule =
      `a query must have at most ${MAX_COMPARISONS} comparisons, this one has ${compiler.comparisons}; tests of one ` +
      'field for many values are one: == joined by OR (|), != joined by AND (&)'
    throw malformedQuery(query.text, 0, rule)
  }
  const numbers = new Float64Array(BLOCK_LENGTH)
  const mask = new Uint8Array(BLOCK_LENGTH)
  let cachedElements: Elements | undefined
  let data = sourceOf(mask)
  return {
    comparisons: compiler.comparisons,
    test(elements, first, count) {
      if (elements !== cachedElements) data = sourceOf(elements.data)
      cachedElements = elements
      test({ data, heap: elements.heap, first, positions: ALL, count, numbers }, mask)
      return mask
    },
  }
}

/**
 * Comparisons of each element, lists of values being one: the cost of a search grows with them.
 * @limit safety, comparisons
 */
const MAX_COMPARISONS = 100

/** The positions of a whole block. */
const ALL = Uint16Array.from({ length: BLOCK_LENGTH }, (_, i) => i)

const OUTCOMES: Readonly<Record<Comparator, Outcomes>> = {
  '==': { less: 0, equal: 1, greater: 0, unordered: 0 },
  '!=': { less: 1, equal: 0, greater: 1, unordered: 1 },
  '<': { less: 1, equal: 0, greater: 0, unordered: 0 },
  '<=': { less: 1, equal: 1, greater: 0, unordered: 0 },
  '>': { less: 0, equal: 0, greater: 1, unordered: 0 },
  '>=': { less: 0, equal: 1, greater: 1, unordered: 0 },
}

class Compiler {
  comparisons = 0
  readonly #query: Query
  readonly #find: FindFields
  readonly #references: ReferenceSyntax
  /** Memory for later operands, by their depth. */
  readonly #rooms: OperandRoom[] = []

  constructor(query: Query, find: FindFields, references: ReferenceSyntax) {
    this.#query = query
    this.#find = find
    this.#references = references
  }

  compile(condition: Condition, depth: number): Test {
    switch (condition.kind) {
      case 'comparison':
        return this.#comparison(condition.field, condition.comparator, condition.literal)
      case 'membership':
        return this.#membership(condition.field, condition.literals, depth)
      case 'not': {
        const test = this.compile(condition.operand, depth)
        return (block, mask) => {
          test(block, mask)
          for (let i = 0; i < block.count; i++) mask[i] ^= 1
        }
      }
      default: {
        const { kind, operands } = condition
        const merged = kind === 'xor' ? operands : mergeEqualities(operands, kind)
        if (merged.length === 1) return this.compile(merged[0], depth)
        const tests = merged.map(operand => this.compile(operand, depth + 1))
        return this.#joined(kind, tests, depth)
      }
    }
  }

  #joined(kind: 'and' | 'or' | 'xor', tests: readonly Test[], depth: number): Test {
    this.#rooms[depth] ??= {
      mask: new Uint8Array(BLOCK_LENGTH),
      positions: new Uint16Array(BLOCK_LENGTH),
      indexes: new Uint16Array(BLOCK_LENGTH),
    }
    const room = this.#rooms[depth]
    return kind === 'xor' ? exclusive(tests, room) : narrowing(tests, kind === 'and' ? 1 : 0, room)
  }

  #comparison(name: FieldName, comparator: Comparator, literal: Literal): Test {
    this.comparisons++
    const field = this.#field(name)
    const number = numberType(field.type)
    const outcomes = OUTCOMES[comparator]
    if (number) return compareNumber(number, field, this.#number(name, literal), outcomes)
    return compareText(field, this.#text(name, field.type, literal), outcomes)
  }

  #membership(name: FieldName, literals: readonly Literal[], depth: number): Test {
    const field = this.#field(name)
    const number = numberType(field.type)
    const tests = number
      ? numberIn(
          number,
          field,
          literals.map(literal => this.#number(name, literal)),
        )
      : [
          textIn(
            field,
            literals.map(literal => this.#text(name, field.type, literal)),
          ),
        ]
    this.comparisons += tests.length
    return tests.length === 1 ? tests[0] : this.#joined('or', tests, depth)
  }

  #field({ name, position }: FieldName): Field {
    const [field, other] = this.#find(name)
    if (field === undefined) {
      // In the hsds grammar no unquoted name begins like this.
      const hint = /^not\s/i.test(this.#query.text.slice(position, position + 4)) ? SIGNS_ONLY : ''
      throw this.#malformed(position, `there is no field ${excerpt(name)}${hint}`)
    }
    if (other !== undefined) throw this.#malformed(position, `there are several fields ${excerpt(name)}`)
    if (numberType(field.type) === undefined && !isText(field.type)) {
      const nested = firstValue(name, field.type)
      const hint = nested === name ? '' : `: name a value in it, such as ${excerpt(nested)}`
      throw this.#malformed(
        position,
        `the field ${excerpt(name)} is ${field.type.class}, which cannot be compared${hint}`,
      )
    }
    return field
  }

  #number({ name }: FieldName, literal: Literal): number | bigint {
    if (literal.kind === 'number') return literal.value
    throw this.#malformed(
      literal.position,
      `the field ${excerpt(name)} holds numbers, ${literal.source} is a string`,
    )
  }

  #text({ name }: FieldName, type: Datatype, literal: Literal): Uint8Array {
    if (literal.kind === 'text') {
      return type.class === 'H5T_REFERENCE' ? this.#reference(literal.bytes) : literal.bytes
    }
    throw this.#malformed(
      literal.position,
      `the field ${excerpt(name)} holds text, ${literal.source} is a number`,
    )
  }

  /** The stored spelling of a reference, from that of the dialect; other text equals no reference. */
  #reference(bytes: Uint8Array): Uint8Array {
    const text = decodeText(bytes, 0, bytes.length)
    if (text === this.#references.nullText) return new Uint8Array(0)
    const reference = this.#references.parse(text)
    return reference ? new TextEncoder().encode(PREFIXED_REFERENCES.format(reference)) : bytes
  }

  #malformed(position: number, rule: string): HyperslabError {
    return malformedQuery(this.#query.text, position, rule)
  }
}

/**
 * Comparisons of one field with many values as one list of them: `a == 1 OR a == 2` is `a IN (1, 2)`, and
 * `a != 1 AND a != 2` is `NOT a IN (1, 2)`.
 */
function mergeEqualities(operands: readonly Condition[], kind: 'and' | 'or'): readonly Condition[] {
  const comparator = kind === 'or' ? '==' : '!='
  const lists = new Map<string, { readonly field: FieldName; readonly literals: Literal[] }>()
  const others: Condition[] = []
  for (const operand of operands) {
    if (operand.kind !== 'comparison' || operand.comparator !== comparator) {
      others.push(operand)
      continue
    }
    const { field, literal } = operand
    const list = lists.get(field.name)
    if (list) list.literals.push(literal)
    else lists.set(field.name, { field, literals: [literal] })
  }
  const merged = Array.from(lists.values(), ({ field, literals }): Condition => {
    if (literals.length === 1) return { kind: 'comparison', field, comparator, literal: literals[0] }
    const membership: Condition = { kind: 'membership', field, literals }
    return kind === 'or' ? membership : { kind: 'not', operand: membership }
  })
  return [...merged, ...others]
}

interface OperandRoom {
  readonly mask: Uint8Array
  readonly positions: Uint16Array
  /** The indexes of the positions in the block. */
  readonly indexes: Uint16Array
}

function exclusive([first, ...others]: readonly Test[], room: OperandRoom): Test {
  return (block, mask) => {
    first(block, mask)
    for (const test of others) {
      test(block, room.mask)
      for (let i = 0; i < block.count; i++) mask[i] ^= room.mask[i]
    }
  }
}

/** Tests later operands only for elements that are `undecided` so far: 1 of "and", 0 of "or". */
function narrowing(
  [first, ...others]: readonly Test[],
  undecided: 0 | 1,
  { mask: results, positions, indexes }: OperandRoom,
): Test {
  return (block, mask) => {
    first(block, mask)
    for (const test of others) {
      if (!mask.subarray(0, block.count).includes(1 - undecided)) {
        test(block, mask)
        continue
      }
      let count = 0
      for (let i = 0; i < block.count; i++) {
        indexes[count] = i
        positions[count] = block.positions[i]
        // It is always written and kept only if it is undecided, so there is no branch to predict.
        count += mask[i] === undecided ? 1 : 0
      }
      if (count === 0) return
      test({ ...block, positions, count }, results)
      for (let i = 0; i < count; i++) mask[indexes[i]] = results[i]
    }
  }
}

/** The type in which the numbers of a type are stored; undefined for a type without numbers. */
function numberType(type: Datatype): IntegerType | FloatType | undefined {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_ENUM':
    case 'H5T_BITFIELD':
      return integerOf(type)
    case 'H5T_FLOAT':
      return type
    default:
      return undefined
  }
}
