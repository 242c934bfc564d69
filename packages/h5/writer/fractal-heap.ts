// A fractal heap that is written at once: objects follow one another in direct blocks, the blocks in the order of the
// doubling table. A block that is too short for the next object is skipped. Objects above the heap's limit are not in
// blocks.

import { type DoublingTable, type FractalHeapHeader, mostRows } from '../format/heaps/fractal-heap.ts'
import {
  type BlockEntry,
  directBlockPrefixSize,
  encodeDirectBlock,
  encodeIndirectBlock,
  indirectBlockSize,
  pathTo,
} from '../format/heaps/fractal-heap-blocks.ts'
import { padded } from './pieces.ts'
import { WIDTHS } from './values/elements.ts'

/** The parameters of a kind of heap. */
export type HeapForm = Pick<FractalHeapHeader, 'idLength' | 'maxManagedSize'> & {
  readonly table: Pick<DoublingTable, 'width' | 'startingBlockSize' | 'maxDirectBlockSize' | 'maxHeapBits'>
}

interface DirectBlock {
  /** The offset in the space of the managed objects. */
  readonly offset: number
  readonly size: number
}

interface IndirectBlock {
  readonly offset: number
  readonly rows: number
}

export class NewFractalHeap {
  readonly #form: FractalHeapHeader
  readonly #prefixSize: number
  readonly #blocks: DirectBlock[] = []
  #used = 0
  #count = 0

  constructor(form: HeapForm) {
    this.#form = emptyHeap(form)
    this.#prefixSize = directBlockPrefixSize(this.#form, WIDTHS)
  }

  /** The offset of the next managed object. */
  add(length: number): number {
    let block = this.#blocks.at(-1)
    if (!block || this.#used + length > block.size) {
      block = this.#nextBlock(length)
      this.#blocks.push(block)
      this.#used = this.#prefixSize
    }
    const offset = block.offset + this.#used
    this.#used += length
    this.#count++
    return offset
  }

  /** Bytes of the indirect and the direct blocks. */
  get blocksLength(): number {
    const { length } = this.#blocks
    return length === 0 ? 0 : this.#directStart(0) + this.#blocks.reduce((sum, { size }) => sum + size, 0)
  }

  /** The header without the fields of huge objects. */
  header(blocksAddress: number): FractalHeapHeader {
    const form = this.#form
    const last = this.#blocks.at(-1)
    if (!last) return form
    const rows = this.#rootRows
    return {
      ...form,
      managedSpace: rows === 0 ? form.table.startingBlockSize : this.#coverage(rows),
      allocatedSpace: this.#blocks.reduce((sum, { size }) => sum + size, 0),
      iteratorOffset: rows === 0 ? 0 : last.offset + last.size,
      managedCount: this.#count,
      table: { ...form.table, root: blocksAddress, rootRows: rows },
    }
  }

