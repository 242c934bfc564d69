// Datatypes in the hsds dialect: what is accepted, what is refused, and that type objects come back as they were given
// (hsds-objects 14; hsds-values 3.2 and 12).

import { beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { makeHome, newDomain } from './domain.ts'

const I32 = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
const text = (members: Fields) => ({ class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', ...members })
const compound = (...fields: unknown[]) => ({ class: 'H5T_COMPOUND', fields })
const field = (name: string, type: unknown) => ({ name, type })

beforeAll(makeHome)

describe('a type comes back from every object that has it', () => {
  test.each<[string, unknown, unknown]>([
    ['a predefined name is expanded', 'H5T_STD_I32LE', I32],
    ['the byte order of one byte', 'H5T_STD_U8BE', { class: 'H5T_INTEGER', base: 'H5T_STD_U8BE' }],
    ['a float of 16 bits', 'H5T_IEEE_F16BE', { class: 'H5T_FLOAT', base: 'H5T_IEEE_F16BE' }],
    ['names inside stay names', compound(field('a', 'H5T_STD_I32LE'), field('b', I32)), undefined],
    [
      'a name without its order too',
      { class: 'H5T_VLEN', base: 'H5T_STD_I32', size: 'H5T_VARIABLE' },
      undefined,
    ],
    ['unknown members', { ...I32, tag: 'mine', 10: 1, size: 4, more: { a: [1, null, { b: 2 }] } }, undefined],
    ['a tag', { class: 'H5T_OPAQUE', size: 3, tag: 'bytes' }, undefined],
    ['a string without strPad', text({ length: 7 }), text({ length: 7 })],
    ['padding with spaces', text({ length: 5, strPad: 'H5T_STR_SPACEPAD' }), undefined],
    ['a variable string', text({ length: 'H5T_VARIABLE', strPad: 'H5T_STR_NULLTERM' }), undefined],
    [
      'a reference with string members',
      {
        class: 'H5T_REFERENCE',
        base: 'H5T_STD_REF_OBJ',
        length: 48,
        charSet: 'H5T_CSET_ASCII',
        strPad: 'H5T_STR_NULLPAD',
      },
      undefined,
    ],
    [
      'an array of arrays',
      { class: 'H5T_ARRAY', dims: [2], base: { class: 'H5T_ARRAY', dims: [3, 4], base: I32 } },
      undefined,
    ],
    [
      'an array of compounds',
      { class: 'H5T_ARRAY', dims: [2], base: compound(field('a', 'H5T_STD_I8LE')) },
      undefined,
    ],
    [
      'member names in any script, and odd ones',
      compound(
        field('größe', I32),
        field('温度', I32),
        field('10', I32),
        field('__proto__', I32),
        field('2', I32),
      ),
      undefined,
    ],
    [
      'an enum tells its members twice',
      { class: 'H5T_ENUM', base: I32, mapping: { '10': 1, B: 2, '2': 3 } },
      {
        class: 'H5T_ENUM',
        base: I32,
        mapping: { '10': 1, B: 2, '2': 3 },
        members: expect.arrayContaining([{ name: 'B', value: 2 }]),
      },
    ],
    [
      'however they were given',
      compound(
        field('e', {
          class: 'H5T_ENUM',
          base: 'H5T_STD_I8LE',
          members: [
            { name: 'B', value: 2 },
            { name: 'A', value: 1 },
          ],
        }),
      ),
      compound(
        field('e', {
          class: 'H5T_ENUM',
          base: 'H5T_STD_I8LE',
          mapping: { B: 2, A: 1 },
          members: [
            { name: 'B', value: 2 },
            { name: 'A', value: 1 },
          ],
        }),
      ),
    ],
  ])('%s', async (_, type, shown = type) => {
    const domain = await newDomain()
    const made = await domain.want<{ id: string; type: unknown }>(201, 'POST', '/datasets', {
      type,
      shape: [1],
    })
    expect(made.type).toMatchObject(shown as object)
    const read = await domain.want(200, 'GET', `/datasets/${made.id}`)
    expect(read.type).toEqual(made.type)
    expect((await domain.want(200, 'GET', `/datasets/${made.id}/type`)).type).toEqual(made.type)
    const committed = await domain.datatype({ type })
    expect((await domain.want(200, 'GET', `/datatypes/${committed}`)).type).toEqual(made.type)
    const owner = `/groups/${domain.root}/attributes`
    await domain.want(201, 'PUT', `${owner}/a`, { type, shape: [2] })
    await domain.want(201, 'PUT', `${owner}/b`, { type: committed, shape: [2] })
    expect((await domain.want(200, 'GET', `${owner}/a`)).type).toEqual(made.type)
    const used = { ...(made.type as object), id: committed }
    expect((await domain.want(200, 'GET', `${owner}/b`)).type).toEqual(used)
    const dataset = await domain.dataset({ type: committed })
    expect((await domain.want(200, 'GET', `/datasets/${dataset}`)).type).toEqual(used)
    const reply = await domain.send('GET', `/datasets/${dataset}`)
    expect(reply.text).toContain('"type":{"class":')
  })

  test('the order of members is that of the creator', async () => {
    const domain = await newDomain()
    const body = '{"type":{"class":"H5T_ENUM","base":"H5T_STD_I8LE","mapping":{"b":1,"10":2,"a":3,"9":4}}}'
    const reply = await domain.send('POST', '/datasets', body)
    expect(reply.text).toContain('"mapping":{"b":1,"10":2,"a":3,"9":4}')
  })
})

test.each([
  ['float32', 'the type "float32" is not a predefined type (H5T_STD_I32LE, H5T_IEEE_F64BE and the like)'],
  ['', 'the type "" is not a predefined type (H5T_STD_I32LE, H5T_IEEE_F64BE and the like)'],
  [
    'H5T_NATIVE_INT',
    'the type "H5T_NATIVE_INT" is not a predefined type (H5T_STD_I32LE, H5T_IEEE_F64BE and the like)',
  ],
  [
    'H5T_STD_I32',
    '"H5T_STD_I32" is not a predefined type: its byte order is missing (H5T_STD_I32LE or H5T_STD_I32BE)',
  ],
])('the message about the type "%s"', async (type, message) => {
  const domain = await newDomain()
  const reply = await domain.send('POST', '/datasets', { type })
  expect(reply.json().message, reply.story).toBe(message)
})

describe('400, and nothing is made', () => {
  test.each<[string, unknown]>([
    ['a name without its byte order', 'H5T_STD_I32'],
    ['a name of 8 bits without one', 'H5T_STD_I8'],
    ['a native name', 'H5T_NATIVE_INT'],
    ['the name of a bitfield', 'H5T_STD_B8LE'],
    ['the name of a string', 'H5T_C_S1'],
    ['the name of a reference', 'H5T_STD_REF_OBJ'],
    ['a name of NumPy', 'int32'],
    ['no name', ''],
    ['a malformed id', 't-12'],
    ['null', null],
    ['a number', 5],
    ['a list', ['H5T_STD_I32LE']],
    ['no class', { base: 'H5T_STD_I32LE' }],
    ['an unknown class', { class: 'H5T_COMPLEX', base: 'H5T_IEEE_F32LE' }],
    ['bitfields', { class: 'H5T_BITFIELD', base: 'H5T_STD_B8LE' }],
    ['bitfields in a compound', compound(field('a', { class: 'H5T_BITFIELD', base: 'H5T_STD_B8LE' }))],
    ['times', { class: 'H5T_TIME', base: 'H5T_UNIX_D32LE' }],
    ['a class that is no text', { class: 5 }],
    ['an integer without base', { class: 'H5T_INTEGER' }],
    ['an unknown base', { class: 'H5T_INTEGER', base: 'H5T_STD_I128LE' }],
    ['class and base that disagree', { class: 'H5T_FLOAT', base: 'H5T_STD_I32LE' }],
    ['bfloat16', { class: 'H5T_FLOAT', base: 'H5T_IEEE_BF16LE' }],
    ['a string without length', { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII' }],
    ['a string without charSet', { class: 'H5T_STRING', length: 5 }],
    ['an unknown charSet', { class: 'H5T_STRING', charSet: 'H5T_CSET_LATIN1', length: 5 }],
    ['length 0', text({ length: 0 })],
    ['length -1', text({ length: -1 })],
    ['length 1.5', text({ length: 1.5 })],
    ['an opaque type without size', { class: 'H5T_OPAQUE' }],
    ['size 0', { class: 'H5T_OPAQUE', size: 0 }],
    ['no fields', compound()],
    ['a compound without fields', { class: 'H5T_COMPOUND' }],
    ['two fields of one name', compound(field('x', I32), field('x', I32))],
    ['a field without type', compound({ name: 'a' })],
    ['a field without name', compound({ type: I32 })],
    ['a bad type in a field', compound(field('a', 'H5T_NATIVE_INT'))],
    ['an array without dims', { class: 'H5T_ARRAY', base: I32 }],
    ['no dims', { class: 'H5T_ARRAY', base: I32, dims: [] }],
    ['dims of 0', { class: 'H5T_ARRAY', base: I32, dims: [0] }],
    ['dims in another class', { ...I32, dims: [2] }],
    ['an enum without mapping', { class: 'H5T_ENUM', base: I32 }],
    ['an empty mapping', { class: 'H5T_ENUM', base: I32, mapping: {} }],
    ['a mapping to strings', { class: 'H5T_ENUM', base: I32, mapping: { A: '0' } }],
    ['an enum of floats', { class: 'H5T_ENUM', base: 'H5T_IEEE_F32LE', mapping: { A: 0 } }],
    [
      'members that disagree',
      { class: 'H5T_ENUM', base: I32, mapping: { A: 0 }, members: [{ name: 'A', value: 1 }] },
    ],
    ['a sequence without base', { class: 'H5T_VLEN' }],
    ['a reference to what is none', { class: 'H5T_REFERENCE', base: 'H5T_STD_REF' }],
  ])('%s', async (_, type) => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', { type })
    await domain.refuse(400, 'POST', '/datatypes', { type })
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/attributes/a`, { type })
    await domain.refuse(404, 'GET', `/groups/${domain.root}/attributes/a`)
  })
})
