// Finding the elements in nested JSON arrays, and checking whether their nesting fits the written selection (classic
// 7.10, "data shape rules"). Arrays around elements are dimensions; arrays inside an element (compounds, arrays,
// sequences) are not, and how many of those there are follows from the type.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '../datatype/datatype.ts'

/** The nestings that a dialect or an operation accepts. */
export interface NestingRules {
  /** 'shape': the nesting is the shape, apart from dimensions of extent 1. 'count': only the count matters. */
  readonly nesting: 'shape' | 'count'
  /** True: a single element fills everything. */
  readonly broadcast: boolean
  /** Elements beyond those needed (classic 7.10, points). */
  readonly surplus: 'refused' | 'ignored'
}

/** Attributes and fill values: exactly as many elements as the shape has. */
export const EXACT: NestingRules = { nesting: 'shape', broadcast: false, surplus: 'refused' }
/** Values of a hyperslab in the classic dialect. */
export const BROADCAST: NestingRules = { nesting: 'shape', broadcast: true, surplus: 'refused' }
/** Values of points in the classic dialect: at least as many elements as points. */
export const AT_LEAST: NestingRules = { nesting: 'count', broadcast: false, surplus: 'ignored' }
/** Values in the hsds dialect, where a flat list is also accepted (hsds-values 7.2). */
export const COUNT_ONLY: NestingRules = { nesting: 'count', broadcast: false, surplus: 'refused' }

/** The token after the brackets that open a value: `empty` is the end of an array without items. */
export type FirstLeaf = 'value' | 'null' | 'empty'

/**
 * The number of opening brackets of a value that are dimensions; the others belong to its first element. An array
 * without items can be an empty sequence or an empty dimension; null can be a value, or a sequence that was never
 * written.
 */
export function dimensionBrackets(
  type: Datatype,
  dims: readonly number[],
  brackets: number,
  first: FirstLeaf,
  rules: NestingRules,
): number {
  const { depth, flatDepth, sequences } = firstPath(type)
  // A null that is where the shape has a sequence is one.
  const isNullSequence = first === 'null' && brackets === dims.length && sequences.includes(1)
  if (isNullSequence) return brackets
  if (first === 'value' && rules.nesting === 'count' && brackets - depth !== dims.length) {
    // A single element may be alone, and arrays may be given flat (hsds-values 13.1 and 13.3).
    const isSingle = dims.every(extent => extent === 1)
    if (isSingle && (brackets === depth || brackets === flatDepth)) return 0
    if (brackets - flatDepth === dims.length) return dims.length
  }
  if (first !== 'empty' && brackets >= depth) return brackets - depth
  if (first === 'value' || sequences.length === 0) {
    if (first === 'empty') return brackets
    throw new HyperslabError(
      'type-mismatch',
      `an element of class ${type.class} is written as an array: the value has ${brackets} level(s) of arrays, ` +
        `at least ${depth} are needed`,
    )
  }
  if (dims.includes(0)) return brackets
  const upToSequence = first === 'null' ? brackets + 1 : brackets
  const readings = sequences.map(sequence => upToSequence - sequence).filter(reading => reading >= 0)
  return readings.includes(dims.length) ? dims.length : (readings[0] ?? brackets)
}

/**
 * Brackets before the first leaf of an element, with all arrays nested and with all of them flat, and which of the
 * nested ones, counted from 1, belong to sequences.
 */
function firstPath(type: Datatype): { depth: number; flatDepth: number; sequences: number[] } {
  const sequences: number[] = []
  let depth = 0
  let saved = 0
  let inner = type
  for (;;) {
    if (inner.class === 'H5T_COMPOUND') {
      depth++
      inner = inner.fields[0].type
    } else if (inner.class === 'H5T_ARRAY') {
      depth += inner.dims.length
      // An array of arrays is one array.
      saved += inner.base.class === 'H5T_ARRAY' ? inner.dims.length : inner.dims.length - 1
      inner = inner.base
    } else if (inner.class === 'H5T_VLEN') {
      sequences.push(++depth)
      inner = inner.base
    } else {
      return { depth, flatDepth: depth - saved, sequences }
    }
  }
}

/** Checks the arrays around elements: call `close` for each that ends, and `finish` at the end. */
export class Nesting {
  readonly #dims: readonly number[]
  readonly #rules: NestingRules
  /** Length of the arrays at each level; undefined until the first one has ended. */
  readonly #lengths: (number | undefined)[]
  readonly #needed: number

  constructor(dims: readonly number[], depth: number, rules: NestingRules) {
    this.#dims = dims
    this.#rules = rules
    this.#lengths = new Array(depth).fill(undefined)
    this.#needed = dims.reduce((product, extent) => product * extent, 1)
  }

  /** Checks an array at `level` (0 is the outermost) that has ended. */
  close(level: number, length: number): void {
    const expected = this.#lengths[level]
    if (expected !== undefined && expected !== length && this.#rules.nesting === 'shape') {
      throw new HyperslabError(
        'value-count-mismatch',
        `the value is ragged: arrays at level ${level} have ${expected} and ${length} items`,
      )
    }
    this.#lengths[level] = length
  }

  /** Whether the elements after the first `count` are not needed. */
  isBeyond(count: number): boolean {
    if (count <= this.#needed) return false
    if (this.#rules.surplus === 'ignored') return true
    throw new HyperslabError(
      'value-count-mismatch',
      `${this.#expected()} needed, the value has more: at least ${count}`,
    )
  }

  /** Checks the end. True: the only element is repeated for all. */
  finish(count: number): boolean {
    if (count === 1 && this.#rules.broadcast && this.#needed > 1) return true
    if (count < this.#needed) {
      throw new HyperslabError('value-count-mismatch', `${this.#expected()} needed, the value has ${count}`)
    }
    if (this.#rules.nesting === 'shape' && count > 0 && !this.#fits()) {
      throw new HyperslabError(
        'value-count-mismatch',
        `the value has the shape [${this.#lengths}], which is not the shape [${this.#dims}]`,
      )
    }
    return false
  }

  #fits(): boolean {
    const isLonger = (extent: number | undefined) => extent !== 1
    return this.#lengths.filter(isLonger).join() === this.#dims.filter(isLonger).join()
  }

  #expected(): string {
    const shape = this.#dims.length > 1 ? ` (shape [${this.#dims}])` : ''
    return this.#needed === 1 ? `1 element${shape} is` : `${this.#needed} elements${shape} are`
  }
}
