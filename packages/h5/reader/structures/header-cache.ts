// The object headers of one file that were read last, and a limit for all that were ever read: headers of different
// objects have different bytes of the file. Without it, a small damaged file could have each of its bytes decoded as
// part of thousands of headers.

import { BoundedMap } from '@hyperslab/base/bounded'
import { damaged } from '../../format/errors.ts'
import type { HeaderPrefix, RawMessage } from '../../format/object-header.ts'
import { BLOCK_SIZE } from './file-bytes.ts'

/** Bytes of object headers that are kept. @limit memory, bytes */
const MAX_CACHED_BYTES = 8 * 2 ** 20
/** The memory of a message beside its bytes. */
const MESSAGE_OVERHEAD = 256

/** Addresses of headers that are remembered. @limit memory, entries */
const MAX_KNOWN = 2 ** 20

export interface ObjectHeader extends HeaderPrefix {
  readonly address: number
  /** The messages, except for those of free space and of continuations. */
  readonly messages: readonly RawMessage[]
  /** Bytes of all chunks of the header together. */
  readonly length: number
}

export class HeaderCache {
  readonly #fileLength: number
  /**
   * Object headers by address, each of which is read several times.
   * @limit speed, bytes, bench/results.md#062-limits-of-speed
   */
  readonly #headers = new BoundedMap<number, ObjectHeader>(MAX_CACHED_BYTES, {
    // The messages of a header are views, which keep a whole block of the file in memory.
    weightOf: ({ length, messages }) => Math.max(length, BLOCK_SIZE) + MESSAGE_OVERHEAD * messages.length,
  })
  readonly #known = new Set<number>()
  #knownLength = 0

  constructor(fileLength: number) {
    this.#fileLength = fileLength
  }

  get(address: number): ObjectHeader | undefined {
    return this.#headers.use(address)
  }

  add(header: ObjectHeader): void {
    const { address, length } = header
    if (!this.#known.has(address) && this.#known.size < MAX_KNOWN) {
      this.#known.add(address)
      this.#knownLength += length
      if (this.#knownLength > this.#fileLength) {
        throw damaged('the object header', address, 'it overlaps other object headers')
      }
    }
    this.#headers.set(address, header)
  }
}
