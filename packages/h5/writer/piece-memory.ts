// Memory for pieces of files that is used again: fresh memory costs as much as what is copied into it, with the pages
// that the system makes for it and the garbage collection that it brings on.

import { newMemory } from '../byte-source.ts'

/** The longest piece whose memory is kept. */
const PIECE_BYTES = 2 ** 20
/** Shorter memory costs little. */
const SHORT_BYTES = 2 ** 16
/** Pieces of a MiB whose memory is kept for later ranges. @limit memory, pieces */
const MAX_FREE = 16

export class PieceMemory {
  readonly #free: Uint8Array[] = []

  /** Memory with arbitrary content. */
  take(length: number): Uint8Array {
    if (length < SHORT_BYTES || length > PIECE_BYTES) return newMemory(length)
    return (this.#free.pop() ?? newMemory(PIECE_BYTES)).subarray(0, length)
  }

  /** Takes memory back, which must not be used afterwards. */
  give({ buffer, byteOffset, length }: Uint8Array): void {
    if (length < SHORT_BYTES || length > PIECE_BYTES || this.#free.length >= MAX_FREE) return
    this.#free.push(new Uint8Array(buffer, byteOffset, PIECE_BYTES))
  }
}
