import { expect, it } from 'vitest'
import { ListenerPlaces } from './listener-places.ts'

/** Takes places until there are no more; returns what gives them back. */
function takeAll(places: ListenerPlaces, user: string, hasAccount: boolean): (() => void)[] {
  const taken: (() => void)[] = []
  try {
    for (;;) taken.push(places.take(user, hasAccount))
  } catch (error) {
    expect(error).toMatchObject({ code: 'too-busy', retryAfter: 5 })
    return taken
  }
}

it('no user takes all places, and users with an account go before strangers', () => {
  const places = new ListenerPlaces(16)
  expect(takeAll(places, 'address 1', false)).toHaveLength(8)
  // Others without an account get one each, for a while.
  expect(takeAll(places, 'address 2', false)).toHaveLength(1)
  places.take('share 3', false)
  const strangers = () => places.take('address 4', false)
  expect(strangers).toThrow('10 of 16 listeners, and keeps the other places for users with an account')
  expect(takeAll(places, 'ann', true)).toHaveLength(4)
  expect(() => places.take('ann', true)).toThrow(
    '14 of 16 listeners, and keeps the other places for users without one',
  )
  places.take('bob', true)
  places.take('eve', true)
  expect(() => places.take('tom', true)).toThrow('the service has 16 listeners, its limit')
  expect(places.taken).toBe(16)
})

it('a place that was given back is free again', () => {
  const places = new ListenerPlaces(4)
  const [leave] = takeAll(places, 'address 1', false)
  expect(() => places.take('address 1', false)).toThrow('2 of 4 listeners')
  leave()
  expect(takeAll(places, 'address 1', false)).toHaveLength(1)
})

it('a single place is for anybody', () => {
  new ListenerPlaces(1).take('address 1', false)
})
