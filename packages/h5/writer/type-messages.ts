// Messages of datatypes and dataspaces.

import type { Dataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { encodeDatatype } from '../format/datatype.ts'
import { encodeDataspace } from '../format/messages/dataspace.ts'
import { MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import { encodeShared } from '../format/messages/shared.ts'
import type { ObjectTable } from './file-context.ts'
import { fileTypeOf } from './file-types.ts'
import { CONSTANT, encoded, type Message, message } from './messages.ts'

export function spaceBody(space: Dataspace): Uint8Array {
  return encoded(writer => encodeDataspace(writer, space))
}

/**
 * A datatype, or the address of the committed datatype that represents it. Throws `type-unsupported` for a type that
 * files cannot hold.
 */
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
