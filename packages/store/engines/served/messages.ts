// The messages between a command and the service that has its data folder open. A message is a length of 4 bytes and a
// value in the form of node:v8. Many short arrays of bytes are packed into one, because node:v8 takes long for each.

import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { ERROR_KINDS, type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { Batch, Entry, Expectation, KeyRange } from '../../interfaces/engine.ts'
import type { PlainChange } from './derive-changes.ts'

/** The version of the messages; the form of node:v8, whose version is its second byte, is a part of it. */
export const PROTOCOL = `1.${serialize(undefined)[1]}`

/**
 * Bytes of one message between a command and the service. Pieces of a batch or a range are much shorter unless one
 * value is long.
 * @limit memory, bytes
 */
const MAX_MESSAGE_BYTES = 64 * 2 ** 20
/** Bytes of values after which a piece of a batch or a range ends. */
export const PIECE_BYTES = 2 ** 20
/** Entries in a piece of a range, or keys of one request. */
export const PIECE_ENTRIES = 256
/** Bytes of one batch of a command: imports commit much less at once. @limit memory, bytes */
export const MAX_BATCH_BYTES = 512 * 2 ** 20

/** The first message, from the service. */
export interface Greeting {
  readonly protocol: string
  /** The format of the data folder that the service reads and writes. */
  readonly format: number
  /** The name of the command for `isAlive`. */
  readonly process: string
  readonly slots: SnapshotSlots
}

export type SnapshotSlots = { readonly taken: number; readonly limit: number }

/** A message of a command. Those without an id have no answer. */
export type Request =
  | { readonly op: 'open'; readonly id: number; readonly snapshot: number }
  | { readonly op: 'close'; readonly snapshot: number }
  | { readonly op: 'get'; readonly id: number; readonly snapshot: number; readonly keys: PackedArrays }
  | { readonly op: 'range'; readonly id: number; readonly snapshot: number; readonly range: KeyRange }
  | { readonly op: 'part'; readonly part: BatchPart }
  /** Commits the parts before it. */
  | { readonly op: 'commit'; readonly id: number; readonly time: number | undefined }
  | { readonly op: 'openSnapshots'; readonly id: number }
  | { readonly op: 'isAlive'; readonly id: number; readonly process: string }

/** A request that has an answer, without the id that the connection gives it. */
export type Question = Request extends infer One
  ? One extends { readonly id: number }
    ? Omit<One, 'id'>
    : never
  : never

export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SentError }

/** A piece of a range: keys and values in turn. */
export interface RangePiece {
  readonly entries: PackedArrays
  readonly isLast: boolean
}

/** A part of a batch; `more` are entries of the range that was expected last in the parts before. */
export interface BatchPart {
  readonly expect: Expectation[]
  readonly more: Entry[]
  readonly changes: PlainChange[]
}

export interface SentError {
  readonly message: string
  readonly code?: string
  readonly subject?: string | undefined
  readonly retryAfter?: number | undefined
}

export function sentError(error: unknown): SentError {
  if (error instanceof HyperslabError) {
    const { message, code, subject, retryAfter } = error
    return { message, code, subject, retryAfter }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

export function receivedError({ message, code, subject, retryAfter }: SentError): Error {
  if (code === undefined || !isErrorCode(code)) return new Error(message)
  const options = {
    ...(subject !== undefined && { subject }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
  return new HyperslabError(code, message, options)
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_KINDS, code)
}

const HEADER_BYTES = 4
const NOTHING = Buffer.alloc(0)

/** Sends the message. False: what was sent before waits, and nothing more should be sent until the event `drain`. */
export function send(socket: Socket, message: Greeting | Request | Answer): boolean {
  const body = serialize(message)
  if (body.length > MAX_MESSAGE_BYTES)
    throw new Error(`a message has at most ${MAX_MESSAGE_BYTES} bytes, this one ${body.length}`)
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(body.length)
  socket.cork()
  socket.write(header)
  const isSent = socket.write(body)
  socket.uncork()
  return isSent
}

export interface ReceivedMessage {
  /** The value that the other side has sent. */
  readonly message: unknown
  readonly bytes: number
}

/** The messages that arrive. Their arrays of bytes are parts of larger ones. */
export async function* messagesOf(socket: AsyncIterable<Buffer>): AsyncGenerator<ReceivedMessage> {
  let pieces: Buffer[] = []
  let present = 0
  let needed = HEADER_BYTES
  for await (const piece of socket) {
    pieces.push(piece)
    present += piece.length
    while (present >= needed) {
      const [first = NOTHING] = pieces
      const all = pieces.length === 1 ? first : Buffer.concat(pieces)
      const bytes = all.readUInt32LE(0)
      if (bytes > MAX_MESSAGE_BYTES) throw new Error(`a message of ${bytes} bytes is too long`)
      needed = HEADER_BYTES + bytes
      pieces = [all]
      if (present < needed) break
      yield { message: deserialize(all.subarray(HEADER_BYTES, needed)), bytes }
      pieces = [all.subarray(needed)]
      present -= needed
      needed = HEADER_BYTES
    }
  }
}

/** Arrays of bytes one after another, with their lengths; -1: there is none. */
export interface PackedArrays {
  readonly lengths: Int32Array
  readonly bytes: Uint8Array
}

export function pack(arrays: readonly (Uint8Array | undefined)[]): PackedArrays {
  return {
    lengths: Int32Array.from(arrays, array => array?.length ?? -1),
    bytes: Buffer.concat(arrays.filter(array => array !== undefined)),
  }
}

/** The arrays as parts of one. */
export function unpack({ lengths, bytes }: PackedArrays): (Uint8Array | undefined)[] {
  let offset = 0
  return Array.from(lengths, length => {
    if (length < 0) return undefined
    offset += length
    return bytes.subarray(offset - length, offset)
  })
}

/** The parts of a batch, each of some MiB, and the bytes of each. */
export function* partsOf(
  expect: Batch['expect'],
  changes: readonly PlainChange[],
): Generator<{ readonly part: BatchPart; readonly bytes: number }> {
  let part: BatchPart = { expect: [], more: [], changes: [] }
  let bytes = 0
  const takePart = () => {
    const taken = { part, bytes }
    part = { expect: [], more: [], changes: [] }
    bytes = 0
    return taken
  }
  const isFull = (...arrays: readonly (Uint8Array | undefined)[]) => {
    for (const array of arrays) bytes += OVERHEAD_BYTES + (array?.length ?? 0)
    return bytes >= PIECE_BYTES
  }
  for (const expectation of expect) {
    if ('key' in expectation) {
      part.expect.push(expectation)
      if (isFull(expectation.key, expectation.value)) yield takePart()
      continue
    }
    let entries: Entry[] = []
    part.expect.push({ range: expectation.range, entries })
    for (const entry of expectation.entries) {
      entries.push(entry)
      if (!isFull(entry.key, entry.value)) continue
      yield takePart()
      entries = part.more
    }
  }
  for (const change of changes) {
    part.changes.push(change)
    const isEnd =
      'key' in change ? isFull(change.key, storedValueOf(change)) : isFull(change.start, change.end)
    if (isEnd) yield takePart()
  }
  yield takePart()
}

/** Bytes that an array takes beside its own. */
const OVERHEAD_BYTES = 16

function storedValueOf(change: PlainChange): Uint8Array | undefined {
  return change.op === 'set' || change.op === 'log' ? change.value : undefined
}
