// The attributes of an object as messages: in its object header, in a heap of shared messages, or, if they are many, in a fractal
// heap (file format specification, IV.A.2.m and IV.A.2.v).

import { Turns } from '../../turns.ts'
import { ATTRIBUTE_NAMES, type AttributeRecord } from '../format/b-tree-2-records.ts'
import { damaged } from '../format/errors.ts'
import { FieldReader } from '../format/field-reader.ts'
import { type AttributeMessage, decodeAttribute } from '../format/messages/attribute.ts'
import { decodeAttributeInfo } from '../format/messages/member-info.ts'
import { MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import type { RawMessage } from '../format/object-header.ts'
import { ATTEMPT_ALL, type Attempt, readHeapObjects } from './attempt.ts'
import { allBTree2Records } from './b-tree-2.ts'
import { openFractalHeap } from './fractal-heap.ts'
import type { H5File } from './h5-file.ts'
import type { ObjectHeader } from './header-cache.ts'
import type { CountMembers } from './member-count.ts'
import { inMemberOrder } from './member-order.ts'
import { findMessage, readMessage } from './object-header.ts'
import { type Steps, waitFor } from './steps.ts'

/** Of an attribute: its record in the B-tree, and its message in the heap. */
const DENSE_ATTRIBUTE_SIZE = 32

/** In the order of creation if the object tracks it, else by name. `attempt`: of each attribute, and of those in a heap. */
export function* readAttributeMessages(
  file: H5File,
  header: ObjectHeader,
  attempt: Attempt = ATTEMPT_ALL,
): Steps<readonly AttributeMessage[]> {
  const count = file.attributeCount.begin(header.address)
  const attributes: AttributeMessage[] = []
  for (const message of header.messages) {
    if (message.type !== MESSAGE.attribute) continue
    const decode = (fields: FieldReader) => decodeAttribute(fields, message.creationOrder)
    const attribute = yield* waitFor(attempt(() => readMessage(file, message, 'an attribute', decode)))
    if (attribute) attributes.push(attribute)
  }
  const info = findMessage(header, MESSAGE.attributeInfo)
  const dense = info && (yield* waitFor(attempt(() => readDenseAttributes(file, info, count, attempt))))
  return yield* waitFor(inMemberOrder(dense ? attributes.concat(dense) : attributes))
}

async function readDenseAttributes(
  file: H5File,
  { body, address }: RawMessage,
  count: CountMembers,
  attempt: Attempt,
): Promise<readonly AttributeMessage[]> {
  const { widths } = file.bytes
  const info = new FieldReader(body, widths, 'the attribute info message', address)
  const { heap, nameIndex, tracksOrder } = decodeAttributeInfo(info)
  if (heap === undefined || nameIndex === undefined) return []
  // The heap itself is not walked: its blocks still hold the bytes of attributes that were deleted.
  const records = await allBTree2Records(file.bytes, nameIndex, ATTRIBUTE_NAMES)
  count(records.length, DENSE_ATTRIBUTE_SIZE)
  const own = records.filter(isOwn)
  const ids = own.map(({ heapId }) => heapId)
  const bodies = await readHeapObjects(await openFractalHeap(file.bytes, heap), ids, attempt)
  const bodyOfNext = bodies.values()
  const turns = new Turns()
  const attributes: AttributeMessage[] = []
  for (const record of records) {
    const body = isOwn(record)
      ? bodyOfNext.next().value
      : await attempt(() => readShared(file, record, nameIndex))
    const fields = body && new FieldReader(body, widths, 'an attribute in the fractal heap', heap)
    const order = tracksOrder ? record.creationOrder : undefined
    const attribute = fields && (await attempt(() => decodeAttribute(fields, order)))
    if (attribute) attributes.push(attribute)
    if (turns.isOver) await turns.next()
  }
  return attributes
}

/** False for those in the heap of shared messages. */
function isOwn({ flags }: AttributeRecord): boolean {
  return !(flags & SHARED_FLAG)
}

async function readShared(file: H5File, { heapId }: AttributeRecord, index: number): Promise<Uint8Array> {
  if (!file.sharedMessages)
    throw damaged('the B-tree of the attributes', index, 'the file has no shared messages')
  return file.sharedMessages.read(MESSAGE.attribute, heapId)
}
