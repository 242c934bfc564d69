// Parses JSON text to values, at once or piece by piece, so that long text does not block the event loop.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonValue } from './json.ts'
import {
  BACKSLASH,
  BARE_CONTROL_CHARACTER,
  CAPITAL_E,
  CLOSE,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  FIRST_PRINTABLE,
  isBlank,
  isDigit,
  LETTER_E,
  MAX_DEPTH,
  MINUS,
  OPEN,
  OPEN_OBJECT,
  PLUS,
  POINT,
  QUOTE,
  WRONG_ESCAPE,
  ZERO,
} from './json-syntax.ts'

/** The longest number; a longer one is a mistake or an attack. @limit safety, bytes */
const MAX_NUMBER_LENGTH = 4096

const MEMORY_STEP = 1 << 20

/** Counts the memory that the values of one request take. `report` gets it in steps, and throws at its limit. */
export class MemoryCount {
  readonly #report: (bytes: number) => void
  #unreported = 0

  constructor(report: (bytes: number) => void) {
    this.#report = report
  }

  take(bytes: number): void {
    this.#unreported += bytes
    if (this.#unreported < MEMORY_STEP) return
    const bytesToReport = this.#unreported
    this.#unreported = 0
    this.#report(bytesToReport)
  }
}

/**
 * Bytes that values take on the heap of V8, measured in the worst case (decision 013); a value's position in its array
 * is part of an item, and with its name of a member. The text is counted besides, since strings are slices of it.
 */
export const MEMORY = { container: 192, item: 16, member: 64, text: 32, bigint: 32 }

/** Members with extents, which must be written as integers (classic 7.2): the parsed number of 5.0 is that of 5. */
const EXTENTS: readonly string[] = ['shape', 'maxdims', 'dims']

/**
 * Strict JSON and the bare words NaN, Infinity and -Infinity. If several members have the same name, the last one
 * counts. Bytes are UTF-8, with or without a byte order mark; escapes may make half a surrogate pair, which is kept.
 * `member`: the name of the member whose value the text is.
 */
export function parseJson(text: Uint8Array | string, memory?: MemoryCount, member?: string): JsonValue {
  const scanner = new Scanner(memory)
  if (member !== undefined) beginMember(scanner, member)
  scanner.text = typeof text === 'string' ? text : decodeUtf8(text, 0)
  countText(scanner, scanner.text, text.length)
  return finish(scanner)
}

/** Parses a long JSON text, piece by piece; between two pieces the event loop is free. */
export class JsonParser {
  readonly #scanner: Scanner
  /** The first bytes of a character whose other bytes have not arrived yet. */
  #cut = new Uint8Array(0)
  /** Bytes before those. */
  #bytesBefore = 0
  /** The first error of the syntax. `finish` throws it, because errors of the encoding come first. */
  #syntaxError: unknown

