// Names that a link or an attribute may have.

import { describe, expect, test } from 'vitest'
import { aclName, userName } from '../../server/service/user-names.ts'
import { attributeName, linkTitle, MAX_NAME_BYTES } from './names.ts'

const LONGEST = '€'.repeat(MAX_NAME_BYTES / 3)

describe.each([
  ['linkTitle', linkTitle],
  ['attributeName', attributeName],
  ['aclName', aclName],
  ['userName', userName],
])('%s', (_, check) => {
  test.each([
    'a',
    ' ',
    '.',
    '..',
    'dset1.1.1',
    'Ωmega 測試 😀',
    'a\nb',
    '%2F',
    '\\',
    '__proto__',
    'x'.repeat(MAX_NAME_BYTES),
    LONGEST,
  ])('any other text is a name: %.20s', name => {
    expect(check(name)).toBe(name)
  })

  test.each([
    ['', 'must not be empty'],
    ['a\0b', 'must not hold a NUL character'],
    ['a\ud83d', 'must not hold half of a surrogate pair'],
    ['\ude00', 'must not hold half of a surrogate pair'],
    ['x'.repeat(MAX_NAME_BYTES + 1), 'must not take more than 65535 bytes of UTF-8'],
    [`${LONGEST}€`, 'must not take more than 65535 bytes of UTF-8'],
    ['x'.repeat(10_000_000), 'must not take more than 65535 bytes of UTF-8'],
  ])('refused: %.20s', (name, rule) => {
    expect(() => check(name)).toThrow(expect.objectContaining({ code: 'malformed-name' }))
    expect(() => check(name)).toThrow(rule)
  })

  test('the message about a long name is short', () => {
    expect(() => check('x'.repeat(10_000_000))).toThrow(/^.{1,200}$/)
  })
})

test('a slash may stand in the name of an attribute, but not in the title of a link', () => {
  expect(attributeName('a/b')).toBe('a/b')
  expect(() => linkTitle('a/b')).toThrow('the link title "a/b" must not hold a slash')
})
