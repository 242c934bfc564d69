// What the conversion of elements works on, and what all of its parts share.

import type { GrowingBytes } from '../../hdf5/values/growing-bytes.ts'
import type { Turns } from '../../turns.ts'
import { damaged } from '../format/errors.ts'
import type { Widths } from '../format/field-reader.ts'
import type { ReferenceResolver } from '../reader.ts'
import type { GlobalHeap } from './global-heap.ts'

export interface ElementContext {
  readonly heap: Pick<GlobalHeap, 'objects'>
  readonly resolve: ReferenceResolver
  /** Called for each problem as often as it occurs. */
  readonly warn: (message: string) => void
}

/** The parts of a file that elements need. */
export interface ElementFile {
  readonly bytes: { readonly widths: Widths; readonly end: number }
}

export interface Walk extends ElementContext {
  readonly widths: Widths
  /** Elements as they lie in the file. */
  readonly file: Uint8Array
  /** The same in storage form. */
  readonly data: Uint8Array
  /** The heap of the elements in storage form. */
  readonly stored: GrowingBytes
  /** What may still be used, of the file's heap, and as blocks and points of regions. */
  readonly allowance: { heapBytes: number; blocks: number }
  /** In storage form, by address: many elements refer to the same objects. */
  readonly objectReferences: Map<number, Uint8Array>
  readonly turns: Turns
}

/** `count` parts, the first at `from` in the file and `to` in storage, so many bytes apart. */
export interface Run {
  readonly from: number
  readonly fromStep: number
  readonly to: number
  readonly toStep: number
  readonly count: number
}

/**
 * Counts bytes of the file's heap that elements take. An object of it may be named by many elements, and by those in itself, but
 * elements that a library wrote have an object each, so together they are never longer than the file.
 */
export function useHeapBytes({ allowance }: Walk, count: number): void {
  allowance.heapBytes -= count
  if (allowance.heapBytes >= 0) return
  throw damaged(
    'the global heap',
    undefined,
    'the elements that name its objects need more bytes than the file has',
  )
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Undefined: no address, all zeros or all ones. An address beyond 2^53 is beyond the end of every file. */
export function readAddress(view: DataView, at: number, width: number): number | undefined {
  const low = width === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
  const high = width === 8 ? view.getUint32(at + 4, true) : 0
  const greatest = width === 2 ? 0xffff : 0xffff_ffff
  if (low === greatest && (width !== 8 || high === greatest)) return undefined
  const address = high * 2 ** 32 + low
  return address === 0 ? undefined : address
}
