// The attributes of an object: a message each, whose elements are read piece by piece.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { type Dataspace, elementCount } from '@hyperslab/model/dataset'
import { type Datatype, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { type Elements, hasReferences, joinBytes, repeatElement } from '@hyperslab/model/values'
import type { GlobalHeapReference } from '../format/heaps/global-heap.ts'
import { encodeAttribute } from '../format/messages/attribute.ts'
import { characterSetOf, encodeName } from '../format/messages/names.ts'
import type { Steps } from '../steps.ts'
import { ATTRIBUTES, DenseMembers, type Member, type MemberMessages } from './dense-members.ts'
import type { FileContext } from './file-context.ts'
import { type ElementForm, elementFormOf } from './file-types.ts'
import { MAX_COMPACT, PlannedMembers, visitAll } from './members.ts'
import { encoded, requireMessageLength } from './messages.ts'
import { joined } from './pieces.ts'
import type { SourceAttribute } from './source.ts'
import { spaceBody, typeBody } from './type-messages.ts'
import { encodeElements } from './values/elements.ts'

/** Attributes with a creation order, which has 16 bits. @limit format, attributes */
const MAX_ORDERED = 2 ** 16 - 1

type Put = (bytes: Uint8Array) => GlobalHeapReference

export interface PlannedAttributes {
  readonly members: PlannedMembers
  /** All attributes if they will be in the header, where they are few. */
  readonly attributes: readonly SourceAttribute[]
}

/** Plans the attributes; calls `visit` for each, and awaits its result. */
export function* planAttributes(
  context: FileContext,
  owner: ObjectId,
  visit: (attribute: SourceAttribute) => Promise<void> | undefined = () => undefined,
): Steps<PlannedAttributes> {
  const planned: Member[] = []
  let attributes: SourceAttribute[] = []
  const add = (attribute: SourceAttribute): Promise<void> | undefined => {
    const { name, prefix, form, count } = headOf(context, attribute)
    planned.push({ name, length: prefix.length + count * form.fileSize })
    if (planned.length <= MAX_COMPACT) attributes.push(attribute)
    else attributes = []
    return visit(attribute)
  }
  yield* visitAll(context.remembered.attributes(owner), add)
  const members = new PlannedMembers(ATTRIBUTES, planned, planned.length <= MAX_ORDERED)
  return { members, attributes: members.dense ? [] : attributes }
}

/** Puts the heap objects of the value into the global heap, and notes lost references. Undefined: it is done. */
export function putHeapObjects(
  context: FileContext,
  owner: ObjectId,
  attribute: SourceAttribute,
  put: Put,
): Promise<void> | undefined {
  if (!isVariableSize(attribute.type) && !hasReferences(attribute.type)) return undefined
  const { value } = attribute
  if (value && 'pieces' in value) {
    return finish(dataPieces(context, value.pieces, encoderOf(context, owner, attribute, put)))
  }
  const elementContext = context.elementContext(owner, attribute, put)
  const form = elementFormOf(attribute.type)
  for (const _ of encodeElements(form, wholeValue(attribute, value), elementContext));
  return undefined
}

async function finish(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

/** Whole messages, of attributes in the header. */
export async function attributeMessages(
  context: FileContext,
  owner: ObjectId,
  attributes: readonly SourceAttribute[],
  put: Put,
): Promise<readonly Uint8Array[]> {
  const messages: Uint8Array[] = []
  for (const attribute of attributes) {
    const { value } = attribute
    const isRead = value && 'pieces' in value
    messages.push(
      isRead
        ? await joined(messagePieces(context, owner, attribute, put))
        : joinBytes([...wholeMessage(context, owner, attribute, value, put)]),
    )
  }
  return messages
}

/** `newPut` makes, for each walk over the attributes, a put that begins with their first object in the global heap. */
export function denseAttributes(context: FileContext, owner: ObjectId, newPut: () => Put): MemberMessages {
  async function* managed(): AsyncGenerator<Uint8Array> {
    for await (const { isHuge, pieces } of messagesInOrder()) if (!isHuge) yield joined(pieces)
  }
  async function* huge(): AsyncGenerator<Uint8Array> {
    for await (const { isHuge, pieces } of messagesInOrder()) if (isHuge) yield* pieces
  }
  /** An unused object keeps its position in the heap all the same. */
  async function* messagesInOrder() {
    const put = newPut()
    for await (const attribute of context.remembered.attributes(owner)) {
      if (isTurnOver()) await nextTurn()
      const { prefix, form, count } = headOf(context, attribute)
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
  const { value } = attribute
  if (!value || !('pieces' in value)) {
    yield* wholeMessage(context, owner, attribute, value, put)
    return
  }
  yield headOf(context, attribute).prefix
  yield* dataPieces(context, value.pieces, encoderOf(context, owner, attribute, put))
}

/** The pieces of the message of an attribute whose value is in memory. */
function* wholeMessage(
  context: FileContext,
  owner: ObjectId,
  attribute: SourceAttribute,
  value: Elements | undefined,
  put: Put,
): Generator<Uint8Array> {
  yield headOf(context, attribute).prefix
  yield* encoderOf(context, owner, attribute, put)(wholeValue(attribute, value))
}

async function* dataPieces(
  context: FileContext,
  pieces: AsyncIterable<Elements>,
  encode: (elements: Elements) => Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const elements of pieces) {
    context.throwIfAborted()
    yield* encode(elements)
  }
}

/** Makes elements of the value those of the file. */
function encoderOf(
  context: FileContext,
  owner: ObjectId,
  attribute: SourceAttribute,
  put: Put,
): (elements: Elements) => Iterable<Uint8Array> {
  const form = elementFormOf(attribute.type)
  const elementContext = context.elementContext(owner, attribute, put)
  return elements => encodeElements(form, elements, elementContext)
}

function wholeValue({ type, space }: SourceAttribute, value: Elements | undefined): Elements {
  return value ?? repeatElement(type, undefined, elementCount(space))
}

/** An attribute without its value. */
interface AttributeHead {
  readonly name: Uint8Array
  /** The message up to its elements. */
  readonly prefix: Uint8Array
  readonly form: ElementForm
  readonly count: number
}

/**
 * The head that was made last for attributes of a type. Domains keep the common parts of attributes that differ only in
 * their values once in memory, so these have the same one.
 */
const lastHeads = new WeakMap<
  Datatype,
  AttributeHead & { readonly title: string; readonly space: Dataspace }
>()

function headOf(context: FileContext, attribute: SourceAttribute): AttributeHead {
  const { name, type, committedType, space } = attribute
  // The address of a committed datatype is another one in each file.
  if (committedType !== undefined) return newHead(context, attribute)
  const last = lastHeads.get(type)
  if (last?.title === name && last.space === space) return last
  const head = { ...newHead(context, attribute), title: name, space }
  lastHeads.set(type, head)
  return head
}

function newHead(context: FileContext, { name, type, committedType, space }: SourceAttribute): AttributeHead {
  const bytes = encodeName(name)
  const typePart = typeBody(context.objects, type, committedType)
  const subject = `of the attribute ${JSON.stringify(name)}`
  requireMessageLength(`the name ${subject}`, bytes.length + 1)
  requireMessageLength(`the datatype ${subject}`, typePart.body.length)
  const spacePart = { shared: false, body: spaceBody(space) }
  const message = {
    name: bytes,
    characterSet: characterSetOf(name),
    type: typePart,
    space: spacePart,
    data: new Uint8Array(0),
  }
  const form = elementFormOf(type)
  const prefix = encoded(writer => encodeAttribute(writer, message))
  return { name: bytes, prefix, form, count: elementCount(space) }
}
