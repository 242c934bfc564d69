// The layout of a file: the address of each object, and of the parts of the file. It has some numbers of each object,
// and none of its values.

import { roundUp } from '../format/alignment.ts'
import type { ObjectTable } from './file-context.ts'
import type { HeapLayout, HeapPosition } from './global-heap.ts'
import type { Storage } from './values/datasets.ts'

/** The layout of a file that a plan has found for a domain. */
export interface FileLayout {
  readonly objects: ObjectTable
  readonly records: readonly ObjectRecord[]
  readonly heapLayout: HeapLayout
  /** The beginning of the values of each object, relative to the first values. */
  readonly valueStarts: Float64Array
  readonly heapAddress: number
  readonly length: number
}

/** The parts of an object that the plan keeps. */
export interface ObjectRecord {
  /** Bytes of the object without its values. */
  readonly length: number
  readonly storage: Storage | undefined
  /** The object's part of the global heap; undefined: it has none. */
  readonly heap: { readonly header: HeapPosition; readonly values: HeapPosition } | undefined
}

/** The address of the first values. */
export function valuesAddress({ heapAddress, heapLayout }: FileLayout): number {
  return heapAddress + roundUp(heapLayout.length)
}

/** Bytes of the values outside of the object header. */
export function valuesLength({ storage }: ObjectRecord): number {
  if (storage?.kind !== 'contiguous' && storage?.kind !== 'chunked') return 0
  return roundUp(storage.length)
}

/** Objects that are read at once. */
export const READ_AHEAD = 64
