import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FileSlots } from './file-slots.ts'

it('are given in the order in which they are asked for, several together', async () => {
  const slots = new FileSlots(3)
  const admitted: string[] = []
  const take = (name: string, count: number) => slots.take(count).then(() => admitted.push(name))
  await Promise.all([take('a', 2), take('b', 1)])
  for (const [name, count] of [
    ['c', 2],
    ['d', 1],
    ['e', 3],
  ] as const)
    void take(name, count)
  slots.give(1)
  await nextTurn()
  expect(admitted).toEqual(['a', 'b'])
  slots.give(2)
  await nextTurn()
  expect(admitted).toEqual(['a', 'b', 'c', 'd'])
  expect(slots.areWanted).toBe(true)
  slots.give(1)
  slots.give(2)
  await nextTurn()
  expect(admitted).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(slots.areWanted).toBe(false)
})

it('are asked of the holders that can give some up when another has to wait', async () => {
  const slots = new FileSlots(1)
  let asked = 0
  slots.onWait(() => {
    asked++
    slots.give(1)
  })
  await slots.take(1)
  expect(asked).toBe(0)
  await slots.take(1)
  expect(asked).toBe(1)
})
