// The messages that objects of a file share: each index of the shared message table has those of some types, in a
// fractal heap.

import { damaged } from '../../format/errors.ts'
import type { SharedTableMessage } from '../../format/messages/shared-table.ts'
import {
  decodeSharedMessageTable,
  type SharedMessageIndex,
  sharedMessageTableSize,
} from '../../format/shared-message-table.ts'
import type { FileBytes } from './file-bytes.ts'
import { type FractalHeap, openFractalHeap } from './fractal-heap.ts'

const STRUCTURE = 'the shared message table'

export class SharedMessages {
  readonly #file: FileBytes
  readonly #table: SharedTableMessage
  #indexes: Promise<readonly SharedMessageIndex[]> | undefined
  /** Heaps by address; at most one for each index. */
  readonly #heaps = new Map<number, Promise<FractalHeap>>()

  constructor(file: FileBytes, table: SharedTableMessage) {
    this.#file = file
    this.#table = table
  }

  /** The body of a message of a type (messages/message-type.ts): a view that must not be changed. */
  async read(messageType: number, heapId: Uint8Array): Promise<Uint8Array> {
    this.#indexes ??= this.#readIndexes()
    const bit = 2 ** messageType
    const index = (await this.#indexes).find(({ messageTypes }) => Math.floor(messageTypes / bit) % 2 === 1)
    if (index?.heap === undefined) {
      throw damaged(STRUCTURE, this.#table.address, `it has no messages of type ${messageType}`)
    }
    const heap = this.#heaps.get(index.heap) ?? openFractalHeap(this.#file, index.heap)
    this.#heaps.set(index.heap, heap)
    return (await heap).object(heapId)
  }

  async #readIndexes(): Promise<readonly SharedMessageIndex[]> {
    const { address, indexCount } = this.#table
    const size = sharedMessageTableSize(indexCount, this.#file.widths)
    const bytes = await this.#file.read(address, size, STRUCTURE)
    return decodeSharedMessageTable(bytes, indexCount, this.#file.widths, address)
  }
}
