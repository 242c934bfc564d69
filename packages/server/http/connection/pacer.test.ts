import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Pacer } from './pacer.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('work is begun at once while there is little', async () => {
  const pacer = new Pacer()
  for (let turn = 0; turn < 3; turn++) {
    let begun = false
    pacer.begin(() => {
      begun = true
    })
    expect(begun).toBe(true)
    await nextTurn()
  }
})

test('much work is begun in the order in which it came, and the event loop turns in between', async () => {
  const pacer = new Pacer()
  const begun: number[] = []
  const numbers = Array.from({ length: 20 }, (_, i) => i)
  for (const number of numbers) {
    pacer.begin(() => {
      spin(2)
      begun.push(number)
    })
  }
  expect(begun).toEqual([0])
  let turns = 0
  for (; begun.length < numbers.length; turns++) {
    const before = begun.length
    await nextTurn()
    expect(begun.length - before).toBeLessThanOrEqual(1)
    // Work that arrives meanwhile queues after the waiting work.
    if (turns === 5) pacer.begin(() => begun.push(99))
  }
  expect(begun.slice(0, numbers.length)).toEqual(numbers)
  while (!begun.includes(99)) await nextTurn()
  expect(begun.at(-1)).toBe(99)
})

test('what was begun is held no longer, even while something waits always', async () => {
  const pacer = new Pacer()
  const held: WeakRef<object>[] = []
  const add = () => {
    const work = Object.assign(() => spin(0.1), { large: new Uint8Array(1000) })
    held.push(new WeakRef(work))
    pacer.begin(work)
  }
  for (let i = 0; i < 100; i++) add()
  let begun = 0
  for (let turn = 0; turn < 400; turn++) {
    await nextTurn()
    for (let i = 0; i < 10; i++) add()
    begun += 10
  }
  await nextTurn()
  collectGarbage()
  const alive = held.filter(reference => reference.deref() !== undefined).length
  expect(begun).toBe(4000)
  expect(alive).toBeLessThan(3000)
})

test('work that is begun by work stands in the same line', async () => {
  const pacer = new Pacer()
  const begun: string[] = []
  pacer.begin(() => {
    spin(2)
    begun.push('first')
    pacer.begin(() => begun.push('second'))
  })
  expect(begun).toEqual(['first'])
  await nextTurn()
  await nextTurn()
  expect(begun).toEqual(['first', 'second'])
})
