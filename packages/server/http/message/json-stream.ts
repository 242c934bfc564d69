// JSON that is made while it is sent: an object whose members may be objects that arrive member by member, lists and
// objects whose parts are made one by one, or values that are read from the store, so that none of them is ever in
// memory as a whole.

import { nextTurn } from '@hyperslab/base/bounded'
import {
  isList,
  type JsonOutput,
  LazyList,
  LazyMap,
  type NonFinite,
  StreamedJson,
  stringifyJson,
} from '@hyperslab/model/json'

/** The members of an object, in their order. */
export type StreamedMembers = AsyncIterable<readonly [name: string, value: StreamedBody | LazyList]>

export interface StreamedBody {
  readonly [name: string]: JsonOutput | StreamedMembers | undefined
}

/** Characters that are sent at once. */
const PIECE_LENGTH = 64 << 10

/** A list or an object with more parts than this is sent while it is made. */
const MANY = 500

type StreamableValue = JsonOutput | StreamedMembers | StreamedBody | undefined

/** Whether a list or an object in a value has many parts, or a part of it arrives or is read while it is sent. */
export function isLong(value: StreamableValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof LazyList || value instanceof LazyMap) return value.isLong || value.length > MANY
  if (value instanceof Map) return value.size > MANY || hasLongPart(value.values())
  if (isList(value)) return value.length > MANY || hasLongPart(value)
  if (value instanceof StreamedJson || isStreamed(value)) return true
  for (const name in value) {
    if (isLong((value as StreamedBody)[name])) return true // every other object is a plain one
  }
  return false
}

function hasLongPart(parts: Iterable<JsonOutput>): boolean {
  for (const part of parts) if (isLong(part)) return true
  return false
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

/** Other requests run in between while it is written, also where no piece is long enough to be sent. */
export async function* streamJson(body: StreamedBody, nonFinite: NonFinite): AsyncGenerator<Uint8Array> {
  const output = new Output()
  for await (const piece of object(body, nonFinite, output)) yield Buffer.from(piece)
  yield Buffer.from(output.take())
}

/** Written JSON that is not sent yet. */
class Output {
  #pending = ''

  write(text: string): void {
    this.#pending += text
  }

  get isFull(): boolean {
    return this.#pending.length >= PIECE_LENGTH
  }

  take(): string {
    const text = this.#pending
    this.#pending = ''
    return text
  }
}

/** Pieces that are long enough to be sent; the rest stays in `output`. */
type Pieces = AsyncGenerator<string | Uint8Array>

async function* object(body: StreamedBody, nonFinite: NonFinite, output: Output): Pieces {
  let separator = '{'
  for (const name in body) {
    const value = body[name]
    if (value === undefined) continue
    output.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) output.write(stringifyJson(value, nonFinite))
    else yield* part(value, nonFinite, output)
    if (output.isFull) yield output.take()
  }
  output.write(separator === '{' ? '{}' : '}')
}

/** Writes a value that is too long for one string. */
async function* part(value: StreamableValue, nonFinite: NonFinite, output: Output): Pieces {
  if (value instanceof StreamedJson) {
    yield output.take()
    yield* value.text
  } else if (isStreamed(value)) yield* members(value, nonFinite, output)
  else if (value instanceof Map || value instanceof LazyMap) yield* map(value, nonFinite, output)
  else if (value instanceof LazyList || Array.isArray(value)) yield* list(value, nonFinite, output)
  else yield* object(value as StreamedBody, nonFinite, output) // nothing else is long
}

async function* members(all: StreamedMembers, nonFinite: NonFinite, output: Output): Pieces {
  let separator = '{'
  for await (const [name, value] of all) {
    output.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) output.write(stringifyJson(value, nonFinite))
    else yield* part(value, nonFinite, output)
    if (output.isFull) yield output.take()
    await nextTurn()
  }
  output.write(separator === '{' ? '{}' : '}')
}

async function* list(items: Iterable<JsonOutput>, nonFinite: NonFinite, output: Output): Pieces {
  let separator = ''
  output.write('[')
  for (const item of items) {
    output.write(separator)
    separator = ','
    if (isWhole(item)) output.write(stringifyJson(item, nonFinite))
    else yield* part(item, nonFinite, output)
    if (output.isFull) {
      yield output.take()
      await nextTurn()
    }
  }
  output.write(']')
}

async function* map(
  all: Iterable<readonly [name: string, value: JsonOutput]>,
  nonFinite: NonFinite,
  output: Output,
): Pieces {
  let separator = '{'
  for (const [name, value] of all) {
    output.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) output.write(stringifyJson(value, nonFinite))
    else yield* part(value, nonFinite, output)
    if (output.isFull) {
      yield output.take()
      await nextTurn()
    }
  }
  output.write(separator === '{' ? '{}' : '}')
}

function isStreamed(value: StreamableValue): value is StreamedMembers {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Whether a value has no streamed or long members, like most, and is written as one string. */
function isWhole(value: StreamableValue): value is JsonOutput {
  return !isLong(value)
}
