import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainPath } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import { newPlaces, type PlacedFile, placeUnwell } from './places.ts'

const GONE = new HyperslabError('file-unreadable', 'gone')
const path = (name: string) => `/f/${name}` as DomainPath
const file = (name: string, extent = 1): PlacedFile => ({
  name: path(name),
  path: path(name),
  outline: { datasets: new Map(), extent },
})
const files = (names: string) => [...names].map(name => file(name))
const knownOf = (names: string) => new Map(newPlaces(files(names), new Map()).map(one => [one.path, one]))
const namesOf = (placed: readonly PlacedFile[]) =>
  placed.map(({ name, failure }) => name.slice(3) + (failure ? '!' : '')).join('')

function place(there: string, before: string, unwell = [...before].filter(name => !there.includes(name))) {
  const reasons = new Map(unwell.map(name => [path(name), GONE]))
  return placeUnwell(files(there), reasons, knownOf(before))
}

describe('the places of files that are gone', () => {
  it.each([
    ['abc', 'abc', 'abc'],
    ['ac', 'abc', 'ab!c'],
    ['bc', 'abc', 'a!bc'],
    ['ab', 'abc', 'abc!'],
    ['d', 'abcd', 'a!b!c!d'],
    ['a', 'abcd', 'ab!c!d!'],
    // A file that has come between.
    ['abxd', 'abcd', 'abc!xd'],
    ['xb', 'ab', 'a!xb'],
  ])('of %s, which was %s, are %s', (there, before, expected) => {
    expect(namesOf(place(there, before))).toBe(expected)
  })

  it('are at the end if the file before them is not known any more', () => {
    const known = knownOf('abc')
    known.delete(path('b'))
    expect(namesOf(placeUnwell(files('a'), new Map([[path('c'), GONE]]), known))).toBe('ac!')
  })

  it('are those of files that do not fit any more', () => {
    expect(namesOf(place('abc', 'abc', ['b']))).toBe('ab!c')
  })

  it('have their lengths, in a hundred thousand files too', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => file(String(i), 3))
    const known = new Map(newPlaces(many, new Map()).map(one => [one.path, one]))
    const unwell = new Map(many.slice(1).map(({ path }) => [path, GONE]))
    const placed = placeUnwell(many.slice(0, 1), unwell, known)
    expect(placed.map(({ path }) => path)).toEqual(many.map(({ path }) => path))
    expect(placed.every(({ outline }) => outline.extent === 3)).toBe(true)
  })
})

describe('what is new of places', () => {
  it('is the file, what follows it, and other lengths', () => {
    const known = knownOf('abc')
    expect(newPlaces(files('abc'), known)).toEqual([])
    expect(newPlaces(files('axbc'), known).map(({ path }) => path)).toEqual([path('x'), path('b')])
    const taken = { ...file('c', 5), taken: { start: 2, count: 1 } }
    expect(newPlaces([...files('ab'), taken], known)).toEqual([])
    expect(newPlaces([...files('ab'), file('c', 5)], known)).toEqual([
      { path: path('c'), length: 5, after: path('b') },
    ])
  })
})
