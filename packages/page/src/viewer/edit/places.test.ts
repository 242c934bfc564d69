import { RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { areSame, ChangedMeanwhile, type Place, replaceState } from './places.ts'

/** A place in memory, with a tag that also changes with things beside it. */
function memory(state: string | undefined, beside: (write: number) => void = () => {}) {
  const place = { state, tag: 0, writes: 0 }
  const made: Place<string> = {
    read: async () => ({
      state: place.state,
      tag: place.state === undefined ? undefined : String(place.tag),
    }),
    write: async (to, condition) => {
      beside(++place.writes)
      const now = place.state === undefined ? { 'if-none-match': '*' } : { 'if-match': String(place.tag) }
      if (!areSame(condition, now)) throw new RequestError('precondition-failed', 412)
      place.state = to
      place.tag++
    },
  }
  return { place, made }
}

describe('the state of a place', () => {
  test('is replaced, put where nothing was, and removed', async () => {
    const { place, made } = memory(undefined)
    await replaceState(made, undefined, 'a')
    await replaceState(made, 'a', 'b')
    expect(place.state).toBe('b')
    await replaceState(made, 'b', undefined)
    expect(place.state).toBeUndefined()
  })

  test('is not replaced when it is another one than was seen', async () => {
    const { place, made } = memory('other')
    await expect(replaceState(made, 'a', 'b')).rejects.toThrow(ChangedMeanwhile)
    await expect(replaceState(made, undefined, 'b')).rejects.toMatchObject({ state: 'other' })
    expect(place).toMatchObject({ state: 'other', writes: 0 })
  })

  test('is not replaced when it changes between the read and the write', async () => {
    const { place, made } = memory('a', () => {
      place.state = 'other'
      place.tag++
    })
    await expect(replaceState(made, 'a', 'b')).rejects.toMatchObject({ state: 'other' })
    expect(place).toMatchObject({ state: 'other', writes: 1 })
  })

  test('is replaced when only things beside it change, but not for ever', async () => {
    const { place, made } = memory('a', write => {
      if (write < 3) place.tag++
    })
    await replaceState(made, 'a', 'b')
    expect(place).toMatchObject({ state: 'b', writes: 3 })
    const always = memory('a', () => {
      always.place.tag++
    })
    await expect(replaceState(always.made, 'a', 'b')).rejects.toThrow('changes all the time')
    expect(always.place.state).toBe('a')
  })

  test('is the same whatever the order of its members', () => {
    expect(areSame({ a: 1, b: { c: [1, 2], d: undefined } }, { b: { c: [1, 2] }, a: 1 })).toBe(true)
    expect(areSame({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
    expect(areSame(undefined, undefined)).toBe(true)
  })
})
