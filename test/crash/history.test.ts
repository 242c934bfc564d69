import { describe, expect, it } from 'vitest'
import { seededRandom } from '../engines/clock.ts'
import { type Operation, requireOrder } from './history.ts'

const write = (value: number, start: number, end: number): Operation => ({ kind: 'write', value, start, end })
const read = (value: number, start: number, end: number): Operation => ({ kind: 'read', value, start, end })
const never = Number.POSITIVE_INFINITY

describe('histories without an order', () => {
  it.each<[string, Operation[]]>([
    ['a stale read', [write(1, 0, 1), read(0, 2, 3)]],
    ['a read of what was never written', [read(7, 0, 1)]],
    ['a read before its write', [read(1, 0, 1), write(1, 2, 3)]],
    ['a value that comes back', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]],
    ['two readers that see another order', [write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)]],
    [
      'overlapping writes that two readers see in either order',
      [write(1, 0, 2), write(2, 0, 2), read(1, 3, 4), read(2, 5, 6), read(1, 7, 8)],
    ],
    ['an answered write that is lost', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5), write(3, 6, 7)]],
    ['an unanswered write that comes and goes', [write(1, 0, never), read(1, 2, 3), read(0, 4, 5)]],
  ])('%s', (_name, operations) => {
    expect(() => requireOrder(operations, 0)).toThrow(/no order|was never written|before its write/)
  })
})

describe('histories with an order', () => {
  it.each<[string, Operation[]]>([
    ['none', []],
    ['one after another', [read(0, 0, 1), write(1, 2, 3), read(1, 4, 5)]],
    ['a read beside a write gives either value', [write(1, 0, 9), read(0, 1, 2), read(1, 3, 4)]],
    ['overlapping writes', [write(1, 0, 5), write(2, 1, 6), read(2, 7, 8)]],
    ['an unanswered write happened', [write(1, 0, never), read(0, 1, 2), read(1, 3, 4)]],
    ['an unanswered write never happened', [write(1, 0, never), write(2, 1, 2), read(2, 3, 4)]],
    ['an unanswered write happens late', [write(1, 0, never), write(2, 1, 2), read(2, 3, 4), read(1, 5, 6)]],
  ])('%s', (_name, operations) => {
    expect(() => requireOrder(operations, 0)).not.toThrow()
  })
})

it('agrees with trying all orders', () => {
  const random = seededRandom(5)
  const below = (limit: number) => random(1)[0] % limit
  let withOrder = 0
  const ROUNDS = 3000
  for (let round = 0; round < ROUNDS; round++) {
    const operations: Operation[] = []
    let values = 0
    const times = shuffled(
      Array.from({ length: 10 }, (_, time) => time),
      below,
    )
    for (let at = 0; at < 10; at += 2) {
      const start = Math.min(times[at], times[at + 1])
      const end = Math.max(times[at], times[at + 1])
      if (below(2) === 0) operations.push(write(++values, start, below(4) === 0 ? never : end))
      else operations.push(read(below(4), start, end))
    }
    const isAllowed = !operations.some(({ kind, value }) => kind === 'read' && value > values)
    const expected = isAllowed && hasOrder(operations, 0)
    if (expected) withOrder++
    const found = (() => {
      try {
        requireOrder(operations, 0)
        return true
      } catch {
        return false
      }
    })()
    expect(found, JSON.stringify(operations)).toBe(expected)
  }
  expect(withOrder).toBeGreaterThan(ROUNDS / 10)
  expect(withOrder).toBeLessThan((ROUNDS * 9) / 10)
})

function shuffled(numbers: number[], below: (limit: number) => number): number[] {
  for (let at = numbers.length - 1; at > 0; at--) {
    const other = below(at + 1)
    ;[numbers[at], numbers[other]] = [numbers[other], numbers[at]]
  }
  return numbers
}

/** Tries each operation next that no other one has ended before. */
function hasOrder(left: readonly Operation[], value: number): boolean {
  if (left.every(({ kind, end }) => kind === 'write' && end === never)) return true
  return left.some(next => {
    if (left.some(other => other !== next && other.end < next.start)) return false
    if (next.kind === 'read' && next.value !== value) return false
    return hasOrder(
      left.filter(other => other !== next),
      next.value,
    )
  })
}
