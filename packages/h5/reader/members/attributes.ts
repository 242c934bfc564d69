// An attribute of a file in the model's words.

import { elementCount } from '@hyperslab/model/dataset'
import type { FileAttribute } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import type { AttributeMessage, AttributePart } from '../../format/messages/attribute.ts'
import { MESSAGE, SHARED_FLAG } from '../../format/messages/message-type.ts'
import { type Steps, waitFor } from '../../steps.ts'
import type { ElementContext } from '../elements/element-walk.ts'
import { decodeElements } from '../elements/elements.ts'
import { isStorageForm, modelType } from '../elements/types.ts'
import type { H5File } from '../structures/h5-file.ts'
import type { SharableMessage } from '../structures/object-header.ts'
import { readDataspace, readDatatype } from '../structures/typed-message.ts'

/** `owner`: the address of the object, for messages. */
export function* readAttribute(
  file: H5File,
  message: AttributeMessage,
  name: string,
  owner: number,
  context: ElementContext,
): Steps<FileAttribute> {
  const { type: fileType, committedType } = yield* readDatatype(
    file,
    partMessage(MESSAGE.datatype, message.type, owner),
  )
  const spaceMessage = partMessage(MESSAGE.dataspace, message.space, owner)
  const space = yield* waitFor(readDataspace(file, spaceMessage))
  const { type, warnings } = modelType(fileType)
  for (const warning of warnings) context.warn(warning)
  const attribute = { name, type, ...(committedType !== undefined && { committedType }), space }
  if (space.class === 'H5S_NULL') return attribute
  const count = elementCount(space)
  const size = count * fileType.size
  if (size > message.data.length) {
    throw damaged(
      'the attribute',
      undefined,
      `it needs ${size} bytes of values and has ${message.data.length}`,
    )
  }
  // Plain bytes of the value are copied: a view would keep a whole block of the file in memory.
  const data = isStorageForm(fileType) ? message.data.slice(0, size) : message.data.subarray(0, size)
  return { value: yield* waitFor(decodeElements(file, fileType, data, count, context)), ...attribute }
}

function partMessage(type: number, { shared, body }: AttributePart, address: number): SharableMessage {
  return { type, flags: shared ? SHARED_FLAG : 0, body, address }
}
