// The messages of links, shared messages, times and drivers in old versions, and the fields that are rejected in them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldReader, type Widths } from '../field-reader.ts'
import { decodeDriverBlock, decodeDriverMessage } from './driver-info.ts'
import { decodeLink } from './link.ts'
import { decodeOldModificationTime } from './modification-time.ts'
import { characterSetOf, decodeName, encodeName } from './names.ts'
import { decodeShared } from './shared.ts'

const WIDE = { offsets: 8, lengths: 8 }

function fieldsOf(bytes: readonly number[] | string, widths: Widths = WIDE): FieldReader {
  const all = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes)
  return new FieldReader(all, widths, 'the message', 9)
}

describe('a link message', () => {
  it.each([
    ['a version that is none', [2, 0, 1, 65], 'there is no version 2 of it'],
    ['a type that is none', [1, 8, 2, 1, 65, 0, 0], 'there is no link of type 2'],
    ['an empty name', [1, 0, 0, 0, 0], 'a link has an empty name'],
    ['a name beyond its end', [1, 3, 255, 255, 255, 255, 255, 255, 0, 0, 65], 'bytes are needed'],
    ['an empty path', [1, 8, 1, 1, 65, 0, 0], 'a soft link has an empty path'],
    [
      'an undefined address',
      [1, 0, 1, 65, ...Array<number>(8).fill(255)],
      'the object of a link is undefined',
    ],
    [
      'an external file without an object',
      [1, 8, 64, 1, 65, 3, 0, 0, 66, 0],
      'does not name a file and an object',
    ],
    [
      'an external file that does not end',
      [1, 8, 64, 1, 65, 3, 0, 0, 66, 66],
      'does not name a file and an object',
    ],
    ['a character set that is none', [1, 16, 2, 1, 65], 'there is no character set 2'],
  ])('with %s is rejected', (_what, bytes, rule) => {
    expect(() => decodeLink(fieldsOf(bytes))).toThrow(rule)
  })
})

describe('a shared message', () => {
  it.each([
    ['version 1, behind the offset of a name', [1, 0, 0, 0, 0, 0, 0, 0, 9, 9, 7, 0, 0, 0], 7],
    ['version 2', [2, 0, 7, 0, 0, 0], 7],
    ['version 3', [3, 2, 7, 0, 0, 0], 7],
  ])('is read: %s', (_what, bytes, address) => {
    expect(decodeShared(fieldsOf(bytes, { offsets: 4, lengths: 2 }))).toEqual({ kind: 'object', address })
  })

  it.each([
    [[4, 0, 0, 0], 'there is no version 4 of it'],
    [[3, 3, 0, 0, 0, 0], 'a message cannot be shared in the way 3'],
    [[3, 2, 255, 255, 255, 255], 'the address of the message is undefined'],
  ])('%j is rejected', (bytes, rule) => {
    expect(() => decodeShared(fieldsOf(bytes, { offsets: 4, lengths: 2 }))).toThrow(rule)
  })
})

describe('the modification time of the first files', () => {
  it('is a date in digits', () => {
    expect(decodeOldModificationTime(fieldsOf('19980720123456\0\0'))).toBe(
      Date.UTC(1998, 6, 20, 12, 34, 56) / 1000,
    )
  })

  it('is rejected without digits', () => {
    expect(() => decodeOldModificationTime(fieldsOf('1998-07-20 12:3'))).toThrow('its digits are not a date')
  })
})

describe('driver information', () => {
  it.each([
    ['NCSAfami', 'family'],
    ['NCSAmult', 'multi'],
    ['STDIO...', undefined],
  ])('%s', (identification, driver) => {
    expect(decodeDriverBlock(fieldsOf(`\0\0\0\0\x09\0\0\0${identification}`))).toBe(driver)
    expect(decodeDriverMessage(fieldsOf(`\0${identification}\x09\0`))).toBe(driver)
  })
})

describe('a name', () => {
  it.each([
    ['ASCII', [0x61, 0x62], 'ab', false],
    ['UTF-8', [0xc3, 0xa4, 0xf0, 0x9f, 0x98, 0x80], 'ä😀', false],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa', false],
    ['behind a NUL', [0x61, 0, 0x62], 'a', false],
    ['Latin-1', [0x61, 0xe4, 0x62], 'a\ufffdxe4b', true],
    ['UTF-8 that is cut off', [0xc3, 0xa4, 0xc3], 'ä\ufffdxc3', true],
    ['half of a pair of surrogates', [0xed, 0xa0, 0x80], '\ufffdxed\ufffdxa0\ufffdx80', true],
    ['bytes that are never UTF-8', [0xff, 0xfe], '\ufffdxff\ufffdxfe', true],
    ['a replacement character', [0xef, 0xbf, 0xbd, 0x78], '\ufffdx', false],
    [
      'what looks like an escape',
      [0xef, 0xbf, 0xbd, 0x78, 0x66, 0x66],
      '\ufffdxef\ufffdxbf\ufffdxbdxff',
      true,
    ],
  ])('in %s', (_what, bytes, text, escaped) => {
    expect(decodeName(Uint8Array.from(bytes))).toEqual({ text, escaped })
  })

  it('has its bytes again, whatever they are, and other names become other strings', () => {
    const parts = ['61', 'e9', 'c3a4', 'efbfbd', 'efbf', '786666', '5c786666', '7861', 'f09f9880']
    const name = fc
      .array(fc.constantFrom(...parts), { maxLength: 8 })
      .map(some => Buffer.from(some.join(''), 'hex'))
    fc.assert(
      fc.property(name, bytes => {
        expect(Buffer.from(encodeName(decodeName(bytes).text)).toString('hex')).toBe(bytes.toString('hex'))
      }),
    )
  })

  it('is called ASCII if its bytes are not UTF-8', () => {
    expect(['a', 'ä', 'a\ufffdxe4'].map(characterSetOf)).toEqual([
      'H5T_CSET_ASCII',
      'H5T_CSET_UTF8',
      'H5T_CSET_ASCII',
    ])
  })
})
