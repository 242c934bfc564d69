// A format of other programs, as a value: its content type, the extension of its files, and how values are written in
// it. Each format is in a file of its own; `formats.ts` lists them.

import type { ColourMap } from '@hyperslab/meaning/colour-maps'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { type Elements, type Piece, type ReferenceSyntax, toNullPadded } from '@hyperslab/model/values'

export interface Format {
  /** Without parameters. */
  readonly contentType: string
  /** The end of the names of files, with its dot. */
  readonly extension: string
  readonly description: string
  /** Whether it can hold the rows of a query; `counted`: only if their number is known before the first one. */
  readonly rows: 'no' | 'counted' | 'yes'
  /** Encodes the values. Throws `format-unsupported`, before anything is written, if the format cannot hold them. */
  encode(values: FormatInput): EncodedValues
}

/** Values, which can be read more than once, in order and row-major. */
export interface FormatInput {
  readonly type: Datatype
  /** Undefined: rows that are not counted. */
  readonly shape: readonly number[] | undefined
  readonly pieces: AsyncIterable<Piece>
  /** The elements of `pieces`, each written out. */
  readonly elements: AsyncIterable<Elements>
  /** The elements from `first` up to `end`, not included, without those before them. Undefined: not available. */
  readonly partOf?: ((first: number, end: number) => AsyncIterable<Elements>) | undefined
  readonly references: ReferenceSyntax
  readonly image: ImageColours
  /** Throws `text-not-utf8`, with the name of the format, when strings are not UTF-8. Reads all values. */
  requireUtf8(format: string): Promise<void>
}

export interface Range {
  readonly min: number
  readonly max: number
}

/** The colours of an image of the values. */
export interface ImageColours {
  readonly map: ColourMap
  /** The numbers that the first and the last colour represent; undefined: there are no finite numbers. */
  range(): Promise<Range | undefined>
}

export interface EncodedValues {
  /** The content type of the answer, if it has parameters. */
  readonly contentType?: string
  /** Bytes of all pieces. If it is present, each piece is valid until the next one is requested. */
  readonly length?: number
  readonly bytes: AsyncIterable<Uint8Array>
  /** A part of the bytes, without those before it. Absent: not available. */
  readonly bytesOf?: (position: number, length: number) => AsyncIterable<Uint8Array>
}

/** A header, then `count` elements as they are stored. */
export function storedElements(
  header: Uint8Array,
  count: number,
  { type, elements, partOf }: Pick<FormatInput, 'type' | 'elements' | 'partOf'>,
): EncodedValues {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let before = header.length > 0 ? header : undefined
    for await (const { data } of elements) {
      // Reading begins before anything is sent, so that values that cannot be read give an error answer.
      if (before) yield before
      before = undefined
      yield toNullPadded(type, data)
    }
    if (before) yield before
  }
  const size = elementSize(type)
  const length = header.length + count * size
  if (!partOf) return { length, bytes: bytes() }
  const readPart = partOf
  async function* bytesOf(position: number, length: number): AsyncGenerator<Uint8Array> {
    const end = position + length
    if (position < header.length) yield header.subarray(position, end)
    const [from, to] = [Math.max(0, position - header.length), end - header.length]
    if (from >= to) return
    const first = Math.floor(from / size)
    let at = first * size
    for await (const { data } of readPart(first, Math.ceil(to / size))) {
      yield toNullPadded(type, data).subarray(Math.max(0, from - at), to - at)
      at += data.length
    }
  }
  return { length, bytes: bytes(), bytesOf }
}

/** The shape, for a format that needs the count of all elements before the first one. */
export function countedShape({ shape }: FormatInput): readonly number[] {
  if (shape === undefined) throw new Error('a format that counts its elements got rows that are not counted')
  return shape
}
