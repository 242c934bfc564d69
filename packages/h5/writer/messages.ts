// Messages of object headers that several kinds of objects have.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Timestamp } from '@hyperslab/model/names'
import { FieldWriter } from '../format/field-writer.ts'
import { MESSAGE } from '../format/messages/message-type.ts'
import { encodeReferenceCount } from '../format/messages/reference-count.ts'
import type { ObjectTimes, RawMessage } from '../format/object-header.ts'
import { WIDTHS } from './values/elements.ts'

export type Message = Omit<RawMessage, 'address'>

/** The length of a message has 16 bits. @limit format, bytes */
export const MAX_MESSAGE = 2 ** 16 - 1

/** Flags of messages. */
export const CONSTANT = 0x01
export const NOT_SHARED = 0x04

/** The bytes that `write` writes. */
export function encoded(write: (writer: FieldWriter) => void): Uint8Array {
  const writer = new FieldWriter(WIDTHS)
  write(writer)
  return writer.copy()
}

/** The number of bytes that `write` writes. */
export function encodedLength(write: (writer: FieldWriter) => void): number {
  const writer = new FieldWriter(WIDTHS)
  write(writer)
  return writer.position
}

/** `subject` names the message for the error that it is too long. */
export function message(
  type: number,
  subject: string,
  body: Uint8Array,
  flags = 0,
  creationOrder?: number,
): Message {
  requireMessageLength(subject, body.length)
  return creationOrder === undefined ? { type, flags, body } : { type, flags, body, creationOrder }
}

export function requireMessageLength(subject: string, length: number): void {
  if (length <= MAX_MESSAGE) return
  throw new HyperslabError(
    'type-unsupported',
    `${subject} takes ${length} bytes, and a file holds at most ${MAX_MESSAGE}`,
  )
}

export function referenceCountMessage(count: number): Message {
  return message(
    MESSAGE.referenceCount,
    'the reference count',
    encoded(writer => encodeReferenceCount(writer, count)),
  )
}

/** The times in whole seconds of 32 bits. */
export function timesOf(created: Timestamp, lastModified: Timestamp): ObjectTimes {
  const change = secondsOf(lastModified)
  return { access: change, modification: change, change, birth: secondsOf(created) }
}

function secondsOf(time: Timestamp): number {
  return Math.min(2 ** 32 - 1, Math.max(0, Math.floor(time / 1e6)))
}
