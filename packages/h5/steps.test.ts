// Steps: at once where nothing is waited for, else in the order in which they are written.

import { expect, it } from 'vitest'
import { runSteps, type Steps, waitFor } from './steps.ts'

const later = <T>(value: T) => new Promise<T>(resolve => setImmediate(resolve, value))
const fails = () => new Promise<number>((_, reject) => setImmediate(reject, new Error('broken')))

function* sum(...values: (number | Promise<number>)[]): Steps<number> {
  let total = 0
  for (const value of values) total += yield* waitFor(value)
  return total
}

it('give their result at once when nothing has to come first', () => {
  expect(runSteps(sum(1, 2, 3))).toBe(6)
  expect(() => runSteps(broken())).toThrow('broken')
})

it('wait for each promise in turn', async () => {
  const result = runSteps(sum(1, later(2), 3, later(4)))
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe(10)
})

it('throw the errors of what they wait for, which they may catch', async () => {
  await expect(runSteps(sum(later(1), fails()))).rejects.toThrow('broken')
  expect(await runSteps(tolerant())).toBe(7)
  await expect(runSteps(broken(later(1)))).rejects.toThrow('broken')
})

function* tolerant(): Steps<number> {
  try {
    return yield* sum(fails())
  } catch {
    return yield* waitFor(later(7))
  }
}

function* broken(first: number | Promise<number> = 0): Steps<number> {
  yield* waitFor(first)
  throw new Error('broken')
}
