// A local heap of a file: its names by offset.

import { damaged } from '../format/errors.ts'
import { FieldReader } from '../format/field-reader.ts'
import { decodeLocalHeapHeader, localHeapHeaderSize } from '../format/local-heap.ts'
import type { FileBytes } from './file-bytes.ts'

export interface LocalHeap {
  /** The bytes of the string that begins at `offset`, without its NUL: a view that must not be changed. */
  string(offset: number): Uint8Array
}

export async function openLocalHeap(file: FileBytes, address: number): Promise<LocalHeap> {
  const header = await file.read(address, localHeapHeaderSize(file.widths), 'the local heap')
  const { segmentAddress, segmentSize } = decodeLocalHeapHeader(header, file.widths, address)
  const segment = await file.read(segmentAddress, segmentSize, 'the data segment of the local heap')
  return {
    string(offset) {
      if (offset >= segmentSize) {
        throw damaged(
          'the local heap',
          address,
          `a string at offset ${offset} is beyond its ${segmentSize} bytes`,
        )
      }
      return new FieldReader(
        segment.subarray(offset),
        file.widths,
        'the local heap',
        address,
      ).takeTerminated()
    },
  }
}
