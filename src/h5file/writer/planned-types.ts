// What a file needs of datatypes and dataspaces: the messages, and how elements become those of the file. Most objects
// and attributes of a domain have one of a few types without parts and one of a few extents, of which this is made
// once.

import { BoundedMap } from '../../bounded/bounded-map.ts'
import type { Dataspace } from '../../hdf5/dataspace.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import { encodeDatatype } from '../format/datatype.ts'
import { encodeDataspace } from '../format/messages/dataspace.ts'
import { MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import { encodeShared } from '../format/messages/shared.ts'
import type { ObjectTable } from './file-context.ts'
import { type ElementForm, elementFormOf, fileTypeOf } from './file-types.ts'
import { CONSTANT, encoded, type Message, message } from './messages.ts'

export interface PlannedType {
  readonly form: ElementForm
  readonly body: Uint8Array
}

/** Strings of each length are a type of their own. */
const MAX_KNOWN = 1024

const knownTypes = new BoundedMap<string, PlannedType>(MAX_KNOWN)
const knownSpaces = new BoundedMap<string, Uint8Array>(MAX_KNOWN)

/** `type-unsupported` for what files cannot hold. */
export function plannedType(type: Datatype): PlannedType {
  const name = nameOfType(type)
  const planned = name === undefined ? undefined : knownTypes.get(name)
  if (planned) return planned
  const body = encoded(writer => encodeDatatype(writer, fileTypeOf(type)))
  const plan = { form: elementFormOf(type), body }
  if (name !== undefined) knownTypes.set(name, plan)
  return plan
}

/** Without spaces; types that are the same in files have the same. Undefined for types with parts. */
export function nameOfType(type: Datatype): string | undefined {
  switch (type.class) {
    case 'H5T_INTEGER':
      return `${type.signed ? 'i' : 'u'}${type.size}${type.order}`
    case 'H5T_FLOAT':
      return `f${type.size}${type.order}`
    case 'H5T_BITFIELD':
      return `b${type.size}${type.order}`
    case 'H5T_STRING':
      return `s${type.length},${type.charSet},${type.strPad}`
    default:
      return undefined
  }
}

export function spaceBody(space: Dataspace): Uint8Array {
  const name = nameOfSpace(space)
  const known = knownSpaces.get(name)
  if (known) return known
  const body = encoded(writer => encodeDataspace(writer, space))
  knownSpaces.set(name, body)
  return body
}

/** Without spaces. */
export function nameOfSpace(space: Dataspace): string {
  if (space.class !== 'H5S_SIMPLE') return space.class
  const { dims, maxdims } = space
  return maxdims ? `${dims.join()}/${maxdims.join()}` : dims.join()
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
  return { shared: false, body: plannedType(type).body }
}

export function typeMessage(objects: ObjectTable, type: Datatype, committedType?: ObjectId): Message {
  const { shared, body } = typeBody(objects, type, committedType)
  return message(MESSAGE.datatype, 'the datatype', body, CONSTANT | (shared ? SHARED_FLAG : 0))
}
