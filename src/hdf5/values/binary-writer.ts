// Values of variable size as bytes (binary-layout.ts), streamed: elements go in piece by piece, bytes come out. Only
// the bytes of one piece are held.

import type { Datatype } from '../datatype/datatype.ts'
import { type JsonOutput, stringifyJson } from '../json.ts'
import { type BinaryLayout, type BinaryPart, binaryLayout } from './binary-layout.ts'
import type { Elements } from './elements.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { decodeRegionReference, formatRegionReference, type ReferenceSyntax } from './references.ts'
import { slotLength, slotStart } from './slots.ts'

/** Bytes are handed out when there are so many. */
const PIECE_LENGTH = 128 * 1024

/** Writes one value: `write` as often as there are pieces of elements, then `finish`. */
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
    for (let index = 0; index < count; index++) {
      const start = index * this.#layout.size
      for (const part of this.#layout.parts) {
        const at = start + part.offset
        if (part.kind === 'fixed') this.#out.append(data, at, part.size)
        else yield* this.#writeVariable(this.#bytesOf(part, data, at, heap))
      }
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
  }

  /** The rest, with the zero bytes that some types end with (rule 5). */
  *finish(): Iterable<Uint8Array> {
    for (let left = this.#count * this.#layout.tail; left > 0; ) {
      const length = Math.min(left, PIECE_LENGTH)
      const at = this.#out.reserve(length)
      this.#out.bytes.fill(0, at, at + length)
      left -= length
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
    yield this.#out.take()
  }

  #bytesOf(part: BinaryPart, data: Uint8Array, at: number, heap: Uint8Array): Uint8Array {
    const start = slotStart(data, at)
    const bytes = heap.subarray(start, start + slotLength(data, at))
    if (part.kind !== 'region' || bytes.length === 0) return bytes
    return new TextEncoder().encode(
      regionText(formatRegionReference(decodeRegionReference(bytes), this.#references)),
    )
  }

  *#writeVariable(bytes: Uint8Array): Iterable<Uint8Array> {
    const at = this.#out.reserve(4)
    this.#out.view.setUint32(at, bytes.length, true)
    for (let done = 0; done < bytes.length; done += PIECE_LENGTH) {
      this.#out.append(bytes, done, Math.min(bytes.length - done, PIECE_LENGTH))
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
    }
  }
}

/** A region reference travels as the text of its JSON; one that is text already as that text. */
function regionText(json: JsonOutput): string {
  return typeof json === 'string' ? json : stringifyJson(json)
}
