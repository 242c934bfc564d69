// The JSON and the binary form of a dataset's values, read and written, for each class of datatype, in the hsds dialect
// (hsds-values 7.7, 12 and 13).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }

const text = (length: number | string, charSet = 'H5T_CSET_UTF8', strPad = 'H5T_STR_NULLPAD') => ({
  class: 'H5T_STRING',
  charSet,
  strPad,
  length,
})
const compound = (...types: unknown[]) => ({
  class: 'H5T_COMPOUND',
  fields: types.map((type, i) => ({ name: `m${i}`, type })),
})
const array = (base: unknown, ...dims: number[]) => ({ class: 'H5T_ARRAY', base, dims })
const enumOf = (base: string, mapping: object) => ({
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', base },
  mapping,
})
const BOOLEAN = enumOf('H5T_STD_I8LE', { FALSE: 0, TRUE: 1 })
const OBJECT = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }

beforeAll(makeHome)

async function bytesOf(domain: Domain, id: string): Promise<Buffer> {
  const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, BINARY)
  expect(reply.status, reply.story).toBe(200)
  expect(reply.headers['content-type'], reply.story).toBe(OCTETS)
  return reply.bytes
}

async function putBytes(domain: Domain, id: string, bytes: Uint8Array): Promise<void> {
  const reply = await domain.send('PUT', `/datasets/${id}/value`, bytes, BINARY_BODY)
  expect(reply.status, reply.story).toBe(200)
}

describe('hsds-values 12 and 13: JSON in, bytes out, bytes in, JSON out', () => {
  test.each<[string, unknown, unknown[], string]>([
    ['I16BE', 'H5T_STD_I16BE', [-2, 300], 'fffe 012c'],
    ['U64LE', 'H5T_STD_U64LE', [0, 255], '0000000000000000 ff00000000000000'],
    ['F16LE', 'H5T_IEEE_F16LE', [0.5, -1.25], '0038 00bd'],
    ['F64BE', 'H5T_IEEE_F64BE', [1, -2.5], '3ff0000000000000 c004000000000000'],
    [
      'a string padded with spaces',
      text(4, 'H5T_CSET_ASCII', 'H5T_STR_SPACEPAD'),
      ['a ', 'wxyz'],
      '61200000 7778797a',
    ],
    ['a fixed string', text(4), ['né', 'wxyz'], '6ec3a900 7778797a'],
    ['an opaque type, in Base64', { class: 'H5T_OPAQUE', size: 3 }, ['AP+A', 'AAAA'], '00ff80 000000'],
    ['an enum', enumOf('H5T_STD_I16BE', { A: 0, B: 1 }), [1, 300], '0001 012c'],
    ['the boolean', BOOLEAN, [true, false], '01 00'],
    [
      'an array as the type',
      array('H5T_STD_U8LE', 2, 2),
      [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
      '01020304 05060708',
    ],
    ['an array of arrays', array(array('H5T_STD_U8LE', 2), 1), [[[1, 2]], [[3, 4]]], '0102 0304'],
    [
      'an array of compounds',
      array(compound('H5T_STD_U8LE', text(1)), 2),
      [
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [3, 'c'],
          [4, ''],
        ],
      ],
      '01610262 03630400',
    ],
    [
      'an array of enums',
      array(BOOLEAN, 2),
      [
        [true, false],
        [false, true],
      ],
      '0100 0001',
    ],
    [
      'a packed compound',
      compound('H5T_STD_I16BE', 'H5T_IEEE_F16LE', text(4)),
      [
        [-2, 0.5, 'ab'],
        [300, -1.25, 'wxyz'],
      ],
      'fffe003861620000 012c00bd7778797a',
    ],
    [
      'a compound in a compound',
      compound('H5T_STD_U8LE', compound('H5T_STD_I16BE', array('H5T_STD_I16LE', 2))),
      [
        [1, [2, [3, 4]]],
        [5, [6, [7, 8]]],
      ],
      '01000203000400 05000607000800',
    ],
    ['a null reference', OBJECT, ['', ''], '00'.repeat(96)],
  ])('%s', async (_, type, value, hex) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type, shape: [2] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    expect((await bytesOf(domain, id)).toString('hex')).toBe(bytes.toString('hex'))
    expect(await domain.value(id)).toEqual(value)
    const other = await domain.dataset({ type, shape: [2] })
    await putBytes(domain, other, bytes)
    expect(await domain.value(other)).toEqual(value)
    const value_base64 = bytes.toString('base64')
    await domain.want(200, 'PUT', `/datasets/${other}/value`, { points: [1, 0], value_base64 })
    expect(await domain.value(other)).toEqual([...value].reverse())
  })

  test('object references are 48 bytes of text, whatever they refer to', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: OBJECT, shape: [3] })
    expect(await domain.value(id)).toEqual(['', '', ''])
    const value = [
      `groups/${domain.root}`,
      `datasets/${id}`,
      'datatypes/t-00000000-00000000-0000-000000-000000',
    ]
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    expect(await domain.value(id)).toEqual(value)
    const bytes = await bytesOf(domain, id)
    expect(bytes.toString()).toBe(value.map(reference => reference.padEnd(48, '\0')).join(''))
    await putBytes(domain, id, Buffer.concat([bytes.subarray(48), bytes.subarray(0, 48)]))
    expect(await domain.value(id)).toEqual([value[1], value[2], value[0]])
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: ['groups/x', '', ''] })
  })
})

