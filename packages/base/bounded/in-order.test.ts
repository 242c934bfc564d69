import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inOrder } from './in-order.ts'

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number
}

async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) await turn()
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

it.each([0, 1, 3, 4, 5, 20])('gives the results of %s items in their order', async count => {
  const results = inOrder(numbers(count), 4, async number => {
    await turns((number * 7) % 5)
    return 2 * number
  })
  expect(await all(results)).toEqual(Array.from({ length: count }, (_, number) => 2 * number))
})

it('has the given number under way, and no more', async () => {
  let underWay = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++underWay)
    await turns(1)
    underWay--
  }
  await all(inOrder(numbers(20), 4, work))
  expect(most).toBe(4)
})

it('fails in the place of the call that failed, when none is under way', async () => {
  let underWay = 0
  const found: number[] = []
  const work = async (number: number) => {
    underWay++
    await turns(number === 3 ? 0 : 5)
    underWay--
    if (number >= 3) throw new Error(`no ${number}`)
    return number
  }
  const walk = async () => {
    for await (const number of inOrder(numbers(20), 4, work)) found.push(number)
  }
  await expect(walk()).rejects.toThrow('no 3')
  expect([found, underWay]).toEqual([[0, 1, 2], 0])
})

it('ends when the caller takes no more', async () => {
  let begun = 0
  for await (const _ of inOrder(numbers(100), 4, async () => ++begun)) break
  expect(begun).toBeLessThanOrEqual(5)
})
