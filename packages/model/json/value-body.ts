// The body of a request that brings values, an object such as {"start": 0, "value": [...]}: the large members `value`
// and `value_base64` are found by their position and streamed from there, wherever they are among the others, which
// are parsed. Memory does not grow with the values.

import { HyperslabError } from '@hyperslab/base/errors'
import { Base64Decoder } from '../values/base64.ts'
import { GrowingBytes } from '../values/growing-bytes.ts'
import { excerpt, type JsonObject, type JsonValue } from './json.ts'
import { JsonCursor, OUT_OF_BYTES } from './json-cursor.ts'
import { JsonParser, MEMORY, type MemoryCount, parseJson } from './json-parser.ts'
import { CLOSE, CLOSE_OBJECT, COLON, COMMA, isBlank, OPEN, OPEN_OBJECT, QUOTE } from './json-syntax.ts'
import { ValueEnd } from './json-value-end.ts'

/** Text that can be read at any position: in memory, or in a file. */
export interface StoredText {
  readonly length: number
  /** Fills `into` from `offset` on; returns the number of bytes read. */
  read(offset: number, into: Uint8Array): Promise<number>
}

export interface ByteRange {
  readonly from: number
  readonly to: number
}

export interface ValueBody {
  /**
   * The members that are kept: all but `value`, `value_base64` and `points`. If several members have the same name, the
   * last one counts.
   */
  readonly members: JsonObject
  /** The range of the JSON of `value`, whose reader checks it. Null counts as absent. */
  readonly value?: ByteRange
  readonly valueBase64?: ByteRange
  /** The range of the JSON of `points`. */
  readonly points?: ByteRange
}

/** Bytes that are read at a time. */
const BLOCK = 256 * 1024

/** Splits the values from the other members, of which at most `maxKept` bytes are read into memory. */
export async function splitValueBody(
  body: StoredText,
  maxKept: number,
  memory?: MemoryCount,
): Promise<ValueBody> {
  const { members, streamed } = await splitMembers(body, VALUES, maxKept, memory)
  const value = streamed.get('value')
  const valueBase64 = streamed.get('value_base64')
  const points = streamed.get('points')
  return {
    members,
    ...(value && { value }),
    ...(valueBase64 && { valueBase64 }),
    ...(points && { points }),
  }
}

/** The bodies of values in a list that is the member `name` of a body, each a part of it, and the other members. */
export async function splitValueBodies(
  body: StoredText,
  name: string,
  maxCount: number,
  maxKept: number,
  memory?: MemoryCount,
): Promise<{ readonly members: JsonObject; readonly bodies: readonly StoredText[] | undefined }> {
  const { members, streamed } = await splitMembers(body, new Set([name]), maxKept, memory)
  const range = streamed.get(name)
  if (range === undefined) return { members, bodies: undefined }
  const splitter = new ItemSplitter(`body.${name}`, maxCount, range.from)
  for await (const block of readRange(body, range)) splitter.push(block)
  return { members, bodies: splitter.finish().map(item => partOfText(body, item)) }
}

/** A range of the text, as text of its own. */
export function partOfText(text: StoredText, { from, to }: ByteRange): StoredText {
  const length = to - from
  return {
    length,
    read: (offset, into) => text.read(from + offset, into.subarray(0, Math.max(0, length - offset))),
  }
}

async function splitMembers(
  body: StoredText,
  streamed: ReadonlySet<string>,
  maxKept: number,
  memory: MemoryCount | undefined,
): Promise<SplitMembers> {
  const splitter = new MemberSplitter(streamed, maxKept, memory)
  for await (const block of readRange(body, { from: 0, to: body.length })) splitter.push(block)
  return splitter.finish()
}

/** The bytes of a range, in pieces that are valid until the next one is requested. */
export async function* readRange(text: StoredText, { from, to }: ByteRange): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(Math.min(BLOCK, to - from))
  for (let offset = from; offset < to; ) {
    const read = await text.read(offset, block.subarray(0, Math.min(BLOCK, to - offset)))
    if (read === 0) throw new Error(`the stored text ended at ${offset}, before ${to}`)
    yield block.subarray(0, read)
    offset += read
  }
}

/** The bytes that a JSON string of Base64 represents; the text arrives in pieces, quotes included. */
export async function* decodeBase64Text(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const cursor = new JsonCursor()
  const characters = new GrowingBytes(0)
  const decoder = new Base64Decoder()
  let state: 'start' | 'inside' | 'end' = 'start'
  const decodeArrived = (): Uint8Array => {
    try {
      if (state === 'start' && cursor.next() !== QUOTE) throw notBase64()
      if (state !== 'end') {
        state = 'inside'
        cursor.takeText(characters)
        state = 'end'
      }
      if (!cursor.isAtEnd()) throw notBase64()
    } catch (error) {
      if (error !== OUT_OF_BYTES) throw error
    }
    const bytes = decoder.decode(characters.used())
    characters.length = 0
    cursor.keepRest()
    return bytes
  }
  for await (const piece of text) if (cursor.append(piece)) yield decodeArrived()
  cursor.complete()
  yield decodeArrived()
  yield decoder.finish()
}

