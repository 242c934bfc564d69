// The attributes of an object: a message each, whose elements are read piece by piece.

import { elementCount } from '../../hdf5/dataspace.ts'
import { isVariableSize } from '../../hdf5/datatype/layout.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import { repeatElement } from '../../hdf5/values/copy.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import type { GlobalHeapReference } from '../format/global-heap.ts'
import { encodeAttribute } from '../format/messages/attribute.ts'
import { encodeDataspace } from '../format/messages/dataspace.ts'
import { ATTRIBUTES, DenseMembers, type MemberMessages } from './dense-members.ts'
import { encodeElements } from './elements.ts'
import type { FileContext } from './file-context.ts'
import { type ElementForm, elementFormOf } from './file-types.ts'
import { characterSetOf } from './links.ts'
import { PlannedMembers } from './members.ts'
import { encoded, requireLength, typeBody } from './messages.ts'
import { joined } from './pieces.ts'
import { BY_CREATION, type SourceAttribute } from './source.ts'

/** The creation order of an attribute has 16 bits. */
const MAX_ORDERED = 2 ** 16 - 1

type Put = (bytes: Uint8Array) => GlobalHeapReference

/** `visit` is called for each attribute. */
export async function planAttributes(
  context: FileContext,
  owner: ObjectId,
  visit?: (attribute: SourceAttribute) => Promise<void>,
): Promise<PlannedMembers> {
  const members: { name: Uint8Array; length: number }[] = []
  for await (const attribute of context.source.attributes(owner, BY_CREATION)) {
    const { prefix, form, count } = messageOf(context, attribute)
    members.push({
      name: new TextEncoder().encode(attribute.name),
      length: prefix.length + count * form.fileSize,
    })
    await visit?.(attribute)
  }
  return new PlannedMembers(ATTRIBUTES, members, members.length <= MAX_ORDERED)
}

/** What the value has in the global heap. */
export async function putHeapObjects(
  context: FileContext,
  owner: ObjectId,
  attribute: SourceAttribute,
  put: Put,
): Promise<void> {
  if (!isVariableSize(attribute.type)) return
  for await (const _ of dataPieces(context, owner, attribute, put));
}

/** Whole messages, of attributes in the header. */
export async function attributeMessages(
  context: FileContext,
  owner: ObjectId,
  put: Put,
): Promise<readonly Uint8Array[]> {
  const messages: Uint8Array[] = []
  for await (const attribute of context.source.attributes(owner, BY_CREATION)) {
    messages.push(await joined(messagePieces(context, owner, attribute, put)))
  }
  return messages
}

/** `newPut`: for each walk over the attributes one from the beginning of theirs in the global heap. */
export function denseAttributes(context: FileContext, owner: ObjectId, newPut: () => Put): MemberMessages {
  async function* managed(): AsyncGenerator<Uint8Array> {
    for await (const { isHuge, pieces } of messagesInOrder()) if (!isHuge) yield joined(pieces)
  }
  async function* huge(): AsyncGenerator<Uint8Array> {
    for await (const { isHuge, pieces } of messagesInOrder()) if (isHuge) yield* pieces
  }
  /** What is not used of one has its place in the heap all the same. */
  async function* messagesInOrder() {
    const put = newPut()
    for await (const attribute of context.source.attributes(owner, BY_CREATION)) {
      const { prefix, form, count } = messageOf(context, attribute)
      const isHuge = DenseMembers.isHuge(ATTRIBUTES, prefix.length + count * form.fileSize)
      let isUsed = false
      async function* pieces() {
        isUsed = true
        yield* messagePieces(context, owner, attribute, put)
      }
      yield { isHuge, pieces: pieces() }
      if (!isUsed) await putHeapObjects(context, owner, attribute, put)
    }
  }
  return { managed: managed(), huge: huge() }
}

async function* messagePieces(
  context: FileContext,
  owner: ObjectId,
  attribute: SourceAttribute,
  put: Put,
): AsyncGenerator<Uint8Array> {
  yield messageOf(context, attribute).prefix
  yield* dataPieces(context, owner, attribute, put)
}

async function* dataPieces(
  context: FileContext,
  owner: ObjectId,
  attribute: SourceAttribute,
  put: Put,
): AsyncGenerator<Uint8Array> {
  const form = elementFormOf(attribute.type)
  const elementContext = context.elementContext(owner, `the attribute ${JSON.stringify(attribute.name)}`, put)
  for await (const elements of valuePieces(attribute)) {
    context.throwIfAborted()
    yield encodeElements(form, elements, elementContext)
  }
}

async function* valuePieces({ type, space, value }: SourceAttribute): AsyncGenerator<Elements> {
  const count = elementCount(space)
  if (value === undefined) yield repeatElement(type, undefined, count)
  else if ('pieces' in value) yield* value.pieces
  else yield value
}

/** The message up to its elements, and what these take. */
function messageOf(
  context: FileContext,
  { name, type, committedType, space }: SourceAttribute,
): { readonly prefix: Uint8Array; readonly form: ElementForm; readonly count: number } {
  const bytes = new TextEncoder().encode(name)
  const typePart = typeBody(context.objects, type, committedType)
  const what = `of the attribute ${JSON.stringify(name)}`
  requireLength(`the name ${what}`, bytes.length + 1)
  requireLength(`the datatype ${what}`, typePart.body.length)
  const spacePart = { shared: false, body: encoded(writer => encodeDataspace(writer, space)) }
  const message = {
    name: bytes,
    characterSet: characterSetOf(name),
    type: typePart,
    space: spacePart,
    data: new Uint8Array(0),
  }
  const form = elementFormOf(type)
  return { prefix: encoded(writer => encodeAttribute(writer, message)), form, count: elementCount(space) }
}
