import { expect, it } from 'vitest'
import { endOfFixedText } from './text.ts'

const TYPE = { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII' } as const

/** The same as h5py reads of all strings of four bytes "a", blank and NUL. */
it.each([
  ['a b ', 'a b', 'a b '],
  ['a   ', 'a', 'a   '],
  ['    ', '', '    '],
  ['a  \0', 'a  ', 'a  '],
  ['a \0\0', 'a ', 'a '],
  [' \0\0\0', ' ', ' '],
  ['a\0  ', 'a', 'a\0  '],
  ['a \0 ', 'a ', 'a \0 '],
  ['a\0b\0', 'a\0b', 'a\0b'],
  ['\0\0\0\0', '', ''],
])('%j ends without the padding: %j padded with spaces, %j with NULs', (stored, spaces, nuls) => {
  const bytes = Buffer.from(stored)
  const read = (strPad: 'H5T_STR_SPACEPAD' | 'H5T_STR_NULLPAD') =>
    bytes.subarray(0, endOfFixedText({ ...TYPE, strPad }, bytes, 0)).toString()
  expect([read('H5T_STR_SPACEPAD'), read('H5T_STR_NULLPAD')]).toEqual([spaces, nuls])
})
