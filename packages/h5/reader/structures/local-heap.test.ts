// A local heap in files of all widths, and damaged ones.

import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS, fileOf } from '../../../../test/fixtures/file-of-structures.ts'
import { encodeLocalHeapHeader } from '../../../../test/fixtures/library-structures.ts'
import type { Widths } from '../../format/field-reader.ts'
import { decodeLocalHeapHeader } from '../../format/heaps/local-heap.ts'
import { openLocalHeap } from './local-heap.ts'

const HEADER = { segmentAddress: 100, segmentSize: 16, freeBlock: 1 }

function heapFile(
  widths: Widths,
  change: Partial<typeof HEADER> = {},
  segment = '\0\0\0\0\0\0\0\0first\0xx',
) {
  return fileOf(
    [
      { address: 8, bytes: encodeLocalHeapHeader({ ...HEADER, ...change }, widths).slice() },
      { address: 100, bytes: Buffer.from(segment) },
    ],
    widths,
  )
}

describe.each(ALL_WIDTHS)('a local heap with addresses of $offsets and lengths of $lengths bytes', widths => {
  it('gives the strings at offsets', async () => {
    const heap = await openLocalHeap(heapFile(widths), 8)
    expect(Buffer.from(heap.string(8)).toString()).toBe('first')
    expect(heap.string(0).length).toBe(0)
    expect(Buffer.from(heap.string(12)).toString()).toBe('t')
  })

  it('has a header that decodes to what was encoded', () => {
    expect(decodeLocalHeapHeader(encodeLocalHeapHeader(HEADER, widths), widths, 8)).toEqual(HEADER)
  })

  it('that is damaged is an error', async () => {
    const heap = await openLocalHeap(heapFile(widths), 8)
    expect(() => heap.string(16)).toThrow(
      'the local heap at 8 cannot be read: a string at offset 16 is beyond',
    )
    expect(() => heap.string(14)).toThrow('a name in it does not end')
    await expect(openLocalHeap(heapFile(widths, { segmentSize: 1000 }), 8)).rejects.toThrow(
      'the file ends at 116',
    )
    await expect(openLocalHeap(heapFile(widths, { segmentAddress: 101 }), 8)).rejects.toThrow('the file ends')
    await expect(openLocalHeap(heapFile(widths), 9)).rejects.toThrow('it does not begin with HEAP')
  })
})
