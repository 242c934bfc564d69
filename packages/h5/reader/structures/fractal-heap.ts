// A fractal heap of a file: its objects by heap id.

import { BoundedMap, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import {
  decodeFiltersLength,
  decodeFractalHeapHeader,
  type FilteredSize,
  FRACTAL_HEAP_PREFIX_SIZE,
  type FractalHeapHeader,
  fractalHeapHeaderSize,
} from '../../format/heaps/fractal-heap.ts'
import {
  type BlockEntry,
  type BlockPath,
  checkDirectBlock,
  decodeIndirectBlock,
  directBlockPrefixSize,
  indirectBlockSize,
  pathTo,
} from '../../format/heaps/fractal-heap-blocks.ts'
import { decodeHeapId, type HeapId } from '../../format/heaps/heap-id.ts'
import {
  FILTERED_HUGE_OBJECTS,
  HUGE_OBJECTS,
  type HugeObject,
  type HugeObjectRecord,
} from '../../format/indexes/b-tree-2-records.ts'
import { decodeFilters, type FilterDescription } from '../../format/messages/filters.ts'
import { allBTree2Records } from './b-tree-2.ts'
import type { FileBytes } from './file-bytes.ts'
import { decodeFiltered } from './filtered-bytes.ts'
import { HeapBudget } from './heap-budget.ts'

const STRUCTURE = 'the fractal heap'
const HUGE_STRUCTURE = 'a huge object of the fractal heap'

/** Bytes of blocks of one heap that are kept. @limit memory, bytes */
const MAX_CACHED_BYTES = 4 * 2 ** 20
/** Blocks of a heap that are read at once. @limit memory, blocks */
const BLOCKS_AT_ONCE = 32

export async function openFractalHeap(file: FileBytes, address: number): Promise<FractalHeap> {
  const prefix = await file.read(address, FRACTAL_HEAP_PREFIX_SIZE, STRUCTURE)
  const filtersLength = decodeFiltersLength(prefix, file.widths, address)
  const bytes = await file.read(address, fractalHeapHeaderSize(file.widths, filtersLength), STRUCTURE)
  return new FractalHeap(file, address, decodeFractalHeapHeader(bytes, file.widths, address))
}

/** A block that was read: the bytes of a direct block, or the entries of an indirect one. */
type Block = Uint8Array | readonly BlockEntry[]

interface BlockAt {
  readonly path: BlockPath
  /** The objects in it, with the indexes of their ids. */
  readonly members: { readonly id: ManagedId; readonly index: number }[]
}

type ManagedId = Extract<HeapId, { kind: 'managed' }>

type HugeAt = HugeObject & { readonly index: number }

export class FractalHeap {
  readonly #file: FileBytes
  readonly #address: number
  readonly #header: FractalHeapHeader
  readonly #filters: readonly FilterDescription[]
  /** Blocks by address, which many shared messages are in. @limit speed, bytes, bench/results.md#062-limits-of-speed */
  readonly #blocks = new BoundedMap<number, Block>(MAX_CACHED_BYTES, {
    weightOf: block => (block instanceof Uint8Array ? block.length : 64 * block.length),
  })
  /** The records of the B-tree of huge objects, once it was read. */
  #hugeObjects: Promise<ReadonlyMap<number, HugeObject>> | undefined

  constructor(file: FileBytes, address: number, header: FractalHeapHeader) {
    this.#file = file
    this.#address = address
    this.#header = header
    const { filters } = header
    this.#filters = filters
      ? decodeFilters(
          new FieldReader(filters.message, file.widths, 'the filters of the fractal heap', address),
        )
      : []
  }

  /** The bytes of an object: a view that must not be changed. */
  async object(id: Uint8Array, budget = this.newBudget()): Promise<Uint8Array> {
    const [object] = await this.objects([id], budget)
    return object
  }

  get isFiltered(): boolean {
    return this.#filters.length > 0
  }

  /** The offset of an object among the others, and its length if the id has it. */
  locate(heapId: Uint8Array): { readonly offset: number; readonly length?: number } {
    const id = decodeHeapId(heapId, this.#header, this.#file.widths)
    if (id.kind === 'managed') return { offset: id.offset, length: id.length }
    if (id.kind === 'tiny') return { offset: 0, length: id.object.length }
    return id.kind === 'huge' ? { offset: 0, length: id.object.length } : { offset: 0 }
  }

  /** A budget for a list of objects. */
  newBudget(): HeapBudget {
    return new HeapBudget(this.#file, this.#address)
  }

  /** Reads several objects by their ids, all of them different; each block is read once. */
  async objects(ids: readonly Uint8Array[], budget = this.newBudget()): Promise<readonly Uint8Array[]> {
    const objects = new Array<Uint8Array>(ids.length)
    /** Blocks by their offsets in the heap. */
    const blocks = new Map<number, BlockAt>()
    const huge: HugeAt[] = []
    for (let index = 0; index < ids.length; index++) {
      const id = decodeHeapId(ids[index], this.#header, this.#file.widths)
      if (id.kind === 'tiny') objects[index] = id.object
      else if (id.kind === 'managed') this.#addManaged(blocks, id, index)
      else huge.push({ ...(id.kind === 'huge' ? id.object : await this.#findHuge(id.id)), index })
      if (isTurnOver()) await nextTurn()
    }
    await this.#readManaged(blocks, objects, budget)
    await this.#readHuge(huge, objects, budget)
    return objects
  }

  #addManaged(blocks: Map<number, BlockAt>, id: ManagedId, index: number): void {
    const path = pathTo(this.#header.table, id.offset)
    if (!path) throw damaged(STRUCTURE, this.#address, `it has no block at offset ${id.offset}`)
    const block = blocks.get(path.blockOffset)
    if (block) block.members.push({ id, index })
    else blocks.set(path.blockOffset, { path, members: [{ id, index }] })
  }

  async #readManaged(
    blocks: ReadonlyMap<number, BlockAt>,
    objects: Uint8Array[],
    budget: HeapBudget,
  ): Promise<void> {
    const inOrder = [...blocks.values()].sort((a, b) => a.path.blockOffset - b.path.blockOffset)
    for (let start = 0; start < inOrder.length; start += BLOCKS_AT_ONCE) {
      const some = inOrder.slice(start, start + BLOCKS_AT_ONCE)
      const pieces = await Promise.all(some.map(({ path }) => this.#directBlock(path, budget)))
      for (const [at, { path, members }] of some.entries()) {
        for (const { id, index } of members) {
          const object = this.#managedObject(id, pieces[at], path)
          budget.addManaged(object.length, path)
          objects[index] = object
          if (isTurnOver()) await nextTurn()
        }
      }
    }
  }

  #managedObject(id: ManagedId, block: Uint8Array, { blockOffset }: BlockPath): Uint8Array {
    const start = id.offset - blockOffset
    const end = start + id.length
    if (
      start < directBlockPrefixSize(this.#header, this.#file.widths) ||
      end > block.length ||
      id.length === 0
    ) {
      const rule = `${id.length} bytes at offset ${id.offset} are not within its block`
      throw damaged(STRUCTURE, this.#address, rule)
    }
    return block.subarray(start, end)
  }

  /** The direct block at the end of the path, filters undone. */
  async #directBlock({ steps, blockOffset, blockSize }: BlockPath, budget: HeapBudget): Promise<Uint8Array> {
    const { table, filters } = this.#header
    let entry: BlockEntry = {
      ...(table.root !== undefined && { address: table.root }),
      ...(filters && { filtered: filters.root }),
    }
    for (const step of steps) {
      const entries = await this.#indirectBlock(this.#addressOf(entry, step.blockOffset), step)
      entry = entries[step.entry]
    }
    const address = this.#addressOf(entry, blockOffset)
    const known = this.#blocks.use(address)
    if (known instanceof Uint8Array) return known
    const block = await this.#readDirectBlock(address, blockSize, entry.filtered, budget)
    const origin = { heapAddress: this.#address, offset: blockOffset }
    checkDirectBlock(block, this.#header, origin, this.#file.widths, address)
    this.#blocks.set(address, block)
    return block
  }

  async #readDirectBlock(
    address: number,
    size: number,
    filtered: FilteredSize | undefined,
    budget: HeapBudget,
  ): Promise<Uint8Array> {
    const structure = 'a direct block of the fractal heap'
    if (!filtered) return this.#file.read(address, size, structure)
    budget.addDecoded(size)
    const bytes = await this.#file.read(address, filtered.length, structure)
    return decodeFiltered(this.#filters, { bytes, mask: filtered.mask }, size, structure, address)
  }

  async #indirectBlock(
    address: number,
    { rows, blockOffset }: { readonly rows: number; readonly blockOffset: number },
  ): Promise<readonly BlockEntry[]> {
    const known = this.#blocks.use(address)
    if (known && !(known instanceof Uint8Array)) return known
    const { widths } = this.#file
    const size = indirectBlockSize(this.#header, rows, widths)
    const bytes = await this.#file.read(address, size, 'an indirect block of the fractal heap')
    const origin = { heapAddress: this.#address, offset: blockOffset }
    const entries = decodeIndirectBlock(bytes, this.#header, rows, origin, widths, address)
    this.#blocks.set(address, entries)
    return entries
  }

  #addressOf({ address }: BlockEntry, offset: number): number {
    if (address === undefined) throw damaged(STRUCTURE, this.#address, `it has no block at offset ${offset}`)
    return address
  }

  async #readHuge(huge: readonly HugeAt[], objects: Uint8Array[], budget: HeapBudget): Promise<void> {
    for (const object of huge) budget.addHuge(object)
    for (let start = 0; start < huge.length; start += BLOCKS_AT_ONCE) {
      const some = huge.slice(start, start + BLOCKS_AT_ONCE)
      const ranges = some.map(({ address, length }) => ({ position: address, length }))
      const pieces = await this.#file.readValues(ranges, HUGE_STRUCTURE)
      for (const [position, { index, address, filtered }] of some.entries()) {
        objects[index] = filtered
          ? await decodeFiltered(
              this.#filters,
              { bytes: pieces[position], mask: filtered.mask },
              filtered.length,
              HUGE_STRUCTURE,
              address,
            )
          : pieces[position]
      }
    }
  }

  async #findHuge(id: number): Promise<HugeObject> {
    this.#hugeObjects ??= this.#readHugeIndex()
    const object = (await this.#hugeObjects).get(id)
    if (!object) throw damaged(STRUCTURE, this.#address, `it has no huge object ${id}`)
    return object
  }

  async #readHugeIndex(): Promise<ReadonlyMap<number, HugeObject>> {
    const { hugeIndex, filters } = this.#header
    const objects = new Map<number, HugeObject>()
    if (hugeIndex === undefined) return objects
    const records = filters ? FILTERED_HUGE_OBJECTS : HUGE_OBJECTS
    for (const record of await allBTree2Records<HugeObjectRecord>(this.#file, hugeIndex, records)) {
      objects.set(record.id, record)
    }
    return objects
  }
}
