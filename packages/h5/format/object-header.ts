// Object headers (file format specification, IV.A): a prefix, then messages in one or more chunks. Version 1 has no
// checksum and pads every message to 8 bytes. In version 2 each chunk has a checksum, and a chunk may end with a gap
// that is too short for the header of a message.

import { CHECKSUM_SIZE, checkChecksum, withChecksum } from './checksum.ts'
import { FieldReader, type Widths } from './field-reader.ts'
import { FieldWriter } from './field-writer.ts'
import { MESSAGE } from './messages/message-type.ts'

const STRUCTURE = 'the object header'
const SIGNATURE = 'OHDR'
const CONTINUATION_SIGNATURE = 'OCHK'

/** Version 1 counts messages in 16 bits, and no library writes more of them in version 2. @limit format, messages */
export const MAX_MESSAGES = 2 ** 16

/** No prefix is longer: version 2 with all fields. */
export const LONGEST_PREFIX = 34

const PREFIX_SIZE_1 = 16

const CHUNK_SIZE_WIDTH_BITS = 0x03
const ATTRIBUTE_ORDER_TRACKED = 0x04
const ATTRIBUTE_ORDER_INDEXED = 0x08
const PHASE_CHANGE_STORED = 0x10
const TIMES_STORED = 0x20

/** Seconds since 1970, UTC. */
export interface ObjectTimes {
  readonly access: number
  readonly modification: number
  readonly change: number
  readonly birth: number
}

/** The highest number of attributes in the header, and the lowest in a fractal heap. */
export interface AttributePhaseChange {
  readonly maxCompact: number
  readonly minDense: number
}

export interface HeaderPrefix {
  readonly version: 1 | 2
  /** Version 1: the number of objects and names that refer to it. */
  readonly referenceCount?: number
  readonly times?: ObjectTimes
  readonly tracksAttributeOrder: boolean
  readonly indexesAttributeOrder: boolean
  readonly attributePhaseChange?: AttributePhaseChange
  /** The beginning of the first chunk, relative to the address of the header: the prefix is part of it in version 2. */
  readonly chunkStart: number
  readonly chunkLength: number
}

/** One message as it is stored: `body` is a view that must not be changed. */
export interface RawMessage {
  readonly type: number
  readonly flags: number
  /** Present for an attribute of an object that tracks the order. */
  readonly creationOrder?: number
  readonly body: Uint8Array
  /** The address of the body. */
  readonly address: number
}

/** The location of further messages of an object. */
export interface Continuation {
  readonly address: number
  readonly length: number
}

export interface HeaderChunk {
  /** The messages, except for nil messages, which represent free space. */
  readonly messages: readonly RawMessage[]
  readonly continuations: readonly Continuation[]
}

/** `bytes`: LONGEST_PREFIX of them, or all that the file has from `address` on. */
export function decodePrefix(bytes: Uint8Array, widths: Widths, address: number): HeaderPrefix {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  return bytes[0] === SIGNATURE.charCodeAt(0) ? decodePrefix2(fields) : decodePrefix1(fields)
}

function decodePrefix1(fields: FieldReader): HeaderPrefix {
  fields.version([1])
  // A reserved byte, and the number of messages: the chunks have their own ends.
  fields.skip(3)
  const referenceCount = fields.u32()
  const chunkLength = fields.u32()
  return {
    version: 1,
    referenceCount,
    tracksAttributeOrder: false,
    indexesAttributeOrder: false,
    chunkStart: PREFIX_SIZE_1,
    chunkLength,
  }
}

function decodePrefix2(fields: FieldReader): HeaderPrefix {
  fields.expectSignature(SIGNATURE)
  fields.version([2])
  const flags = fields.u8()
  const times = (flags & TIMES_STORED) !== 0 && {
    access: fields.u32(),
    modification: fields.u32(),
    change: fields.u32(),
    birth: fields.u32(),
  }
  const attributePhaseChange = (flags & PHASE_CHANGE_STORED) !== 0 && {
    maxCompact: fields.u16(),
    minDense: fields.u16(),
  }
  const messagesLength = fields.unsigned(1 << (flags & CHUNK_SIZE_WIDTH_BITS))
  return {
    version: 2,
    ...(times && { times }),
    tracksAttributeOrder: (flags & ATTRIBUTE_ORDER_TRACKED) !== 0,
    indexesAttributeOrder: (flags & ATTRIBUTE_ORDER_INDEXED) !== 0,
    ...(attributePhaseChange && { attributePhaseChange }),
    chunkStart: 0,
    chunkLength: fields.position + messagesLength + CHECKSUM_SIZE,
  }
}

/** The chunk that the prefix names. `bytes`: those from `chunkStart` on. */
export function decodeFirstChunk(
  bytes: Uint8Array,
  prefix: HeaderPrefix,
  widths: Widths,
  address: number,
): HeaderChunk {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  if (prefix.version === 1) return decodeMessages(fields, prefix, address + prefix.chunkStart)
  fields.skip(prefixSize2(prefix, bytes))
  return decodeChecked(fields, prefix, address)
}

/** A chunk that a continuation names. `bytes`: all of it. */
export function decodeContinuationChunk(
  bytes: Uint8Array,
  prefix: HeaderPrefix,
  widths: Widths,
  address: number,
): HeaderChunk {
  const fields = new FieldReader(bytes, widths, 'the continuation of the object header', address)
  if (prefix.version === 1) return decodeMessages(fields, prefix, address)
  fields.expectSignature(CONTINUATION_SIGNATURE)
  return decodeChecked(fields, prefix, address)
}

