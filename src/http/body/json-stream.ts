// JSON that is made while it is sent: an object some of whose members are objects that arrive member by member, or lists
// and objects whose parts are made one by one, or texts that are read, so that none of them is ever held as a whole.

import {
  type JsonOutput,
  LazyList,
  LazyMap,
  type NonFinite,
  StreamedJson,
  stringifyJson,
} from '../../hdf5/json.ts'
import { Turns } from '../../turns.ts'

/** The members of an object, in their order. */
export type StreamedMembers = AsyncIterable<readonly [name: string, value: StreamedBody | LazyList]>

export interface StreamedBody {
  readonly [name: string]: JsonOutput | StreamedMembers | undefined
}

/** Characters that are sent at once. */
const PIECE_LENGTH = 64 << 10

/** Parts from which on a list or an object is better sent while it is made. */
const MANY = 500

type Streamable = JsonOutput | StreamedMembers | StreamedBody | undefined

/** Whether a list or an object in a value has many parts, or a part of it arrives or is read while it is sent. */
export function isLong(value: Streamable): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof LazyList || value instanceof LazyMap) return value.isLong || value.length > MANY
  if (value instanceof Map) return value.size > MANY || hasLongPart(value.values())
  if (isList(value)) return value.length > MANY || hasLongPart(value)
  if (value instanceof StreamedJson || isStreamed(value)) return true
  for (const name in value) {
    if (isLong((value as StreamedBody)[name])) return true // what is nothing else is a plain object
  }
  return false
}

function hasLongPart(parts: Iterable<JsonOutput>): boolean {
  for (const part of parts) if (isLong(part)) return true
  return false
}

function isList(value: object): value is readonly JsonOutput[] {
  return Array.isArray(value)
}

/** Whether a part of the body is read from the store while it is sent. */
export function isReadWhileSent(body: StreamedBody): boolean {
  for (const name in body) {
    const value = body[name]
    if (value instanceof StreamedJson) return true
    if ((value instanceof LazyList || value instanceof LazyMap) && value.isLong) return true
  }
  return false
}

/** Others have their turn while it is written, also where no piece is long enough to be sent. */
export async function* streamJson(body: StreamedBody, nonFinite: NonFinite): AsyncGenerator<Uint8Array> {
  const text = new Text()
  for await (const piece of object(body, nonFinite, text)) yield Buffer.from(piece)
  yield Buffer.from(text.take())
}

/** What is written and not sent yet. */
class Text {
  readonly turns = new Turns()
  #waiting = ''

  write(text: string): void {
    this.#waiting += text
  }

  get isFull(): boolean {
    return this.#waiting.length >= PIECE_LENGTH
  }

  take(): string {
    const text = this.#waiting
    this.#waiting = ''
    return text
  }
}

/** Yields what has become long enough to be sent; the rest stays in `text`. */
type Pieces = AsyncGenerator<string | Uint8Array>

async function* object(body: StreamedBody, nonFinite: NonFinite, text: Text): Pieces {
  let separator = '{'
  for (const name in body) {
    const value = body[name]
    if (value === undefined) continue
    text.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) text.write(stringifyJson(value, nonFinite))
    else yield* part(value, nonFinite, text)
    if (text.isFull) yield text.take()
  }
  text.write(separator === '{' ? '{}' : '}')
}

/** What is not written in one go. */
async function* part(value: Streamable, nonFinite: NonFinite, text: Text): Pieces {
  if (value instanceof StreamedJson) {
    yield text.take()
    yield* value.text
  } else if (isStreamed(value)) yield* members(value, nonFinite, text)
  else if (value instanceof Map || value instanceof LazyMap) yield* map(value, nonFinite, text)
  else if (value instanceof LazyList || Array.isArray(value)) yield* list(value, nonFinite, text)
  else yield* object(value as StreamedBody, nonFinite, text) // nothing else is long
}

async function* members(all: StreamedMembers, nonFinite: NonFinite, text: Text): Pieces {
  let separator = '{'
  for await (const [name, value] of all) {
    text.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) text.write(stringifyJson(value, nonFinite))
    else yield* part(value, nonFinite, text)
    if (text.isFull) yield text.take()
    await text.turns.next()
  }
  text.write(separator === '{' ? '{}' : '}')
}

async function* list(items: Iterable<JsonOutput>, nonFinite: NonFinite, text: Text): Pieces {
  let separator = ''
  text.write('[')
  for (const item of items) {
    text.write(separator)
    separator = ','
    if (isWhole(item)) text.write(stringifyJson(item, nonFinite))
    else yield* part(item, nonFinite, text)
    if (text.isFull) {
      yield text.take()
      await text.turns.next()
    }
  }
  text.write(']')
}

async function* map(
  all: Iterable<readonly [name: string, value: JsonOutput]>,
  nonFinite: NonFinite,
  text: Text,
): Pieces {
  let separator = '{'
  for (const [name, value] of all) {
    text.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) text.write(stringifyJson(value, nonFinite))
    else yield* part(value, nonFinite, text)
    if (text.isFull) {
      yield text.take()
      await text.turns.next()
    }
  }
  text.write(separator === '{' ? '{}' : '}')
}

function isStreamed(value: Streamable): value is StreamedMembers {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Most values have no streamed or long members, and are written in one go. */
function isWhole(value: Streamable): value is JsonOutput {
  return !isLong(value)
}
