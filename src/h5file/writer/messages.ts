// Messages of object headers that several kinds of objects have.

import { HyperslabError } from '../../errors.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Timestamp } from '../../hdf5/timestamp.ts'
import { encodeDatatype } from '../format/datatype.ts'
import { FieldWriter } from '../format/field-writer.ts'
import { MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import { encodeReferenceCount } from '../format/messages/reference-count.ts'
import { encodeShared } from '../format/messages/shared.ts'
import type { ObjectTimes, RawMessage } from '../format/object-header.ts'
import { WIDTHS } from './elements.ts'
import type { ObjectTable } from './file-context.ts'
import { fileTypeOf } from './file-types.ts'

export type Message = Omit<RawMessage, 'address'>

/** The length of a message has 16 bits. */
export const MAX_MESSAGE = 2 ** 16 - 1

/** Flags of messages. */
export const CONSTANT = 0x01
export const NOT_SHARED = 0x04

/** Messages are many and small: memory for each writer would cost more than all the rest. */
const scratch = new FieldWriter(WIDTHS)

/** What `write` writes; it must not call this function. */
export function encoded(write: (writer: FieldWriter) => void): Uint8Array {
  scratch.clear()
  write(scratch)
  return scratch.bytes.slice()
}

/** `what` names the message for the error that it is too long. */
export function message(type: number, what: string, body: Uint8Array, flags = 0): Message {
  requireLength(what, body.length)
  return { type, flags, body }
}

export function requireLength(what: string, length: number): void {
  if (length <= MAX_MESSAGE) return
  throw new HyperslabError(
    'type-unsupported',
    `${what} takes ${length} bytes, and a file holds at most ${MAX_MESSAGE}`,
  )
}

/** A datatype, or the address of the committed datatype that stands for it. */
export function typeBody(
  objects: ObjectTable,
  type: Datatype,
  committedType: ObjectId | undefined,
): { readonly shared: boolean; readonly body: Uint8Array } {
  const address = committedType && objects.addressOf(committedType)
  if (address !== undefined) {
    return { shared: true, body: encoded(writer => encodeShared(writer, { kind: 'object', address })) }
  }
  return { shared: false, body: encoded(writer => encodeDatatype(writer, fileTypeOf(type))) }
}

export function typeMessage(objects: ObjectTable, type: Datatype, committedType?: ObjectId): Message {
  const { shared, body } = typeBody(objects, type, committedType)
  return message(MESSAGE.datatype, 'the datatype', body, CONSTANT | (shared ? SHARED_FLAG : 0))
}

export function referenceCountMessage(count: number): Message {
  return message(
    MESSAGE.referenceCount,
    'the reference count',
    encoded(writer => encodeReferenceCount(writer, count)),
  )
}

/** In whole seconds of 32 bits. */
export function timesOf(created: Timestamp, lastModified: Timestamp): ObjectTimes {
  const [birth, change] = [created, lastModified].map(time =>
    Math.min(2 ** 32 - 1, Math.max(0, Math.floor(time / 1e6))),
  )
  return { access: change, modification: change, change, birth }
}
