// Parses the SelectionRequest of a query or a body: `select` as text or JSON (classic 15.2; hsds-values 9.1 and 9.3),
// the members `start`, `stop` and `step` (classic 7.10; hsds-values 9.4) of a body. Points are in points-input.ts.
// Numbers are exact up to 2^53 - 1; booleans, fractions and strings are rejected.

import { HyperslabError } from '@hyperslab/base/errors'
import { MAX_RANK } from '@hyperslab/model/dataset'
import {
  excerpt,
  isBlank,
  isDigit,
  isJsonList,
  type JsonValue,
  wholeNumber,
  ZERO,
} from '@hyperslab/model/json'
import { SELECT_ALL, type SelectItem, type SelectionGrammar, type SelectionRequest } from './request.ts'

/** The most coordinates in all lists of a selection, which are parsed at once. @limit safety, coordinates */
const MAX_COORDINATES = 2 ** 19

function requireFew(coordinates: number): void {
  if (coordinates <= MAX_COORDINATES) return
  throw new HyperslabError(
    'selection-too-large',
    `select: lists must have at most ${MAX_COORDINATES} coordinates in all: send more as "points"`,
  )
}

function requireRank(name: string, dimensions: number): void {
  if (dimensions <= MAX_RANK) return
  throw new HyperslabError('malformed-selection', `"${name}" must name at most ${MAX_RANK} dimensions`)
}

/** `[a:b:c,...]`, an item per dimension, blanks between the signs allowed. */
export function parseSelect(text: string, grammar: SelectionGrammar): SelectionRequest {
  if (grammar === 'ranges' && text.trim() === 'ALL') return SELECT_ALL
  const scanner = new SelectScanner(text)
  const items: SelectItem[] = []
  scanner.list(() => {
    items.push(parseItem(scanner, grammar))
    requireRank('select', items.length)
  })
  scanner.end()
  return { kind: 'select', grammar, items }
}

/**
 * The text, or in the grammar `lists` a list with an item per dimension: an index, a list of coordinates, or the text
 * of an item.
 */
export function parseSelectJson(json: JsonValue, grammar: SelectionGrammar): SelectionRequest {
  if (typeof json === 'string') return parseSelect(json, grammar)
  if (grammar === 'ranges' || !isJsonList(json) || json.length === 0) {
    throw new HyperslabError(
      'malformed-selection',
      `select: ${excerpt(json)} must be a ` +
        `string${grammar === 'lists' ? ', or a list with an item for each dimension' : ''}`,
    )
  }
  requireRank('select', json.length)
  let coordinates = 0
  const items = json.map(item => {
    const parsed = parseJsonItem(item)
    if (parsed instanceof Float64Array) coordinates += parsed.length
    requireFew(coordinates)
    return parsed
  })
  return { kind: 'select', grammar, items }
}

function parseJsonItem(json: JsonValue): SelectItem {
  if (typeof json === 'string') {
    const scanner = new SelectScanner(json)
    const item = parseItem(scanner, 'lists')
    scanner.end()
    return item
  }
  if (!isJsonList(json)) return indexItem(wholeNumber(json, 'select'))
  if (json.length === 0)
    throw new HyperslabError('malformed-selection', 'select: a list of coordinates must not be empty')
  requireFew(json.length)
  return Float64Array.from(json, coordinate => wholeNumber(coordinate, 'select'))
}

function parseItem(scanner: SelectScanner, grammar: SelectionGrammar): SelectItem {
  if (scanner.next() === '[') {
    if (grammar === 'ranges') throw scanner.malformed('an item is an index or a range')
    return scanner.numbers()
  }
  const start = scanner.next() === ':' ? undefined : scanner.number()
  if (!scanner.take(':')) return indexItem(start ?? 0)
  const stop = scanner.isDigit() ? scanner.number() : undefined
  const step = scanner.take(':') && scanner.isDigit() ? scanner.number() : undefined
  if (step === 0) throw scanner.malformed('a step must be at least 1')
  return {
    ...(start !== undefined && { start }),
    ...(stop !== undefined && { stop }),
    ...(step !== undefined && { step }),
  }
}

function indexItem(index: number): SelectItem {
  return { start: index, stop: index + 1 }
}

