import { type DomainPath, idFromHex, parseDomainPath, rootOf } from '@hyperslab/model/names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCoordinates, encodeCoordinates } from '../chunk-records/chunk-key.ts'
import { component, type Range, rangeAfter, rangeOf } from '../key-range.ts'
import { blobName, parseBlobName } from './blob-name.ts'
import {
  backLinkRest,
  childKey,
  childrenRange,
  contentsRange,
  creationOrder,
  domainKey,
  domainRemainsKey,
  idOfIndexKey,
  idOfRemainsKey,
  indexKey,
  indexRange,
  MAX_KEY_LENGTH,
  memberTombstonesRange,
  nameOfCreationOrder,
  objectKey,
  objectRange,
  objectRemainsKey,
  parseBackLink,
  restOfObjectKey,
  tombstoneKey,
} from './keys.ts'

const ID = idFromHex('00112233445566778899aabbccddeeff')
/** Both halves end with FF, the first in all its bytes. */
const LAST = idFromHex('ffffffffffffffff00000000ffffffff')
const OTHER = idFromHex('00112233445566788899aabbccddeeff')

const compare = (a: Uint8Array, b: Uint8Array): number => Math.sign(Buffer.compare(a, b))
const isIn = (key: Uint8Array, { start, end }: Range): boolean =>
  compare(start, key) <= 0 && compare(key, end) < 0
const utf8 = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 })

describe('names in keys', () => {
  it('sort as UTF-8, characters beyond U+FFFF last', () => {
    const names = ['😀', '\uffff', 'z', 'a', 'é', 'ab', '10', '9', '\ue000']
    const sorted = [...names].sort((a, b) => compare(component(a), component(b)))
    expect(sorted).toEqual(['10', '9', 'a', 'ab', 'z', 'é', '\ue000', '\uffff', '😀'])
  })

  it('of up to 900 bytes are themselves, longer ones are cut and distinguished by their hash', () => {
    expect(component('x'.repeat(900))).toHaveLength(900)
    const [a, b] = [component(`${'x'.repeat(900)}a`), component(`${'x'.repeat(900)}b`)]
    expect(a).toHaveLength(900)
    expect(a.subarray(0, 868)).toEqual(b.subarray(0, 868))
    expect(compare(a, b)).not.toBe(0)
    expect(a[867]).toBe(0xff)
  })

  it('that are too long keep their position among the others', () => {
    const long = component(`b${'x'.repeat(5000)}`)
    expect(compare(component('a'), long)).toBe(-1)
    expect(compare(component('c'), long)).toBe(1)
    expect(compare(component(`b${'x'.repeat(800)}`), long)).toBe(-1)
    expect(compare(component(`b${'x'.repeat(300)}y`), long)).toBe(1)
  })

  it('never make a key that is too long', () => {
    const deep = parseDomainPath(`/${'n'.repeat(200)}`.repeat(20))
    const long = 'é'.repeat(30_000)
    const keys = [
      domainKey(deep),
      childKey(deep, long),
      objectKey(ID, 'link', component(long)),
      objectKey(ID, 'linkByCreation', creationOrder(2 ** 53, component(long))),
      objectKey(ID, 'backLink', backLinkRest(ID, component(long))),
      tombstoneKey(ID, 'attribute', component(long)),
    ]
    expect(Math.max(...keys.map(key => key.length))).toBe(MAX_KEY_LENGTH)
  })
})

