import { expect, test } from 'vitest'
import { Loader } from './loader.ts'

/** A loader whose requests are answered when the test says so. */
function newLoader() {
  const requests: { signal: AbortSignal; answer: (value: string) => void; fail: (error: Error) => void }[] =
    []
  const ends: string[] = []
  const loader = new Loader<string>()
  const load = (subject: string) =>
    loader.load(subject, signal => new Promise((answer, fail) => requests.push({ signal, answer, fail })), {
      succeed: () => ends.push('done'),
      fail: error => ends.push(String(error)),
    })
  return { loader, load, requests, ends }
}

/** All that follows from answers has happened. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('a value stays while it is loaded again, and when that fails', async () => {
  const { loader, load, requests, ends } = newLoader()
  let changes = 0
  const leave = loader.watch(() => changes++)
  load('a')
  expect(loader.loadedOf('a')).toEqual({ value: undefined, error: undefined, isLoading: true })
  requests[0]?.answer('first')
  await settled()
  expect(loader.loadedOf('a')).toEqual({ value: 'first', error: undefined, isLoading: false })
  load('a')
  expect(loader.loadedOf('a')).toEqual({ value: 'first', error: undefined, isLoading: true })
  const error = new Error('away')
  requests[1]?.fail(error)
  await settled()
  expect(loader.loadedOf('a')).toEqual({ value: 'first', error, isLoading: false })
  expect([ends, changes]).toEqual([['done', 'Error: away'], 4])
  leave()
  load('a')
  expect(changes).toBe(4)
})

test('a value of another subject is none, before and while that is loaded', async () => {
  const { loader, load, requests } = newLoader()
  load('a')
  requests[0]?.answer('of a')
  await settled()
  const before = loader.state()
  expect(loader.loadedOf('b').value).toBeUndefined()
  load('b')
  expect([loader.loadedOf('b').value, loader.state() === before]).toEqual([undefined, false])
  requests[1]?.fail(new Error('away'))
  await settled()
  expect(loader.loadedOf('b')).toMatchObject({ value: undefined, isLoading: false })
})

test.each(['answer', 'fail'] as const)('nothing is shown of a request that is given up: %s', async way => {
  const { loader, load, requests, ends } = newLoader()
  const giveUp = load('slice 0')
  giveUp()
  load('slice 1')
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  if (way === 'answer') requests[0]?.answer('of slice 0')
  else requests[0]?.fail(new Error('aborted'))
  await settled()
  expect([loader.loadedOf('slice 1').isLoading, ends]).toEqual([true, []])
  requests[1]?.answer('of slice 1')
  await settled()
  expect([loader.loadedOf('slice 1').value, ends]).toEqual(['of slice 1', ['done']])
})
