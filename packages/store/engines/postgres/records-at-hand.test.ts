import { describe, expect, it } from 'vitest'
import { bytes } from '../../../../test/conformance/engine-fixture.ts'
import { keyTextOf } from '../../key-range.ts'
import { hashOfKey, RecordsAtHand } from './records-at-hand.ts'

const hash = (...keys: string[]) => keys.map(key => hashOfKey(bytes(key))).join('')
const keep = (records: RecordsAtHand, key: string, at: { since: number; number: number }) =>
  records.keep(bytes(key), keyTextOf(bytes(key)), { value: bytes('v'), since: at.since }, at.number)
const isAtHand = (records: RecordsAtHand, key: string, number: number) =>
  records.find(keyTextOf(bytes(key)), number) !== undefined

describe('records at hand', () => {
  it('are found in the states since they were changed', () => {
    const records = new RecordsAtHand()
    keep(records, 'a', { since: 3, number: 5 })
    expect([2, 3, 9].map(number => isAtHand(records, 'a', number))).toEqual([false, true, true])
  })

  it('are forgotten when a commit changes them, and not with others', () => {
    const records = new RecordsAtHand()
    for (const key of ['a', 'b', 'c']) keep(records, key, { since: 1, number: 5 })
    records.noteChanges(hash('x', 'b', 'c'), 6)
    expect(['a', 'b', 'c'].map(key => isAtHand(records, key, 6))).toEqual([true, false, false])
  })

  it('are not kept when a later commit has changed them than the state in which they were read', () => {
    const records = new RecordsAtHand()
    records.noteChanges(hash('x', 'a'), 6)
    records.noteChanges(hash('y'), 7)
    for (const key of ['a', 'b']) keep(records, key, { since: 1, number: 5 })
    expect(['a', 'b'].map(key => isAtHand(records, key, 7))).toEqual([false, true])
    keep(records, 'a', { since: 6, number: 6 })
    expect(isAtHand(records, 'a', 7)).toBe(true)
  })

  it('are not kept when they were read before the changes that are known', () => {
    const records = new RecordsAtHand(undefined, 4)
    for (const number of [6, 7, 8]) records.noteChanges(hash('x'), number)
    keep(records, 'a', { since: 1, number: 5 })
    expect(isAtHand(records, 'a', 8)).toBe(false)
    keep(records, 'a', { since: 1, number: 6 })
    expect(isAtHand(records, 'a', 8)).toBe(true)
    records.forgetAll(9)
    expect(isAtHand(records, 'a', 9)).toBe(false)
    keep(records, 'a', { since: 1, number: 8 })
    expect(isAtHand(records, 'a', 9)).toBe(false)
  })
})