/** A position in the text of a selection. Blanks before a sign or number are skipped. */
class SelectScanner {
  readonly #text: string
  #at = 0
  /** The number of coordinates in all lists so far. */
  #coordinates = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next character that is not blank; empty at the end. */
  next(): string {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++
    return this.#text.charAt(this.#at)
  }

  isDigit(): boolean {
    return digitOf(this.next().charCodeAt(0)) !== undefined
  }

  take(sign: string): boolean {
    if (this.next() !== sign) return false
    this.#at++
    return true
  }

  number(): number {
    if (!this.isDigit()) throw this.malformed('expected a whole number that is not negative')
    const from = this.#at
    let number = 0
    for (let digit: number | undefined; ; this.#at++) {
      digit = digitOf(this.#text.charCodeAt(this.#at))
      if (digit === undefined) break
      number = number * 10 + digit
    }
    if (Number.isSafeInteger(number)) return number
    this.#at = from
    throw this.malformed('the number is beyond 2^53 - 1')
  }

  /** `[item,...]`, at least one. */
  list(takeItem: () => void): void {
    if (!this.take('[')) throw this.malformed('expected "["')
    do takeItem()
    while (this.take(','))
    if (!this.take(']')) throw this.malformed('expected "," or "]"')
  }

  /** A list of numbers. */
  numbers(): Float64Array {
    const numbers: number[] = []
    this.list(() => {
      numbers.push(this.number())
      requireFew(++this.#coordinates)
    })
    return Float64Array.from(numbers)
  }

  end(): void {
    if (this.next() !== '') throw this.malformed('expected the end')
  }

  malformed(rule: string): HyperslabError {
    const shown = this.#text.length > 200 ? `${this.#text.slice(0, 200)}...` : this.#text
    return new HyperslabError('malformed-selection', `select=${shown}, at character ${this.#at}: ${rule}`)
  }
}

function digitOf(code: number): number | undefined {
  return isDigit(code) ? code - ZERO : undefined
}

/**
 * Parses `start`, `stop` and `step` in the grammar `lists`: a number each for rank 1, or arrays with a number per
 * dimension. `step` may be absent; null is absent.
 */
export function parseStartStop(
  start: JsonValue | undefined,
  stop: JsonValue | undefined,
  step: JsonValue | undefined,
): SelectionRequest {
  if ((start ?? null) === null || (stop ?? null) === null) {
    throw new HyperslabError('malformed-selection', '"start" and "stop" must both be given')
  }
  const starts = wholeNumbers('start', start)
  const stops = wholeNumbers('stop', stop)
  const steps = (step ?? null) === null ? starts.map(() => 1) : wholeNumbers('step', step)
  if (stops.length !== starts.length || steps.length !== starts.length) {
    throw new HyperslabError(
      'malformed-selection',
      `"start", "stop" and "step" must name the same number of dimensions, not ${starts.length}, ` +
        `${stops.length} and ${steps.length}`,
    )
  }
  const items = starts.map((first, i) => ({ start: first, stop: stops[i], step: steps[i] }))
  return { kind: 'select', grammar: 'lists', items }
}

/**
 * Parses `start`, `stop` and `step` in the grammar `ranges`: a number for rank 1 or an array with a number per
 * dimension. 0, null, an empty array and an absent member mean the default: 0, the extent, 1; so does a 0 in an array
 * of steps.
 */
export function parseHyperslab(
  start: JsonValue | undefined,
  stop: JsonValue | undefined,
  step: JsonValue | undefined,
): SelectionRequest {
  const starts = parseNumbers('start', start)
  const stops = parseNumbers('stop', stop)
  const steps = parseNumbers('step', step)?.map(number => (number === 0 ? 1 : number))
  if (starts === undefined && stops === undefined && steps === undefined) return SELECT_ALL
  return {
    kind: 'hyperslab',
    ...(starts && { start: starts }),
    ...(stops && { stop: stops }),
    ...(steps && { step: steps }),
  }
}

function parseNumbers(name: string, json: JsonValue | undefined): readonly number[] | undefined {
  if (json === undefined || json === null || json === 0) return undefined
  const numbers = wholeNumbers(name, json)
  return numbers.length === 0 ? undefined : numbers
}

function wholeNumbers(name: string, json: JsonValue | undefined): readonly number[] {
  const list = isJsonList(json) ? json : [json ?? null]
  requireRank(name, list.length)
  return list.map(item => wholeNumber(item, `"${name}"`))
}
