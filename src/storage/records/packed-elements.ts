// Elements inside a record: their count and the length of the packed part in the head, their bytes in the tail.

import { type Elements, EMPTY_HEAP } from '../../hdf5/values/elements.ts'

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

export function unpackElements({ count, dataLength }: PackedElements, tail: Uint8Array): Elements {
  const heap = tail.length === dataLength ? EMPTY_HEAP : tail.subarray(dataLength)
  return { count, data: tail.subarray(0, dataLength), heap }
}
