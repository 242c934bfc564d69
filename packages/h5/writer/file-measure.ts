// The plan of a file: the length and the address of each object, found in one pass over them.

import { inTurns, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ObjectId } from '@hyperslab/model/names'
import { roundUp } from '../format/alignment.ts'
import type { GlobalHeapReference } from '../format/heaps/global-heap.ts'
import { superblockSize } from '../format/superblock.ts'
import { runSteps, type Steps, waitFor } from '../steps.ts'
import { putHeapObjects } from './attributes.ts'
import type { FileContext } from './file-context.ts'
import { type FileLayout, type ObjectRecord, READ_AHEAD, valuesAddress, valuesLength } from './file-layout.ts'
import { HeapLayout, type HeapPosition } from './global-heap.ts'
import { LikeDatasets } from './like-datasets.ts'
import { PlannedObject, requireObject } from './objects.ts'
import type { SourceAttribute, SourceDetails, SourceObject } from './source.ts'
import { DatasetValues } from './values/datasets.ts'
import { WIDTHS } from './values/elements.ts'

/** The layout of a file of the objects in the table of the context. */
export function measureFile<Found extends SourceObject>(context: FileContext<Found>): Promise<FileLayout> {
  return new Measuring(context).run()
}

class Measuring<Found extends SourceObject> {
  readonly #context: FileContext<Found>
  readonly #heapLayout = new HeapLayout(0)
  readonly #alike = new LikeDatasets<ObjectRecord>()

  constructor(context: FileContext<Found>) {
    this.#context = context
  }

  async run(): Promise<FileLayout> {
    const { objects } = this.#context
    const records: ObjectRecord[] = []
    let address = roundUp(superblockSize(WIDTHS))
    for (let index = 0; index < objects.size; index++) {
      if (isTurnOver()) await nextTurn()
      this.#context.throwIfAborted()
      if (index % READ_AHEAD === 0) await this.#readAhead(index)
      const record = await this.#recordOf(index)
      records.push(record)
      objects.place(index, address)
      address += roundUp(record.length)
    }
    const valueStarts = new Float64Array(records.length)
    let values = 0
    for (const [index, record] of records.entries()) {
      valueStarts[index] = values
      values += valuesLength(record)
    }
    const layout = {
      objects,
      records,
      heapLayout: this.#heapLayout,
      valueStarts,
      heapAddress: address,
      length: 0,
    }
    return { ...layout, length: valuesAddress(layout) + values }
  }

  async #readAhead(index: number): Promise<void> {
    const { objects, remembered } = this.#context
    if (!remembered.hasAll) await remembered.readAhead(objects.idsFrom(index, READ_AHEAD))
  }

  #recordOf(index: number): ObjectRecord | Promise<ObjectRecord> {
    const id = this.#context.objects.idAt(index)
    const named = async (error: unknown): Promise<never> => {
      throw await this.#context.named(id, error)
    }
    try {
      const measuring = this.#measure(index)
      return measuring instanceof Promise ? measuring.catch(named) : measuring
    } catch (error) {
      return named(error)
    }
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
}

async function read(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of pieces);
}
