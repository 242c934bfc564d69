// Elements inside a record: their count and the length of the packed part in the head, their bytes in the tail.

import { type Elements, EMPTY_HEAP } from '@hyperslab/model/values'

export interface PackedElements {
  readonly count: number
  readonly dataLength: number
}

export function packElements({ count, data }: Elements): PackedElements {
  return { count, dataLength: data.length }
}

export function tailOfElements({ data, heap }: Elements): readonly Uint8Array[] {
  return [data, heap]
}

/** The elements that `packElements` has packed, as views of the bytes. Their tail begins at `from`. */
export function unpackElements(
  { count, dataLength }: PackedElements,
  { buffer, byteOffset, byteLength }: Uint8Array,
  from = 0,
): Elements {
  const start = byteOffset + from
  const heapLength = byteLength - from - dataLength
  const data = new Uint8Array(buffer, start, dataLength)
  const heap = heapLength === 0 ? EMPTY_HEAP : new Uint8Array(buffer, start + dataLength, heapLength)
  return { count, data, heap }
}
