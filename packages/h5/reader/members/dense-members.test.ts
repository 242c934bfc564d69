import { describe, expect, it } from 'vitest'
import { ATTEMPT_ALL } from '../structures/attempt.ts'
import { DenseMembers, type DenseMembersParts } from './dense-members.ts'
import type { Member } from './member-order.ts'

/** A number of members, each of a number of bytes. */
function membersOf(count: number, length: number): DenseMembers<Member> {
  const heap = { locate: () => ({ offset: 0, length }), isFiltered: false }
  const dense = new DenseMembers<Member>({
    heap: heap as unknown as DenseMembersParts<Member>['heap'],
    tracksOrder: false,
    attempt: ATTEMPT_ALL,
    decode: name => ({ name }),
  })
  const heapId = new Uint8Array(7)
  for (let i = 0; i < count; i++) dense.add({ heapId })
  return dense
}

describe('members that are read together', () => {
  it.each([
    ['short ones', 5000, 50, [2048, 2048, 904]],
    ['long ones', 5000, 1000, [1048, 1048, 1048, 1048, 808]],
    ['one that is longer than all that should be', 2, 2 ** 21, [1, 1]],
    ['of a heap that is not all kept in memory', 150_000, 60, [...Array(9).fill(16_384), 2544]],
  ])('are few: %s', (_, count, length, expected) => {
    const dense = membersOf(count, length)
    const lists = [...dense.cut(dense.positions)]
    expect(lists.map(list => list.length)).toEqual(expected)
    expect(lists.flat()).toEqual(dense.positions)
  })

  it('are all of few members, which need no keys then', () => {
    expect(membersOf(16_384, 60).isFew).toBe(true)
    expect(membersOf(16_385, 60).isFew).toBe(false)
    expect(membersOf(100, 2 ** 14).isFew).toBe(false)
  })
})
