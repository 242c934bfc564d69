import { expect, test } from 'vitest'
import { isTurnOver, nextTurn, sortInTurns } from './turns.ts'

test('others get their turn while many small steps are made', async () => {
  let others = 0
  const timer = setInterval(() => others++, 1)
  const end = performance.now() + 60_000
  while (others < 2 && performance.now() < end) await nextTurn()
  clearInterval(timer)
  expect(others).toBeGreaterThan(1)
})

test('work beside other work shares a turn with it', async () => {
  let isRunning = true
  let resumed = 0
  const perTurn: number[] = []
  const count = () => {
    perTurn.push(resumed)
    resumed = 0
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let round = 0; round < 3; round++) {
        while (!isTurnOver()) Math.random()
        await nextTurn()
        resumed++
      }
    }),
  )
  isRunning = false
  // Not all 50 in one turn.
  expect(Math.max(...perTurn)).toBeLessThan(5)
})

test('many items are sorted in turns: equal ones keep their order', async () => {
  const items = Array.from({ length: 3500 }, (_, index) => ({ key: (index * 7919) % 100, index }))
  const sorted = await sortInTurns(items, (a, b) => a.key - b.key)
  expect(sorted).toEqual([...items].sort((a, b) => a.key - b.key))
  expect(await sortInTurns([], () => 0)).toEqual([])
})