function notBase64(): HyperslabError {
  return new HyperslabError(
    'malformed-value',
    'values in Base64 must be one JSON string of Base64 characters',
  )
}

const LETTER_N = 0x6e

/** A name or value of more bytes is parsed as it arrives. */
const LONG_TEXT = 1 << 16

/** Members that may be large: their values are found, not kept. */
const VALUES: ReadonlySet<string> = new Set(['value', 'value_base64', 'points'])

/** The members that are kept, and the ranges of those that are streamed. */
interface SplitMembers {
  readonly members: JsonObject
  readonly streamed: ReadonlyMap<string, ByteRange>
}

/** The part that the next byte begins: `name` begins with a quote, `value` with any byte other than a blank. */
type State =
  | 'start'
  | 'name-or-end'
  | 'name'
  | 'in-name'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'separator'
  | 'end'

/** Splits the text of an object, which arrives in blocks, into its members. */
class MemberSplitter {
  #state: State = 'start'
  /** Bytes of the text before the current block. */
  #before = 0
  /** Bytes of the names and values that are not streamed. */
  #kept = 0
  readonly #streamedNames: ReadonlySet<string>
  readonly #maxKept: number
  readonly #memory: MemoryCount | undefined
  /** The unparsed text of the name or value that has begun, unless it is streamed. */
  readonly #text = new GrowingBytes()
  /** The parser of a long member. */
  #parser: JsonParser | undefined
  #name = ''
  /** The position of the value that has begun, and its first byte. */
  #valueFrom = 0
  #first = 0
  /** Finds the end of the name or value that has begun. */
  #valueEnd = new ValueEnd()
  readonly #members = new Map<string, JsonValue>()
  readonly #streamed = new Map<string, ByteRange>()

  constructor(streamed: ReadonlySet<string>, maxKept: number, memory: MemoryCount | undefined) {
    this.#streamedNames = streamed
    this.#maxKept = maxKept
    this.#memory = memory
  }

  push(block: Uint8Array): void {
    for (let offset = 0; offset < block.length; ) {
      offset =
        this.#state === 'in-name' || this.#state === 'in-value'
          ? this.#takeText(block, offset)
          : this.#takeSign(block, offset)
    }
    this.#before += block.length
  }

  finish(): SplitMembers {
    if (this.#state !== 'end') throw this.#malformed(0, 'the text ends too early')
    return { members: this.#members, streamed: this.#streamed }
  }

  /** Processes the byte at `offset`, outside of names and values; returns the next index. */
  #takeSign(block: Uint8Array, offset: number): number {
    const code = block[offset]
    if (isBlank(code)) return offset + 1
    switch (this.#state) {
      case 'start':
        if (code !== OPEN_OBJECT) throw new HyperslabError('malformed-body', 'the body must be a JSON object')
        this.#state = 'name-or-end'
        return offset + 1
      case 'name-or-end':
      case 'name':
        if (code === CLOSE_OBJECT && this.#state === 'name-or-end') {
          this.#state = 'end'
          return offset + 1
        }
        if (code !== QUOTE) throw this.#malformed(offset, 'expected a member name in quotes')
        this.#begin('in-name')
        return offset
      case 'colon':
        if (code !== COLON) throw this.#malformed(offset, 'expected ":"')
        this.#state = 'value'
        return offset + 1
      case 'value':
        this.#valueFrom = this.#before + offset
        this.#first = code
        this.#begin('in-value')
        return offset
      case 'separator':
        if (code !== COMMA && code !== CLOSE_OBJECT) throw this.#malformed(offset, 'expected "," or "}"')
        this.#state = code === COMMA ? 'name' : 'end'
        return offset + 1
      default:
        throw this.#malformed(offset, 'expected the end')
    }
  }

  /** Whether the value is streamed; null, the only one that begins with an n, is not. */
  #isStreamed(): boolean {
    return this.#streamedNames.has(this.#name) && this.#first !== LETTER_N
  }

  #keep(block: Uint8Array, from: number, to: number): void {
    this.#kept += to - from
    if (this.#kept > this.#maxKept) {
      throw new HyperslabError(
        'body-too-large',
        `the body without its values must have at most ${this.#maxKept} bytes, the setting max_json_body`,
      )
    }
    this.#text.append(block, from, to - from)
    if (this.#text.length > LONG_TEXT) this.#parsing(() => this.#parseLong())
  }

