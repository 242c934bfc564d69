// Objects of the global heap of a file. Elements that are near each other mostly name objects of the same collection,
// or of collections near each other: those of one call are read together, and the last ones are kept.

import { BoundedMap, type ByteRange, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { damaged } from '../../format/errors.ts'
import {
  decodeCollection,
  decodeCollectionSize,
  type GlobalHeapCollection,
  type GlobalHeapReference,
  globalHeapPrefixSize,
  MIN_COLLECTION_SIZE,
} from '../../format/heaps/global-heap.ts'
import type { FileBytes } from './file-bytes.ts'

const STRUCTURE = 'the global heap collection'

/** Bytes of collections that are kept. @limit memory, bytes */
const MAX_CACHED_BYTES = 8 * 2 ** 20
/** The number of collections that are read at once; fewer if they are long. @limit memory, collections */
const COLLECTIONS_AT_ONCE = 256
/** Bytes of collections that are read at once. @limit memory, bytes */
const MAX_BYTES_AT_ONCE = 16 * 2 ** 20
/**
 * The number of addresses of collections that are remembered: a file of less than 1 GiB has no more collections.
 * @limit memory, entries
 */
const MAX_KNOWN = 2 ** 18

export class GlobalHeap {
  readonly #file: FileBytes
  /** Collections of strings and sequences by address. @limit speed, bytes, bench/results.md#062-limits-of-speed */
  readonly #collections = new BoundedMap<number, GlobalHeapCollection>(MAX_CACHED_BYTES, {
    weightOf: ({ size }) => size,
  })
  /** Collections do not overlap, so those with different addresses are together no longer than the file. */
  readonly #known = new Set<number>()
  #knownBytes = 0

  constructor(file: FileBytes) {
    this.#file = file
  }

  /** Bytes of the collections that are kept. */
  get heldBytes(): number {
    return this.#collections.weight
  }

  /**
   * The bytes of each object: views that must not be changed. The memory is that of the collections they are in. At
   * once if the collections are known; so use `await`.
   */
  objects(
    references: readonly GlobalHeapReference[],
  ): readonly Uint8Array[] | Promise<readonly Uint8Array[]> {
    const areKnown = references.every(({ address }) => this.#collections.use(address))
    if (!areKnown) return this.#readObjects(references)
    return objectsIn(references, address => this.#collections.get(address))
  }

  async #readObjects(references: readonly GlobalHeapReference[]): Promise<readonly Uint8Array[]> {
    const addresses = [...new Set(references.map(({ address }) => address))].sort((a, b) => a - b)
    const collections = new Map<number, GlobalHeapCollection>()
    for (let start = 0; start < addresses.length; start += COLLECTIONS_AT_ONCE) {
      const batch = addresses.slice(start, start + COLLECTIONS_AT_ONCE)
      for (const address of batch) {
        const collection = this.#collections.use(address)
        if (collection) collections.set(address, collection)
      }
      await this.#readCollections(
        batch.filter(address => !collections.has(address)),
        (address, collection) => collections.set(address, collection),
      )
    }
    return objectsIn(references, address => collections.get(address))
  }

  /** `keep` is called once for each. */
  async #readCollections(
    addresses: readonly number[],
    keep: (address: number, collection: GlobalHeapCollection) => void,
  ): Promise<void> {
    const { widths, end } = this.#file
    const prefixSize = globalHeapPrefixSize(widths)
    const add = (address: number, bytes: Uint8Array) => {
      const collection = decodeCollection(bytes, widths, address)
      this.#collections.set(address, collection)
      keep(address, collection)
    }
    // Most collections are of the smallest size that libhdf5 makes.
    const starts = addresses.map(position => ({
      position,
      length: Math.max(prefixSize, Math.min(MIN_COLLECTION_SIZE, end - position)),
    }))
    const long: { position: number; length: number }[] = []
    for (const [index, bytes] of (await this.#readStarts(starts)).entries()) {
      const address = addresses[index]
      const size = decodeCollectionSize(bytes, widths, address)
      this.#count(address, size)
      if (size <= bytes.length) add(address, bytes.subarray(0, size))
      else long.push({ position: address, length: size })
      if (isTurnOver()) await nextTurn()
    }
    while (long.length > 0) {
      let bytesAtOnce = 0
      const fitting = long.findIndex(({ length }) => (bytesAtOnce += length) > MAX_BYTES_AT_ONCE)
      const some = long.splice(0, fitting === -1 ? long.length : Math.max(1, fitting))
      const pieces = await this.#file.readValues(some, STRUCTURE)
      for (const [index, bytes] of pieces.entries()) {
        add(some[index].position, bytes)
        if (isTurnOver()) await nextTurn()
      }
    }
  }

  /**
   * A single collection, with the string of an attribute, is mostly near the object headers, which are in the cache.
   */
  async #readStarts(starts: readonly ByteRange[]): Promise<readonly Uint8Array[]> {
    if (starts.length > 1) return this.#file.readValues(starts, STRUCTURE)
    return Promise.all(
      starts.map(async ({ position, length }) =>
        (await this.#file.read(position, length, STRUCTURE)).slice(),
      ),
    )
  }

  #count(address: number, size: number): void {
    if (this.#known.has(address)) return
    if (this.#known.size >= MAX_KNOWN) {
      this.#known.clear()
      this.#knownBytes = 0
    }
    this.#known.add(address)
    this.#knownBytes += size
    if (this.#knownBytes > this.#file.end) {
      throw damaged(STRUCTURE, address, 'the collections are longer than the file: it is damaged')
    }
  }
}

function objectsIn(
  references: readonly GlobalHeapReference[],
  collectionAt: (address: number) => GlobalHeapCollection | undefined,
): readonly Uint8Array[] {
  return references.map(({ address, index }) => {
    const object = collectionAt(address)?.object(index)
    if (object === undefined) throw damaged(STRUCTURE, address, `it has no object ${index}`)
    return object
  })
}
