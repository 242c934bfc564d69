// A local heap of a file: its names by offset.

import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import { decodeLocalHeapHeader, localHeapHeaderSize } from '../../format/heaps/local-heap.ts'
import type { FileBytes } from './file-bytes.ts'

const STRUCTURE = 'the local heap'

export interface LocalHeap {
  /**
   * The bytes of the string that begins at `offset`, without its NUL: a view that must not be changed. Must be called
   * once for each string: strings do not overlap, so together they are not longer than the heap.
   */
  string(offset: number): Uint8Array
}

export async function openLocalHeap(file: FileBytes, address: number): Promise<LocalHeap> {
  const bytes = await file.read(address, localHeapHeaderSize(file.widths), STRUCTURE)
  const { segmentAddress, segmentSize } = decodeLocalHeapHeader(bytes, file.widths, address)
  const segment = await file.read(segmentAddress, segmentSize, 'the data segment of the local heap')
  let used = 0
  return {
    string(offset) {
      if (offset >= segmentSize) {
        throw damaged(STRUCTURE, address, `a string at offset ${offset} is beyond its ${segmentSize} bytes`)
      }
      const fields = new FieldReader(segment.subarray(offset), file.widths, STRUCTURE, address)
      const string = fields.takeTerminated()
      used += string.length
      if (used > segmentSize) throw damaged(STRUCTURE, address, 'its strings overlap')
      return string
    },
  }
}
