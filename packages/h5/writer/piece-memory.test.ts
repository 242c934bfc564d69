import { expect, it } from 'vitest'
import { PieceMemory } from './piece-memory.ts'

it('gives memory again, for pieces of any length', () => {
  const memory = new PieceMemory()
  const first = memory.take(2 ** 20)
  memory.give(first)
  const second = memory.take(70_000)
  expect([second.length, second.buffer === first.buffer]).toEqual([70_000, true])
  expect(memory.take(70_000).buffer === first.buffer).toBe(false)
  memory.give(second)
  const third = memory.take(2 ** 20)
  expect([third.length, third.buffer === first.buffer, third.byteOffset]).toEqual([
    2 ** 20,
    true,
    first.byteOffset,
  ])
})

it('keeps neither short nor long memory', () => {
  const memory = new PieceMemory()
  for (const length of [0, 100, 2 ** 20 + 1]) {
    const taken = memory.take(length)
    expect(taken).toHaveLength(length)
    memory.give(taken)
  }
  expect(memory.take(2 ** 20)).toHaveLength(2 ** 20)
})
