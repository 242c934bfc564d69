// JSON that is made while it is sent: an object some of whose members are objects that arrive member by member, so that
// none of them is ever held as a whole.

import { type JsonOutput, type NonFinite, stringifyJson } from '../../hdf5/json.ts'

/** The members of an object, in their order. */
export type StreamedMembers = AsyncIterable<readonly [name: string, value: StreamedBody]>

export interface StreamedBody {
  readonly [name: string]: JsonOutput | StreamedMembers | undefined
}

/** Characters that are sent at once. */
const PIECE_LENGTH = 64 << 10

export async function* streamJson(body: StreamedBody, nonFinite: NonFinite): AsyncGenerator<Uint8Array> {
  const text = new Text()
  for await (const piece of object(body, nonFinite, text)) yield Buffer.from(piece)
  yield Buffer.from(text.take())
}

/** What is written and not sent yet. */
class Text {
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
async function* object(body: StreamedBody, nonFinite: NonFinite, text: Text): AsyncGenerator<string> {
  let separator = '{'
  for (const name in body) {
    const value = body[name]
    if (value === undefined) continue
    text.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isStreamed(value)) yield* members(value, nonFinite, text)
    else text.write(stringifyJson(value, nonFinite))
    if (text.isFull) yield text.take()
  }
  text.write(separator === '{' ? '{}' : '}')
}

async function* members(all: StreamedMembers, nonFinite: NonFinite, text: Text): AsyncGenerator<string> {
  let separator = '{'
  for await (const [name, value] of all) {
    text.write(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (isWhole(value)) text.write(stringifyJson(value, nonFinite))
    else yield* object(value, nonFinite, text)
    if (text.isFull) yield text.take()
  }
  text.write(separator === '{' ? '{}' : '}')
}

function isStreamed(value: JsonOutput | StreamedMembers): value is StreamedMembers {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Most objects have no streamed members, and are written in one go. */
function isWhole(body: StreamedBody): body is { readonly [name: string]: JsonOutput } {
  for (const name in body) {
    const value = body[name]
    if (value !== undefined && isStreamed(value)) return false
  }
  return true
}