  /** `member`: the name of the member whose value the text is. */
  constructor(memory?: MemoryCount, member?: string) {
    this.#scanner = new Scanner(memory)
    if (member !== undefined) beginMember(this.#scanner, member)
  }

  /** The piece may be overwritten afterwards. */
  push(piece: Uint8Array): void {
    const bytes = this.#cut.length === 0 ? piece : joinBytes(this.#cut, piece)
    const length = lengthOfWholeCharacters(bytes)
    const text = decodeUtf8(bytes.subarray(0, length), this.#bytesBefore)
    this.#cut = Uint8Array.from(bytes.subarray(length))
    this.#bytesBefore += length
    if (this.#syntaxError !== undefined) return
    countText(this.#scanner, text, length)
    this.#parse(text)
  }

  /** The value, once all pieces have arrived. */
  finish(): JsonValue {
    decodeUtf8(this.#cut, this.#bytesBefore)
    if (this.#syntaxError !== undefined) throw this.#syntaxError
    return finish(this.#scanner)
  }

  #parse(text: string): void {
    const scanner = this.#scanner
    scanner.before += scanner.index
    scanner.text = scanner.text.slice(scanner.index) + text
    scanner.index = 0
    try {
      parseOn(scanner)
      dropBlanks(scanner)
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'malformed-json') throw error
      this.#syntaxError = error
      scanner.text = ''
    }
  }
}

/** Drops all blanks at the end but one, so that they are not read again with each piece. */
function dropBlanks(scanner: Scanner): void {
  const { text, index, cut } = scanner
  if (cut !== undefined) return
  let end = text.length
  while (end > index && isBlank(text.charCodeAt(end - 1))) end--
  const dropped = text.length - end - 1
  if (dropped <= 0) return
  scanner.text = text.slice(0, end + 1)
  scanner.before += dropped
}

type Container = JsonValue[] | Map<string, JsonValue>

/** The state of parsing. There is no recursion, so that it can stop at any character. */
class Scanner {
  /** Text that has arrived; its part from `index` on is not parsed yet. */
  text = ''
  index = 0
  /** Characters before `text`. */
  before = 0
  /** True: no text follows `text`. */
  isWhole = false
  /** Up to here whole items and members have been parsed. */
  parsed = 0
  value: JsonValue | undefined
  /** The arrays and objects that have begun, the innermost last. */
  readonly open: Container[] = []
  /** True: no item or member of the innermost has begun yet. */
  isFirst = false
  /** The name of the member whose value has not arrived yet. */
  name: string | undefined
  /** The name of the member whose value began last, if it has extents. */
  extents: string | undefined
  /** The part of a cut string that has arrived; the text continues after it. */
  cut: CutString | undefined
  readonly memory: MemoryCount | undefined

  constructor(memory: MemoryCount | undefined) {
    this.memory = memory
  }
}

interface CutString {
  /** The beginning of the string in the text that is not parsed yet. */
  readonly index: number
  /** The beginning of the string in the whole text. */
  readonly position: number
  /** The part of the string that has arrived, with escapes resolved. */
  readonly beginning: string
  /** It has a malformed escape. */
  readonly isMalformed: boolean
}

/** Text with characters beyond ASCII takes two bytes for each. */
function countText(scanner: Scanner, text: string, byteLength: number): void {
  scanner.memory?.take(text.length === byteLength ? text.length : 2 * text.length)
}

function memoryOf(value: JsonValue): number {
  if (typeof value === 'string') return MEMORY.text
  if (typeof value === 'bigint') return MEMORY.bigint
  return typeof value === 'object' && value !== null ? MEMORY.container : 0
}

function finish(scanner: Scanner): JsonValue {
  scanner.isWhole = true
  parseOn(scanner)
  return scanner.value ?? null
}

/** Thrown at the end of incomplete text, which may continue in the next piece. */
const CUT = new Error('the text goes on in the next piece')

/** Parses the text that has arrived, up to a part that may be cut. */
function parseOn(scanner: Scanner): void {
  const { open } = scanner
  scanner.parsed = scanner.index
  try {
    if (scanner.value === undefined) parseTop(scanner)
    while (open.length > 0) {
      const innermost = open[open.length - 1]
      if (Array.isArray(innermost)) parseItems(scanner, innermost)
      else parseMembers(scanner, innermost)
    }
    skipSpace(scanner)
    if (scanner.index < scanner.text.length) throw unexpected(scanner, 'the end')
  } catch (error) {
    if (error !== CUT) throw error
    scanner.index = scanner.parsed
  }
}

function parseTop(scanner: Scanner): void {
  skipSpace(scanner)
  const inner = beginning(scanner)
  scanner.value = inner ?? parseScalar(scanner)
  hold(scanner, inner !== undefined)
  scanner.memory?.take(memoryOf(scanner.value))
}

/** Items of an array, up to its end or the beginning of one that is itself an array or an object. */
function parseItems(scanner: Scanner, items: JsonValue[]): void {
  while (hasNext(scanner, CLOSE)) {
    const inner = beginning(scanner)
    const item = inner ?? parseScalar(scanner)
    items.push(item)
    hold(scanner, inner !== undefined)
    scanner.memory?.take(MEMORY.item + memoryOf(item))
    if (inner !== undefined) return
  }
}

/** Parses the members of an object. */
function parseMembers(scanner: Scanner, members: Map<string, JsonValue>): void {
  while (scanner.name !== undefined || hasNext(scanner, CLOSE_OBJECT)) {
    scanner.name ??= parseName(scanner)
    beginMember(scanner, scanner.name)
    // A name may be long, so it is not parsed again if its value is cut.
    scanner.parsed = scanner.index
    passColon(scanner)
    const inner = beginning(scanner)
    const value = inner ?? parseScalar(scanner)
    members.set(scanner.name, value)
    scanner.name = undefined
    hold(scanner, inner !== undefined)
    scanner.memory?.take(MEMORY.member + memoryOf(value))
    if (inner !== undefined) return
  }
}

/** Keeps the parts that have been parsed. */
function hold(scanner: Scanner, isFirst: boolean): void {
  scanner.isFirst = isFirst
  scanner.parsed = scanner.index
}

/** Moves to the next item or member; false: the container ends here. */
function hasNext(scanner: Scanner, close: number): boolean {
  skipSpace(scanner)
  if (skipCode(scanner, close)) {
    scanner.open.pop()
    hold(scanner, false)
    return false
  }
  if (scanner.isFirst) return true
  if (!skipCode(scanner, COMMA)) throw unexpected(scanner, `"," or "${String.fromCharCode(close)}"`)
  skipSpace(scanner)
  return true
}

/** The array or object that begins here, if one does. */
function beginning(scanner: Scanner): Container | undefined {
  const { text, index, open } = scanner
  const code = text.charCodeAt(index)
  if (code !== OPEN && code !== OPEN_OBJECT) return undefined
  if (open.length === MAX_DEPTH)
    throw malformedJson(scanner, index, `more than ${MAX_DEPTH} levels of nesting`)
  const container: Container = code === OPEN ? [] : new Map()
  open.push(container)
  scanner.index++
  return container
}

function beginMember(scanner: Scanner, name: string): void {
  scanner.extents = EXTENTS.includes(name) ? name : undefined
}

function parseName(scanner: Scanner): string {
  if (scanner.text.charCodeAt(scanner.index) !== QUOTE) throw unexpected(scanner, 'a member name in quotes')
  return parseString(scanner)
}

/** The signs between a name and its value. */
function passColon(scanner: Scanner): void {
  skipSpace(scanner)
  if (!skipCode(scanner, COLON)) throw unexpected(scanner, '":"')
  skipSpace(scanner)
}

function parseScalar(scanner: Scanner): JsonValue {
  switch (scanner.text.charCodeAt(scanner.index)) {
    case QUOTE:
      return parseString(scanner)
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
  while (isBlank(scanner.text.charCodeAt(scanner.index))) scanner.index++
}

function parseWord<T>(scanner: Scanner, word: string, value: T): T {
  const { text, index, isWhole } = scanner
  if (!text.startsWith(word, index)) {
    throw isWhole || index + word.length <= text.length ? unexpected(scanner, 'a value') : CUT
  }
  scanner.index += word.length
  return value
}

function skipCode(scanner: Scanner, code: number): boolean {
  if (scanner.text.charCodeAt(scanner.index) !== code) return false
  scanner.index++
  return true
}

function parseString(scanner: Scanner): string {
  const { text, index: start } = scanner
  // The text of a cut string continues after its first quote.
  const cut = scanner.cut?.index === start - scanner.parsed ? scanner.cut : undefined
  let escapeAt = -1
  for (let position = start + 1; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === QUOTE) {
      scanner.index = position + 1
      scanner.cut = undefined
      const rest =
        escapeAt >= 0 ? decodeEscapes(scanner, start + 1, position) : text.slice(start + 1, position)
      if (rest === undefined || cut?.isMalformed) throw malformedEscape(scanner, cut, start)
      return cut === undefined ? rest : cut.beginning + rest
    }
    if (code < FIRST_PRINTABLE) throw malformedJson(scanner, position, BARE_CONTROL_CHARACTER)
    if (code === BACKSLASH) escapeAt = position++
  }
  if (!scanner.isWhole) {
    cutString(scanner, start, escapeAt, cut)
    throw CUT
  }
  scanner.index = text.length
  throw unexpected(scanner, 'the closing quote of a string')
}

/** Characters of the longest escape. */
const ESCAPE_LENGTH = 6

/** Takes the part of a string that has arrived out of the text, so that it is not read again with each piece. */
function cutString(scanner: Scanner, start: number, escapeAt: number, cut: CutString | undefined): void {
  const { text, parsed, before } = scanner
  const isEscapeCut = escapeAt >= 0 && text.length - escapeAt < ESCAPE_LENGTH
  const end = isEscapeCut ? escapeAt : text.length
  const decoded = escapeAt >= 0 ? decodeEscapes(scanner, start + 1, end) : text.slice(start + 1, end)
  scanner.cut = {
    index: start - parsed,
    position: cut?.position ?? before + start,
    beginning: (cut?.beginning ?? '') + (decoded ?? ''),
    isMalformed: (cut?.isMalformed ?? false) || decoded === undefined,
  }
  scanner.text = text.slice(0, start + 1) + text.slice(end)
  scanner.before += end - start - 1
}

/**
 * The characters that this part of a string represents; undefined for a malformed escape. JSON.parse is ten times as
 * fast as a loop here.
 */
function decodeEscapes({ text }: Scanner, from: number, to: number): string | undefined {
  try {
    return JSON.parse(`"${text.slice(from, to)}"`)
  } catch {
    return undefined
  }
}

function malformedEscape(scanner: Scanner, cut: CutString | undefined, start: number): HyperslabError {
  return malformedJson(scanner, cut === undefined ? start : cut.position - scanner.before, WRONG_ESCAPE)
}

function parseNumber(scanner: Scanner): number | bigint {
  const { text, index: start } = scanner
  const negative = skipCode(scanner, MINUS)
  if (negative && text.charCodeAt(scanner.index) === 0x49) {
    return parseWord(scanner, 'Infinity', Number.NEGATIVE_INFINITY)
  }
  const digits = scanner.index
  if (!takesDigits(scanner)) throw unexpected(scanner, negative ? 'a digit' : 'a value')
  if (text.charCodeAt(digits) === ZERO && scanner.index > digits + 1) {
    throw malformedJson(scanner, digits, 'a number must not start with a superfluous 0')
  }
  let isComplete = true
  if (skipCode(scanner, POINT)) {
    isComplete = false
    if (!takesDigits(scanner)) throw unexpected(scanner, 'a digit')
  }
  if (skipCode(scanner, LETTER_E) || skipCode(scanner, CAPITAL_E)) {
    isComplete = false
    if (!skipCode(scanner, PLUS)) skipCode(scanner, MINUS)
    if (!takesDigits(scanner)) throw unexpected(scanner, 'a digit')
  }
  if (scanner.index - start > MAX_NUMBER_LENGTH) {
    throw malformedJson(scanner, start, `a number has more than ${MAX_NUMBER_LENGTH} characters`)
  }
  if (scanner.index === text.length && !scanner.isWhole) throw CUT
  if (!isComplete && scanner.extents !== undefined) throw notInteger(scanner, scanner.extents, start)
  const number = Number(text.slice(start, scanner.index))
  if (!Number.isFinite(number)) {
    throw malformedJson(
      scanner,
      start,
      'a number is beyond what a double can hold; infinity is written Infinity',
    )
  }
  return isComplete && !Number.isSafeInteger(number) ? BigInt(text.slice(start, scanner.index)) : number
}

function takesDigits(scanner: Scanner): boolean {
  const start = scanner.index
  while (isDigit(scanner.text.charCodeAt(scanner.index))) scanner.index++
  return scanner.index > start
}

const startDecoder = new TextDecoder('utf-8', { fatal: true })
/** A byte order mark is skipped only at the start. */
const laterDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array, bytesBefore: number): string {
  try {
    return (bytesBefore === 0 ? startDecoder : laterDecoder).decode(bytes)
  } catch (cause) {
    // Bytes that cannot be decoded are replaced, so the first difference is at the first invalid byte.
    const lossy = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    const difference = bytes.findIndex((byte, index) => byte !== lossy[index])
    const position = bytesBefore + (difference < 0 ? bytes.length : difference)
    throw new HyperslabError('malformed-json', `malformed JSON: not valid UTF-8 near byte ${position}`, {
      cause,
    })
  }
}

/** The length without the last bytes if these begin a character and do not end it. */
function lengthOfWholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]
    const isInside = byte >= 0x80 && byte < 0xc0
    if (isInside) continue
    const needed = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return needed > back ? length - back : length
  }
  return length
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function unexpected(scanner: Scanner, expected: string): Error {
  const { text, index, isWhole } = scanner
  if (index === text.length && !isWhole) return CUT
  const found = index < text.length ? excerpt(String.fromCodePoint(text.codePointAt(index) ?? 0)) : 'the end'
  return malformedJson(scanner, index, `expected ${expected}, found ${found}`)
}

function notInteger({ text, index }: Scanner, member: string, start: number): HyperslabError {
  const number = excerpt(text.slice(start, index))
  return new HyperslabError(
    'malformed-shape',
    `the numbers of "${member}" must be written as integers, not ${number}`,
  )
}

function malformedJson({ before }: Scanner, position: number, message: string): HyperslabError {
  return new HyperslabError('malformed-json', `malformed JSON at character ${before + position}: ${message}`)
}
