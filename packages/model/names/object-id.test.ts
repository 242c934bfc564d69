// Object ids: two spellings of one id, and the root group that follows from every id of its domain.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUuid, hasIdPrefix, parseUuid } from '../../server/http/dialect/ids.ts'
import {
  formatPrefixed,
  idFromBytes,
  idFromHex,
  isCollection,
  isRoot,
  kindOfCollection,
  ObjectIds,
  parsePrefixed,
  rootOf,
} from './object-id.ts'

const ids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(idFromBytes)
const kinds = fc.constantFrom('group', 'dataset', 'datatype')
const HEX = '0123456789abcdef0123456789abcdef'

describe('spellings', () => {
  test('a plain UUID is 8-4-4-4-12 digits', () => {
    expect(formatUuid(idFromHex(HEX))).toBe('01234567-89ab-cdef-0123-456789abcdef')
  })

  test.each([
    ['group', 'g-01234567-89abcdef-0123-456789-abcdef'],
    ['dataset', 'd-01234567-89abcdef-0123-456789-abcdef'],
    ['datatype', 't-01234567-89abcdef-0123-456789-abcdef'],
  ] as const)('a prefixed id of a %s is a letter and 8-8-4-6-6 digits', (kind, text) => {
    expect(formatPrefixed({ kind, id: idFromHex(HEX) })).toBe(text)
    expect(parsePrefixed(text)).toEqual({ kind, id: HEX })
    expect(hasIdPrefix(text)).toBe(true)
  })

  test('behind a prefix the layout of a plain UUID is read too', () => {
    expect(parsePrefixed('g-01234567-89ab-cdef-0123-456789abcdef')).toEqual({ kind: 'group', id: HEX })
  })

  test('a plain UUID may have upper-case digits', () => {
    expect(parseUuid('01234567-89AB-CDEF-0123-456789ABCDEF')).toBe(HEX)
  })

  test.each([
    '',
    HEX,
    '01234567-89ab-cdef-0123-456789abcde',
    '01234567-89ab-cdef-0123-456789abcdeff',
    '01234567-89ab-cdef-0123-456789abcdeg',
    ' 01234567-89ab-cdef-0123-456789abcdef',
    '01234567-89ab-cdef-0123-456789abcdef\n',
    'x-01234567-89abcdef-0123-456789-abcdef',
    'G-01234567-89abcdef-0123-456789-abcdef',
    'g-01234567-89abcdef-0123-456789-abcde',
    'g-01234567-89abcdef-0123-456789-abcdef\n',
    'null',
  ])('neither spelling: %j', text => {
    expect(parseUuid(text)).toBeUndefined()
    expect(parsePrefixed(text)).toBeUndefined()
  })

  test('a prefix is one of three letters and a hyphen', () => {
    expect(['g-', 'd-x', 't-1', '', 'g', 'gd-', 'x-1', '-'].map(hasIdPrefix)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('every id comes back from both spellings', () => {
    fc.assert(
      fc.property(ids, kinds, (id, kind) => {
        expect(parseUuid(formatUuid(id))).toBe(id)
        expect(parseUuid(formatUuid(id).toUpperCase())).toBe(id)
        expect(parsePrefixed(formatPrefixed({ kind, id }))).toEqual({ kind, id })
        expect(parseUuid(formatPrefixed({ kind, id }))).toBeUndefined()
        expect(parsePrefixed(formatUuid(id))).toBeUndefined()
        expect(idFromHex(id)).toBe(id)
      }),
    )
  })

  test('an id has 16 bytes', () => {
    expect(() => idFromBytes(new Uint8Array(15))).toThrow('16 bytes')
    expect(() => idFromHex(HEX.slice(1))).toThrow(expect.objectContaining({ code: 'malformed-id' }))
    expect(() => idFromHex(HEX.toUpperCase())).toThrow(expect.objectContaining({ code: 'malformed-id' }))
  })
})

describe('the root group', () => {
  test('has the first half of every id of its domain, and the same with top bits flipped', () => {
    expect(rootOf(idFromHex(HEX))).toBe('0123456789abcdef89abcdef01234567')
  })

  test('follows from every id of its domain', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: 255 })), stream => {
        const random = (length: number) => Uint8Array.from(stream.take(length))
        const root = new ObjectIds(random).newRoot()
        const id = new ObjectIds(random).newObject(root)
        expect(isRoot(root)).toBe(true)
        expect(rootOf(root)).toBe(root)
        expect(isRoot(id)).toBe(false)
        expect(rootOf(id)).toBe(root)
      }),
    )
  })

  test('is never taken for a new object', () => {
    const root = idFromHex('0123456789abcdef89abcdef01234567')
    const ids = new ObjectIds(() => Uint8Array.of(0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67))
    expect(ids.newObject(root)).toBe('0123456789abcdef89abcdef01234568')
  })
})

describe('ids of new objects', () => {
  const root = idFromHex('0123456789abcdef89abcdef01234567')

  test('count up from random bytes, in whatever domain', () => {
    const ids = new ObjectIds(() => Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 0xff))
    expect(ids.newObject(root)).toBe('0123456789abcdef01020304000000ff')
    expect(ids.newObject(idFromHex('f'.repeat(32)))).toBe('ffffffffffffffff0102030400000100')
    expect(ids.newObject(root)).toBe('0123456789abcdef0102030400000101')
  })

  test('several follow one another, without the root group and without the end of the last 32 bits', () => {
    const rolls = [
      [0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x65],
      [0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe],
      [9, 9, 9, 9, 0, 0, 0, 5],
    ]
    const ids = new ObjectIds(() => Uint8Array.from(rolls.shift() ?? []))
    const halves = (count: number) => ids.newObjects(root, count).map(id => id.slice(16))
    expect(halves(3)).toEqual(['89abcdef01234568', '89abcdef01234569', '89abcdef0123456a'])
    const other = new ObjectIds(() => Uint8Array.from(rolls.shift() ?? []))
    expect(other.newObjects(root, 3).map(id => id.slice(16))).toEqual([
      '0909090900000005',
      '0909090900000006',
      '0909090900000007',
    ])
  })

  test('begin anew at other random bytes when the last 32 bits are used up', () => {
    const rolls = [
      [0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff],
      [9, 9, 9, 9, 0, 0, 0, 5],
    ]
    const ids = new ObjectIds(() => Uint8Array.from(rolls.shift() ?? []))
    const made = Array.from({ length: 3 }, () => ids.newObject(root).slice(16))
    expect(made).toEqual(['00000001ffffffff', '0909090900000005', '0909090900000006'])
  })
})

test('collections and kinds', () => {
  expect(kindOfCollection('groups')).toBe('group')
  expect(kindOfCollection('datasets')).toBe('dataset')
  expect(kindOfCollection('datatypes')).toBe('datatype')
  expect(['groups', 'datasets', 'datatypes', 'group', 'toString', ''].map(isCollection)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
