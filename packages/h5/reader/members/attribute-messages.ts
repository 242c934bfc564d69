// The attributes of an object as messages: in its object header, in a heap of shared messages, or, if they are many, in
// a fractal heap (file format specification, IV.A.2.m and IV.A.2.v).

import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import { ATTRIBUTE_NAMES } from '../../format/indexes/b-tree-2-records.ts'
import { type AttributeMessage, decodeAttribute } from '../../format/messages/attribute.ts'
import { decodeAttributeInfo } from '../../format/messages/member-info.ts'
import { MESSAGE, SHARED_FLAG } from '../../format/messages/message-type.ts'
import type { RawMessage } from '../../format/object-header.ts'
import { type Steps, waitFor } from '../../steps.ts'
import { ATTEMPT_ALL, type Attempt } from '../structures/attempt.ts'
import { bTree2Records } from '../structures/b-tree-2.ts'
import { openFractalHeap } from '../structures/fractal-heap.ts'
import type { H5File } from '../structures/h5-file.ts'
import type { ObjectHeader } from '../structures/header-cache.ts'
import type { CountMembers } from '../structures/member-count.ts'
import { findMessage, readMessage } from '../structures/object-header.ts'
import { DenseMembers, type MemberLists, readMemberLists } from './dense-members.ts'

/** Bytes that an attribute takes at least: its record in the B-tree, and its message in the heap. */
const DENSE_ATTRIBUTE_SIZE = 32

/**
 * The attributes in the order of creation if the object tracks it, else by name; most objects have one list. `attempt`
 * is called for each attribute, and for those in a heap together.
 */
export function* readAttributeMessages(
  file: H5File,
  header: ObjectHeader,
  attempt: Attempt = ATTEMPT_ALL,
): Steps<MemberLists<AttributeMessage>> {
  const count = file.attributeCount.begin(header.address)
  const attributes: AttributeMessage[] = []
  for (const message of header.messages) {
    if (message.type !== MESSAGE.attribute) continue
    const decode = (fields: FieldReader) => decodeAttribute(fields, message.creationOrder)
    const attribute = yield* waitFor(attempt(() => readMessage(file, message, 'an attribute', decode)))
    if (attribute) attributes.push(attribute)
  }
  const info = findMessage(header, MESSAGE.attributeInfo)
  const dense = info && (yield* waitFor(attempt(() => openDenseAttributes(file, info, count, attempt))))
  return yield* readMemberLists(attributes, dense)
}

async function openDenseAttributes(
  file: H5File,
  { body, address }: RawMessage,
  count: CountMembers,
  attempt: Attempt,
): Promise<DenseMembers<AttributeMessage> | undefined> {
  const info = new FieldReader(body, file.bytes.widths, 'the attribute info message', address)
  const { heap: heapAddress, nameIndex, tracksOrder } = decodeAttributeInfo(info)
  if (heapAddress === undefined || nameIndex === undefined) return undefined
  // The heap itself is not walked: its blocks still hold the bytes of attributes that were deleted.
  const heap = await openFractalHeap(file.bytes, heapAddress)
  const dense = new DenseMembers<AttributeMessage>({
    heap,
    tracksOrder,
    attempt,
    decode(body, creationOrder) {
      const structure = 'an attribute in the fractal heap'
      const fields = new FieldReader(body, file.bytes.widths, structure, heapAddress)
      return decodeAttribute(fields, tracksOrder ? creationOrder : undefined)
    },
    async readShared(heapId) {
      if (!file.sharedMessages)
        throw damaged('the B-tree of the attributes', nameIndex, 'the file has no shared messages')
      return file.sharedMessages.read(MESSAGE.attribute, heapId)
    },
  })
  for await (const records of bTree2Records(file.bytes, nameIndex, ATTRIBUTE_NAMES)) {
    count(records.length, DENSE_ATTRIBUTE_SIZE)
    for (const { heapId, flags, creationOrder } of records) {
      dense.add({ heapId, isShared: (flags & SHARED_FLAG) !== 0, creationOrder })
    }
  }
  return dense
}
