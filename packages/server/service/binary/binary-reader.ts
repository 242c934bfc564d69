// Values of variable size from bytes (binary-layout.ts), streamed: bytes go in as they arrive, in pieces of any length,
// elements come out. Memory grows with the bytes that have arrived, not with an announced count.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import {
  decodeText,
  type Elements,
  encodeRegionReference,
  GrowingBytes,
  MAX_ELEMENT_BYTES,
  parseRegionReference,
  type ReferenceSyntax,
  referencesIn,
  writeSequenceSlot,
  writeSlot,
} from '@hyperslab/model/values'
import { type BinaryLayout, type BinaryPart, binaryLayout } from './binary-layout.ts'

/** A piece of elements is returned when its data or its heap has this many bytes. */
const PIECE_LENGTH = 1024 * 1024

/**
 * `count` elements of a type that has a binary form, from `bytes`; zero bytes may follow them (rule 5), other bytes and
 * too few are `value-count-mismatch`. A piece of elements is valid until the next one is requested.
 */
export async function* elementsFromVariableBytes(
  type: Datatype,
  count: number,
  bytes: AsyncIterable<Uint8Array>,
  references: ReferenceSyntax,
): AsyncGenerator<Elements> {
  const reader = new BinaryValueReader(type, count, references)
  for await (const piece of bytes) yield* reader.push(piece)
  yield* reader.finish()
}

/** Reads values: call `push` for each piece of the bytes, then `finish`. */
class BinaryValueReader {
  readonly #type: Datatype
  readonly #layout: BinaryLayout
  readonly #needed: number
  readonly #references: ReferenceSyntax

  /** The piece that is being filled. */
  readonly #capacity: number
  readonly #data: Uint8Array
  readonly #heap = new GrowingBytes(0)
  #count = 0

  /** Elements that are complete, bytes taken. */
  #found = 0
  #taken = 0
  /** The part that is being read: the bytes of its count and of itself that have arrived, and the count. */
  #part = 0
  #prefixed = 0
  #length = 0
  #done = 0

  constructor(type: Datatype, count: number, references: ReferenceSyntax) {
    this.#type = type
    this.#layout = binaryLayout(type)
    this.#needed = count
    this.#references = references
    const { size } = this.#layout
    this.#capacity = Math.max(1, Math.min(count, Math.floor(PIECE_LENGTH / size)))
    this.#data = new Uint8Array(this.#capacity * size)
  }

  *push(bytes: Uint8Array): Iterable<Elements> {
    const { parts, size } = this.#layout
    let offset = 0
    while (offset < bytes.length && this.#found < this.#needed) {
      const part = parts[this.#part]
      const target = this.#count * size + part.offset
      offset =
        part.kind === 'fixed'
          ? this.#takeFixed(bytes, offset, part.size, target)
          : this.#takeVariable(bytes, offset, part)
      if (!this.#isComplete(part)) break
      if (part.kind !== 'fixed') this.#finishVariable(part, target)
      this.#prefixed = 0
      this.#done = 0
      if (++this.#part < parts.length) continue
      this.#part = 0
      this.#finishElement()
      if (this.#count === this.#capacity || this.#heap.length >= PIECE_LENGTH) yield this.#takePiece()
    }
    for (let tail = offset; tail < bytes.length; tail++) if (bytes[tail] !== 0) throw this.#tooMuch(tail)
    this.#taken += bytes.length
  }

  *finish(): Iterable<Elements> {
    if (this.#found < this.#needed) {
      throw new HyperslabError(
        'value-count-mismatch',
        `the ${this.#taken} bytes end in element ${this.#found} of ${this.#needed}`,
      )
    }
    if (this.#count > 0) yield this.#takePiece()
  }

  #takeFixed(bytes: Uint8Array, offset: number, size: number, target: number): number {
    const length = Math.min(size - this.#done, bytes.length - offset)
    this.#data.set(bytes.subarray(offset, offset + length), target + this.#done)
    this.#done += length
    return offset + length
  }

  /** The count, as far as it has arrived, then the bytes that it counts. */
  #takeVariable(bytes: Uint8Array, from: number, part: BinaryPart): number {
    let offset = from
    for (; this.#prefixed < 4 && offset < bytes.length; this.#prefixed++, offset++) {
      if (this.#prefixed === 0) this.#length = 0
      this.#length |= bytes[offset] << (8 * this.#prefixed)
    }
    if (this.#prefixed < 4) return offset
    if (this.#done === 0) this.#checkLength(part)
    const length = Math.min(this.#length - this.#done, bytes.length - offset)
    this.#heap.append(bytes, offset, length)
    this.#done += length
    return offset + length
  }

  #checkLength(part: BinaryPart): void {
    if (this.#length < 0) throw this.#malformed(`a count of ${this.#length} bytes`)
    if (this.#length > MAX_ELEMENT_BYTES) {
      throw new HyperslabError(
        'body-too-large',
        `element ${this.#found} has a string or sequence of ${this.#length} bytes, the limit is ` +
          `${MAX_ELEMENT_BYTES}: store it as several elements`,
      )
    }
    if (part.kind === 'sequence' && this.#length % part.baseSize !== 0) {
      throw this.#malformed(
        `${this.#length} bytes, which is not a multiple of the element size ${part.baseSize}`,
      )
    }
  }

  #isComplete(part: BinaryPart): boolean {
    return part.kind === 'fixed'
      ? this.#done === part.size
      : this.#prefixed === 4 && this.#done === this.#length
  }

  #finishVariable(part: BinaryPart, target: number): void {
    const start = this.#heap.length - this.#length
    if (part.kind === 'region') this.#storeRegion(start, target)
    else if (part.kind === 'sequence') writeSequenceSlot(this.#data, target, start, this.#length)
    else writeSlot(this.#data, target, start, this.#length)
  }

  /** Replaces a region reference in the text of the dialect by its stored form. */
  #storeRegion(start: number, target: number): void {
    const text = decodeText(this.#heap.bytes, start, this.#heap.length)
    this.#heap.length = start
    const region = parseRegionReference(text, this.#references)
    const stored = region === undefined ? new Uint8Array(0) : encodeRegionReference(region)
    writeSlot(this.#data, target, this.#heap.append(stored), stored.length)
  }

  #finishElement(): void {
    const start = this.#count * this.#layout.size
    for (const { offset, size } of this.#layout.swapped) {
      this.#data.subarray(start + offset, start + offset + size).reverse()
    }
    this.#count++
    this.#found++
  }

  #takePiece(): Elements {
    const data = this.#data.subarray(0, this.#count * this.#layout.size)
    const piece = { count: this.#count, data, heap: this.#heap.used() }
    // Bytes that are not a reference are an error here.
    for (const _ of referencesIn(this.#type, piece));
    this.#count = 0
    this.#heap.length = 0
    return piece
  }

  #malformed(problem: string): HyperslabError {
    return new HyperslabError('malformed-value', `element ${this.#found} has a part with ${problem}`)
  }

  #tooMuch(offset: number): HyperslabError {
    return new HyperslabError(
      'value-count-mismatch',
      `${this.#needed} element(s) are needed, the bytes go on behind them at byte ${this.#taken + offset}`,
    )
  }
}
