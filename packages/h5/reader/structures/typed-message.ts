// The datatype and dataspace messages of datasets, attributes and committed datatypes, wherever they are stored.

import type { Dataspace } from '@hyperslab/model/dataset'
import type { FileAddress } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import type { FileType } from '../../format/file-type.ts'
import { MESSAGE } from '../../format/messages/message-type.ts'
import { type Steps, waitFor } from '../../steps.ts'
import type { H5File } from './h5-file.ts'
import type { ObjectHeader } from './header-cache.ts'
import {
  findMessage,
  readKnown,
  resolveShared,
  type SharableMessage,
  sharedMessageOf,
} from './object-header.ts'

export interface ReadDatatype {
  readonly type: FileType
  /** The committed datatype that is used. */
  readonly committedType?: FileAddress
}

export function* readDatatype(file: H5File, message: SharableMessage): Steps<ReadDatatype> {
  const shared = sharedMessageOf(file, message)
  const body = yield* waitFor(resolveShared(file, message))
  const type = file.known.datatypes.decode(body, file.bytes.widths, message.address)
  return { type, ...(shared?.kind === 'object' && { committedType: String(shared.address) }) }
}

/** Like `readMessage`, returns the dataspace at once or a promise. */
export function readDataspace(file: H5File, message: SharableMessage): Dataspace | Promise<Dataspace> {
  return readKnown(file, message, file.known.dataspaces)
}

/** A message that the object must have; `structure`, with its article, for the error. */
export function requireMessage(header: ObjectHeader, type: number, structure: string): SharableMessage {
  const message = findMessage(header, type)
  if (!message) throw damaged(structure, undefined, `the object header at ${header.address} has none`)
  return message
}

/** The datatype of a dataset, or a committed datatype. */
export function readDatatypeOf(file: H5File, header: ObjectHeader): Steps<ReadDatatype> {
  return readDatatype(file, requireMessage(header, MESSAGE.datatype, 'the datatype'))
}
