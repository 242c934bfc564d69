import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FilePlaces } from './file-places.ts'

it('are given in the order in which they are asked for, several together', async () => {
  const places = new FilePlaces(3)
  const admitted: string[] = []
  const take = (name: string, count: number) => places.take(count).then(() => admitted.push(name))
  await Promise.all([take('a', 2), take('b', 1)])
  for (const [name, count] of [
    ['c', 2],
    ['d', 1],
    ['e', 3],
  ] as const)
    void take(name, count)
  places.give(1)
  await nextTurn()
  expect(admitted).toEqual(['a', 'b'])
  places.give(2)
  await nextTurn()
  expect(admitted).toEqual(['a', 'b', 'c', 'd'])
  expect(places.areWanted).toBe(true)
  places.give(1)
  places.give(2)
  await nextTurn()
  expect(admitted).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(places.areWanted).toBe(false)
})

it('are asked of the holders that can give some up when another has to wait', async () => {
  const places = new FilePlaces(1)
  let asked = 0
  places.onWait(() => {
    asked++
    places.give(1)
  })
  await places.take(1)
  expect(asked).toBe(0)
  await places.take(1)
  expect(asked).toBe(1)
})
