import { totalmem } from 'node:os'
import { expect, test } from 'vitest'
import { requestMemory } from './request-memory.ts'

const GIB = 2 ** 30

test.each([
  { memory: GIB / 2, bytes: GIB / 8 },
  { memory: GIB, bytes: GIB / 8 },
  { memory: 4 * GIB, bytes: GIB / 2 },
  { memory: 8 * GIB + 1, bytes: GIB },
  { memory: 64 * GIB, bytes: 2 * GIB },
])('of $memory bytes of memory, $bytes are for requests', ({ memory, bytes }) => {
  expect(requestMemory(0, memory)).toBe(bytes)
})

test('a setting is taken as it is', () => {
  expect(requestMemory(2 ** 24, GIB)).toBe(2 ** 24)
  expect(requestMemory(2 ** 40, GIB)).toBe(2 ** 40)
})

test('the memory of this machine is known', () => {
  expect(requestMemory(0)).toBeLessThanOrEqual(Math.max(GIB / 8, totalmem() / 8))
})