describe('hsds-values 7.7: conversions', () => {
  test.each<[unknown, unknown, unknown]>([
    ['H5T_STD_I8LE', -2.9, -2],
    ['H5T_STD_I8LE', '12', 12],
    ['H5T_STD_I8LE', true, 1],
    ['H5T_IEEE_F64LE', '1.5e2', 150],
    ['H5T_IEEE_F64LE', true, 1],
    [text(7), '12345678', '1234567'],
    [text(4), 'abcé', 'abc'],
    [text(3, 'H5T_CSET_ASCII'), 'abé', 'ab'],
    [text(5), 'éé\0\0', 'éé'],
    [text(5), 'a\0b ', 'a\0b '],
    [text(5, 'H5T_CSET_UTF8', 'H5T_STR_NULLTERM'), '12345', '12345'],
    [text(6), 12, '12'],
    [text(6), -1.5, '-1.5'],
    [BOOLEAN, 1, true],
    [
      array('H5T_STD_I8LE', 2, 2),
      [1, 2, 3, 4],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [compound(array('H5T_STD_I8LE', 2, 1), 'H5T_STD_I8LE'), [[1, 2], 3], [[[1], [2]], 3]],
    [enumOf('H5T_STD_U8LE', { A: 0 }), 200, 200],
  ])('%j takes %j for %j', async (type, value, expected) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    expect(await domain.value(id)).toEqual(expected)
  })

  test('64-bit integers are exact, from numbers and from text', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_U64LE', shape: [2] })
    await domain.want(
      200,
      'PUT',
      `/datasets/${id}/value`,
      '{"value":[18446744073709551615,"9007199254740993"]}',
    )
    const reply = await domain.send('GET', `/datasets/${id}/value`)
    expect(reply.text).toContain('[18446744073709551615,9007199254740993]')
  })

  test('words for what is not finite, in any case; too large a float is infinite', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_IEEE_F32LE', shape: [5] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, '{"value":["nan","INF","-Infinity",1e300,NaN]}')
    const reply = await domain.send('GET', `/datasets/${id}/value`)
    expect(reply.text).toContain('[NaN,Infinity,-Infinity,Infinity,NaN]')
  })

  test.each<[unknown, unknown]>([
    ['H5T_STD_I8LE', 128],
    ['H5T_STD_U8LE', -1],
    ['H5T_STD_I8LE', '"128"'],
    ['H5T_STD_I8LE', '"1.5"'],
    ['H5T_STD_I8LE', '"x"'],
    ['H5T_STD_I8LE', 'NaN'],
    ['H5T_STD_I8LE', '-Infinity'],
    ['H5T_STD_I8LE', 'null'],
    ['H5T_IEEE_F64LE', '"x"'],
    [text(4), '["a","b"]'],
    [text(4), '{"a":1}'],
    [text('H5T_VARIABLE'), '5'],
    [BOOLEAN, '2'],
    [BOOLEAN, '"TRUE"'],
    [{ class: 'H5T_OPAQUE', size: 2 }, '"????"'],
    [compound('H5T_STD_I8LE'), '{"m0":1}'],
    [OBJECT, '"datasets/"'],
    [array('H5T_STD_I8LE', 2), '[1,2,3]'],
  ])('%j refuses %s with 400, and keeps what it has', async (type, value) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type })
    const before = await domain.value(id)
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, `{"value":${value}}`)
    expect(await domain.value(id)).toEqual(before)
  })
})

describe('hsds-values 13.2: text that is not UTF-8', () => {
  test.each([text(3, 'H5T_CSET_ASCII'), text('H5T_VARIABLE'), compound('H5T_STD_U8LE', text(3))])(
    'survives in binary; JSON is 400 and names the way out: %j',
    async type => {
      const domain = await newDomain()
      const id = await domain.dataset({ type, shape: [2] })
      const value =
        type.class === 'H5T_COMPOUND'
          ? [
              [200, 'abc'],
              [201, 'abc'],
            ]
          : ['abc', 'abc']
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
      const bytes = await bytesOf(domain, id)
      bytes[bytes.length - 2] = 0xff
      await putBytes(domain, id, bytes)
      expect(await bytesOf(domain, id)).toEqual(bytes)
      const reply = await domain.send('GET', `/datasets/${id}/value`)
      expect(reply.status, reply.story).toBe(400)
      expect(reply.json().message).toContain(OCTETS)
      expect(await domain.value(id, '?select=[0:1]')).toEqual([value[0]])
      await domain.refuse(400, 'POST', `/datasets/${id}/value`, { points: [1] })
    },
  )

  test('however late it comes in a long answer', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: text(8), shape: [400_000] })
    const bytes = Buffer.alloc(3_200_000, 'abcdefgh')
    bytes[bytes.length - 1] = 0x80
    await putBytes(domain, id, bytes)
    await domain.refuse(400, 'GET', `/datasets/${id}/value`)
    expect(await domain.value(id, '?select=[0:2]')).toEqual(['abcdefgh', 'abcdefgh'])
  })

  test('lone surrogates are the bytes that they stand for', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: text('H5T_VARIABLE') })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, '{"value":"caf\\udce9"}')
    expect((await bytesOf(domain, id)).toString('hex')).toBe('04000000636166e9')
  })
})
