// A whole file, planned and then written, in two passes over a domain that does not change. The plan finds the objects
// and the address of each, so the length of the file and all addresses are known before the first byte. It keeps some
// numbers of each object, and none of its values.
//
// In the file: superblock, objects without values (readers over a network need them first), global heap, values.

import { inTurns, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { firstIndex } from '@hyperslab/model/dataset'
import { isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import type { FileWarning } from '../file-reader.ts'
import { encodeSuperblock, superblockSize } from '../format/superblock.ts'
import { runSteps } from '../steps.ts'
import { putHeapObjects } from './attributes.ts'
import { type ContextOptions, FileContext } from './file-context.ts'
import { type FileLayout, type ObjectRecord, READ_AHEAD, valuesAddress, valuesLength } from './file-layout.ts'
import { measureFile } from './file-measure.ts'
import { FileObjects } from './file-objects.ts'
import { HEAP_START, HeapLayout, type HeapPosition, HeapWriter } from './global-heap.ts'
import { type HeapWalks, PlannedObject, requireObject } from './objects.ts'
import { exactly, gathered, type Part, together } from './pieces.ts'
import type { DomainSource, SourceObject } from './source.ts'
import { DatasetValues } from './values/datasets.ts'
import { WIDTHS } from './values/elements.ts'
import { markedPart, type ValueMark } from './values/value-marks.ts'

export interface FileOptions<Found = SourceObject> extends ContextOptions {
  /** Called for each object, once, before it becomes part of the file; throws when it must not become part of it. */
  readonly visit?: (object: Found) => void
  /** Default: marks are remembered as long as the plan. */
  readonly marks?: MarkMemory
}

export interface NewFile {
  readonly length: number
  /** Bytes before the values. */
  readonly headLength: number
  /** The layout that was found, from which a part can be written again while the domain is unchanged. */
  readonly layout: FileLayout
  /** The number of objects with values in a part of the file; objects without values between them count too. */
  objectsIn(position: number, length: number): number
  /** The bytes of a part of the values, which are after the head, without those before it. */
  values(position: number, length: number): AsyncIterable<Uint8Array>
  /** The bytes of a part, or all. A piece is valid until the next one is requested. */
  pieces(position?: number, length?: number): AsyncIterable<Uint8Array>
  /** The parts of the domain that the file lacks; all are known when the pieces have been read. */
  losses(): Promise<readonly FileWarning[]>
}

/** Remembers marks of the values of a file, by the index of the object. */
export interface MarkMemory {
  get(index: number): readonly ValueMark[] | undefined
  set(index: number, marks: readonly ValueMark[]): unknown
}

/** An object in the global heap from which on that is written. */
interface HeapStart {
  readonly index: number
  readonly position: HeapPosition
}

/**
 * The file of the objects that hard links reach from `root`, and of the committed datatypes of its datasets. The source
 * must not change until the pieces have been read. Throws `values-unreadable` for a dataset without values, the reason
 * of a link or an attribute that cannot be read, and `type-unsupported` for a type that a file cannot hold.
 */
export async function planFile<Found extends SourceObject>(
  source: DomainSource<Found>,
  root: ObjectId,
  { visit = () => {}, marks = new Map(), ...options }: FileOptions<Found> = {},
): Promise<NewFile> {
  const context = new FileContext(source, options)
  await new FileObjects(context, visit).find(root)
  return new PlannedFile(context, marks, await measureFile(context), false)
}

/** The file of an earlier plan of the same state of the domain. */
export function plannedFile<Found extends SourceObject>(
  source: DomainSource<Found>,
  layout: FileLayout,
  { marks, ...options }: ContextOptions & { readonly marks: MarkMemory },
): NewFile {
  return new PlannedFile(new FileContext(source, options, layout.objects), marks, layout, true)
}

class PlannedFile<Found extends SourceObject> implements NewFile {
  readonly layout: FileLayout
  readonly #context: FileContext<Found>
  readonly #marks: MarkMemory
  /** It was planned before: nothing of its objects has been read yet. */
  readonly #isKnown: boolean

  constructor(context: FileContext<Found>, marks: MarkMemory, layout: FileLayout, isKnown: boolean) {
    this.#context = context
    this.#marks = marks
    this.layout = layout
    this.#isKnown = isKnown
  }

  get length(): number {
    return this.layout.length
  }

  get headLength(): number {
    return this.#valuesAddress
  }

  get #records(): readonly ObjectRecord[] {
    return this.layout.records
  }

  get #heapLayout(): HeapLayout {
    return this.layout.heapLayout
  }

  get #heapAddress(): number {
    return this.layout.heapAddress
  }

  losses(): Promise<readonly FileWarning[]> {
    return this.#context.losses()
  }

  pieces(position = 0, length = this.length): AsyncIterable<Uint8Array> {
    return gathered(this.#part(position, position + length), length)
  }

  /** Bytes from `from` up to `to`. Objects before them are not written, nor most of the heap before them. */
  async *#part(from: number, to: number): AsyncGenerator<Uint8Array> {
    const { objects } = this.#context
    const first = objects.lastAt(from)
    const start = first === 0 ? 0 : (objects.addressOf(objects.idAt(first)) ?? 0)
    yield* within(this.#beforeHeap(first), from - start, Math.min(to, this.#heapAddress) - start)
    if (to > this.#heapAddress && from < this.#valuesAddress) {
      const heap = this.#heapStart(Math.max(0, from - this.#heapAddress))
      const start = this.#heapAddress + heap.position.address
      const bytes = exactly(this.#heapLayout.length - heap.position.address, this.#heap(heap))
      yield* within(bytes, Math.max(0, from - start), Math.min(to, this.#valuesAddress) - start)
    }
    if (to > this.#valuesAddress) {
      const start = this.#valuesAddress
      yield* within(together(this.#values()), Math.max(0, from - start), to - start)
    }
  }

  async *#beforeHeap(first: number): AsyncGenerator<Uint8Array> {
    if (first === 0) yield* this.#superblock()
    yield* this.#objects(first)
  }

  /** The last object from which on all collections can be written that end after an offset in the heap. */
  #heapStart(offset: number): HeapStart {
    let start: HeapStart = { index: 0, position: HEAP_START }
    let last = start
    for (const [index, { heap }] of this.#records.entries()) {
      if (!heap) continue
      if (heap.header.address > offset) break
      // A later collection begins before the offset, so the one in which the object before begins is not needed.
      if (heap.header.address > last.position.address) start = last
      last = { index, position: heap.header }
    }
    return start
  }

  get #valuesAddress(): number {
    return valuesAddress(this.layout)
  }

  objectsIn(position: number, length: number): number {
    const { valueStarts } = this.layout
    const [from, to] = [position - this.headLength, position + length - this.headLength]
    const first = firstIndex(valueStarts, start => start > from) - 1
    return firstIndex(valueStarts, start => start >= to) - first
  }

  values(position: number, length: number): AsyncIterable<Uint8Array> {
    return gathered(together(this.#valuesWithin(position, length)), length)
  }

  *#valuesWithin(position: number, length: number): Generator<Part> {
    const { valueStarts, records } = this.layout
    const [from, to] = [position - this.headLength, position + length - this.headLength]
    let index = firstIndex(valueStarts, start => start > from) - 1
    for (; index < records.length && valueStarts[index] < to; index++) {
      this.#context.throwIfAborted()
      const object = index
      const start = valueStarts[index]
      const end = Math.min(to, start + valuesLength(records[index]))
      const first = Math.max(from, start)
      if (end > first)
        yield { length: end - first, pieces: () => this.#valuesOf(object, first - start, end - start) }
    }
  }

  /** Bytes of the values of an object, from `from` up to `to`. */
  async *#valuesOf(index: number, from: number, to: number): AsyncGenerator<Uint8Array> {
    const { storage, heap } = this.#records[index]
    const id = this.#context.objects.idAt(index)
    const object = await runSteps(requireObject(this.#context, id))
    if (!storage || object.kind !== 'dataset') return
    const values = new DatasetValues(this.#context, object)
    const end = Math.min(to, storage.length)
    let done = from
    if (from < end) {
      const marks = await this.#marksOf(index, () =>
        values.marks(storage, new HeapLayout(this.#heapAddress, heap?.values)),
      )
      const marked = markedPart(marks, from, end)
      const walk = new HeapLayout(this.#heapAddress, marked.mark.heap)
      const part = values.part(storage, marked, from, end, bytes => walk.put(bytes))
      for await (const { offset, bytes } of this.#context.namingPieces(id, part)) {
        const first = Math.max(done - offset, 0)
        const last = Math.min(end - offset, bytes.length)
        if (first >= last) continue
        yield bytes.subarray(first, last)
        done = offset + last
      }
      if (done < end) throw new Error(`the values of ${id} end at ${done} and were planned up to ${end}`)
    }
    // Up to the beginning of the next ones.
    if (done < to) yield new Uint8Array(to - done)
  }

  async #marksOf(index: number, make: () => Promise<readonly ValueMark[]>): Promise<readonly ValueMark[]> {
    const known = this.#marks.get(index)
    if (known) return known
    const made = await make()
    this.#marks.set(index, made)
    return made
  }

  /** Must be called for each `READ_AHEAD`th object of a pass over all objects. */
  async #readAgain(index: number): Promise<void> {
    const { objects, remembered } = this.#context
    if (this.#isKnown || !remembered.hasAll) await remembered.readAhead(objects.idsFrom(index, READ_AHEAD))
  }

  #superblock(): AsyncIterable<Uint8Array> {
    const bytes = encodeSuperblock({
      version: 2,
      widths: WIDTHS,
      baseAddress: 0,
      endOfFile: this.length,
      rootHeader: this.#context.objects.addressOf(this.#context.objects.idAt(0)) ?? 0,
      flags: 0,
      groupLeafK: 0,
      groupInternalK: 0,
      chunkK: 0,
    })
    return exactly(superblockSize(WIDTHS), [bytes])
  }

  /** The objects from an index on. */
  async *#objects(first: number): AsyncGenerator<Uint8Array> {
    const { objects } = this.#context
    for (let index = first; index < this.#records.length; index++) {
      if (isTurnOver()) await nextTurn()
      if ((index - first) % READ_AHEAD === 0) await this.#readAgain(index)
      const record = this.#records[index]
      const values = this.#valuesAddress + this.layout.valueStarts[index]
      const id = objects.idAt(index)
      const { length, storage } = record
      const address = objects.addressOf(id) ?? 0
      const object = await runSteps(requireObject(this.#context, id))
      const planned = await runSteps(
        PlannedObject.plan(this.#context, object, { ...(storage && { storage }) }),
      )
      const bytes = planned.bytes(address, values, this.#heapWalks(record))
      yield* this.#context.namingPieces(id, exactly(length, bytes))
    }
  }

  #heapWalks({ heap }: ObjectRecord): HeapWalks {
    const walk = (start: HeapPosition | undefined) => {
      const layout = new HeapLayout(this.#heapAddress, start)
      return (bytes: Uint8Array) => layout.put(bytes)
    }
    return { header: () => walk(heap?.header), values: () => walk(heap?.values) }
  }

  /** The heap from the collection of the start on. */
  async *#heap({ index: first, position }: HeapStart): AsyncGenerator<Uint8Array> {
    const { objects, remembered } = this.#context
    const writer = new HeapWriter(this.#heapAddress, position)
    const put = (bytes: Uint8Array) => writer.put(bytes)
    for (let index = first; index < this.#records.length; index++) {
      if (isTurnOver()) await nextTurn()
      const { heap, storage } = this.#records[index]
      if (!heap) continue
      const id = objects.idAt(index)
      const object = await runSteps(requireObject(this.#context, id))
      const values = object.kind === 'dataset' ? new DatasetValues(this.#context, object) : undefined
      values?.fillValue(put)
      for await (const attribute of remembered.attributes(id)) {
        await putHeapObjects(this.#context, id, attribute, put)
        yield* writer.takeFinished()
      }
      if (!values || !storage || !isVariableSize(values.dataset.type)) continue
      for await (const _ of inTurns(values.pieces(storage, put))) yield* writer.takeFinished()
    }
    yield* writer.takeLast()
  }

  *#values(): Generator<Part> {
    for (const [index, record] of this.#records.entries()) {
      const length = valuesLength(record)
      if (length > 0) yield { length, pieces: () => this.#allValuesOf(index) }
    }
  }

  async *#allValuesOf(index: number): AsyncGenerator<Uint8Array> {
    const record = this.#records[index]
    const id = this.#context.objects.idAt(index)
    const object = await runSteps(requireObject(this.#context, id))
    if (object.kind !== 'dataset' || !record.storage) return
    const { storage } = record
    const pieces = new DatasetValues(this.#context, object).pieces(storage, this.#heapWalks(record).values())
    yield* this.#context.namingPieces(id, exactly(storage.length, pieces))
  }
}

/** Bytes of the pieces from `from` up to `to`. */
async function* within(
  pieces: AsyncIterable<Uint8Array>,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  if (from >= to) return
  let offset = 0
  for await (const piece of pieces) {
    const [start, end] = [Math.max(0, from - offset), Math.min(piece.length, to - offset)]
    if (start < end) yield piece.subarray(start, end)
    offset += piece.length
    if (offset >= to) return
  }
}
