import { expect, test } from 'vitest'
import type { Contents } from '../data/contents.ts'
import { firstDatasets, nextOf } from './first-datasets.ts'

const contentsOf = (request: () => unknown, done = Promise.resolve()) =>
  ({ domain: { path: '/a.h5' }, members: () => ({ done }), client: { request } }) as unknown as Contents
const SIGNAL = new AbortController().signal

test('the service is asked when the members are there, and only then', async () => {
  const order: string[] = []
  const done = Promise.resolve().then(() => void order.push('members'))
  const contents = contentsOf(async () => {
    order.push('datasets')
    return { datasets: [{ h5path: '/b' }, { h5path: '/最終' }] }
  }, done)
  expect(await firstDatasets(contents, SIGNAL)).toEqual(['/b', '/最終'])
  expect(order).toEqual(['members', 'datasets'])
})

test('a service that cannot say it leaves the list alone', async () => {
  const contents = contentsOf(() => Promise.reject(new Error('busy')))
  expect(await firstDatasets(contents, SIGNAL)).toEqual([])
})

test('each click shows another one, in a circle', () => {
  expect(nextOf(['/a', '/b'], '/a')).toBe('/b')
  expect(nextOf(['/a', '/b'], '/b')).toBe('/a')
  expect(nextOf([], '/a')).toBe('/a')
})
