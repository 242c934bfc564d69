import { expect, test } from 'vitest'
import { KnownBytes } from './known-bytes.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a record is found by what it begins with', () => {
  const known = new KnownBytes<number>()
  known.add(bytes('head 1|tail'), 7, 1)
  known.add(bytes('head 2|tail'), 7, 2)
  expect(known.find(bytes('head 2|other'))).toEqual({ length: 7, value: 2 })
  expect(known.find(bytes('head 1|'))).toEqual({ length: 7, value: 1 })
  for (const other of ['head 3|tail', 'head 1', 'head 1 |', '', '1|tail']) {
    expect(known.find(bytes(other))).toBeUndefined()
  }
})

test('a record that was added whole is found whole', () => {
  const known = new KnownBytes<number>()
  known.add(bytes('record'), 6, 1)
  expect(known.find(bytes('record'))).toEqual({ length: 6, value: 1 })
  expect(known.find(bytes('record|'))).toBeUndefined()
})

test('what was added does not change with its memory', () => {
  const known = new KnownBytes<number>()
  const record = bytes('record')
  known.add(record, 6, 1)
  record.fill(0)
  expect(known.find(bytes('record'))).toBeDefined()
  expect(known.find(record)).toBeUndefined()
})

test('the last ones are found, in any order', () => {
  const known = new KnownBytes<number>()
  for (let i = 0; i < 20; i++) known.add(bytes(`record ${i}`), `record ${i}`.length, i)
  const found = Array.from({ length: 20 }, (_, i) => known.find(bytes(`record ${(7 * i) % 20}`))?.value)
  expect(found.filter(value => value !== undefined).sort()).toEqual(
    Array.from({ length: 16 }, (_, i) => i + 4).sort(),
  )
})
