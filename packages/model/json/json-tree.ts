// Small values as JSON trees: short attributes, fill values, values inside other JSON. Others are streamed by
// json-writer.ts and json-scanner.ts, which write and accept the same JSON.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '../dataset/dataspace.ts'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, wholeArray } from '../datatype/layout.ts'
import { type Elements, EMPTY_HEAP } from '../values/elements.ts'
import { GrowingBytes } from '../values/growing-bytes.ts'
import { dimensionBrackets, EXACT, Nesting, type NestingRules } from '../values/nesting.ts'
import type { ReferenceSyntax, ValueStyle } from '../values/references.ts'
import { isUnwritten, slotLength, slotStart, writeSequenceSlot } from '../values/slots.ts'
import { excerpt, isJsonList, type JsonOutput, type JsonValue } from './json.ts'
import { leafFromJson, leafToJson, type Source, sourceOf, typeMismatch } from './json-leaf.ts'

/** The JSON of elements, nested like `dims`; the bare value for rank 0. stringifyJson writes non-finite numbers. */
export function elementsToJson(
  type: Datatype,
  dims: readonly number[],
  elements: Elements,
  style: ValueStyle,
): JsonOutput {
  const size = elementSize(type)
  const data = sourceOf(elements.data)
  const heap = sourceOf(elements.heap)
  return nest(dims, index => elementToJson(type, data, index * size, heap, style))
}

function elementToJson(
  type: Datatype,
  source: Source,
  position: number,
  heap: Source,
  style: ValueStyle,
): JsonOutput {
  switch (type.class) {
    case 'H5T_COMPOUND': {
      let offset = position
      return type.fields.map(field => {
        const json = elementToJson(field.type, source, offset, heap, style)
        offset += elementSize(field.type)
        return json
      })
    }
    case 'H5T_ARRAY': {
      const size = elementSize(type.base)
      return nest(type.dims, index => elementToJson(type.base, source, position + index * size, heap, style))
    }
    case 'H5T_VLEN': {
      if (style.unwrittenSequence === 'zero' && isUnwritten(source.bytes, position)) return 0
      const size = elementSize(type.base)
      const start = slotStart(source.bytes, position)
      const length = slotLength(source.bytes, position) / size
      return nest([length], index => elementToJson(type.base, heap, start + index * size, heap, style))
    }
    default:
      return leafToJson(type, source, position, heap.bytes, style)
  }
}

/**
 * The most empty arrays in an empty result: more are left out, because their number does not depend on the data.
 * @limit safety, arrays
 */
const MAX_EMPTY_ARRAYS = 65_536

/** Nested arrays of the elements 0, 1, 2, ... in row-major order. */
export function nest(dims: readonly number[], elementAt: (index: number) => JsonOutput): JsonOutput {
  const empty = dims.indexOf(0)
  if (empty > 0 && dims.slice(0, empty).reduce((a, b) => a * b) > MAX_EMPTY_ARRAYS) return []
  let next = 0
  const build = (level: number): JsonOutput => {
    if (level === dims.length) return elementAt(next++)
    return Array.from({ length: dims[level] }, () => build(level + 1))
  }
  return build(0)
}

/** The elements of a value of this shape; classic 15.4 and the data shape rules of 7.10. */
export function elementsFromJson(
  type: Datatype,
  dims: readonly number[],
  json: JsonValue,
  syntax: ReferenceSyntax,
  rules: NestingRules = EXACT,
): Elements {
  const [whole] = elementPiecesFromJson(type, dims, json, syntax, rules, Number.POSITIVE_INFINITY)
  return whole ?? { count: 0, data: new Uint8Array(0), heap: EMPTY_HEAP }
}

/** The same in pieces, each made when it is requested, so that a long value does not block the event loop. */
export function* elementPiecesFromJson(
  type: Datatype,
  dims: readonly number[],
  json: JsonValue,
  syntax: ReferenceSyntax,
  rules: NestingRules = EXACT,
  pieceElements = BLOCK,
): Generator<Elements> {
  const size = elementSize(type)
  let data = new GrowingBytes()
  let heap = new GrowingBytes(0)
  let count = 0
  for (const block of findElements(type, dims, json, rules)) {
    for (const element of block) elementFromJson(type, element, data, data.reserve(size), heap, syntax)
    count += block.length
    if (count < pieceElements) continue
    yield { count, data: data.used(), heap: heap.used() }
    data = new GrowingBytes()
    heap = new GrowingBytes(0)
    count = 0
  }
  if (count > 0) yield { count, data: data.used(), heap: heap.used() }
}

/** Elements that are read at once. */
const BLOCK = 4096

