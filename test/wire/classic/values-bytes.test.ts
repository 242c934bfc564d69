// Values as bytes in the classic dialect, both ways, and writes of nothing.

import { expect, test } from 'vitest'
import { newDomain } from './domain.ts'

const OCTETS = { headers: { 'content-type': 'application/octet-stream' } }
const AS_BYTES = { headers: { accept: 'application/octet-stream' } }

test('bytes are written as they are, selected by the query, and read back the same', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_STD_I16BE', shape: [2, 3] })
  const bytes = Buffer.from([0, 1, 0, 2, 0, 3, 255, 255, 0, 5, 0, 6])
  await domain.want(200, 'PUT', `/datasets/${id}/value`, bytes, OCTETS)
  expect(await domain.value(id)).toEqual([
    [1, 2, 3],
    [-1, 5, 6],
  ])
  await domain.want(200, 'PUT', `/datasets/${id}/value?select=[0:1,1:3]`, Buffer.from([0, 9, 0, 8]), OCTETS)
  const read = await domain.send('GET', `/datasets/${id}/value`, undefined, AS_BYTES)
  expect(read.bytes).toEqual(Buffer.from([0, 1, 0, 9, 0, 8, 255, 255, 0, 5, 0, 6]))
})

test('classic 7.8d, 7.8e: bytes come by GET of a range that spans more than one element, whatever its step; else JSON', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2, 3] })
  const rows = [
    [1, 2, 3],
    [4, 5, 6],
  ]
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: rows })
  const read = (select: string) =>
    domain.send('GET', `/datasets/${id}/value?select=${select}`, undefined, AS_BYTES)
  for (const [select, bytes] of [
    ['[0:2,1:2]', [2, 5]],
    ['[0:1,0:3:2]', [1, 3]],
    ['[0:2:2,2]', [3]],
    ['[0:1,0:3:3]', [1]],
  ] as const) {
    const { headers, bytes: found, story } = await read(select)
    expect(headers['content-type'], story).toBe('application/octet-stream')
    expect(found, story).toEqual(Buffer.from(bytes))
  }
  for (const [select, value] of [
    ['[1:2,2:3]', [[6]]],
    ['[1,2]', [[6]]],
    ['[0:1,0:1:3]', [[1]]],
    ['[1:1,0:3]', []],
  ] as const) {
    const { headers, story, ...reply } = await read(select)
    expect(headers['content-type'], story).toBe('application/json')
    expect(reply.json(), story).toMatchObject({ value })
  }
  const points = [
    [0, 0],
    [1, 1],
  ]
  const picked = await domain.send('POST', `/datasets/${id}/value`, { points }, AS_BYTES)
  expect(picked.headers['content-type'], picked.story).toBe('application/json')
  expect(picked.json(), picked.story).toMatchObject({ value: [1, 5] })
})

test('too few and too many bytes are 400 and change nothing', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_STD_I16LE', shape: [2] })
  for (const length of [0, 1, 2, 3, 5, 6]) {
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, Buffer.alloc(length, 1), OCTETS)
  }
  expect(await domain.value(id)).toEqual([0, 0])
})

test('a value for a dataset without elements is 400: nothing would be stored', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [0], maxdims: [0] })
  for (const value of [1, [1], [[1]]]) await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [] })
})

test.each([
  { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
  { class: 'H5T_VLEN', base: 'H5T_STD_I8LE' },
  { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' },
])('classic 7.8e: %j is of variable size: JSON both ways', async type => {
  const domain = await newDomain()
  const id = await domain.dataset({ type, shape: [2] })
  const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, AS_BYTES)
  expect(reply.headers['content-type'], reply.story).toBe('application/json')
  await domain.refuse(400, 'PUT', `/datasets/${id}/value`, Buffer.alloc(96), OCTETS)
  const value_base64 = Buffer.alloc(96).toString('base64')
  await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value_base64 })
})

test('a string whose bytes are not UTF-8 reads as lone surrogates, escaped, and the bytes survive', async () => {
  const domain = await newDomain()
  const type = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 4 }
  const id = await domain.dataset({ type, shape: [2] })
  const bytes = Buffer.from('caf\xe9\0\0\0\0', 'latin1')
  await domain.want(200, 'PUT', `/datasets/${id}/value`, bytes, OCTETS)
  const reply = await domain.send('GET', `/datasets/${id}/value`)
  expect(reply.text).toContain('["caf\\udce9",""]')
  const read = await domain.send('GET', `/datasets/${id}/value`, undefined, AS_BYTES)
  expect(read.bytes).toEqual(bytes)
})

test('a sequence that was never written is an empty list, like one of variable strings', async () => {
  const domain = await newDomain()
  const texts = { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' }
  const id = await domain.dataset({ type: { class: 'H5T_VLEN', base: texts }, shape: [2] })
  expect(await domain.value(id)).toEqual([[], []])
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [['a', 'é'], []] })
  expect(await domain.value(id)).toEqual([['a', 'é'], []])
})