function prefixSize2(prefix: HeaderPrefix, bytes: Uint8Array): number {
  const optional = (prefix.times ? 16 : 0) + (prefix.attributePhaseChange ? 4 : 0)
  return 6 + optional + (1 << (bytes[5] & CHUNK_SIZE_WIDTH_BITS))
}

/** Messages of version 2 up to the checksum, which is compared before anything is decoded. */
function decodeChecked(fields: FieldReader, prefix: HeaderPrefix, address: number): HeaderChunk {
  const start = fields.position
  fields.skip(fields.left - CHECKSUM_SIZE)
  const end = fields.position
  checkChecksum(fields)
  const messages = new FieldReader(fields.bytes.subarray(0, end), fields.widths, STRUCTURE, address)
  messages.skip(start)
  return decodeMessages(messages, prefix, address)
}

/** `start`: the address of the first byte of `fields`. */
function decodeMessages(fields: FieldReader, prefix: HeaderPrefix, start: number): HeaderChunk {
  const messages: RawMessage[] = []
  const continuations: Continuation[] = []
  const headerSize = messageHeaderSize(prefix)
  for (let count = 1; fields.left >= headerSize; count++) {
    if (count > MAX_MESSAGES) throw fields.error(`it has more than ${MAX_MESSAGES} messages`)
    const message = decodeMessage(fields, prefix, start)
    if (message.type === MESSAGE.continuation) {
      const { body, address } = message
      continuations.push(decodeContinuation(new FieldReader(body, fields.widths, STRUCTURE, address)))
    } else if (message.type !== MESSAGE.nil) {
      messages.push(message)
    }
  }
  return { messages, continuations }
}

function messageHeaderSize({
  version,
  tracksAttributeOrder,
}: Pick<HeaderPrefix, 'version' | 'tracksAttributeOrder'>): number {
  if (version === 1) return 8
  return tracksAttributeOrder ? 6 : 4
}

function decodeMessage(fields: FieldReader, prefix: HeaderPrefix, start: number): RawMessage {
  const type = prefix.version === 1 ? fields.u16() : fields.u8()
  const size = fields.u16()
  const flags = fields.u8()
  if (prefix.version === 1) fields.skip(3)
  if (!prefix.tracksAttributeOrder) {
    const address = start + fields.position
    return { type, flags, body: fields.take(size), address }
  }
  const creationOrder = fields.u16()
  const address = start + fields.position
  return { type, flags, creationOrder, body: fields.take(size), address }
}

function decodeContinuation(fields: FieldReader): Continuation {
  return { address: fields.definedAddress('a continuation'), length: fields.length() }
}

/** The contents of a header of version 2, for `encodeObjectHeader`. */
export interface NewObjectHeader
  extends Omit<HeaderPrefix, 'version' | 'referenceCount' | 'chunkStart' | 'chunkLength'> {
  readonly messages: readonly Omit<RawMessage, 'address'>[]
}

/** Bytes of the messages of a header, and how its prefix has their number. */
function messagesLength({ tracksAttributeOrder, messages }: NewObjectHeader): {
  readonly length: number
  readonly widthBits: number
} {
  const headerSize = messageHeaderSize({ version: 2, tracksAttributeOrder })
  const length = messages.reduce((sum, { body }) => sum + headerSize + body.length, 0)
  return { length, widthBits: length <= 0xff ? 0 : length <= 0xffff ? 1 : 2 }
}

/** The length of the result of `encodeObjectHeader`. */
export function objectHeaderLength(header: NewObjectHeader): number {
  const { length, widthBits } = messagesLength(header)
  const optional = (header.times ? 16 : 0) + (header.attributePhaseChange ? 4 : 0)
  return SIGNATURE.length + 2 + optional + (1 << widthBits) + length + CHECKSUM_SIZE
}

/** An object header of version 2 in one chunk. */
export function encodeObjectHeader(header: NewObjectHeader, widths: Widths): Uint8Array {
  const { times, attributePhaseChange, tracksAttributeOrder, indexesAttributeOrder, messages } = header
  const { length, widthBits } = messagesLength(header)
  const writer = new FieldWriter(widths)
  writer.signature(SIGNATURE)
  writer.u8(2)
  writer.u8(
    widthBits |
      (tracksAttributeOrder ? ATTRIBUTE_ORDER_TRACKED : 0) |
      (indexesAttributeOrder ? ATTRIBUTE_ORDER_INDEXED : 0) |
      (attributePhaseChange ? PHASE_CHANGE_STORED : 0) |
      (times ? TIMES_STORED : 0),
  )
  if (times)
    for (const time of [times.access, times.modification, times.change, times.birth]) writer.u32(time)
  if (attributePhaseChange) {
    writer.u16(attributePhaseChange.maxCompact)
    writer.u16(attributePhaseChange.minDense)
  }
  writer.unsigned(length, 1 << widthBits)
  for (const { type, flags, creationOrder, body } of messages) {
    writer.u8(type)
    writer.u16(body.length)
    writer.u8(flags)
    if (tracksAttributeOrder) writer.u16(creationOrder ?? 0)
    writer.put(body)
  }
  return withChecksum(writer)
}
