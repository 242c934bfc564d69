// JSON as this project needs it: integers exact to 64 bits, objects whose members keep their order whatever their
// names, and the bare words NaN, Infinity and -Infinity that Python writes and reads (contract 00, decision 7).

import { HyperslabError } from '../errors.ts'

/** An integer beyond +-2^53 is a bigint; every other number is a number. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

/** A Map, because a plain object reorders integer-like names and mishandles `__proto__`. */
export type JsonObject = ReadonlyMap<string, JsonValue>

/** What can be written: parsed values, and plain objects whose undefined members are left out. */
export type JsonOutput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonOutput[]
  | LazyList
  | LazyMap
  | ReadonlyMap<string, JsonOutput>
  | PlainObject

type PlainObject = { readonly [name: string]: JsonOutput | undefined }

/** Parts that are made one by one when they are written: many are never there all at once. */
class Lazy<T> implements Iterable<T> {
  readonly length: number
  readonly #make: (index: number) => T

  constructor(length: number, make: (index: number) => T) {
    this.length = length
    this.#make = make
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = 0; index < this.length; index++) yield this.#make(index)
  }
}

export class LazyList extends Lazy<JsonOutput> {}

/** The members of an object, whose names may look like anything. */
export class LazyMap extends Lazy<readonly [name: string, value: JsonOutput]> {}

export function lazyList<T>(items: readonly T[], outputOf: (item: T) => JsonOutput): LazyList {
  return new LazyList(items.length, index => outputOf(items[index]))
}

export function lazyMap<T>(
  items: readonly T[],
  memberOf: (item: T) => readonly [name: string, value: JsonOutput],
): LazyMap {
  return new LazyMap(items.length, index => memberOf(items[index]))
}

/** How numbers that JSON has no words for are written: bare words, the words as texts, or null. */
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

/** Objects and arrays may lie this deep in one another. Keeps the recursion below far from the end of the stack. */
const MAX_DEPTH = 512
/** A longer integer is no number that anybody means, and making a bigint of it takes time that grows with its square. */
const MAX_INTEGER_DIGITS = 400

// Parsing

interface Scanner {
  readonly text: string
  /** Index of the next character. */
  at: number
  depth: number
}

/**
 * Strict JSON and the bare words NaN, Infinity and -Infinity. Of members with the same name the last one counts.
 * Bytes are UTF-8, with or without a byte order mark; escapes may make half a surrogate pair, which is kept.
 */
export function parseJson(text: Uint8Array | string): JsonValue {
  const scanner = { text: typeof text === 'string' ? text : decodeUtf8(text), at: 0, depth: 0 }
  const value = parseValue(scanner)
  skipSpace(scanner)
  if (scanner.at < scanner.text.length) throw unexpected(scanner, 'the end')
  return value
}

function parseValue(scanner: Scanner): JsonValue {
  skipSpace(scanner)
  switch (scanner.text.charCodeAt(scanner.at)) {
    case 0x22:
      return parseString(scanner)
    case 0x5b:
      return parseArray(scanner)
    case 0x7b:
      return parseObject(scanner)
    case 0x74:
      return parseWord(scanner, 'true', true)
    case 0x66:
      return parseWord(scanner, 'false', false)
    case 0x6e:
      return parseWord(scanner, 'null', null)
    case 0x4e:
      return parseWord(scanner, 'NaN', Number.NaN)
    case 0x49:
      return parseWord(scanner, 'Infinity', Number.POSITIVE_INFINITY)
    default:
      return parseNumber(scanner)
  }
}

function skipSpace(scanner: Scanner): void {
  const { text } = scanner
  for (;;) {
    const code = text.charCodeAt(scanner.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    scanner.at++
  }
}

function parseWord<T>(scanner: Scanner, word: string, value: T): T {
  if (!scanner.text.startsWith(word, scanner.at)) throw unexpected(scanner, 'a value')
  scanner.at += word.length
  return value
}

function parseArray(scanner: Scanner): JsonValue {
  const items: JsonValue[] = []
  enter(scanner)
  skipSpace(scanner)
  if (!takes(scanner, 0x5d)) {
    do items.push(parseValue(scanner))
    while (takesComma(scanner))
    if (!takes(scanner, 0x5d)) throw unexpected(scanner, '"," or "]"')
  }
  scanner.depth--
  return items
}

function parseObject(scanner: Scanner): JsonObject {
  const members = new Map<string, JsonValue>()
  enter(scanner)
  skipSpace(scanner)
  if (!takes(scanner, 0x7d)) {
    do {
      skipSpace(scanner)
      if (scanner.text.charCodeAt(scanner.at) !== 0x22) throw unexpected(scanner, 'a member name in quotes')
      const name = parseString(scanner)
      skipSpace(scanner)
      if (!takes(scanner, 0x3a)) throw unexpected(scanner, '":"')
      members.set(name, parseValue(scanner))
    } while (takesComma(scanner))
    if (!takes(scanner, 0x7d)) throw unexpected(scanner, '"," or "}"')
  }
  scanner.depth--
  return members
}

function enter(scanner: Scanner): void {
  if (++scanner.depth > MAX_DEPTH) throw malformed(scanner.at, `more than ${MAX_DEPTH} levels of nesting`)
  scanner.at++
}

function takes(scanner: Scanner, code: number): boolean {
  if (scanner.text.charCodeAt(scanner.at) !== code) return false
  scanner.at++
  return true
}

function takesComma(scanner: Scanner): boolean {
  skipSpace(scanner)
  return takes(scanner, 0x2c)
}

function parseString(scanner: Scanner): string {
  const { text, at: start } = scanner
  let hasEscapes = false
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      scanner.at = at + 1
      return hasEscapes ? decodeEscapes(text.slice(start, at + 1), start) : text.slice(start + 1, at)
    }
    if (code < 0x20) throw malformed(at, 'a control character in a string must be escaped')
    if (code === 0x5c) {
      hasEscapes = true
      at++
    }
  }
  throw malformed(text.length, 'expected the closing quote of a string, found the end')
}

