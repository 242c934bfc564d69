// The global heap of a file that is written: objects one after another in collections, which follow each other. The
// position of an object follows from the lengths of those before it, so positions are known before any bytes.

import {
  encodeCollection,
  type GlobalHeapObject,
  type GlobalHeapReference,
  globalHeapObjectSize,
  globalHeapPrefixSize,
  MIN_COLLECTION_SIZE,
} from '../format/heaps/global-heap.ts'
import { WIDTHS } from './values/elements.ts'

/** Bytes of every collection but the last, unless an object needs more. */
const COLLECTION_SIZE = 2 ** 16

/** A position between two objects. The address is that of the collection, from the beginning of the heap. */
export interface HeapPosition {
  readonly address: number
  readonly used: number
  readonly count: number
}

export const HEAP_START: HeapPosition = { address: 0, used: globalHeapPrefixSize(WIDTHS), count: 0 }

/** The positions of objects, from a position on, in a heap that begins at `base`. */
export class HeapLayout {
  readonly #base: number
  #position: HeapPosition

  constructor(base: number, start = HEAP_START) {
    this.#base = base
    this.#position = start
  }

  get position(): HeapPosition {
    return this.#position
  }

  /** Bytes of the heap so far. */
  get length(): number {
    const { address, used, count } = this.#position
    return count === 0 ? address : address + Math.max(MIN_COLLECTION_SIZE, used)
  }

  /** The reference of the next object. */
  put({ length }: { readonly length: number }): GlobalHeapReference {
    const size = globalHeapObjectSize(length, WIDTHS)
    let { address, used, count } = this.#position
    if (count > 0 && used + size > COLLECTION_SIZE) {
      address += Math.max(COLLECTION_SIZE, used)
      used = HEAP_START.used
      count = 0
    }
    this.#position = { address, used: used + size, count: count + 1 }
    return { address: this.#base + address, index: count + 1 }
  }
}

/**
 * The bytes of the heap from the collection on in which `start` is. Its own bytes are zeros, unless `start` is its
 * beginning, because the objects before are not known.
 */
export class HeapWriter {
  readonly #layout: HeapLayout
  #objects: GlobalHeapObject[] = []
  #address: number
  #isWhole: boolean
  #finished: Uint8Array[] = []

  constructor(base: number, start = HEAP_START) {
    this.#layout = new HeapLayout(base, start)
    this.#address = start.address
    this.#isWhole = start.count === 0
  }

  put(bytes: Uint8Array): GlobalHeapReference {
    const reference = this.#layout.put(bytes)
    // The first object of another collection.
    if (reference.index === 1) this.#finish(this.#layout.position.address)
    this.#objects.push({ index: reference.index, referenceCount: 1, bytes: new Uint8Array(bytes) })
    return reference
  }

  /** The collections that were filled since the last call. */
  takeFinished(): readonly Uint8Array[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }

  /** The last collections. */
  takeLast(): readonly Uint8Array[] {
    this.#finish(this.#layout.length)
    return this.takeFinished()
  }

  #finish(end: number): void {
    const length = end - this.#address
    if (!this.#isWhole) this.#finished.push(new Uint8Array(length))
    else if (this.#objects.length > 0) this.#finished.push(encodeCollection(this.#objects, length, WIDTHS))
    this.#objects = []
    this.#address = end
    this.#isWhole = true
  }
}
