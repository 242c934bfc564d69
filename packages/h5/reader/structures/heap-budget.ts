// The bytes that all objects of one list in a fractal heap may take. In a sound heap no two of them overlap; in a
// damaged one the same bytes could be named any number of times.

import { damaged } from '../../format/errors.ts'
import type { BlockPath } from '../../format/heaps/fractal-heap-blocks.ts'
import type { HugeObject } from '../../format/indexes/b-tree-2-records.ts'
import type { FileBytes } from './file-bytes.ts'
import { VisitedNodes } from './tree-walk.ts'

/** Bytes of blocks and huge objects together, after their filters are undone. @limit memory, bytes */
const MAX_DECODED_BYTES = 64 * 2 ** 20

export class HeapBudget {
  readonly #address: number
  readonly #hugeObjects: VisitedNodes
  /** Bytes of objects in each block, by the block's offset. */
  readonly #managedBytes = new Map<number, number>()
  #decodedBytes = 0

  /** `address`: of the heap. */
  constructor(file: FileBytes, address: number) {
    this.#address = address
    this.#hugeObjects = new VisitedNodes(file, 'a huge object of the fractal heap')
  }

  addHuge({ address, length, filtered }: HugeObject): void {
    this.#hugeObjects.add(address)
    this.#hugeObjects.count(address, length)
    if (filtered) this.addDecoded(filtered.length)
  }

  addDecoded(bytes: number): void {
    this.#decodedBytes += bytes
    if (this.#decodedBytes > MAX_DECODED_BYTES) {
      throw this.#error(`its filtered objects have more than ${MAX_DECODED_BYTES} bytes`)
    }
  }

  addManaged(length: number, { blockOffset, blockSize }: BlockPath): void {
    const bytes = (this.#managedBytes.get(blockOffset) ?? 0) + length
    this.#managedBytes.set(blockOffset, bytes)
    if (bytes > blockSize) throw this.#error('its objects overlap')
  }

  #error(rule: string): Error {
    return damaged('the fractal heap', this.#address, rule)
  }
}
