// Queries in the classic dialect: classic 7.8 and 15.5.

import { expect, test } from 'vitest'
import { type Domain, newDomain } from './domain.ts'

const ROWS = [
  [23, '13:53', 63, 29.88, 'SE 10'],
  [24, '14:53', 64, 29.88, 'SSE 8'],
  [23, '15:53', 65, 29.87, 'SSE 8'],
  [24, '16:53', 62, 29.87, 'S 9'],
  [23, '7:15', 68, 30.01, 'W 5'],
  [23, '8:15', 70, 30.0, 'W 5'],
]

function string(length: number) {
  return { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length }
}

/** Chunks of 4 rows. */
async function weather(domain: Domain): Promise<string> {
  const type = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'date', type: 'H5T_STD_I64LE' },
      { name: 'time', type: string(6) },
      { name: 'temp', type: 'H5T_STD_I32BE' },
      { name: 'pressure', type: 'H5T_IEEE_F64LE' },
      { name: 'wind', type: string(6) },
    ],
  }
  const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [4] } }
  const id = await domain.dataset({ type, shape: [6], creationProperties })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: ROWS })
  return id
}

interface Answer {
  readonly value: unknown[]
  readonly index: number[]
  readonly hrefs: { rel: string; href: string }[]
}

test.each<[string, string, number[]]>([
  ["wind == b'W 5'", '', [4, 5]],
  ["wind == 'W 5'", '', [4, 5]],
  ["'W 5' == wind", '', [4, 5]],
  ['date == 23', '', [0, 2, 4, 5]],
  ['(date == 23) & (temp > 64)', '', [2, 4, 5]],
  ['(temp<63)|(temp>=70)', '', [3, 5]],
  ['(date == 24) | (temp > 60) & (pressure >= 30)', '', [1, 3, 4, 5]],
  ["~(wind == 'W 5') & (date != 24)", '', [0, 2]],
  ['date == 23', '&Limit=2', [0, 2]],
  ['date == 23', '&Limit=0', [0, 2, 4, 5]],
  ['date == 23', '&Limit=-3', [0, 2, 4, 5]],
  ['date == 23', '&select=[1:5]', [2, 4]],
  ['date == 23', '&select=[1:6:2]', [5]],
  ['date == 23', '&select=[3:6]&Limit=1', [4]],
  ['date == 23', '&select=[2:2]', []],
  ['temp > 100', '', []],
])('classic 7.8a, 15.5b, 15.5c, 15.5d: %s %s', async (query, more, expected) => {
  const domain = await newDomain()
  const id = await weather(domain)
  const asked = `query=${encodeURIComponent(query)}${more}`
  const answer = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value?${asked}`)
  expect(answer.index).toEqual(expected)
  expect(answer.value).toEqual(expected.map(row => ROWS[row]))
  const self = answer.hrefs.find(({ rel }) => rel === 'self')
  expect(self?.href).toContain(`/value?query=${encodeURIComponent(query)}`)
})

test('an empty query is none; with a query the answer is JSON always', async () => {
  const domain = await newDomain()
  const id = await weather(domain)
  expect(await domain.value(id, '?query=')).toEqual(ROWS)
  const options = { headers: { accept: 'application/octet-stream' } }
  const reply = await domain.send('GET', `/datasets/${id}/value?query=date==24`, undefined, options)
  expect(reply.json<Answer>().index, reply.story).toEqual([1, 3])
})

test('classic 15.5e: a search goes on behind the last index until a page is short', async () => {
  const domain = await newDomain()
  const id = await weather(domain)
  const found: number[] = []
  for (let isLast = false; !isLast; ) {
    const select = `[${(found.at(-1) ?? -1) + 1}:6]`
    const asked = `query=${encodeURIComponent('date == 23')}&select=${select}&Limit=3`
    const { index } = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value?${asked}`)
    found.push(...index)
    isLast = index.length < 3
  }
  expect(found).toEqual([0, 2, 4, 5])
})

test.each([
  'foobar',
  'date',
  '1 == 1',
  'dates == 3',
  '(date == 3',
  "wind == 'W",
  '(date == 3) and (temp == 4)',
  '(date == 3) or (temp == 4)',
  'not (date == 3)',
  'date in (3, 4)',
  "date == '3'",
  'wind == 5',
  'date + 1 == 3',
  'date = 3',
])('classic 7.8h, 15.5f: %s is 400', async query => {
  const domain = await newDomain()
  const id = await weather(domain)
  await domain.refuse(400, 'GET', `/datasets/${id}/value?query=${encodeURIComponent(query)}`)
})

test('classic 15.5a: a Limit that is no number; other datasets than tables', async () => {
  const domain = await newDomain()
  const id = await weather(domain)
  await domain.refuse(400, 'GET', `/datasets/${id}/value?query=date==23&Limit=few`)
  const table = { class: 'H5T_COMPOUND', fields: [{ name: 'a', type: 'H5T_STD_I32LE' }] }
  for (const body of [
    { type: 'H5T_STD_I32LE', shape: [3] },
    { type: table, shape: [2, 2] },
    { type: table },
    { type: table, shape: 'H5S_NULL' },
  ]) {
    const other = await domain.dataset(body)
    await domain.refuse(400, 'GET', `/datasets/${other}/value?query=a==1`)
  }
})

test('never-written rows are compared as the fill value', async () => {
  const domain = await newDomain()
  const type = { class: 'H5T_COMPOUND', fields: [{ name: 'a', type: 'H5T_STD_I32LE' }] }
  const id = await domain.dataset({ type, shape: [3] })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: 1, stop: 2, value: [[5]] })
  const answer = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value?query=a==0`)
  expect(answer.index).toEqual([0, 2])
})

test.each(['(date == 23) and (temp > 64)', 'not date == 23'])('words are no operators: %s', async query => {
  const domain = await newDomain()
  const id = await weather(domain)
  const reply = await domain.send('GET', `/datasets/${id}/value?query=${encodeURIComponent(query)}`)
  expect(reply.status, reply.story).toBe(400)
  expect(reply.json().message).toContain('this dialect writes &, | and ~, not words')
})
