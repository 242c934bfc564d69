import { type Datatype, elementSize, type IntegerType } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import { nbit } from './nbit.ts'

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
}

function clientDataOf(type: Datatype, chunkDims = [2]) {
  return nbit.clientData(new Map(), { type, elementSize: elementSize(type), chunkDims })
}

const INT12: IntegerType = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'BE', precision: 12 }
const UINT3: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE', precision: 3 }
const UINT16: IntegerType = { class: 'H5T_INTEGER', size: 2, signed: false, order: 'BE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 2,
  charSet: 'H5T_CSET_ASCII',
  strPad: 'H5T_STR_NULLTERM',
}
const RECORD: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: UINT3 },
    { name: 's', type: TEXT },
    { name: 'r', type: { class: 'H5T_ARRAY', base: UINT3, dims: [2] } },
    { name: 'i', type: UINT16 },
  ],
}
const ARRAY_OF_ARRAYS: Datatype = {
  class: 'H5T_ARRAY',
  base: { class: 'H5T_ARRAY', base: UINT3, dims: [2] },
  dims: [3],
}

describe('nbit', () => {
  it.each([
    ['an integer', INT12, [8, 0, 2, 1, 2, 1, 12, 0]],
    ['an integer of all bits', UINT16, [8, 1, 2, 1, 2, 1, 16, 0]],
    ['a float', { class: 'H5T_FLOAT', size: 8, order: 'LE' }, [8, 1, 2, 1, 8, 0, 64, 0]],
    ['an array', { class: 'H5T_ARRAY', base: UINT3, dims: [2, 2] }, [10, 0, 2, 2, 4, 1, 1, 0, 3, 0]],
    [
      'a compound',
      RECORD,
      [29, 0, 2, 3, 7, 4, 0, 1, 1, 0, 3, 0, 1, 4, 2, 3, 2, 2, 1, 1, 0, 3, 0, 5, 1, 2, 1, 16, 0],
    ],
  ] as const)('describes %s as libhdf5 does', (_what, type, clientData) => {
    expect(clientDataOf(type)).toEqual(clientData)
  })

  it.each([
    ['text', TEXT],
    ['an enum', { class: 'H5T_ENUM', base: INT12, members: [] }],
    [
      'what libhdf5 garbles: members after an array of arrays',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'a', type: ARRAY_OF_ARRAYS },
          { name: 'b', type: UINT3 },
        ],
      },
    ],
    [
      'more than fits the client data',
      {
        class: 'H5T_COMPOUND',
        fields: Array.from({ length: 700 }, (_, i) => ({ name: `${i}`, type: UINT3 })),
      },
    ],
  ] as [string, Datatype][])('cannot be applied to %s', (_what, type) => {
    expect(clientDataOf(type)).toBeUndefined()
  })

  it('can be applied where an array of arrays comes last', () => {
    const fields = [
      { name: 'b', type: UINT3 },
      { name: 'a', type: ARRAY_OF_ARRAYS },
    ]
    expect(clientDataOf({ class: 'H5T_COMPOUND', fields })).toHaveLength(3 + 3 + 1 + 5 + 1 + 9)
  })

  it.each([
    ['12 bits, big-endian', [8, 0, 3, 1, 2, 1, 12, 0], '0123 0fff 0800', '123fff8000'],
    ['11 bits from bit 7 on, little-endian', [8, 0, 2, 1, 4, 0, 11, 7], '80ff0300 00230100', 'ffe918'],
    [
      'a compound with a gap, text and an array',
      [29, 0, 2, 3, 8, 4, 0, 1, 1, 0, 3, 0, 1, 4, 2, 3, 2, 2, 1, 1, 0, 3, 0, 6, 1, 2, 1, 16, 0],
      '05 6869 0102 00 1234 07 4142 0300 00 ffff',
      'ad0d25091a7414263fffc0',
    ],
  ])('packs %s as libhdf5 does', async (_what, clientData, data, encoded) => {
    expect(await nbit.encode(bytes(data), clientData)).toEqual(bytes(encoded))
    const decoded = await nbit.decode(bytes(encoded), clientData, bytes(data).length)
    expect(decoded).toEqual(bytes(data))
  })

  it.each([
    ['bits that are not significant', '0123 f001 0002'],
    ['bytes that are not the chunk', '0123 0001'],
  ])('leaves a chunk with %s to be stored without it', (_what, data) => {
    expect(nbit.encode(bytes(data), [8, 0, 3, 1, 2, 1, 12, 0])).toBeUndefined()
  })

  it('has nothing to do where all bits are significant', () => {
    const clientData = [8, 1, 2, 1, 2, 1, 16, 0]
    expect(nbit.encode(bytes('01020304'), clientData)).toBeUndefined()
    expect(nbit.decode(bytes('01020304'), clientData, 4)).toEqual(bytes('01020304'))
  })

  it.each([
    [[], 'its client data end too early'],
    [[8, 0, 3, 1, 2], 'its client data end too early'],
    [[8, 0, 3, 9, 2, 1, 12, 0], 'a type of class 9'],
    [[8, 0, 3, 1, 0, 1, 12, 0], 'its client data have a type of size 0'],
    [[8, 0, 3, 1, 2 ** 32 - 1, 1, 12, 0], 'a number of 4294967295 bytes'],
    [[8, 0, 3, 1, 2, 1, 17, 0], '17 significant bits from 0 on in 2 bytes'],
    [[8, 0, 3, 1, 2, 1, 0, 0], '0 significant bits'],
    [[8, 0, 3, 1, 2, 1, 12, 5], '12 significant bits from 5 on'],
    [[8, 0, 2 ** 32 - 1, 1, 2, 1, 12, 0], 'more than 6'],
    [[8, 0, 4, 1, 2, 1, 12, 0], 'more than 6'],
    [[8, 0, 3, 1, 2, 1, 14, 0], '5 bytes do not hold 3 elements'],
    [[10, 0, 1, 2, 3, 1, 2, 1, 12, 0], 'an array of 3 bytes of elements of 2 bytes'],
    [[11, 0, 1, 3, 2, 1, 1, 1, 2, 1, 12, 0], 'a member that ends beyond its compound of 2 bytes'],
    [[6, 0, 1, 3, 2, 0], 'a compound without members'],
  ])('refuses client data %j', (clientData, message) => {
    expect(() => nbit.decode(bytes('123fff8000'), clientData, 6)).toThrow(message)
  })
})
