// The links of a group, or the attributes of an object, where they are many or large: messages in a fractal heap, which
// an index by name and one by creation order lead to. A message above the heap's limit is a huge object: it is by
// itself, and a B-tree has its place.
//
// In the file: heap header, name index, order index, index of huge objects, blocks of the heap, huge objects.

import { inTurns, isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { lookup3 } from '../format/checksum.ts'
import { FieldWriter } from '../format/field-writer.ts'
import { encodeFractalHeapHeader, fractalHeapHeaderSize } from '../format/heaps/fractal-heap.ts'
import { encodeHeapId, type HeapId } from '../format/heaps/heap-id.ts'
import { HUGE_OBJECTS } from '../format/indexes/b-tree-2-records.ts'
import { compareNames } from '../reader/members/member-order.ts'
import { NewBTree2 } from './b-tree-2.ts'
import { type HeapForm, NewFractalHeap } from './fractal-heap.ts'
import { WIDTHS } from './values/elements.ts'

/** Links or attributes: their heaps as libhdf5 makes them, and the records of their indexes. */
export interface MemberKind {
  readonly heap: HeapForm
  readonly nameType: number
  readonly orderType: number
  readonly recordSizes: { readonly name: number; readonly order: number }
  putNameRecord(writer: FieldWriter, member: IndexedMember): void
  putOrderRecord(writer: FieldWriter, member: IndexedMember): void
}

interface IndexedMember {
  readonly heapId: Uint8Array
  /** The hash of the name. */
  readonly hash: number
  readonly order: number
}

/** H5Gprivate.h, H5Gdense.c. */
export const LINKS: MemberKind = {
  heap: {
    idLength: 7,
    maxManagedSize: 4096,
    table: { width: 4, startingBlockSize: 512, maxDirectBlockSize: 2 ** 16, maxHeapBits: 32 },
  },
  nameType: 5,
  orderType: 6,
  recordSizes: { name: 11, order: 15 },
  putNameRecord(writer, { hash, heapId }) {
    writer.u32(hash)
    writer.put(heapId)
  },
  putOrderRecord(writer, { order, heapId }) {
    writer.unsigned(order, 8)
    writer.put(heapId)
  },
}

/** H5Adense.c. A byte of flags: the message is not a shared one. */
export const ATTRIBUTES: MemberKind = {
  heap: {
    idLength: 8,
    maxManagedSize: 4096,
    table: { width: 4, startingBlockSize: 1024, maxDirectBlockSize: 2 ** 16, maxHeapBits: 40 },
  },
  nameType: 8,
  orderType: 9,
  recordSizes: { name: 17, order: 13 },
  putNameRecord(writer, { hash, heapId, order }) {
    writer.put(heapId)
    writer.u8(0)
    writer.u32(order)
    writer.u32(hash)
  },
  putOrderRecord(writer, { order, heapId }) {
    writer.put(heapId)
    writer.u8(0)
    writer.u32(order)
  },
}

const HUGE_RECORD_SIZE = 24

export interface Member {
  /** The bytes of the name. */
  readonly name: Uint8Array
  /** The length of its message. */
  readonly length: number
}

/** Addresses for the message that locates the members. */
export interface DenseAddresses {
  readonly heap: number
  readonly nameIndex: number
  readonly orderIndex?: number
}

/** The messages of the members in their order: those in blocks, and the bytes of the others. */
export interface MemberMessages {
  readonly managed: AsyncIterable<Uint8Array>
  readonly huge: AsyncIterable<Uint8Array>
}

interface Huge {
  readonly length: number
  /** The offset from the first huge object. */
  readonly offset: number
}

export class DenseMembers {
  readonly #kind: MemberKind
  readonly #members: readonly Member[]
  readonly #heap: NewFractalHeap
  readonly #ids: HeapId[] = []
  readonly #huge: Huge[] = []
  readonly #nameIndex: NewBTree2
  readonly #orderIndex: NewBTree2 | undefined
  readonly #hugeIndex: NewBTree2 | undefined
  #hugeLength = 0

  /** `members` in the order of creation, which is kept if `tracksOrder`. */
  constructor(kind: MemberKind, members: readonly Member[], tracksOrder: boolean) {
    const { nameType, orderType, recordSizes } = kind
    this.#kind = kind
    this.#members = members
    this.#heap = new NewFractalHeap(kind.heap)
    for (const { length } of members) this.#ids.push(this.#add(length))
    this.#nameIndex = new NewBTree2(nameType, recordSizes.name, members.length)
    this.#orderIndex = tracksOrder ? new NewBTree2(orderType, recordSizes.order, members.length) : undefined
    this.#hugeIndex =
      this.#huge.length > 0
        ? new NewBTree2(HUGE_OBJECTS.type, HUGE_RECORD_SIZE, this.#huge.length)
        : undefined
  }

  static isHuge({ heap }: MemberKind, length: number): boolean {
    return length > heap.maxManagedSize
  }

  get length(): number {
    return this.#addresses(0).end
  }

  addresses(address: number): DenseAddresses {
    const { heap, nameIndex, orderIndex } = this.#addresses(address)
    return { heap, nameIndex, ...(this.#orderIndex && { orderIndex }) }
  }

  async *bytes(address: number, { managed, huge }: MemberMessages): AsyncGenerator<Uint8Array> {
    const addresses = this.#addresses(address)
    const header = {
      ...this.#heap.header(addresses.blocks),
      nextHugeId: this.#huge.length,
      ...(this.#hugeIndex && { hugeIndex: addresses.hugeIndex }),
      hugeSpace: this.#hugeLength,
      hugeCount: this.#huge.length,
    }
    yield encodeFractalHeapHeader(header, WIDTHS)
    const members: IndexedMember[] = []
    for (const [order, id] of this.#ids.entries()) {
      if (isTurnOver()) await nextTurn()
      const hash = lookup3(this.#members[order].name)
      members.push({ heapId: encodeHeapId(id, header, WIDTHS), hash, order })
    }
    const byName = await this.#sortedByName(members)
    const record = (put: MemberKind['putNameRecord'], member: IndexedMember): Uint8Array => {
      const writer = new FieldWriter(WIDTHS)
      put(writer, member)
      return writer.bytes
    }
    yield* inTurns(
      this.#nameIndex.bytes(addresses.nameIndex, i => record(this.#kind.putNameRecord, byName[i])),
    )
    if (this.#orderIndex) {
      yield* inTurns(
        this.#orderIndex.bytes(addresses.orderIndex, i => record(this.#kind.putOrderRecord, members[i])),
      )
    }
    if (this.#hugeIndex) {
      yield* inTurns(this.#hugeIndex.bytes(addresses.hugeIndex, i => this.#hugeRecord(i, addresses.huge)))
    }
    yield* this.#heap.bytes(addresses.blocks, addresses.heap, managed)
    yield* huge
  }

  #add(length: number): HeapId {
    if (!DenseMembers.isHuge(this.#kind, length)) {
      return { kind: 'managed', offset: this.#heap.add(length), length }
    }
    this.#huge.push({ length, offset: this.#hugeLength })
    this.#hugeLength += length
    return { kind: 'indexed', id: this.#huge.length }
  }

  /** The members in the order of their hashes and, where these agree, of their names. */
  async #sortedByName(members: readonly IndexedMember[]): Promise<readonly IndexedMember[]> {
    const nameOf = ({ order }: IndexedMember) => this.#members[order].name
    return sortInTurns(members, (a, b) => a.hash - b.hash || compareNames(nameOf(a), nameOf(b)))
  }

  #hugeRecord(index: number, start: number): Uint8Array {
    const { offset, length } = this.#huge[index]
    const writer = new FieldWriter(WIDTHS)
    writer.address(start + offset)
    writer.length(length)
    writer.length(index + 1)
    return writer.bytes
  }

  #addresses(heap: number) {
    const nameIndex = heap + fractalHeapHeaderSize(WIDTHS, 0)
    const orderIndex = nameIndex + this.#nameIndex.length
    const hugeIndex = orderIndex + (this.#orderIndex?.length ?? 0)
    const blocks = hugeIndex + (this.#hugeIndex?.length ?? 0)
    const huge = blocks + this.#heap.blocksLength
    return { heap, nameIndex, orderIndex, hugeIndex, blocks, huge, end: huge + this.#hugeLength }
  }
}
