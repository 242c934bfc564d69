// Numbers that no double can hold, such as 1e999: 400 wherever numbers are read, and never infinity, which has words of
// its own (common 5).

import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, type Method, send, USER1 } from './client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './hsds/domain.ts'

const F64 = 'H5T_IEEE_F64LE'
const BEYOND = ['1e999', '-1e999', '1.8e308', `1${'0'.repeat(309)}`, `-1${'0'.repeat(400)}`, '1e99999999']

interface Place {
  readonly domain: Domain
  readonly floats: string
  readonly integers: string
}

async function furnished(): Promise<Place> {
  const domain = await newDomain()
  const layout = { class: 'H5D_CHUNKED', dims: [4] }
  const floats = await domain.dataset({
    type: F64,
    shape: [4],
    maxdims: [0],
    creationProperties: { layout },
  })
  const integers = await domain.dataset({ type: 'H5T_STD_I64LE', shape: [4] })
  return { domain, floats, integers }
}

beforeAll(makeHome)

const simple = '"type": "H5T_IEEE_F64LE", "shape": [2]'

const BODIES: readonly [string, Method, (place: Place) => string, (number: string) => string][] = [
  ['values', 'PUT', ({ floats }) => `/datasets/${floats}/value`, number => `{"value": [0, 1, ${number}, 2]}`],
  ['values that are repeated', 'PUT', ({ floats }) => `/datasets/${floats}/value`, n => `{"value": ${n}}`],
  ['values as text', 'PUT', ({ floats }) => `/datasets/${floats}/value`, n => `{"value": [0, "${n}", 1, 2]}`],
  [
    'values of integers',
    'PUT',
    ({ integers }) => `/datasets/${integers}/value`,
    n => `{"value": [${n}, 0, 0, 0]}`,
  ],
  ['first values', 'POST', () => '/datasets', n => `{${simple}, "value": [0, ${n}]}`],
  ['first values in a list', 'POST', () => '/datasets', n => `[{${simple}, "value": [0, ${n}]}]`],
  [
    'an attribute',
    'PUT',
    ({ floats }) => `/datasets/${floats}/attributes/a`,
    n => `{${simple}, "value": [0, ${n}]}`,
  ],
  [
    'an attribute as text',
    'PUT',
    ({ floats }) => `/datasets/${floats}/attributes/a`,
    n => `{"type": "${F64}", "value": "${n}"}`,
  ],
  ['a fill value', 'POST', () => '/datasets', n => `{${simple}, "creationProperties": {"fillValue": ${n}}}`],
  ['kept properties', 'POST', () => '/groups', n => `{"creationProperties": {"mine": ${n}}}`],
  ['a shape', 'POST', () => '/datasets', n => `{"type": "${F64}", "shape": [${n}]}`],
  [
    'the time of a link',
    'PUT',
    ({ domain }) => `/groups/${domain.root}/links/a`,
    n => `{"h5path": "/x", "created": ${n}}`,
  ],
  [
    'an enum',
    'POST',
    () => '/datatypes',
    n => `{"type": {"class": "H5T_ENUM", "base": "H5T_STD_I8LE", "mapping": {"a": ${n}}}}`,
  ],
  ['points', 'POST', ({ floats }) => `/datasets/${floats}/value`, n => `{"points": [${n}]}`],
  [
    'a selection',
    'PUT',
    ({ floats }) => `/datasets/${floats}/value`,
    n => `{"start": ${n}, "stop": 2, "value": 1}`,
  ],
  [
    'a selection by coordinates',
    'PUT',
    ({ floats }) => `/datasets/${floats}/value`,
    n => `{"select": [[${n}]], "value": 1}`,
  ],
  [
    'what a query sets',
    'PUT',
    ({ floats }) => `/datasets/${floats}/value?query=_ > 1`,
    n => `{"value": ${n}}`,
  ],
  [
    'a query in a body',
    'PUT',
    ({ floats }) => `/datasets/${floats}/value`,
    n => `{"query": "_ > ${n}", "value": 1}`,
  ],
  ['an extent', 'PUT', ({ floats }) => `/datasets/${floats}/shape`, n => `{"extend": ${n}}`],
]

describe('in a body', () => {
  test.each(BODIES)('%s', async (_, method, target, body) => {
    const place = await furnished()
    for (const number of BEYOND) {
      const path = target(place).replaceAll(' ', '%20')
      const reply = await place.domain.send(method, path, body(number))
      expect(reply.status, `${body(number)}: ${reply.story}`).toBe(400)
    }
    expect(await place.domain.value(place.floats)).toEqual([0, 0, 0, 0])
  })
})

describe('in an URL', () => {
  test.each([
    ['a query', (number: string) => `value?query=${encodeURIComponent(`_ < ${number}`)}`],
    ['a query of several', (number: string) => `value?query=${encodeURIComponent(`_ IN (1, ${number})`)}`],
    ['a selection', (number: string) => `value?select=[0:${number}]`],
    ['a selection by coordinates', (number: string) => `value?select=[[${number}]]`],
    ['a limit', (number: string) => `value?query=_>1&Limit=${number}`],
    ['a limit of a listing', (number: string) => `attributes?Limit=${number}`],
    ['a size', (number: string) => `attributes?IncludeData=1&max_data_size=${number}`],
  ])('%s', async (_, query) => {
    const { domain, floats } = await furnished()
    for (const number of BEYOND) {
      const reply = await domain.send('GET', `/datasets/${floats}/${query(number)}`)
      expect(reply.status, reply.story).toBe(400)
    }
  })
})

test('a query of a folder', async () => {
  for (const number of BEYOND) {
    const query = encodeURIComponent(`size > ${number}`)
    const reply = await send('GET', `/domains?domain=/home/&query=${query}`, undefined, { user: ADMIN })
    expect(reply.status, reply.story).toBe(400)
  }
})

test('the words and strings for infinity are taken as they were', async () => {
  const { domain, floats } = await furnished()
  const value = '[Infinity, -Infinity, "Infinity", "-inf"]'
  const put = await domain.send('PUT', `/datasets/${floats}/value`, `{"value": ${value}}`)
  expect(put.status, put.story).toBe(200)
  const headers = { accept: OCTETS }
  const bytes = await domain.send('GET', `/datasets/${floats}/value`, undefined, { user: USER1, headers })
  const numbers = new Float64Array(new Uint8Array(bytes.bytes).buffer)
  expect([...numbers]).toEqual([Infinity, -Infinity, Infinity, -Infinity])
})