  /** The blocks at `address`, of the heap whose header is at `heapAddress`. `objects`: the managed ones, in order. */
  async *bytes(
    address: number,
    heapAddress: number,
    objects: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    if (this.#blocks.length === 0) return
    yield* this.#indirectBytes(address, heapAddress)
    let index = 0
    let content = new Uint8Array(0)
    let used = 0
    const encode = (): Uint8Array => {
      const origin = { heapAddress, offset: this.#blocks[index].offset }
      return encodeDirectBlock(content, this.#form, origin, WIDTHS)
    }
    for await (const object of objects) {
      if (used === 0 || used + object.length > content.length) {
        if (used > 0) {
          yield encode()
          index++
        }
        content = new Uint8Array(this.#blocks[index].size - this.#prefixSize)
        used = 0
      }
      content.set(object, used)
      used += object.length
    }
    yield encode()
  }

  #nextBlock(length: number): DirectBlock {
    const { table } = this.#form
    const everything = { ...table, rootRows: mostRows(table) }
    const last = this.#blocks.at(-1)
    for (let offset = last ? last.offset + last.size : 0; ; ) {
      const path = pathTo(everything, offset)
      if (!path) throw new Error('the objects of a fractal heap have no room')
      const { blockOffset, blockSize } = path
      if (this.#prefixSize + length <= blockSize) return { offset: blockOffset, size: blockSize }
      offset = blockOffset + blockSize
    }
  }

  /** Rows of the root indirect block; 0: the root is the one direct block. */
  get #rootRows(): number {
    const last = this.#blocks[this.#blocks.length - 1]
    if (last.offset === 0) return 0
    let rows = 1
    while (this.#coverage(rows) < last.offset + last.size) rows++
    return rows
  }

  /** The bytes of managed space below an indirect block with a number of rows. */
  #coverage(rows: number): number {
    const { width, startingBlockSize } = this.#form.table
    return width * startingBlockSize * 2 ** (rows - 1)
  }

  /** The address of the direct blocks, which follow the indirect ones. */
  #directStart(address: number): number {
    return this.#indirectBlocks().reduce(
      (sum, { rows }) => sum + indirectBlockSize(this.#form, rows, WIDTHS),
      address,
    )
  }

  /** The indirect blocks, each before those below it. */
  #indirectBlocks(): readonly IndirectBlock[] {
    const rows = this.#rootRows
    const blocks: IndirectBlock[] = []
    const visit = (block: IndirectBlock): void => {
      blocks.push(block)
      for (const { offset, rows } of this.#entries(block)) {
        if (rows !== undefined && this.#isUsed(offset, this.#coverage(rows))) visit({ offset, rows })
      }
    }
    if (rows > 0) visit({ offset: 0, rows })
    return blocks
  }

  /** The blocks below an indirect block; `rows`: of an indirect one. */
  *#entries(block: IndirectBlock): Generator<{ readonly offset: number; readonly rows?: number }> {
    const { width, startingBlockSize, maxDirectBlockSize } = this.#form.table
    let { offset } = block
    for (let row = 0; row < block.rows; row++) {
      const size = startingBlockSize * 2 ** Math.max(0, row - 1)
      for (let column = 0; column < width; column++) {
        const rows = Math.log2(size / (width * startingBlockSize)) + 1
        yield size <= maxDirectBlockSize ? { offset } : { offset, rows }
        offset += size
      }
    }
  }

  /** Whether a direct block begins in a part of the managed space. */
  #isUsed(offset: number, length: number): boolean {
    return this.#blocks.some(block => block.offset >= offset && block.offset < offset + length)
  }

  *#indirectBytes(address: number, heapAddress: number): Generator<Uint8Array> {
    const indirect = new Map<number, number>()
    let next = address
    for (const { offset, rows } of this.#indirectBlocks()) {
      indirect.set(offset, next)
      next += indirectBlockSize(this.#form, rows, WIDTHS)
    }
    const direct = new Map<number, number>()
    for (const { offset, size } of this.#blocks) {
      direct.set(offset, next)
      next += size
    }
    for (const block of this.#indirectBlocks()) {
      const entries: BlockEntry[] = []
      for (const { offset, rows } of this.#entries(block)) {
        const child = rows === undefined ? direct.get(offset) : indirect.get(offset)
        entries.push(child === undefined ? {} : { address: child })
      }
      const origin = { heapAddress, offset: block.offset }
      const bytes = encodeIndirectBlock(entries, this.#form, origin, WIDTHS)
      yield padded(bytes, indirectBlockSize(this.#form, block.rows, WIDTHS))
    }
  }
}

function emptyHeap({ table, ...form }: HeapForm): FractalHeapHeader {
  return {
    ...form,
    hugeIdsWrapped: false,
    checksDirectBlocks: true,
    nextHugeId: 0,
    freeSpace: 0,
    managedSpace: 0,
    allocatedSpace: 0,
    iteratorOffset: 0,
    managedCount: 0,
    hugeSpace: 0,
    hugeCount: 0,
    tinySpace: 0,
    tinyCount: 0,
    table: { ...table, startingRows: 1, rootRows: 0 },
  }
}
