// JSON as this project needs it: integers exact to 64 bits, objects whose members keep their order whatever their
// names, and the bare words NaN, Infinity and -Infinity that Python writes and reads (common 5). This file has the
// values and writes them; json-parser.ts reads them.

/** An integer beyond +-2^53 is a bigint; every other number is a number. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

/** A Map, because a plain object reorders integer-like names and mishandles `__proto__`. */
export type JsonObject = ReadonlyMap<string, JsonValue>

/** The values that can be written: parsed ones, and plain objects whose undefined members are left out. */
export type JsonOutput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonOutput[]
  | LazyList
  | LazyMap
  | StreamedJson
  | ReadonlyMap<string, JsonOutput>
  | PlainObject

type PlainObject = { readonly [name: string]: JsonOutput | undefined }

/** Parts that are made one by one when they are written, so that they are never all in memory. */
class Lazy<T> implements Iterable<T> {
  readonly length: number
  /** The parts are long, or hold a `StreamedJson`: they are written while they are sent, however few they are. */
  readonly isLong: boolean
  readonly #make: (index: number) => T

  constructor(length: number, make: (index: number) => T, isLong: boolean) {
    this.length = length
    this.isLong = isLong
    this.#make = make
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = 0; index < this.length; index++) yield this.#make(index)
  }
}

export class LazyList extends Lazy<JsonOutput> {}

/** The members of an object, whose names may look like anything. */
export class LazyMap extends Lazy<readonly [name: string, value: JsonOutput]> {}

/**
 * The text of a value that is too long for memory: it is made while it is sent, and `stringifyJson` cannot return it.
 */
export class StreamedJson {
  readonly text: AsyncIterable<Uint8Array>

  constructor(text: AsyncIterable<Uint8Array>) {
    this.text = text
  }
}

/** The form of numbers that JSON cannot express: bare words, the words as strings, or null. */
export type NonFinite = 'bare' | 'text' | 'null'

export function isJsonList(json: JsonValue | undefined): json is readonly JsonValue[] {
  return Array.isArray(json)
}

export function isJsonObject(json: JsonValue | undefined): json is JsonObject {
  return json instanceof Map
}

/** A whole number from 0 to 2^53 - 1. */
export function isWhole(json: JsonValue | undefined): json is number {
  return Number.isSafeInteger(json) && Number(json) >= 0
}

/** A whole number from 1 to 2^53 - 1. */
export function isPositive(json: JsonValue | undefined): json is number {
  return isWhole(json) && json > 0
}

/**
 * The text of a value. Negative zero is `-0.0`, so that a reader that tells integers from floats keeps its sign;
 * half a surrogate pair is escaped, so that the text can always be encoded.
 */
export function stringifyJson(value: JsonOutput, nonFinite: NonFinite = 'bare'): string {
  switch (typeof value) {
    case 'string':
      return stringifyText(value)
    case 'number':
      return stringifyNumber(value, nonFinite)
    case 'object':
      if (value === null) return 'null'
      if (isList(value)) return stringifyArray(value, nonFinite)
      if (value instanceof LazyList) return stringifyArray([...value], nonFinite)
      if (value instanceof LazyMap) return stringifyMap(value, nonFinite)
      if (value instanceof StreamedJson) throw new Error('JSON that is streamed has no text as a whole')
      return isMap(value) ? stringifyMap(value, nonFinite) : stringifyObject(value, nonFinite)
    default:
      return String(value)
  }
}

/** Array.isArray, for readonly arrays too. */
export function isList(value: unknown): value is readonly JsonOutput[] {
  return Array.isArray(value)
}

function isMap(value: JsonOutput): value is ReadonlyMap<string, JsonOutput> {
  return value instanceof Map
}

/** The characters that need an escape, or may: surrogates are left to JSON.stringify, which knows pairs from halves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

function stringifyText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

function stringifyNumber(value: number, nonFinite: NonFinite): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0' : String(value)
  if (nonFinite === 'null') return 'null'
  return nonFinite === 'text' ? `"${value}"` : String(value)
}

function stringifyArray(items: readonly JsonOutput[], nonFinite: NonFinite): string {
  let json = '['
  let separator = ''
  for (const item of items) {
    json += separator + stringifyJson(item, nonFinite)
    separator = ','
  }
  return `${json}]`
}

function stringifyMap(members: Iterable<readonly [string, JsonOutput]>, nonFinite: NonFinite): string {
  let json = '{'
  let separator = ''
  for (const [name, value] of members) {
    json += `${separator}${stringifyText(name)}:${stringifyJson(value, nonFinite)}`
    separator = ','
  }
  return `${json}}`
}

/** It uses `for in` instead of a list of entries, because most answers spend their time here. */
function stringifyObject(members: PlainObject, nonFinite: NonFinite): string {
  let json = '{'
  let separator = ''
  for (const name in members) {
    const value = members[name]
    if (value === undefined) continue
    json += `${separator}${stringifyText(name)}:${stringifyJson(value, nonFinite)}`
    separator = ','
  }
  return `${json}}`
}

/** Whether the text of a value has more than about that number of characters; it reads no more of it. */
export function isJsonLongerThan(value: JsonValue, most: number): boolean {
  return lengthLeft(value, most) < 0
}

function lengthLeft(value: JsonValue, most: number): number {
  if (typeof value === 'string') return most - value.length - 2
  if (typeof value !== 'object' || value === null) return most - String(value).length
  let left = most - 2
  for (const item of value.values()) {
    if (left < 0) return left
    left = lengthLeft(item, left - 1)
  }
  if (isMap(value)) for (const name of value.keys()) left -= name.length + 3
  return left
}

const EXCERPT_LENGTH = 80

/** The start of a value's JSON, for messages: enough to recognise it, and little work however large the value is. */
export function excerpt(value: JsonValue): string {
  const json = appendExcerpt('', value)
  return json.length > EXCERPT_LENGTH ? `${json.slice(0, EXCERPT_LENGTH)}...` : json
}

function appendExcerpt(start: string, value: JsonValue): string {
  if (typeof value === 'string') return start + stringifyText(value.slice(0, EXCERPT_LENGTH))
  if (typeof value !== 'object' || value === null) return start + stringifyJson(value)
  const members = isMap(value) ? value : undefined
  let json = start + (members ? '{' : '[')
  const empty = json.length
  // Only the shown part of a long list is read.
  for (const [name, item] of value.entries()) {
    if (json.length > EXCERPT_LENGTH) return json
    if (json.length > empty) json += ','
    if (members) json = `${appendExcerpt(json, String(name))}:`
    json = appendExcerpt(json, item)
  }
  return json + (members ? '}' : ']')
}
