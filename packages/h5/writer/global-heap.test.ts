// The global heap: what is written is where it was planned, however long the objects are.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeCollection, decodeCollectionSize } from '../format/heaps/global-heap.ts'
import { HeapLayout, HeapWriter } from './global-heap.ts'
import { WIDTHS } from './values/elements.ts'

const BASE = 4096

function check(lengths: readonly number[]): void {
  const layout = new HeapLayout(BASE)
  const writer = new HeapWriter(BASE)
  const pieces: Uint8Array[] = [new Uint8Array(BASE)]
  const objects = lengths.map((length, index) => new Uint8Array(length).fill(index + 1))
  const planned = objects.map(object => layout.put(object))
  for (const [index, object] of objects.entries()) {
    expect(writer.put(object)).toEqual(planned[index])
    pieces.push(...writer.takeFinished())
  }
  pieces.push(...writer.takeLast())
  const file = Buffer.concat(pieces)
  expect(file.length).toBe(BASE + layout.length)
  for (const [index, { address, index: number }] of planned.entries()) {
    const size = decodeCollectionSize(file.subarray(address), WIDTHS, address)
    const collection = decodeCollection(file.subarray(address, address + size), WIDTHS, address)
    expect(Buffer.compare(collection.object(number) ?? new Uint8Array(1), objects[index])).toBe(0)
  }
}

it.each([[[]], [[0]], [[65_504]], [[1, 65_504, 1]], [[70_000, 70_000]], [[1, 200_000, 65_496, 8]]])(
  'objects of %j bytes have their positions',
  check,
)

it('objects of any lengths have their positions', () => {
  const length = fc.oneof(fc.nat(100), fc.nat(70_000))
  fc.assert(fc.property(fc.array(length, { maxLength: 30 }), check), { numRuns: 30 })
})

it('a walk from a position gives the positions that a walk from the beginning gives', () => {
  const length = fc.nat(30_000)
  fc.assert(
    fc.property(fc.array(length), fc.array(length), (before, after) => {
      const whole = new HeapLayout(BASE)
      for (const length of before) whole.put({ length })
      const second = new HeapLayout(BASE, whole.position)
      for (const length of after) expect(second.put({ length })).toEqual(whole.put({ length }))
    }),
  )
})
