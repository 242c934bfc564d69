// The links or the attributes of one object in dense storage: messages in a fractal heap, to which an index leads.
// There may be very many: then a few bytes of each are in memory, and the messages are read some at a time.

import { isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { GrowingBytes, latin1Of } from '@hyperslab/model/values'
import { type Steps, waitFor } from '../../steps.ts'
import { type Attempt, isHarmless, readHeapObjects } from '../structures/attempt.ts'
import type { FractalHeap } from '../structures/fractal-heap.ts'
import type { HeapBudget } from '../structures/heap-budget.ts'
import { inMemberOrder, type Member } from './member-order.ts'

/**
 * Messages that are read together. They are few, because a decoded one takes 20 times its bytes. They are more for a
 * heap whose blocks are not all in memory, because each list needs nearly all blocks.
 * @limit memory, messages
 */
const MESSAGES_AT_ONCE = 2048
const MESSAGES_OF_LARGE_HEAP = 16_384
const LARGE_HEAP = 8 * 2 ** 20
/** Bytes of messages that are read together. @limit memory, bytes */
const BYTES_AT_ONCE = 2 ** 20
/** Bytes that are assumed for a message whose length is not known before it is read. */
const UNKNOWN_LENGTH = 4096

/** The messages of one object in several lists, each read when it is needed. */
export type MemberLists<Message> = Iterable<readonly Message[]> | AsyncIterable<readonly Message[]>

/** The record of one member in the index. */
export interface DenseMember {
  readonly heapId: Uint8Array
  /** The id is one of the heap of shared messages. */
  readonly isShared?: boolean
  /** Absent: the message has it. */
  readonly creationOrder?: number
}

export interface DenseMembersParts<Message> {
  readonly heap: FractalHeap
  readonly tracksOrder: boolean
  /** Called for each message, and for messages that are read together. */
  readonly attempt: Attempt
  readonly decode: (body: Uint8Array, creationOrder: number | undefined) => Message
  /** Absent: no member is shared. */
  readonly readShared?: (heapId: Uint8Array) => Promise<Uint8Array>
}

/** The members in the order of creation if all have one, else by name. `compact`: the messages in the object header. */
export function* readMemberLists<Message extends Member>(
  compact: readonly Message[],
  dense: DenseMembers<Message> | undefined,
): Steps<MemberLists<Message>> {
  if (!dense || dense.count === 0) return [yield* waitFor(inMemberOrder(compact))]
  if (!dense.isFew) return readMany(compact, dense)
  const found = yield* waitFor(dense.read(dense.positions, dense.newBudget()))
  return [yield* waitFor(inMemberOrder(compact.concat(found.filter(message => message !== undefined))))]
}

/** Reads many messages: only the keys of all, and one list of messages, are in memory at once. */
async function* readMany<Message extends Member>(
  compact: readonly Message[],
  dense: DenseMembers<Message>,
): AsyncGenerator<readonly Message[]> {
  const isTracked = dense.tracksOrder && compact.every(({ creationOrder }) => creationOrder !== undefined)
  const keyOf = isTracked ? keyOfOrder : keyOfName
  // Keys by position: first the messages in dense storage, then those in the header. Undefined: the message cannot be
  // read.
  const keys = await dense.readKeys(isTracked, keyOf)
  for (const message of compact) keys.push(keyOf(message))
  const positions = [...keys.keys()].filter(position => keys[position] !== undefined)
  const inOrder = await sortInTurns(positions, (a, b) => compareKeys(keys[a], keys[b]))
  keys.length = 0
  const budget = dense.newBudget()
  for (const some of dense.cut(inOrder)) {
    const inHeap = some.filter(position => position < dense.count)
    const messages = (await dense.read(inHeap, budget)).values()
    yield some
      .map(position => (position < dense.count ? messages.next().value : compact[position - dense.count]))
      .filter(message => message !== undefined)
  }
}

/** The key by which the members of one object are sorted. */
type MemberKey = number | string

/** The creation order as key; a damaged message may lack it. */
function keyOfOrder({ creationOrder = Infinity }: Member): MemberKey {
  return creationOrder
}

/** The name as key: a string that compares like the bytes and takes less memory. */
function keyOfName({ name }: Member): MemberKey {
  return latin1Of(name)
}

function compareKeys(a: MemberKey | undefined, b: MemberKey | undefined): number {
  if (a === undefined || b === undefined || a === b) return 0
  return a < b ? -1 : 1
}

/** The messages in dense storage, by their positions in their index. */
export class DenseMembers<Message extends Member> {
  readonly #parts: DenseMembersParts<Message>
  /** The heap ids one after another: all ids of an index have the same length. */
  readonly #heapIds = new GrowingBytes(0)
  #idLength = 0
  readonly #lengths: number[] = []
  readonly #offsets: number[] = []
  readonly #shared = new Set<number>()
  readonly #creationOrders: number[] = []
  #length = 0

  constructor(parts: DenseMembersParts<Message>) {
    this.#parts = parts
  }

  add({ heapId, isShared = false, creationOrder }: DenseMember): void {
    const { offset, length = UNKNOWN_LENGTH } = isShared ? { offset: 0 } : this.#locate(heapId)
    if (isShared) this.#shared.add(this.count)
    if (creationOrder !== undefined) this.#creationOrders.push(creationOrder)
    this.#heapIds.append(heapId)
    this.#idLength = heapId.length
    this.#offsets.push(offset)
    this.#lengths.push(length)
    this.#length += length
  }

  /** Reading the message of a damaged id reports it. */
  #locate(heapId: Uint8Array): { readonly offset: number; readonly length?: number } {
    try {
      return this.#parts.heap.locate(heapId)
    } catch (error) {
      if (!isHarmless(error)) throw error
      return { offset: 0 }
    }
  }

  get count(): number {
    return this.#lengths.length
  }

  get tracksOrder(): boolean {
    return this.#parts.tracksOrder
  }

  /** Whether all can be read together. Undoing the filters of a heap for each list would take too long. */
  get isFew(): boolean {
    const isSmall = this.count <= MESSAGES_OF_LARGE_HEAP && this.#length <= BYTES_AT_ONCE
    return isSmall || this.#parts.heap.isFiltered
  }

  get positions(): readonly number[] {
    return [...this.#lengths.keys()]
  }

  newBudget(): HeapBudget {
    return this.#parts.heap.newBudget()
  }

  /** Cuts positions into lists of messages that can be read together. */
  *cut(positions: readonly number[]): Generator<readonly number[]> {
    const most = this.#length > LARGE_HEAP ? MESSAGES_OF_LARGE_HEAP : MESSAGES_AT_ONCE
    let from = 0
    let length = 0
    for (let offset = 0; offset < positions.length; offset++) {
      const next = this.#lengths[positions[offset]] ?? 0
      if (offset > from && (offset - from === most || length + next > BYTES_AT_ONCE)) {
        yield positions.slice(from, offset)
        from = offset
        length = 0
      }
      length += next
    }
    if (from < positions.length) yield positions.slice(from)
  }

  /**
   * The key of each position; undefined where the message cannot be read. `byOrder`: the keys are creation orders.
   * Messages are read in the order of the heap, so that each block is read once.
   */
  async readKeys(
    byOrder: boolean,
    keyOf: (message: Message) => MemberKey,
  ): Promise<(MemberKey | undefined)[]> {
    if (byOrder && this.#creationOrders.length === this.count) return [...this.#creationOrders]
    const keys = new Array<MemberKey | undefined>(this.count).fill(undefined)
    const inHeap = await sortInTurns(this.positions, (a, b) => this.#offsets[a] - this.#offsets[b])
    const budget = this.newBudget()
    for (const some of this.cut(inHeap)) {
      const messages = await this.read(some, budget)
      for (const [at, message] of messages.entries()) if (message) keys[some[at]] = keyOf(message)
    }
    return keys
  }

  /** The message at each position; undefined where it cannot be read. The list is empty if the heap cannot be read. */
  async read(positions: readonly number[], budget: HeapBudget): Promise<readonly (Message | undefined)[]> {
    return (await this.#parts.attempt(() => this.#read(positions, budget))) ?? []
  }

  async #read(positions: readonly number[], budget: HeapBudget): Promise<readonly (Message | undefined)[]> {
    const { heap, attempt, decode, readShared } = this.#parts
    const own = positions.filter(position => !this.#shared.has(position))
    const ids = own.map(position => this.#heapIdOf(position))
    const bodyOfNext = (await readHeapObjects(heap, ids, attempt, budget)).values()
    const messages: (Message | undefined)[] = []
    for (const position of positions) {
      const body = this.#shared.has(position)
        ? await attempt(() => readShared?.(this.#heapIdOf(position)))
        : bodyOfNext.next().value
      messages.push(body && (await attempt(() => decode(body, this.#creationOrders[position]))))
      if (isTurnOver()) await nextTurn()
    }
    return messages
  }

  #heapIdOf(position: number): Uint8Array {
    const from = position * this.#idLength
    return this.#heapIds.bytes.subarray(from, from + this.#idLength)
  }
}