/** The JSON of each element, in order, as many as the shape has, in blocks of at most `BLOCK`. */
function* findElements(
  type: Datatype,
  dims: readonly number[],
  json: JsonValue,
  rules: NestingRules,
): Generator<readonly JsonValue[]> {
  let brackets = 0
  let first: JsonValue | undefined = json
  for (; isJsonList(first) && first.length > 0; first = first[0]) brackets++
  const isEmpty = isJsonList(first)
  const leaf = isEmpty ? 'empty' : first === null ? 'null' : 'value'
  const depth = dimensionBrackets(type, dims, isEmpty ? brackets + 1 : brackets, leaf, rules)
  const nesting = new Nesting(dims, depth, rules)
  const needed = product(dims)
  let count = 0
  let only: JsonValue = null
  for (const row of rowsOf(json, depth, nesting)) {
    for (let from = 0; from < row.length; from += BLOCK) {
      const block = row.slice(from, Math.min(row.length, from + BLOCK))
      const isBeyond = count + block.length > needed && nesting.isBeyond(needed + 1)
      const wanted = isBeyond ? block.slice(0, needed - count) : block
      if (count === 0 && wanted.length > 0) only = wanted[0]
      count += wanted.length
      if (wanted.length > 0) yield wanted
    }
  }
  if (!nesting.finish(count)) return
  for (; count < needed; count += BLOCK) {
    yield new Array<JsonValue>(Math.min(BLOCK, needed - count)).fill(only)
  }
}

/** The innermost of the arrays around elements, one after another; the bare element is a row of its own. */
function* rowsOf(
  item: JsonValue,
  depth: number,
  nesting: Nesting,
  level = 0,
): Generator<readonly JsonValue[]> {
  if (level === depth) return yield [item]
  if (!isJsonList(item)) {
    throw new HyperslabError('value-count-mismatch', `the value is ragged: ${excerpt(item)} is not an array`)
  }
  if (level === depth - 1) yield item
  else for (const inner of item) yield* rowsOf(inner, depth, nesting, level + 1)
  nesting.close(level, item.length)
}

function elementFromJson(
  type: Datatype,
  json: JsonValue,
  target: GrowingBytes,
  position: number,
  heap: GrowingBytes,
  syntax: ReferenceSyntax,
): void {
  switch (type.class) {
    case 'H5T_COMPOUND': {
      let offset = position
      const values = requireItems(json, type.fields.length, 'a compound')
      type.fields.forEach((field, index) => {
        elementFromJson(field.type, values[index], target, offset, heap, syntax)
        offset += elementSize(field.type)
      })
      break
    }
    case 'H5T_ARRAY': {
      const { base, dims } = wholeArray(type)
      const isFlat = canBeFlat(dims, base) && isJsonList(json) && !isJsonList(json[0])
      arrayFromJson(base, isFlat ? [product(dims)] : dims, json, target, position, heap, syntax)
      break
    }
    case 'H5T_VLEN': {
      const values = json === null ? [] : requireItems(json, undefined, 'a sequence')
      const size = elementSize(type.base)
      const start = heap.reserve(values.length * size)
      values.forEach((value, index) => {
        elementFromJson(type.base, value, heap, start + index * size, heap, syntax)
      })
      writeSequenceSlot(target.bytes, position, start, values.length * size)
      break
    }
    default:
      leafFromJson(type, json, target, position, heap, syntax)
  }
}

/** Whether a list that holds no list can only be all elements of an array, one after another. */
export function canBeFlat(dims: readonly number[], base: Datatype): boolean {
  return dims.length > 1 && base.class !== 'H5T_COMPOUND' && base.class !== 'H5T_VLEN'
}

function arrayFromJson(
  base: Datatype,
  dims: readonly number[],
  json: JsonValue,
  target: GrowingBytes,
  offset: number,
  heap: GrowingBytes,
  syntax: ReferenceSyntax,
): void {
  if (dims.length === 0) {
    elementFromJson(base, json, target, offset, heap, syntax)
    return
  }
  const [extent, ...inner] = dims
  const size = inner.reduce((product, length) => product * length, elementSize(base))
  requireItems(json, extent, `an array of ${extent}`).forEach((item, index) => {
    arrayFromJson(base, inner, item, target, offset + index * size, heap, syntax)
  })
}

function requireItems(json: JsonValue, length: number | undefined, expected: string): readonly JsonValue[] {
  if (!isJsonList(json)) throw typeMismatch(json, `${expected}, which is written as an array`)
  if (length !== undefined && json.length !== length) throw wrongLength(expected, length, json.length)
  return json
}

export function wrongLength(what: string, needed: number, found: number): HyperslabError {
  return new HyperslabError('value-count-mismatch', `${what} has ${needed} value(s), ${found} are given`)
}
