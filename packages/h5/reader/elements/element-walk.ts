// The data on which the conversion of elements works, shared by all of its parts.

import type { GrowingBytes } from '@hyperslab/model/values'
import type { ReferenceResolver } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import type { Widths } from '../../format/field-reader.ts'
import type { GlobalHeap } from '../structures/global-heap.ts'

export interface ElementContext {
  readonly heap: Pick<GlobalHeap, 'objects'>
  readonly resolve: ReferenceResolver
  /** Called for each problem, each time that it occurs. */
  readonly warn: (message: string) => void
  /** The allowance that several calls share. Absent: each call has its own. */
  readonly allowance?: Allowance
}

/** The parts of a file that elements need. */
export interface ElementFile {
  readonly bytes: { readonly widths: Widths; readonly end: number }
}

export interface Walk extends ElementContext {
  readonly widths: Widths
  /** Elements as they are in the file. */
  readonly file: Uint8Array
  /** The elements in storage form. */
  readonly data: Uint8Array
  /** The heap of the elements in storage form. */
  readonly stored: GrowingBytes
  readonly allowance: Allowance
  /** Object references in storage form, by address: many elements refer to the same objects. */
  readonly objectReferences: Map<number, Uint8Array>
  /** Notes that a reference becomes null. */
  readonly loseReference: (reason: string) => void
}

/** `count` parts, the first at `from` in the file and `to` in storage, with a fixed distance in bytes. */
export interface Run {
  readonly from: number
  readonly fromStep: number
  readonly to: number
  readonly toStep: number
  readonly count: number
}

/** Beyond the length of the file: for files that are compressed, or written by others than libhdf5. */
const MORE_HEAP_BYTES = 16 * 2 ** 20
/**
 * The most coordinates of points and corners of blocks: in all regions, and in one region, which is written and read as
 * one string.
 * @limit memory, coordinates
 */
const MAX_COORDINATES = 4_000_000
/** Coordinates of one region reference. @limit safety, coordinates */
const MAX_REGION_COORDINATES = 2 ** 18

/** The bytes that elements may use of a file of `fileSize` bytes. */
export class Allowance {
  #heapBytes: number
  #coordinates = MAX_COORDINATES

  constructor(fileSize: number) {
    this.#heapBytes = fileSize + MORE_HEAP_BYTES
  }

  /**
   * Counts bytes of the global heap that elements name. Many elements may name the same object, and so may elements
   * inside it. But elements that libhdf5 wrote have one object each, so together these are never longer than the file.
   */
  useHeapBytes(count: number): void {
    this.#heapBytes -= count
    if (this.#heapBytes >= 0) return
    throw damaged(
      'the global heap',
      undefined,
      'the elements that name its objects need more bytes than the file has',
    )
  }

  /** Counts the coordinates of a region; throws if they are too many. */
  useCoordinates(count: number): void {
    if (count <= Math.min(MAX_REGION_COORDINATES, this.#coordinates)) {
      this.#coordinates -= count
      return
    }
    throw damaged('the reference', undefined, 'its region, with those before it, is too large to be listed')
  }
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
