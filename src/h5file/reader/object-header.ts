// The object header of an object, read whole: its messages through all continuations, in order (file format specification,
// IV.A). Headers stay decoded for a while, since an object is asked for several times: its links, its attributes, its type.

import { damaged } from '../format/errors.ts'
import { FieldReader } from '../format/field-reader.ts'
import { FAIL_IF_UNKNOWN_FLAG, KNOWN_TYPES, SHARED_FLAG } from '../format/messages/message-type.ts'
import { decodeShared, type SharedMessage } from '../format/messages/shared.ts'
import {
  type Continuation,
  decodeContinuationChunk,
  decodeFirstChunk,
  decodePrefix,
  type HeaderPrefix,
  LONGEST_PREFIX,
  MAX_MESSAGES,
  type RawMessage,
} from '../format/object-header.ts'
import type { H5File } from './open-file.ts'

const STRUCTURE = 'the object header'

/** A message has at most 64 KiB, and only attributes are many. */
const MAX_HEADER_LENGTH = 64 * 1024 * 1024

export interface ObjectHeader extends HeaderPrefix {
  readonly address: number
  /** Without those that stand for free space and for continuations. */
  readonly messages: readonly RawMessage[]
  /** Of all its chunks together, in bytes. */
  readonly length: number
}

/** Fails when the header holds a message that is unknown and without which its object cannot be understood. */
export async function readObjectHeader(file: H5File, address: number): Promise<ObjectHeader> {
  const known = file.headers.get(address)
  if (known) return known
  const header = await readHeader(file, address)
  file.headers.add(header)
  return header
}

async function readHeader({ bytes }: H5File, address: number): Promise<ObjectHeader> {
  const prefixLength = Math.max(1, Math.min(LONGEST_PREFIX, bytes.end - address))
  const prefix = decodePrefix(await bytes.read(address, prefixLength, STRUCTURE), bytes.widths, address)
  const { chunkStart, chunkLength } = prefix
  const budget = new HeaderBudget(address)
  budget.take({ address: address + chunkStart, length: chunkLength })
  // Copies: the views would keep whole blocks of the file in memory.
  const first = new Uint8Array(await bytes.read(address + chunkStart, chunkLength, STRUCTURE))
  const chunks = [decodeFirstChunk(first, prefix, bytes.widths, address)]
  // Chunks that continue the ones before them; usually there is one after another.
  for (let level = chunks[0].continuations; level.length > 0; ) {
    for (const continuation of level) budget.take(continuation)
    const next = await Promise.all(
      level.map(async ({ address: at, length }) => {
        const chunk = await bytes.read(at, length, 'a continuation of the object header')
        return decodeContinuationChunk(new Uint8Array(chunk), prefix, bytes.widths, at)
      }),
    )
    chunks.push(...next)
    level = next.flatMap(({ continuations }) => continuations)
  }
  const messages = chunks.flatMap(chunk => chunk.messages)
  if (messages.length > MAX_MESSAGES) throw damaged(STRUCTURE, address, `it has ${messages.length} messages`)
  for (const message of messages) checkKnown(message, address)
  return { ...prefix, address, messages, length: budget.length }
}

/** Ends cycles of continuations, and headers that are larger than any real one. */
class HeaderBudget {
  readonly #address: number
  readonly #seen = new Set<number>()
  #length = 0

  constructor(address: number) {
    this.#address = address
  }

  /** Of all chunks together. */
  get length(): number {
    return this.#length
  }

  take({ address, length }: Continuation): void {
    if (this.#seen.has(address)) {
      throw damaged(STRUCTURE, this.#address, `its continuation at ${address} occurs twice`)
    }
    this.#seen.add(address)
    this.#length += length
    if (this.#length > MAX_HEADER_LENGTH) {
      throw damaged(STRUCTURE, this.#address, `it has more than ${MAX_HEADER_LENGTH} bytes`)
    }
  }
}

function checkKnown({ type, flags }: RawMessage, address: number): void {
  if (!(flags & FAIL_IF_UNKNOWN_FLAG) || KNOWN_TYPES.has(type)) return
  throw damaged(
    STRUCTURE,
    address,
    `it has a message of the unknown type ${type}, without which it must not be read`,
  )
}

/** The first message of `type`. */
export function findMessage(header: ObjectHeader, type: number): RawMessage | undefined {
  return header.messages.find(message => message.type === type)
}

/** A message, or a part of an attribute that has the form of one. */
export type SharableMessage = Pick<RawMessage, 'type' | 'flags' | 'body' | 'address'>

/** Where a message is that is not in the header itself; undefined: it is. */
export function sharedMessageOf(file: H5File, message: SharableMessage): SharedMessage | undefined {
  if (!(message.flags & SHARED_FLAG)) return undefined
  return decodeShared(new FieldReader(message.body, file.bytes.widths, 'the shared message', message.address))
}

/** A decoded message, which may be elsewhere. At once when it is in the header itself, as most are; so use `await`. */
export function readMessage<T>(
  file: H5File,
  message: SharableMessage,
  structure: string,
  decode: (fields: FieldReader) => T,
): T | Promise<T> {
  const decodeBody = (body: Uint8Array) =>
    decode(new FieldReader(body, file.bytes.widths, structure, message.address))
  const body = resolveShared(file, message)
  return body instanceof Promise ? body.then(decodeBody) : decodeBody(body)
}

/** The body of a message, which may be elsewhere. At once as in `readMessage`. */
export function resolveShared(file: H5File, message: SharableMessage): Uint8Array | Promise<Uint8Array> {
  const shared = sharedMessageOf(file, message)
  return shared ? readShared(file, message, shared) : message.body
}

async function readShared(
  file: H5File,
  message: SharableMessage,
  shared: SharedMessage,
): Promise<Uint8Array> {
  if (shared.kind === 'heap') {
    if (file.sharedMessages) return file.sharedMessages.read(message.type, shared.heapId)
    throw damaged('the shared message', message.address, 'the file has no table of shared messages')
  }
  const target = findMessage(await readObjectHeader(file, shared.address), message.type)
  if (!target || target.flags & SHARED_FLAG) {
    throw damaged('the shared message', message.address, `the object at ${shared.address} does not hold it`)
  }
  return target.body
}
