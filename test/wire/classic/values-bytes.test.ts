// Values as bytes in the classic dialect, both ways (issue of the seed: JSON and binary), and writes of nothing.

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