  #begin(state: 'in-name' | 'in-value'): void {
    this.#state = state
    this.#text.length = 0
    this.#parser = undefined
    this.#valueEnd = new ValueEnd()
  }

  /** Processes a name or value from `from` on, up to its end or that of the block; returns the next index. */
  #takeText(block: Uint8Array, from: number): number {
    const end = this.#valueEnd.find(block, from)
    const to = end ?? block.length
    if (this.#state === 'in-name' || !this.#isStreamed()) this.#keep(block, from, to)
    if (end !== undefined) this.#finishText(end)
    return to
  }

  #finishText(end: number): void {
    if (this.#state === 'in-name') {
      const name = this.#parsing(() => this.#parseRest())
      if (typeof name !== 'string') throw this.#malformed(end, 'expected a member name')
      this.#name = name
      this.#state = 'colon'
      return
    }
    if (this.#isStreamed()) {
      this.#streamed.set(this.#name, { from: this.#valueFrom, to: this.#before + end })
    } else {
      this.#streamed.delete(this.#name)
      this.#memory?.take(MEMORY.member)
      this.#members.set(
        this.#name,
        this.#parsing(() => this.#parseRest()),
      )
    }
    this.#state = 'separator'
  }

  #parseLong(): JsonParser {
    this.#parser ??= new JsonParser(this.#memory, this.#name)
    this.#parser.push(this.#text.used())
    this.#text.length = 0
    return this.#parser
  }

  #parseRest(): JsonValue {
    if (this.#parser === undefined) return parseJson(this.#text.used(), this.#memory, this.#name)
    return this.#parseLong().finish()
  }

  /** Adds to an error of syntax the name or member in which it is, since its position counts from there. */
  #parsing<T>(parse: () => T): T {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'malformed-json') throw error
      const subject = this.#state === 'in-name' ? 'a member name' : `the member ${excerpt(this.#name)}`
      throw new HyperslabError(error.code, `in ${subject}: ${error.message}`, { cause: error })
    }
  }

  #malformed(offset: number, message: string): HyperslabError {
    return malformed(this.#before + offset, message)
  }
}

function malformed(position: number, message: string): HyperslabError {
  return new HyperslabError('malformed-json', `malformed JSON at byte ${position}: ${message}`)
}

/** Finds the items, which are objects, of a list whose text arrives in blocks. */
class ItemSplitter {
  readonly #location: string
  readonly #maxCount: number
  #state: 'start' | 'item-or-end' | 'item' | 'in-item' | 'separator' | 'end' = 'start'
  /** Bytes of the text before the current block. */
  #before: number
  #itemFrom = 0
  #itemEnd = new ValueEnd()
  readonly #items: ByteRange[] = []

  /** `from`: bytes of the text before the list. */
  constructor(location: string, maxCount: number, from: number) {
    this.#location = location
    this.#maxCount = maxCount
    this.#before = from
  }

  push(block: Uint8Array): void {
    for (let offset = 0; offset < block.length; ) {
      offset = this.#state === 'in-item' ? this.#takeItem(block, offset) : this.#takeSign(block, offset)
    }
    this.#before += block.length
  }

  finish(): readonly ByteRange[] {
    if (this.#state !== 'end') throw malformed(this.#before, 'the list ends too early')
    return this.#items
  }

  #takeItem(block: Uint8Array, from: number): number {
    const end = this.#itemEnd.find(block, from)
    if (end === undefined) return block.length
    this.#items.push({ from: this.#itemFrom, to: this.#before + end })
    this.#state = 'separator'
    return end
  }

  #takeSign(block: Uint8Array, offset: number): number {
    const code = block[offset]
    if (isBlank(code)) return offset + 1
    switch (this.#state) {
      case 'start':
        if (code !== OPEN) throw new HyperslabError('malformed-body', `${this.#location} must be a list`)
        this.#state = 'item-or-end'
        return offset + 1
      case 'item-or-end':
      case 'item':
        if (code === CLOSE && this.#state === 'item-or-end') {
          this.#state = 'end'
          return offset + 1
        }
        this.#beginItem(code, offset)
        return offset
      case 'separator':
        if (code !== COMMA && code !== CLOSE) throw malformed(this.#before + offset, 'expected "," or "]"')
        this.#state = code === COMMA ? 'item' : 'end'
        return offset + 1
      default:
        throw malformed(this.#before + offset, 'expected the end')
    }
  }

  #beginItem(code: number, offset: number): void {
    const location = `${this.#location}[${this.#items.length}]`
    if (code !== OPEN_OBJECT) throw new HyperslabError('malformed-body', `${location} must be an object`)
    if (this.#items.length === this.#maxCount) {
      throw new HyperslabError(
        'body-too-large',
        `${this.#location} must not have more than ${this.#maxCount} items: send several requests`,
      )
    }
    this.#itemFrom = this.#before + offset
    this.#itemEnd = new ValueEnd()
    this.#state = 'in-item'
  }
}
