// A whole file, planned and then written, in two passes over a domain that does not change. The plan finds the objects
// and the address of each, so the length of the file and all addresses are known before the first byte. It keeps some
// numbers of each object, and none of its values.
//
// In the file: superblock, objects without values (readers over a network need them first), global heap, values.

import { inTurns, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { elementCount, firstIndex, isReferenceLayout } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import type { FileWarning } from '../file-reader.ts'
import { hasUnavailable } from '../filters/pipeline.ts'
import { roundUp } from '../format/alignment.ts'
import type { GlobalHeapReference } from '../format/global-heap.ts'
import { encodeSuperblock, superblockSize } from '../format/superblock.ts'
import { runSteps, type Steps, waitFor } from '../steps.ts'
import { putHeapObjects } from './attributes.ts'
import { DatasetValues, MAX_UNSEEN, markedPart, type Storage, type ValueMark } from './datasets.ts'
import { WIDTHS } from './elements.ts'
import { type ContextOptions, FileContext, type ObjectTable } from './file-context.ts'
import { HEAP_START, HeapLayout, type HeapPosition, HeapWriter } from './global-heap.ts'
import { LikeDatasets } from './like-datasets.ts'
import { type HeapWalks, PlannedObject, requireObject } from './objects.ts'
import { exactly, gathered } from './pieces.ts'
import type { DomainSource, SourceAttribute, SourceDataset, SourceDetails, SourceObject } from './source.ts'

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

/** The layout of a file that a plan has found for a domain. */
export interface FileLayout {
  readonly objects: ObjectTable
  readonly records: ObjectRecord[]
  readonly heapLayout: HeapLayout
  /** The beginning of the values of each object, relative to the first values. */
  valueStarts: Float64Array
  heapAddress: number
  length: number
}

/** Remembers marks of the values of a file, by the index of the object. */
export interface MarkMemory {
  get(index: number): readonly ValueMark[] | undefined
  set(index: number, marks: readonly ValueMark[]): unknown
}

/** Objects that are read at once. */
const READ_AHEAD = 64

/** An object in the global heap from which on that is written. */
interface HeapStart {
  readonly index: number
  readonly position: HeapPosition
}

/** The parts of an object that the plan keeps. */
interface ObjectRecord {
  /** Bytes of the object without its values. */
  readonly length: number
  readonly storage: Storage | undefined
  /** The object's part of the global heap; undefined: it has none. */
  readonly heap: { readonly header: HeapPosition; readonly values: HeapPosition } | undefined
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
  const plan = new FilePlan(new FileContext(source, options), visit, marks)
  await plan.make(root)
  return plan
}

/** The file of an earlier plan of the same state of the domain. */
export function plannedFile<Found extends SourceObject>(
  source: DomainSource<Found>,
  layout: FileLayout,
  { marks, ...options }: ContextOptions & { readonly marks: MarkMemory },
): NewFile {
  return new FilePlan(new FileContext(source, options, layout.objects), () => {}, marks, layout)
}

class FilePlan<Found extends SourceObject> implements NewFile {
  readonly layout: FileLayout
  readonly #context: FileContext<Found>
  readonly #visit: (object: Found) => void
  readonly #marks: MarkMemory
  /** It was planned before: nothing of its objects has been read yet. */
  readonly #isKnown: boolean
  readonly #alike = new LikeDatasets<ObjectRecord>()

  constructor(
    context: FileContext<Found>,
    visit: (object: Found) => void,
    marks: MarkMemory,
    layout?: FileLayout,
  ) {
    this.#context = context
    this.#visit = visit
    this.#marks = marks
    this.#isKnown = layout !== undefined
    this.layout = layout ?? {
      objects: context.objects,
      records: [],
      heapLayout: new HeapLayout(0),
      valueStarts: new Float64Array(0),
      heapAddress: 0,
      length: 0,
    }
  }

  get length(): number {
    return this.layout.length
  }

  get headLength(): number {
    return this.#valuesAddress
  }

  get #records(): ObjectRecord[] {
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

  async make(root: ObjectId): Promise<void> {
    const { objects } = this.#context
    await this.#context.remembered.readAhead([root])
    const found = await this.#context.remembered.object(root)
    if (found) this.#visit(found)
    objects.add(root)
    objects.countReference(root)
    const groups = [root]
    for (const group of groups) await this.#findMembers(group, groups)
    let address = roundUp(superblockSize(WIDTHS))
    for (let index = 0; index < objects.size; index++) {
      if (isTurnOver()) await nextTurn()
      this.#context.throwIfAborted()
      if (index % READ_AHEAD === 0) await this.#readAgain(index)
      const id = objects.idAt(index)
      let record: ObjectRecord
      try {
        const measuring = this.#measure(index)
        record = measuring instanceof Promise ? await measuring : measuring
      } catch (error) {
        throw await this.#context.named(id, error)
      }
      this.#records.push(record)
      objects.place(index, address)
      address += roundUp(record.length)
    }
    const { layout } = this
    layout.heapAddress = address
    layout.valueStarts = new Float64Array(layout.records.length)
    let values = 0
    for (const [index, record] of layout.records.entries()) {
      layout.valueStarts[index] = values
      values += valuesLength(record)
    }
    layout.length = this.#valuesAddress + values
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
      yield* within(this.#values(), Math.max(0, from - start), to - start)
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
    return this.#heapAddress + roundUp(this.#heapLayout.length)
  }

  objectsIn(position: number, length: number): number {
    const { valueStarts } = this.layout
    const [from, to] = [position - this.headLength, position + length - this.headLength]
    const first = firstIndex(valueStarts, start => start > from) - 1
    return firstIndex(valueStarts, start => start >= to) - first
  }

  values(position: number, length: number): AsyncIterable<Uint8Array> {
    return gathered(this.#valuesWithin(position, length), length)
  }

  async *#valuesWithin(position: number, length: number): AsyncGenerator<Uint8Array> {
    const { valueStarts, records } = this.layout
    const [from, to] = [position - this.headLength, position + length - this.headLength]
    let index = firstIndex(valueStarts, start => start > from) - 1
    for (; index < records.length && valueStarts[index] < to; index++) {
      if (isTurnOver()) await nextTurn()
      this.#context.throwIfAborted()
      const start = valueStarts[index]
      const end = start + valuesLength(records[index])
      if (end > from) yield* this.#valuesOf(index, Math.max(from - start, 0), Math.min(to, end) - start)
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

  /** Adds the targets of hard links of a group; new groups to `groups`, too. */
  async #findMembers(group: ObjectId, groups: ObjectId[]): Promise<void> {
    let targets: ObjectId[] = []
    for await (const { target } of this.#context.remembered.links(group)) {
      if (isTurnOver()) await nextTurn()
      if (target.class === 'H5L_TYPE_HARD') targets.push(target.id)
      if (targets.length < READ_AHEAD) continue
      await this.#addObjects(targets, groups)
      targets = []
    }
    await this.#addObjects(targets, groups)
  }

  /** Adds objects that hard links lead to. */
  async #addObjects(targets: readonly ObjectId[], groups: ObjectId[]): Promise<void> {
    const { objects, remembered } = this.#context
    this.#context.throwIfAborted()
    await remembered.readAhead(targets.filter(id => !objects.has(id)))
    for (const id of targets) {
      if (isTurnOver()) await nextTurn()
      if (!objects.has(id)) {
        const found = remembered.object(id)
        const object = found instanceof Promise ? await found : found
        if (!object) continue
        this.#visit(object)
        if (object.kind === 'dataset') {
          const writing = this.#isWritten(object)
          if (!(writing instanceof Promise ? await writing : writing)) continue
        }
        objects.add(id)
        if (object.kind === 'group') groups.push(id)
        if (object.kind === 'dataset') await this.#addType(object.committedType)
      }
      objects.countReference(id)
    }
  }

  /** A committed datatype that a dataset uses is in the file, whether a link leads to it or not. */
  async #addType(id: ObjectId | undefined): Promise<void> {
    const { objects, remembered } = this.#context
    if (id === undefined || objects.has(id)) return
    const type = await remembered.object(id)
    if (!type) return
    this.#visit(type)
    objects.add(id)
  }

  /** Must be called for each `READ_AHEAD`th object of a pass over all objects. */
  async #readAgain(index: number): Promise<void> {
    const { objects, remembered } = this.#context
    if (this.#isKnown || !remembered.hasAll) await remembered.readAhead(objects.idsFrom(index, READ_AHEAD))
  }

  /** False: the values of the dataset cannot be read, and it is left out. */
  #isWritten(dataset: SourceDataset): boolean | Promise<boolean> {
    const { source, signal, remembered } = this.#context
    const { unreadable, creationProperties } = dataset
    const { layout } = creationProperties
    if (unreadable !== undefined) return this.#leaveOut(dataset, unreadable)
    if (isReferenceLayout(layout)) {
      return this.#leaveOut(dataset, `its values are in other files (layout ${layout})`)
    }
    const areHere = remembered.known(dataset.id)?.areValuesHere
    const looking = areHere ? undefined : source.requireValues(dataset, signal)
    if (looking) return this.#isReadable(dataset, looking)
    return this.#isProbed(dataset) ? this.#isReadable(dataset) : true
  }

  /**
   * Whether some of the values are read first, because their loss would interrupt a file of which much has been sent,
   * or because that is requested.
   */
  #isProbed(dataset: SourceDataset): boolean {
    const { space, type } = dataset
    const isLong = elementCount(space) * elementSize(type) > MAX_UNSEEN
    const mayBeUndecodable = hasUnavailable(dataset.creationProperties.filters)
    return isLong || this.#context.skipsUnreadable || mayBeUndecodable
  }

  /** `looking`: whether all of the values are there. */
  async #isReadable(dataset: SourceDataset, looking?: Promise<void>): Promise<boolean> {
    try {
      await looking
      // Values of other datasets may exceed the work limit of a read, which only a read can find.
      const isOfOthers = looking && dataset.creationProperties.layout !== 'H5D_CHUNKED'
      if (!looking || isOfOthers || this.#isProbed(dataset)) {
        await new DatasetValues(this.#context, dataset).probe()
      }
      return true
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'values-unreadable') throw error
      if (error.cause instanceof HyperslabError) return this.#leaveOut(dataset, error.cause.message)
      await this.#context.leaveOut(dataset.id, { subject: 'the dataset is', reason: error })
      return false
    }
  }

  async #leaveOut({ id }: SourceDataset, problem: string): Promise<boolean> {
    const reason = new HyperslabError('values-unreadable', `the values cannot be read: ${problem}`)
    await this.#context.leaveOut(id, { subject: 'the dataset is', reason })
    return false
  }

  #measure(index: number): ObjectRecord | Promise<ObjectRecord> {
    const { objects, remembered } = this.#context
    const id = objects.idAt(index)
    // The header of an object with several hard links has their number, too.
    const details = objects.referenceCountAt(index) === 1 ? remembered.known(id) : undefined
    const like = details && this.#alike.find(details)
    if (!like) return runSteps(this.#measureNew(id, details))
    const header = this.#heapLayout.position
    const putting = this.#putAttributes(id, details.attributes ?? [])
    if (putting) return putting.then(() => this.#withHeap(like, header, this.#heapLayout.position))
    return this.#withHeap(like, header, this.#heapLayout.position)
  }

  /** Puts the heap objects of attributes into the global heap, from one attribute on. Undefined: it is done. */
  #putAttributes(id: ObjectId, attributes: readonly SourceAttribute[], from = 0): Promise<void> | undefined {
    for (let i = from; i < attributes.length; i++) {
      const putting = putHeapObjects(this.#context, id, attributes[i], this.#put)
      if (putting) return putting.then(() => this.#putAttributes(id, attributes, i + 1))
    }
    return undefined
  }

  /** `details` are kept to compare later datasets with. */
  *#measureNew(id: ObjectId, details: SourceDetails | undefined): Steps<ObjectRecord> {
    const header = this.#heapLayout.position
    const object = yield* requireObject(this.#context, id)
    const values = object.kind === 'dataset' ? new DatasetValues(this.#context, object) : undefined
    values?.fillValue(this.#put)
    this.#countUse(values?.dataset.committedType)
    const planned = yield* PlannedObject.plan(this.#context, object, {
      visit: attribute => {
        this.#countUse(attribute.committedType)
        return putHeapObjects(this.#context, id, attribute, this.#put)
      },
    })
    const valuesAt = this.#heapLayout.position
    const { length, storage } = planned
    if (values && storage && values.form.hasAddresses) {
      yield* waitFor(read(inTurns(values.pieces(storage, this.#put))))
    }
    const record = { length, storage, heap: undefined }
    if (details) this.#alike.add(details, record)
    return this.#withHeap(record, header, valuesAt)
  }

  readonly #put = (bytes: Uint8Array): GlobalHeapReference => this.#heapLayout.put(bytes)

  /** `header` and `values` are the beginnings of the heap objects of the object and of its values. */
  #withHeap(record: ObjectRecord, header: HeapPosition, values: HeapPosition): ObjectRecord {
    if (this.#heapLayout.position === header) return record
    const { length, storage } = record
    return { length, storage, heap: { header, values } }
  }

  /** Counts a use of a committed datatype, which libhdf5 does not delete while it is used. */
  #countUse(type: ObjectId | undefined): void {
    const { objects } = this.#context
    if (type && objects.has(type)) objects.countReference(type)
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

  async *#values(): AsyncGenerator<Uint8Array> {
    const { objects } = this.#context
    for (const [index, record] of this.#records.entries()) {
      const { storage } = record
      if (!storage || valuesLength(record) === 0) continue
      const id = objects.idAt(index)
      const object = await runSteps(requireObject(this.#context, id))
      if (object.kind !== 'dataset') continue
      const pieces = new DatasetValues(this.#context, object).pieces(
        storage,
        this.#heapWalks(record).values(),
      )
      yield* this.#context.namingPieces(id, exactly(storage.length, pieces))
    }
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

async function read(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of pieces);
}

/** Bytes of the values outside of the object header. */
function valuesLength({ storage }: ObjectRecord): number {
  if (storage?.kind !== 'contiguous' && storage?.kind !== 'chunked') return 0
  return roundUp(storage.length)
}
