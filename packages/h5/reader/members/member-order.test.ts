// The order of links and attributes, of as many that they are sorted in several runs.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inMemberOrder } from './member-order.ts'

const lengths = fc.constantFrom(0, 1, 999, 1000, 1001, 2500, 3000, 4001)
const step = fc.integer({ min: 1, max: 5000 })

/** Comparing thousands of buffers one by one takes seconds. */
const textOf = (names: readonly Buffer[]) => names.map(name => name.toString('hex')).join(' ')

it('is that of the names where no order is tracked', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, step, async (length, step) => {
      const names = Array.from({ length }, (_, index) => Buffer.from(`${(index * step * 7919) % 3000}\xe9`))
      const sorted = await inMemberOrder(names.map(name => ({ name })))
      expect(textOf(sorted.map(({ name }) => name))).toBe(textOf([...names].sort(Buffer.compare)))
    }),
    { numRuns: 30 },
  )
})

it('is that of the creation where it is tracked, and the given one where that is the same', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, step, async (length, step) => {
      const members = Array.from({ length }, (_, index) => ({
        name: Buffer.from(`${length - index}`),
        creationOrder: (index * step * 7919) % 1000,
      }))
      const expected = [...members].sort((a, b) => a.creationOrder - b.creationOrder)
      const indexes = new Map(members.map((member, index) => [member, index]))
      const indexesOf = (list: typeof members) => list.map(member => indexes.get(member)).join(' ')
      expect(indexesOf([...(await inMemberOrder(members))])).toBe(indexesOf(expected))
    }),
    { numRuns: 30 },
  )
})

it('compares bytes, not characters', async () => {
  const names = [[0xff], [0x41, 0x00], [0x41], [0xc3, 0xa9], []].map(bytes => Uint8Array.from(bytes))
  const sorted = await inMemberOrder(names.map(name => ({ name })))
  expect(sorted.map(({ name }) => [...name])).toEqual([[], [0x41], [0x41, 0x00], [0xc3, 0xa9], [0xff]])
})