/** What the string, quotes and all, stands for. The engine does it ten times as fast as a loop of ours. */
function decodeEscapes(quoted: string, start: number): string {
  try {
    return JSON.parse(quoted)
  } catch {
    throw malformed(
      start,
      'after a backslash the string must have one of "\\/bfnrt, or u and four hexadecimal digits',
    )
  }
}

function parseNumber(scanner: Scanner): number | bigint {
  const { text, at: start } = scanner
  const negative = takes(scanner, 0x2d)
  if (negative && text.charCodeAt(scanner.at) === 0x49) {
    return parseWord(scanner, 'Infinity', Number.NEGATIVE_INFINITY)
  }
  const digits = scanner.at
  if (!takesDigits(scanner)) throw unexpected(scanner, negative ? 'a digit' : 'a value')
  if (text.charCodeAt(digits) === 0x30 && scanner.at > digits + 1) {
    throw malformed(digits, 'a number must not start with a superfluous 0')
  }
  const digitCount = scanner.at - digits
  let whole = true
  if (takes(scanner, 0x2e)) {
    whole = false
    if (!takesDigits(scanner)) throw unexpected(scanner, 'a digit')
  }
  if (takes(scanner, 0x65) || takes(scanner, 0x45)) {
    whole = false
    if (!takes(scanner, 0x2b)) takes(scanner, 0x2d)
    if (!takesDigits(scanner)) throw unexpected(scanner, 'a digit')
  }
  const number = Number(text.slice(start, scanner.at))
  if (!whole || Number.isSafeInteger(number)) return number
  if (digitCount > MAX_INTEGER_DIGITS) {
    throw malformed(start, `an integer has more than ${MAX_INTEGER_DIGITS} digits`)
  }
  return BigInt(text.slice(start, scanner.at))
}

function takesDigits(scanner: Scanner): boolean {
  const start = scanner.at
  for (;;) {
    const code = scanner.text.charCodeAt(scanner.at)
    if (!(code >= 0x30 && code <= 0x39)) return scanner.at > start
    scanner.at++
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch (cause) {
    // What cannot be decoded is replaced, so the first difference is where the trouble starts.
    const lossy = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    const difference = bytes.findIndex((byte, index) => byte !== lossy[index])
    const at = difference < 0 ? bytes.length : difference
    throw new HyperslabError('malformed-json', `malformed JSON: not valid UTF-8 near byte ${at}`, { cause })
  }
}

function unexpected(scanner: Scanner, expected: string): HyperslabError {
  const { text, at } = scanner
  const found = at < text.length ? excerpt(String.fromCodePoint(text.codePointAt(at) ?? 0)) : 'the end'
  return malformed(at, `expected ${expected}, found ${found}`)
}

function malformed(at: number, message: string): HyperslabError {
  return new HyperslabError('malformed-json', `malformed JSON at character ${at}: ${message}`)
}

// Writing

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
      return isMap(value) ? stringifyMap(value, nonFinite) : stringifyObject(value, nonFinite)
    default:
      return String(value)
  }
}

/** Array.isArray, for readonly arrays too. */
function isList(value: JsonOutput): value is readonly JsonOutput[] {
  return Array.isArray(value)
}

function isMap(value: JsonOutput): value is ReadonlyMap<string, JsonOutput> {
  return value instanceof Map
}

/** What needs an escape, or may: surrogates are left to JSON.stringify, which knows pairs from halves. */
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

/** `for in` and no list of entries: this is where the time of most answers goes. */
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

const EXCERPT_LENGTH = 80

/** The start of a value's JSON, for messages: enough to recognise it, and little work however large the value is. */
export function excerpt(value: JsonValue): string {
  const json = appendExcerpt('', value)
  return json.length > EXCERPT_LENGTH ? `${json.slice(0, EXCERPT_LENGTH)}...` : json
}

function appendExcerpt(start: string, value: JsonValue): string {
  if (typeof value === 'string') return start + stringifyText(value.slice(0, EXCERPT_LENGTH))
  if (typeof value !== 'object' || value === null) return start + stringifyJson(value)
  const isArray = isList(value)
  let json = start + (isArray ? '[' : '{')
  const empty = json.length
  for (const [name, item] of isMap(value) ? value : Object.entries(value)) {
    if (json.length > EXCERPT_LENGTH) return json
    if (json.length > empty) json += ','
    if (!isArray) json = `${appendExcerpt(json, name)}:`
    json = appendExcerpt(json, item)
  }
  return json + (isArray ? ']' : '}')
}
