// Names that readers of Zarr can put into an address, and those that would lead them elsewhere.

import { describe, expect, it } from 'vitest'
import { nameFault } from './names.ts'

describe('a name is shown', () => {
  it.each([
    'a',
    'a b',
    'é',
    '漢字',
    'a%b',
    '%zz',
    'a&b=c',
    '.hidden',
    '...',
    'c',
    '0.0',
    '~x',
    ' lead ',
    '[x]',
    '"q"',
  ])('%j', name => expect([nameFault(name, 2), nameFault(name, 3)]).toEqual([undefined, undefined]))
})

describe('a name is left out', () => {
  it.each([
    ['a\\b', 'the backslash'],
    ['a#b', 'at the #'],
    ['a?b', 'at the ?'],
    ['a%2Fb', 'encode the %2F'],
    ['%41', 'encode the %41'],
    ['a\tb', 'tab or line break'],
    ['a\nb', 'tab or line break'],
    ['a/b', 'a slash'],
    ['..', 'another meaning'],
  ])('%j: %s', (name, reason) => {
    expect(nameFault(name, 2)).toContain(reason)
    expect(nameFault(name, 3)).toContain(reason)
  })

  it.each([
    ['zarr.json', 3],
    ['.zgroup', 2],
    ['.zarray', 2],
    ['.zattrs', 2],
    ['.zmetadata', 2],
  ] as const)('%s in Zarr %i, where it is that of a document', (name, format) => {
    expect(nameFault(name, format)).toBe(`Zarr ${format} has a document of its name`)
    expect(nameFault(name, format === 2 ? 3 : 2)).toBeUndefined()
  })
})
