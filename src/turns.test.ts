import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('others get their turn while many small steps are made', async () => {
  let others = 0
  const timer = setInterval(() => others++, 1)
  const turns = new Turns()
  const end = performance.now() + 10_000
  while (others < 2 && performance.now() < end) await turns.next()
  clearInterval(timer)
  expect(others).toBeGreaterThan(1)
})
