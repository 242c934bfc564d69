import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, test } from 'vitest'
import { parseDatatype } from '../datatype/parse.ts'
import { parseJson } from '../json/json-parser.ts'
import type { Elements } from '../values/elements.ts'
import {
  readFileUri,
  readLocation,
  rowFormOf,
  rowOfFile,
  type WrongTable,
  writeLocation,
} from './chunk-table.ts'

const wrongTable: WrongTable = rule => new HyperslabError('values-unreadable', rule)

function typeOf(fields: object) {
  const list = Object.entries(fields).map(([name, type]) => ({ name, type }))
  return parseDatatype(parseJson(JSON.stringify({ class: 'H5T_COMPOUND', fields: list })))
}

function textOf(length: number | 'H5T_VARIABLE') {
  return { class: 'H5T_STRING', length, charSet: 'H5T_CSET_UTF8', strPad: 'H5T_STR_NULLPAD' }
}

const OFFSET = { offset: 'H5T_STD_I64LE' }
const SIZE = { size: 'H5T_STD_I32LE' }

/** Two rows with locations in the file. */
function rowsOf(fields: object, uri: string): Elements {
  const form = rowFormOf(typeOf(fields), wrongTable)
  const { data, heap } = rowOfFile(form, uri, wrongTable)
  const rows = new Uint8Array([...data, ...data])
  const view = new DataView(rows.buffer)
  writeLocation(form, view, 0, { position: 7, length: 8 })
  writeLocation(form, view, 1, { position: 2 ** 40, length: 2 ** 31 - 1 })
  return { count: 2, data: rows, heap }
}

describe('rows are read as they were written', () => {
  test.each<[string, object, string | undefined]>([
    ['without a file', { ...OFFSET, ...SIZE }, undefined],
    [
      'in another order, between other members',
      { a: 'H5T_STD_U8LE', ...SIZE, b: 'H5T_STD_I16LE', ...OFFSET },
      undefined,
    ],
    ['big-endian and unsigned', { offset: 'H5T_STD_U64BE', size: 'H5T_STD_U32BE' }, undefined],
    ['a string that fits exactly', { ...OFFSET, ...SIZE, file_uri: textOf(9) }, 'a/ü.h5 b'],
    ['a longer string', { file_uri: textOf(40), ...OFFSET, ...SIZE }, 'a/ü.h5 b'],
    ['a string of variable size', { ...OFFSET, ...SIZE, file_uri: textOf('H5T_VARIABLE') }, 'a/ü.h5 b'],
    ['a number as file_uri', { ...OFFSET, ...SIZE, file_uri: 'H5T_STD_I32LE' }, undefined],
  ])('%s', (_title, fields, uri) => {
    const form = rowFormOf(typeOf(fields), wrongTable)
    const rows = rowsOf(fields, 'a/ü.h5 b')
    expect(readLocation(form, rows, 0, wrongTable)).toEqual({ position: 7, length: 8 })
    expect(readLocation(form, rows, 1, wrongTable)).toEqual({ position: 2 ** 40, length: 2 ** 31 - 1 })
    expect([0, 1].map(index => readFileUri(form, rows, index))).toEqual([uri, uri])
  })
})

describe('refused', () => {
  test.each<[object, string]>([
    [{ ...OFFSET }, 'no integer "size"'],
    [{ ...SIZE }, 'no integer "offset"'],
    [{ offset: 'H5T_IEEE_F64LE', ...SIZE }, 'no integer "offset"'],
  ])('%j', (fields, rule) => {
    expect(() => rowFormOf(typeOf(fields), wrongTable)).toThrow(rule)
  })

  test('what is no compound', () => {
    expect(() => rowFormOf(parseDatatype(parseJson('"H5T_STD_I64LE"')), wrongTable)).toThrow(
      'no integer "offset"',
    )
  })

  test('a name of a file that is longer than the member', () => {
    const form = rowFormOf(typeOf({ ...OFFSET, ...SIZE, file_uri: textOf(8) }), wrongTable)
    expect(() => rowOfFile(form, 'a/ü.h5 b', wrongTable)).toThrow(
      '"file_uri" has 8 bytes, and "a/ü.h5 b" has 9',
    )
  })

  test.each<[string, number | 'H5T_VARIABLE']>([
    ['of variable size', 'H5T_VARIABLE'],
    ['of fixed size', 5000],
  ])('a name of a file, %s, that is longer than a path may be', (_title, length) => {
    const fields = { ...OFFSET, ...SIZE, file_uri: textOf(length) }
    const form = rowFormOf(typeOf(fields), wrongTable)
    const longest = `file:///${'ü'.repeat(2047)}b`
    expect(readFileUri(form, rowsOf(fields, longest), 1)).toBe(longest)
    expect(() => readFileUri(form, rowsOf(fields, `${longest}c`), 1)).toThrow(
      'a file_uri must take at most 4103 bytes of UTF-8, and the table of chunks has one of 4104',
    )
  })

  test('a position that the integers cannot hold', () => {
    const form = rowFormOf(typeOf({ offset: 'H5T_STD_I32LE', ...SIZE }), wrongTable)
    const view = new DataView(new ArrayBuffer(8))
    expect(() => writeLocation(form, view, 0, { position: 2 ** 31, length: 8 })).toThrow('out of range')
  })

  test('a negative position, and one beyond 2^53', () => {
    const form = rowFormOf(typeOf({ ...OFFSET, size: 'H5T_STD_I64LE' }), wrongTable)
    for (const [offset, size, name] of [
      [-1n, 8n, 'offset'],
      [8n, 2n ** 53n, 'size'],
    ] as const) {
      const data = new Uint8Array(new BigInt64Array([offset, size]).buffer)
      expect(() => readLocation(form, { count: 1, data, heap: new Uint8Array() }, 0, wrongTable)).toThrow(
        `"${name}" must not`,
      )
    }
  })
})