describe('ranges', () => {
  it('of a prefix hold every key that begins with it, and no other', () => {
    const prefixes = fc.uint8Array({ minLength: 1, maxLength: 4 }).map(bytes => {
      // Keys begin with a section's letter, never with FF.
      bytes[0] %= 0xff
      return bytes
    })
    const keys = fc.uint8Array({ minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(prefixes, keys, (prefix, key) => {
        const begins = compare(key.subarray(0, prefix.length), prefix) === 0
        expect(isIn(key, rangeOf(prefix))).toBe(begins)
        expect(isIn(Buffer.concat([prefix, key]), rangeOf(prefix))).toBe(true)
      }),
    )
  })

  it('after a key leave it out and keep what follows', () => {
    const range = rangeAfter(rangeOf(Buffer.from('l')), Buffer.from('lb'))
    expect(['la', 'lb', 'lb\0', 'lba', 'lc', 'm'].map(key => isIn(Buffer.from(key), range))).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ])
  })

  it.each([ID, LAST])('of a domain and of an object hold what is theirs alone (%s)', id => {
    const keys = [objectKey(id, 'record'), objectKey(id, 'values', Uint8Array.of(255)), objectKey(id, 'link')]
    for (const key of keys) {
      expect(isIn(key, contentsRange(id))).toBe(true)
      expect(isIn(key, objectRange(id))).toBe(true)
      expect(isIn(key, objectRange(OTHER))).toBe(false)
    }
    for (const key of [indexKey('group', id), tombstoneKey(id, 'object')]) {
      expect(isIn(key, contentsRange(id))).toBe(true)
      expect(isIn(key, objectRange(id))).toBe(false)
      expect(isIn(key, contentsRange(OTHER))).toBe(false)
    }
    expect(isIn(indexKey('group', id), indexRange('group', id))).toBe(true)
    expect(isIn(indexKey('dataset', id), indexRange('group', id))).toBe(false)
    for (const what of ['attribute', 'link'] as const) {
      expect(isIn(tombstoneKey(id, what, component('a')), memberTombstonesRange(id))).toBe(true)
    }
    expect(isIn(tombstoneKey(id, 'object'), memberTombstonesRange(id))).toBe(false)
    expect(idOfRemainsKey(objectRemainsKey(id))).toBe(id)
    expect(idOfRemainsKey(domainRemainsKey(id))).toBe(rootOf(id))
    expect(idOfIndexKey(indexKey('dataset', id))).toBe(id)
  })

  it('of a folder hold its children, not their children nor its neighbours', () => {
    const folder = '/a' as DomainPath
    const inside = ['/a/b', '/a/é', `/a/${'x'.repeat(250)}`]
    const outside = ['/', '/a', '/b', '/a/b/c', '/a-/b', '/aa/b', '/a\u0001/b']
    for (const path of inside) {
      expect(isIn(domainKey(path as DomainPath), childrenRange(folder)), path).toBe(true)
    }
    for (const path of outside) {
      expect(isIn(domainKey(path as DomainPath), childrenRange(folder)), path).toBe(false)
    }
    expect(domainKey('/a/b' as DomainPath)).toEqual(childKey(folder, 'b'))
  })
})

describe('parts of keys', () => {
  it('by creation: earlier first, then by name', () => {
    const positions = [
      [1, 'z'],
      [255, 'a'],
      [256, 'a'],
      [256, 'b'],
      [2 ** 53 - 1, 'a'],
    ] as const
    const keys = positions.map(([time, name]) => creationOrder(time, component(name)))
    expect([...keys].sort(Buffer.compare)).toEqual(keys)
    expect(Buffer.from(nameOfCreationOrder(keys[3])).toString()).toBe('b')
  })

  it('a back link tells the group and the title that it comes from', () => {
    const rest = backLinkRest(ID, component('title'))
    const key = objectKey(LAST, 'backLink', rest)
    const source = parseBackLink(ID, restOfObjectKey(key))
    expect(source.group).toBe(ID)
    expect(Buffer.from(source.title).toString()).toBe('title')
  })

  const coordinates = fc.array(fc.oneof(fc.nat(300), fc.nat(2 ** 31), fc.maxSafeNat()), { maxLength: 5 })

  it('coordinates come back, and sort like numbers', () => {
    fc.assert(
      fc.property(coordinates, coordinates, (a, b) => {
        expect(decodeCoordinates(encodeCoordinates(a))).toEqual(a)
        const different = a.findIndex((coordinate, d) => coordinate !== b[d])
        if (a.length !== b.length || different < 0) return
        const expected = Math.sign(a[different] - b[different])
        expect(compare(encodeCoordinates(a), encodeCoordinates(b))).toBe(expected)
      }),
    )
  })

  it('a blob’s name tells its chunk; other names tell nothing', () => {
    fc.assert(
      fc.property(coordinates, chunk => {
        const blob = { dataset: ID, coordinates: encodeCoordinates(chunk), version: '0123456789abcdef' }
        const parsed = parseBlobName(blobName(blob))
        expect(parsed && { ...parsed, coordinates: Uint8Array.from(parsed.coordinates) }).toEqual(blob)
      }),
    )
    const half = '0123456789abcdef'
    for (const name of [
      half,
      `${half}/${half}`,
      `${half}/${half}/0`,
      `${half}/${half}/${half}/${half}`,
      'ab/cd/ef',
    ]) {
      expect(parseBlobName(name)).toBeUndefined()
    }
  })

  it('any two names are kept apart', () => {
    fc.assert(
      fc.property(utf8, utf8, (a, b) => {
        const [left, right] = [Buffer.from(a), Buffer.from(b)]
        fc.pre(left.length <= 900 && right.length <= 900)
        expect(compare(component(a), component(b))).toBe(compare(left, right))
      }),
    )
  })
})
