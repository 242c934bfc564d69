// Elements from their bytes in a request, for types of fixed size (binary-layout.ts has the others): storage form is
// the wire's form, packed and in the declared byte order (classic 15.8), apart from the padding of space-padded
// strings.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { type Elements, EMPTY_HEAP, referencesIn } from '@hyperslab/model/values'

/**
 * Bytes that arrive in pieces of any length, regrouped to whole elements, at most `maxElements` at a time. A piece of
 * elements is valid as long as the bytes it was made of, and until the next one is requested. The consumer checks the
 * number of elements. An incomplete element at the end is `value-count-mismatch`, and an invalid object reference
 * `malformed-value`.
 */
export async function* elementsFromBytes(
  type: Datatype,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  maxElements: number,
): AsyncGenerator<Elements> {
  const size = elementSize(type)
  const partial = new Uint8Array(size)
  let begunLength = 0
  let total = 0
  for await (const piece of bytes) {
    total += piece.length
    let offset = 0
    if (begunLength > 0) {
      offset = Math.min(size - begunLength, piece.length)
      partial.set(piece.subarray(0, offset), begunLength)
      begunLength += offset
      if (begunLength < size) continue
      yield checked(type, partial, 1)
    }
    for (let left = Math.floor((piece.length - offset) / size); left > 0; ) {
      const count = Math.min(left, maxElements)
      yield checked(type, piece.subarray(offset, offset + count * size), count)
      offset += count * size
      left -= count
    }
    partial.set(piece.subarray(offset))
    begunLength = piece.length - offset
  }
  if (begunLength > 0) {
    throw new HyperslabError(
      'value-count-mismatch',
      `${total} bytes is not a multiple of the element size ${size}`,
    )
  }
}

function checked(type: Datatype, data: Uint8Array, count: number): Elements {
  const elements = { count, data, heap: EMPTY_HEAP }
  for (const _ of referencesIn(type, elements));
  return elements
}
