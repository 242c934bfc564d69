// Two hundred clients that write into one small dataset at the same time: its rows share one chunk, and all win.

import { beforeAll, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { makeHome, newDomain, OCTETS } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }
const WRITERS = Array.from({ length: 200 }, (_, i) => i)
const DEFLATE = { filters: [{ class: 'H5Z_FILTER_DEFLATE', id: 1, level: 4 }] }

beforeAll(makeHome)

function row(number: number, columns: number): Buffer {
  return Buffer.from(new Int32Array(columns).fill(number).buffer)
}

test.each([
  ['a chunk of 60 KiB', 75, {}],
  ['a chunk of 1 MiB', 1300, {}],
  ['a chunk of 1 MiB that is deflated', 1300, DEFLATE],
])('each writes a row of %s', async (_, columns, creationProperties) => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: I32, shape: [200, columns], creationProperties })
  await Promise.all(
    WRITERS.map(i =>
      domain.want(200, 'PUT', `/datasets/${id}/value?select=[${i},:]`, row(i + 1, columns), BINARY_BODY),
    ),
  )
  for (const column of [0, columns - 1]) {
    const value = await domain.value(id, `?select=[:,${column}:${column + 1}]`)
    expect(value).toEqual(WRITERS.map(i => [i + 1]))
  }
})

test('some of them break a rule: they are refused, and the others are not', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: I32, shape: [200, 75] })
  await Promise.all(
    WRITERS.map(i => {
      const isWrong = i % 5 === 0
      const path = `/datasets/${id}/value?select=[${i},:]`
      return domain.want(isWrong ? 400 : 200, 'PUT', path, row(i + 1, isWrong ? 76 : 75), BINARY_BODY)
    }),
  )
  expect(await domain.value(id, '?select=[:,7:8]')).toEqual(WRITERS.map(i => [i % 5 === 0 ? 0 : i + 1]))
})

test('each appends a row: none is lost, none torn, none there twice', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: I32, shape: [0, 9], maxdims: [0, 9] })
  await Promise.all(
    WRITERS.map(i => domain.want(200, 'PUT', `/datasets/${id}/value?append=1`, row(i + 1, 9), BINARY_BODY)),
  )
  const value = (await domain.value(id)) as number[][]
  expect(value.toSorted(([a], [b]) => a - b)).toEqual(WRITERS.map(i => new Array(9).fill(i + 1)))
})

test('each sets an attribute of the same object, and makes a link in the same group', async () => {
  const domain = await newDomain()
  const group = await domain.group('group')
  await Promise.all(
    WRITERS.flatMap(i => [
      domain.want(201, 'PUT', `/groups/${group}/attributes/a${i}`, { type: I32, value: i }),
      domain.want(201, 'PUT', `/groups/${group}/links/l${i}`, { h5path: `/somewhere/${i}` }),
    ]),
  )
  const { linkCount, attributeCount } = await domain.want(200, 'GET', `/groups/${group}`)
  expect([linkCount, attributeCount]).toEqual([200, 200])
})
