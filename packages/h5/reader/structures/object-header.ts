// The object header of an object, read whole: its messages through all continuations, in order (file format
// specification, IV.A). Headers stay decoded for a while, since several reads of an object need it: for its links, its
// attributes, its type.

import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import { FAIL_IF_UNKNOWN_FLAG, KNOWN_TYPES, SHARED_FLAG } from '../../format/messages/message-type.ts'
import { decodeShared, type SharedMessage } from '../../format/messages/shared.ts'
import {
  decodeContinuationChunk,
  decodeFirstChunk,
  decodePrefix,
  type HeaderChunk,
  type HeaderPrefix,
  LONGEST_PREFIX,
  MAX_MESSAGES,
  type RawMessage,
} from '../../format/object-header.ts'
import { runSteps, type Steps, waitFor } from '../../steps.ts'
import type { FileBytes } from './file-bytes.ts'
import type { H5File } from './h5-file.ts'
import type { ObjectHeader } from './header-cache.ts'
import type { MessageCache } from './message-cache.ts'

const STRUCTURE = 'the object header'

/** The longest header: a message has at most 64 KiB, and only attributes are many. @limit safety, bytes */
const MAX_HEADER_LENGTH = 64 * 1024 * 1024

/**
 * Returns the header at once when its bytes are in the cache; so use `await`. Fails when the header holds a message
 * that is unknown and without which its object cannot be understood.
 */
export function readObjectHeader(file: H5File, address: number): ObjectHeader | Promise<ObjectHeader> {
  return file.headers.get(address) ?? runSteps(readHeader(file, address))
}

function* readHeader({ bytes, headers }: H5File, address: number): Steps<ObjectHeader> {
  const prefixLength = Math.max(1, Math.min(LONGEST_PREFIX, bytes.end - address))
  const start = yield* waitFor(bytes.read(address, prefixLength, STRUCTURE))
  const prefix = decodePrefix(start, bytes.widths, address)
  const { chunkStart, chunkLength } = prefix
  checkLength(address, chunkLength)
  const first = yield* waitFor(bytes.read(address + chunkStart, chunkLength, STRUCTURE))
  const chunk = decodeFirstChunk(first, prefix, bytes.widths, address)
  const { messages, length } =
    chunk.continuations.length === 0
      ? { messages: chunk.messages, length: chunkLength }
      : yield* readContinuations(bytes, address, prefix, chunk)
  for (const message of messages) checkKnown(message, address)
  const header = { address, messages, length, ...prefix }
  headers.add(header)
  return header
}

/** The messages of the first chunk and of all that continue it, and the length of all chunks together. */
function* readContinuations(
  bytes: FileBytes,
  address: number,
  prefix: HeaderPrefix,
  first: HeaderChunk,
): Steps<Pick<ObjectHeader, 'messages' | 'length'>> {
  const messages = [...first.messages]
  const continuations = [...first.continuations]
  const seen = new Set([address + prefix.chunkStart])
  let length = prefix.chunkLength
  // The list grows while it is walked: usually each chunk names the next one.
  for (const continuation of continuations) {
    if (seen.has(continuation.address)) {
      throw damaged(STRUCTURE, address, `its continuation at ${continuation.address} occurs twice`)
    }
    seen.add(continuation.address)
    length += continuation.length
    checkLength(address, length)
    const structure = 'a continuation of the object header'
    const body = yield* waitFor(bytes.read(continuation.address, continuation.length, structure))
    const chunk = decodeContinuationChunk(body, prefix, bytes.widths, continuation.address)
    for (const message of chunk.messages) messages.push(message)
    for (const next of chunk.continuations) continuations.push(next)
    if (messages.length > MAX_MESSAGES)
      throw damaged(STRUCTURE, address, `it has ${messages.length} messages`)
  }
  return { messages, length }
}

/** Rejects a header whose chunks are too long together. */
function checkLength(address: number, length: number): void {
  if (length <= MAX_HEADER_LENGTH) return
  throw damaged(STRUCTURE, address, `it has more than ${MAX_HEADER_LENGTH} bytes`)
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

/** The location of a message that is not in the header itself; undefined: it is in the header. */
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

/** Reads a message that is equal in many objects, and decodes it once. */
export function readKnown<T>(file: H5File, message: SharableMessage, known: MessageCache<T>): T | Promise<T> {
  const decodeBody = (body: Uint8Array) => known.decode(body, file.bytes.widths, message.address)
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
