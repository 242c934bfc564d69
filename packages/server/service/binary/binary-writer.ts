// Values of variable size as bytes (binary-layout.ts), streamed: elements go in piece by piece, bytes come out. Only
// the bytes of one piece are held.

import type { Datatype } from '@hyperslab/model/datatype'
import { type JsonOutput, stringifyJson } from '@hyperslab/model/json'
import {
  decodeRegionReference,
  type Elements,
  formatRegionReference,
  GrowingBytes,
  type ReferenceSyntax,
  slotLength,
  slotStart,
} from '@hyperslab/model/values'
import { type BinaryLayout, binaryLayout } from './binary-layout.ts'

/** Bytes are returned when there are this many. */
const PIECE_LENGTH = 128 * 1024

/** Writes one value: call `write` with each piece of elements, then `finish`. */
export class BinaryValueWriter {
  readonly #layout: BinaryLayout
  readonly #references: ReferenceSyntax
  readonly #out = new GrowingBytes()
  #count = 0

  constructor(type: Datatype, references: ReferenceSyntax) {
    this.#layout = binaryLayout(type)
    this.#references = references
  }

  /** The bytes that are ready after these elements, which are needed until the last piece was taken. */
  *write({ count, data, heap }: Elements): Iterable<Uint8Array> {
    this.#count += count
    const { size, parts } = this.#layout
    for (let index = 0; index < count; index++) {
      for (const part of parts) {
        const offset = index * size + part.offset
        if (part.kind === 'fixed') {
          this.#out.append(data, offset, part.size)
          continue
        }
        const region = part.kind === 'region' ? this.#regionOf(data, offset, heap) : undefined
        const start = region ? 0 : slotStart(data, offset)
        const length = region ? region.length : slotLength(data, offset)
        this.#writeCount(length)
        if (length <= PIECE_LENGTH) this.#out.append(region ?? heap, start, length)
        else yield* this.#writeLong(region ?? heap, start, start + length)
      }
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
  }

  /** The rest, with the zero bytes that some types end with (rule 5). */
  *finish(): Iterable<Uint8Array> {
    for (let left = this.#count * this.#layout.tail; left > 0; ) {
      const length = Math.min(left, PIECE_LENGTH)
      const offset = this.#out.reserve(length)
      this.#out.bytes.fill(0, offset, offset + length)
      left -= length
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
    yield this.#out.take()
  }

  #writeCount(length: number): void {
    const offset = this.#out.reserve(4)
    this.#out.view.setUint32(offset, length, true)
  }

  *#writeLong(bytes: Uint8Array, from: number, to: number): Iterable<Uint8Array> {
    for (let offset = from; offset < to; offset += PIECE_LENGTH) {
      this.#out.append(bytes, offset, Math.min(to - offset, PIECE_LENGTH))
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
  }

  #regionOf(data: Uint8Array, offset: number, heap: Uint8Array): Uint8Array {
    const start = slotStart(data, offset)
    const stored = heap.subarray(start, start + slotLength(data, offset))
    if (stored.length === 0) return stored
    return new TextEncoder().encode(
      regionText(formatRegionReference(decodeRegionReference(stored), this.#references)),
    )
  }
}

/** The text of a region reference: its JSON, or the stored string if it is one. */
function regionText(json: JsonOutput): string {
  return typeof json === 'string' ? json : stringifyJson(json)
}
