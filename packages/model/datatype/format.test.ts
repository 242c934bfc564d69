// The types that are the same.

import { expect, it } from 'vitest'
import type { Datatype, EnumType } from './datatype.ts'
import { isSameType } from './format.ts'

const BYTE: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const WORD: Datatype = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' }

const compound = (name: string, inFile?: { size: number; offsets: number[] }): Datatype => ({
  class: 'H5T_COMPOUND',
  fields: [
    { name, type: BYTE },
    { name: 'b', type: WORD },
  ],
  ...(inFile && { inFile }),
})

const withValue = (value: number | bigint): EnumType => ({
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' },
  members: [{ name: 'A', value }],
})

it.each<[is: boolean, what: string, a: Datatype, b: Datatype]>([
  [true, 'equal types', compound('a'), compound('a')],
  [true, 'gaps in files', compound('a', { size: 16, offsets: [0, 8] }), compound('a')],
  [
    true,
    'gaps in files, inside',
    { class: 'H5T_VLEN', base: compound('a', { size: 16, offsets: [0, 8] }) },
    { class: 'H5T_VLEN', base: compound('a', { size: 24, offsets: [8, 16] }) },
  ],
  [false, 'another name', compound('a'), compound('c')],
  [false, 'another order of bytes', WORD, { ...WORD, order: 'BE' }],
  [true, 'equal values beyond 2^53', withValue(2n ** 60n), withValue(2n ** 60n)],
  [false, 'another value of an enum', withValue(2n ** 60n), withValue(2n ** 60n + 1n)],
])('isSameType is %s of %s', (is, _, a, b) => {
  expect(isSameType(a, b)).toBe(is)
})
