import { expect, test } from 'vitest'
import { DecodedRecords } from './decoded-records.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

test('a record is decoded again only when its bytes have changed', () => {
  const records = new DecodedRecords(20_000)
  let count = 0
  const decode = (record: Uint8Array) => ({ first: record[0], count: ++count })
  expect(records.decode('a', bytes(1), decode)).toEqual({ first: 1, count: 1 })
  expect(records.decode('a', bytes(1), decode)).toEqual({ first: 1, count: 1 })
  expect(records.decode('a', bytes(2), decode)).toEqual({ first: 2, count: 2 })
  expect(records.decode('b', bytes(2), decode)).toEqual({ first: 2, count: 3 })
})

test('records of a limited number of bytes are kept, and no long ones', () => {
  const records = new DecodedRecords(6)
  let count = 0
  const decode = () => ++count
  for (const name of ['a', 'b', 'c']) records.decode(name, bytes(0, 0, 0), decode)
  expect(records.decode('c', bytes(0, 0, 0), decode)).toBe(3)
  expect(records.decode('a', bytes(0, 0, 0), decode)).toBe(4)
  const long = new Uint8Array(5000)
  expect(records.decode('long', long, decode)).toBe(5)
  expect(records.decode('long', long, decode)).toBe(6)
})
