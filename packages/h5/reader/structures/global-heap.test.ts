// Collections of the global heap of all widths, and how many reads their objects take.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS, fileOf, WIDE } from '../../../../test/fixtures/file-of-structures.ts'
import type { Widths } from '../../format/field-reader.ts'
import {
  decodeCollection,
  decodeCollectionSize,
  encodeCollection,
  globalHeapObjectSize,
  globalHeapPrefixSize,
} from '../../format/heaps/global-heap.ts'
import { GlobalHeap } from './global-heap.ts'

const SIZE = 4096

function collection(strings: readonly string[], size = SIZE, widths = WIDE): Uint8Array {
  const objects = strings.map((string, index) => ({
    index: index + 1,
    referenceCount: 1,
    bytes: Buffer.from(string),
  }))
  return encodeCollection(objects, size, widths).slice()
}

function stringsOf(objects: readonly Uint8Array[]): readonly string[] {
  return objects.map(object => Buffer.from(object).toString())
}

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it('a collection decodes to what was encoded', () => {
    const objects = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 })
    const slack = fc.nat(64).map(count => 8 * count)
    fc.assert(
      fc.property(objects, slack, (objects, slack) => {
        const numbered = objects.map((bytes, index) => ({ index: 3 * index + 1, referenceCount: 1, bytes }))
        const used = objects.reduce((sum, { length }) => sum + globalHeapObjectSize(length, widths), 0)
        const size = Math.max(SIZE, globalHeapPrefixSize(widths) + used + slack)
        const bytes = encodeCollection(numbered, size, widths)
        expect(bytes.length).toBe(size)
        expect(decodeCollectionSize(bytes, widths, 0)).toBe(size)
        const decoded = decodeCollection(bytes, widths, 0)
        for (const { index, bytes } of numbered) {
          expect(Buffer.compare(decoded.object(index) ?? Buffer.from('absent'), bytes)).toBe(0)
        }
        expect(decoded.object(0)).toBeUndefined()
        expect(decoded.object(2)).toBeUndefined()
      }),
    )
  })
})

describe('objects of the global heap', () => {
  it('come in the order of their references, from collections of any size', async () => {
    const long = 'x'.repeat(100_000)
    const heap = new GlobalHeap(
      fileOf([
        { address: 64, bytes: collection(['one', 'two', '']) },
        { address: 8192, bytes: collection(['three', long], 104_000) },
      ]),
    )
    const references = [
      { address: 8192, index: 2 },
      { address: 64, index: 2 },
      { address: 64, index: 1 },
      { address: 8192, index: 1 },
      { address: 64, index: 2 },
      { address: 64, index: 3 },
    ]
    const expected = [long, 'two', 'one', 'three', 'two', '']
    expect(stringsOf(await heap.objects(references))).toEqual(expected)
    expect(stringsOf(await heap.objects(references))).toEqual(expected)
    expect(await heap.objects([])).toEqual([])
  })

  it('of the last byte before the end of the file are found', async () => {
    const bytes = collection(['x'.repeat(SIZE - 32)])
    expect(
      (await new GlobalHeap(fileOf([{ address: 8, bytes }])).objects([{ address: 8, index: 1 }]))[0].length,
    ).toBe(SIZE - 32)
  })

  it('in a collection that is smaller than those of libhdf5', async () => {
    const file = fileOf([{ address: 8, bytes: collection(['one'], 48) }])
    expect(stringsOf(await new GlobalHeap(file).objects([{ address: 8, index: 1 }]))).toEqual(['one'])
  })

  const sound = collection(['one', 'two'])
  const changed = (position: number, value: number) => sound.with(position, value)
  const ONE = 16
  const TWO = ONE + 24
  it.each([
    ['an index that no object has', sound, 3, 'it has no object 3'],
    ['index 0', sound, 0, 'it has no object 0'],
    ['another signature', changed(0, 0), 1, 'it does not begin with GCOL'],
    ['another version', changed(4, 2), 1, 'there is no version 2'],
    ['a collection that is too small', changed(9, 0), 1, 'it has 0 bytes, and its prefix takes 16'],
    [
      'a collection beyond the end of the file',
      changed(10, 1),
      1,
      'the collections are longer than the file',
    ],
    ['an object beyond the end', changed(ONE + 10, 1), 1, 'bytes are needed'],
    ['two objects of one index', changed(TWO, 1), 1, 'it has two objects of index 1'],
  ])('of %s are an error', async (_, bytes, index, message) => {
    const heap = new GlobalHeap(fileOf([{ address: 8, bytes }]))
    await expect(heap.objects([{ address: 8, index }])).rejects.toThrow(message)
  })

  it('beyond the end of the file are an error', async () => {
    const heap = new GlobalHeap(fileOf([{ address: 8, bytes: sound }]))
    await expect(heap.objects([{ address: 10_000, index: 1 }])).rejects.toThrow('the file ends at 4104')
    await expect(heap.objects([{ address: 4100, index: 1 }])).rejects.toThrow('the file ends at 4104')
  })

  it('of collections that lie upon each other end with an error', async () => {
    // 100 collections that each claim half of the file.
    const claims = Array.from({ length: 100 }, (_, index) => ({
      address: 100 * index,
      bytes: collection([], 50_000).subarray(0, 32),
    }))
    const heap = new GlobalHeap(fileOf([...claims, { address: 100_000, bytes: new Uint8Array(8) }]))
    await expect(heap.objects(claims.map(({ address }) => ({ address, index: 1 })))).rejects.toThrow(
      'the collections are longer than the file',
    )
  })
})

it('a collection with lengths of 2 bytes rounds its headers up to 8', () => {
  const widths: Widths = { offsets: 2, lengths: 2 }
  const bytes = collection(['one'], SIZE, widths)
  expect(Buffer.from(bytes.subarray(32, 35)).toString()).toBe('one')
})
