import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

const keysIn = (map: BoundedMap<string, string>): string =>
  ['a', 'b', 'c', 'd'].filter(key => map.get(key) !== undefined).join('')

test('the oldest entries are forgotten, whether they were read or not', () => {
  const map = new BoundedMap<string, string>(2)
  for (const key of ['a', 'b', 'c']) {
    map.set(key, 'value')
    map.get('a')
  }
  expect([keysIn(map), map.size]).toEqual(['bc', 2])
})

test('an entry that was used or set again is the newest', () => {
  const map = new BoundedMap<string, string>(2)
  map.set('a', 'value')
  map.set('b', 'value')
  expect(map.use('a')).toBe('value')
  map.set('c', 'value')
  expect(keysIn(map)).toBe('ac')
  map.set('a', 'other')
  map.set('d', 'value')
  expect([keysIn(map), map.get('a')]).toEqual(['ad', 'other'])
  expect(map.use('b')).toBeUndefined()
})

test('the limit may be of a weight; the newest entry is kept however heavy it is', () => {
  const map = new BoundedMap<string, string>(5, { weightOf: ({ length }) => length })
  map.set('a', 'xx')
  map.set('b', 'xxx')
  expect([keysIn(map), map.weight]).toEqual(['ab', 5])
  map.set('c', 'x'.repeat(9))
  expect([keysIn(map), map.weight]).toEqual(['c', 9])
  map.set('d', 'x')
  expect([keysIn(map), map.weight]).toEqual(['d', 1])
})

test('onForget is called once for each value that is forgotten or replaced', () => {
  const forgotten: string[] = []
  const map = new BoundedMap<string, string>(2, { onForget: value => forgotten.push(value) })
  for (const key of ['a', 'b', 'c']) map.set(key, key)
  map.set('b', 'new')
  map.forget('b')
  map.forget('b')
  expect(forgotten).toEqual(['a', 'b', 'new'])
  map.set('d', 'd')
  map.forgetIf(value => value === 'd')
  expect([map.get('c'), map.get('d')]).toEqual(['c', undefined])
  map.forgetIf(() => true)
  expect(forgotten).toEqual(['a', 'b', 'new', 'd', 'c'])
  expect([map.size, map.weight]).toEqual([0, 0])
})

test('the oldest entry is the one that goes, whatever was forgotten or used before', () => {
  const map = new BoundedMap<number, string>(3)
  for (let key = 0; key < 1000; key++) {
    map.set(key, 'value')
    if (key % 5 === 0) map.forget(key - 1)
    if (key % 7 === 0) map.use(key - 1)
    expect(map.size).toBeLessThanOrEqual(3)
    expect(map.get(key)).toBe('value')
  }
  for (const key of [0, 1, 2]) map.forget(997 + key)
  map.set(1, 'again')
  map.set(2, 'again')
  expect([map.get(1), map.get(2)]).toEqual(['again', 'again'])
})

test('a use and a replacement insert nothing anew, which takes longer each time in a large Map', () => {
  const map = new BoundedMap<string, string>(3)
  for (const key of ['a', 'b', 'c']) map.set(key, 'value')
  const deletions = vi.spyOn(Map.prototype, 'delete')
  try {
    for (const key of ['a', 'b', 'b', 'c', 'a']) map.use(key)
    map.set('b', 'other')
    expect(deletions).not.toHaveBeenCalled()
  } finally {
    deletions.mockRestore()
  }
  map.set('d', 'value')
  map.set('e', 'value')
  expect([keysIn(map), map.get('b')]).toEqual(['bd', 'other'])
})

test('entries that are used for ever take no more memory', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const map = new BoundedMap<number, string>(1000)
  for (let key = 0; key < 20; key++) map.set(key, 'value')
  const heapAfter = (uses: number) => {
    for (let i = 0; i < uses; i++) map.use(i % 20)
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = heapAfter(1000)
  expect(heapAfter(500_000) - before).toBeLessThan(4 * 2 ** 20)
})
