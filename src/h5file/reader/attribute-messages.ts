// The attributes of an object as messages: in its object header, in a heap of shared messages, or, if they are many, in a fractal
// heap (file format specification, IV.A.2.m and IV.A.2.v).

import { isTurnOver, nextTurn, sortInTurns } from '../../turns.ts'
import { ATTRIBUTE_NAMES, type AttributeRecord } from '../format/b-tree-2-records.ts'
import { damaged } from '../format/errors.ts'
import { FieldReader } from '../format/field-reader.ts'
import { type AttributeMessage, decodeAttribute } from '../format/messages/attribute.ts'
import { decodeAttributeInfo } from '../format/messages/member-info.ts'
import { MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import type { RawMessage } from '../format/object-header.ts'
import { type Steps, waitFor } from '../steps.ts'
import { ATTEMPT_ALL, type Attempt, isHarmless, readHeapObjects } from './attempt.ts'
import { bTree2Records } from './b-tree-2.ts'
import { type FractalHeap, openFractalHeap } from './fractal-heap.ts'
import type { H5File } from './h5-file.ts'
import type { ObjectHeader } from './header-cache.ts'
import type { HeapBudget } from './heap-budget.ts'
import type { CountMembers } from './member-count.ts'
import { inMemberOrder } from './member-order.ts'
import { findMessage, readMessage } from './object-header.ts'

/** Of an attribute: its record in the B-tree, and its message in the heap. */
const DENSE_ATTRIBUTE_SIZE = 32

/** Messages in dense storage that are read together: so many, and so many bytes. */
const MESSAGES_AT_ONCE = 16_384
const BYTES_AT_ONCE = 2 ** 20
/** Of a message whose length is not known before it is read. */
const UNKNOWN_LENGTH = 4096

/** The messages of one object in several lists, each read when it is asked for. */
export type AttributeLists =
  | Iterable<readonly AttributeMessage[]>
  | AsyncIterable<readonly AttributeMessage[]>

/**
 * In the order of creation if the object tracks it, else by name; most objects have one list. `attempt`: of each attribute, and of
 * those in a heap.
 */
export function* readAttributeMessages(
  file: H5File,
  header: ObjectHeader,
  attempt: Attempt = ATTEMPT_ALL,
): Steps<AttributeLists> {
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
  if (!dense || dense.count === 0) return [yield* waitFor(inMemberOrder(attributes))]
  if (dense.isFew) {
    const read = () => dense.read(dense.positions, dense.newBudget())
    const found = (yield* waitFor(attempt(read))) ?? []
    return [yield* waitFor(inMemberOrder(attributes.concat(found.filter(message => message !== undefined))))]
  }
  return readMany(attributes, dense, attempt)
}

/** No more than the keys of all messages, and one list of messages, is in memory at once. */
async function* readMany(
  compact: readonly AttributeMessage[],
  dense: DenseAttributes,
  attempt: Attempt,
): AsyncGenerator<readonly AttributeMessage[]> {
  const isTracked = dense.tracksOrder && compact.every(({ creationOrder }) => creationOrder !== undefined)
  // By position in dense storage, then in the header. Undefined: the message cannot be read.
  const keys: (number | string | undefined)[] = isTracked
    ? dense.creationOrders
    : await dense.readNames(attempt)
  for (const { creationOrder, name } of compact) keys.push(isTracked ? creationOrder : keyOfName(name))
  const positions = [...keys.keys()].filter(position => keys[position] !== undefined)
  const inOrder = await sortInTurns(positions, (a, b) => compareKeys(keys[a], keys[b]))
  keys.length = 0
  const budget = dense.newBudget()
  for (const some of dense.cut(inOrder)) {
    const inHeap = some.filter(position => position < dense.count)
    const messages = (await attempt(() => dense.read(inHeap, budget)))?.values()
    yield some
      .map(position => (position < dense.count ? messages?.next().value : compact[position - dense.count]))
      .filter(message => message !== undefined)
  }
}

/** Compares as the bytes do, and takes less memory. */
function keyOfName(name: Uint8Array): string {
  return Buffer.from(name.buffer, name.byteOffset, name.length).toString('latin1')
}

function compareKeys(a: number | string | undefined, b: number | string | undefined): number {
  if (a === undefined || b === undefined || a === b) return 0
  return a < b ? -1 : 1
}

async function openDenseAttributes(
  file: H5File,
  { body, address }: RawMessage,
  count: CountMembers,
  attempt: Attempt,
): Promise<DenseAttributes | undefined> {
  const info = new FieldReader(body, file.bytes.widths, 'the attribute info message', address)
  const { heap: heapAddress, nameIndex, tracksOrder } = decodeAttributeInfo(info)
  if (heapAddress === undefined || nameIndex === undefined) return undefined
  // The heap itself is not walked: its blocks still hold the bytes of attributes that were deleted.
  const heap = await openFractalHeap(file.bytes, heapAddress)
  const dense = new DenseAttributes({ file, heap, heapAddress, nameIndex, tracksOrder, attempt })
  for await (const records of bTree2Records(file.bytes, nameIndex, ATTRIBUTE_NAMES)) {
    count(records.length, DENSE_ATTRIBUTE_SIZE)
    for (const record of records) dense.add(record)
  }
  return dense
}

interface DenseParts {
  readonly file: H5File
  readonly heap: FractalHeap
  readonly heapAddress: number
  readonly nameIndex: number
  readonly tracksOrder: boolean
  readonly attempt: Attempt
}

/** The attributes of one object in dense storage, by position in their index: a few bytes for each, since there may be very many. */
class DenseAttributes {
  readonly creationOrders: number[] = []
  readonly #parts: DenseParts
  /** Strings take less memory than arrays of 8 bytes. */
  readonly #heapIds: string[] = []
  readonly #flags: number[] = []
  readonly #lengths: number[] = []
  readonly #offsets: number[] = []
  #length = 0

  constructor(parts: DenseParts) {
    this.#parts = parts
  }

  add({ heapId, flags, creationOrder }: AttributeRecord): void {
    const { offset, length = UNKNOWN_LENGTH } = flags & SHARED_FLAG ? { offset: 0 } : this.#placeOf(heapId)
    this.#heapIds.push(keyOfName(heapId))
    this.#flags.push(flags)
    this.#offsets.push(offset)
    this.#lengths.push(length)
    this.#length += length
    this.creationOrders.push(creationOrder)
  }

  /** Reading the message of a damaged id reports it. */
  #placeOf(heapId: Uint8Array): { readonly offset: number; readonly length?: number } {
    try {
      return this.#parts.heap.placeOf(heapId)
    } catch (error) {
      if (!isHarmless(error)) throw error
      return { offset: 0 }
    }
  }

  get count(): number {
    return this.#heapIds.length
  }

  get tracksOrder(): boolean {
    return this.#parts.tracksOrder
  }

  /** All can be read together. To undo the filters of a heap again and again would take too long. */
  get isFew(): boolean {
    const isSmall = this.count <= MESSAGES_AT_ONCE && this.#length <= BYTES_AT_ONCE
    return isSmall || this.#parts.heap.isFiltered
  }

  get positions(): readonly number[] {
    return [...this.#heapIds.keys()]
  }

  newBudget(): HeapBudget {
    return this.#parts.heap.newBudget()
  }

  /** Cuts positions into lists of messages that can be read together. */
  *cut(positions: readonly number[]): Generator<readonly number[]> {
    let from = 0
    let length = 0
    for (let at = 0; at < positions.length; at++) {
      const next = this.#lengths[positions[at]] ?? 0
      if (at > from && (at - from === MESSAGES_AT_ONCE || length + next > BYTES_AT_ONCE)) {
        yield positions.slice(from, at)
        from = at
        length = 0
      }
      length += next
    }
    if (from < positions.length) yield positions.slice(from)
  }

  /** Of each position; undefined where the message cannot be read. In the order of the heap, so that each block is read once. */
  async readNames(attempt: Attempt): Promise<(string | undefined)[]> {
    const names = new Array<string | undefined>(this.count).fill(undefined)
    const inHeap = await sortInTurns(this.positions, (a, b) => this.#offsets[a] - this.#offsets[b])
    const budget = this.newBudget()
    for (const some of this.cut(inHeap)) {
      const messages = (await attempt(() => this.read(some, budget))) ?? []
      for (const [at, message] of messages.entries()) if (message) names[some[at]] = keyOfName(message.name)
    }
    return names
  }

  /** Of each position in turn; undefined where it cannot be read. */
  async read(
    positions: readonly number[],
    budget: HeapBudget,
  ): Promise<readonly (AttributeMessage | undefined)[]> {
    const { file, heap, heapAddress, tracksOrder, attempt } = this.#parts
    const own = positions.filter(position => this.#isOwn(position))
    const ids = own.map(position => this.#heapIdOf(position))
    const bodyOfNext = (await readHeapObjects(heap, ids, attempt, budget)).values()
    const attributes: (AttributeMessage | undefined)[] = []
    for (const position of positions) {
      const body = this.#isOwn(position)
        ? bodyOfNext.next().value
        : await attempt(() => this.#readShared(this.#heapIdOf(position)))
      const fields =
        body && new FieldReader(body, file.bytes.widths, 'an attribute in the fractal heap', heapAddress)
      const order = tracksOrder ? this.creationOrders[position] : undefined
      attributes.push(fields && (await attempt(() => decodeAttribute(fields, order))))
      if (isTurnOver()) await nextTurn()
    }
    return attributes
  }

  /** False for those in the heap of shared messages. */
  #isOwn(position: number): boolean {
    return !(this.#flags[position] & SHARED_FLAG)
  }

  #heapIdOf(position: number): Uint8Array {
    return new Uint8Array(Buffer.from(this.#heapIds[position], 'latin1'))
  }

  async #readShared(heapId: Uint8Array): Promise<Uint8Array> {
    const { file, nameIndex } = this.#parts
    if (!file.sharedMessages)
      throw damaged('the B-tree of the attributes', nameIndex, 'the file has no shared messages')
    return file.sharedMessages.read(MESSAGE.attribute, heapId)
  }
}
