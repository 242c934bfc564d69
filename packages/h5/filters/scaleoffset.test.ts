import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { scaleoffset } from './scaleoffset.ts'

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
}

/** Client data: the first eight values, the fill value, zeros. */
function values(head: readonly number[], ...fill: number[]): number[] {
  return [...head, ...fill, ...new Array<number>(12 - fill.length).fill(0)]
}

const INT16: Datatype = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'BE' }
const UINT64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }
const FLOAT32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'LE' }

function clientDataOf(type: Datatype, scaleOffset?: JsonValue, fillValue?: Uint8Array) {
  const options = new Map(scaleOffset === undefined ? [] : [['scaleOffset', scaleOffset]])
  return scaleoffset.clientData(options, {
    type,
    elementSize: 'size' in type ? type.size : 0,
    chunkDims: [2, 3],
    ...(fillValue && { fillValue }),
  })
}

describe('scaleoffset', () => {
  it.each([
    ['integers', INT16, 9, undefined, values([2, 9, 6, 0, 2, 1, 1, 1])],
    ['integers without a number of bits', INT16, undefined, undefined, values([2, 0, 6, 0, 2, 1, 1, 1])],
    ['a fill value', INT16, 0, bytes('fff9'), values([2, 0, 6, 0, 2, 1, 1, 1], 0xfff9)],
    [
      'a fill value of 8 bytes',
      UINT64,
      0,
      bytes('01020304 fafbfcfd'),
      values([2, 0, 6, 0, 8, 0, 0, 1], 0x04030201, 0xfdfcfbfa),
    ],
    ['floats', FLOAT32, 2, bytes('0000e040'), values([0, 2, 6, 1, 4, 0, 0, 1], 0x40e00000)],
  ] as const)('describes %s as libhdf5 does', (_what, type, scaleOffset, fillValue, expected) => {
    expect(clientDataOf(type, scaleOffset, fillValue)).toEqual(expected)
  })

  it.each([
    ['text', { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }, 0],
    ['floats without a scale', FLOAT32, undefined],
    ['floats of 16 bits', { class: 'H5T_FLOAT', size: 2, order: 'LE' }, 1],
    ['more bits than the type has', INT16, 17],
  ] as [string, Datatype, number | undefined][])('cannot be applied to %s', (_what, type, scaleOffset) => {
    expect(clientDataOf(type, scaleOffset)).toBeUndefined()
  })

  it.each([
    [INT16, 'H5Z_SO_INT', true],
    [INT16, 2, true],
    [INT16, 'H5Z_SO_FLOAT_DSCALE', false],
    [FLOAT32, 'H5Z_SO_FLOAT_DSCALE', true],
    [FLOAT32, 0, true],
    [FLOAT32, 'H5Z_SO_FLOAT_ESCALE', false],
    [FLOAT32, 'H5Z_SO_INT', false],
  ])('on %o with scaleType %j: %s', (type, scaleType, applied) => {
    const options = new Map<string, JsonValue>([
      ['scaleType', scaleType],
      ['scaleOffset', 2],
    ])
    const clientData = scaleoffset.clientData(options, { type, elementSize: 4, chunkDims: [1] })
    expect(clientData !== undefined).toBe(applied)
  })

  it.each([
    [
      'integers with the fill value among them',
      values([2, 0, 6, 0, 4, 1, 0, 1], 0xfffffff9),
      '64000000 67000000 f9ffffff 65000000 f9ffffff 64000000',
      '03000000 08 6400000000000000 0000000000000000 0f9e00',
    ],
    [
      'big-endian integers in 9 bits',
      values([2, 9, 4, 0, 2, 1, 1, 1]),
      'fed4 fed5 0000 fed7',
      '09000000 08 d4feffffffffffff 0000000000000000 00007fe030',
    ],
    [
      'unsigned integers of 64 bits',
      values([2, 0, 3, 0, 8, 0, 0, 1]),
      '0000000000000080 0000000002000080 0500000000000080',
      '22000000 08 0000000000000080 0000000000000000 00000000200000000000000014',
    ],
    [
      'equal integers',
      values([2, 0, 3, 0, 1, 1, 0, 0]),
      '050505',
      '00000000 08 0500000000000000 0000000000000000 00',
    ],
  ])('packs %s as libhdf5 does', async (_what, clientData, data, encoded) => {
    const expected = bytes(encoded)
    const actual = (await scaleoffset.encode(bytes(data), clientData)) ?? new Uint8Array()
    expect(Buffer.from(actual).toString('hex')).toBe(Buffer.from(expected).toString('hex'))
    expect(await scaleoffset.decode(expected, clientData, bytes(data).length)).toEqual(bytes(data))
  })

  it.each([
    [
      '64 bits, two decimal places',
      values([0, 2, 4, 1, 8, 0, 0, 1]),
      'aaf1d24d6210f03f 000000000000f83f 00000000000002c0 0000000000000000',
      '09000000 08 00000000000002c0 0000000000000000 a2ddc01ff0',
      '000000000000f03f 000000000000f83f 00000000000002c0 0000000000000000',
    ],
    [
      '32 bits, one decimal place, big-endian, with the fill value',
      values([0, 1, 3, 1, 4, 0, 1, 1], 0x40e00000),
      '4120a3d7 41180000 40e00000',
      '03000000 08 0000184100000000 0000000000000000 a380',
      '41200000 41180000 40e00000',
    ],
  ])('packs floats of %s as libhdf5 does', async (_what, clientData, data, encoded, rounded) => {
    expect(await scaleoffset.encode(bytes(data), clientData)).toEqual(bytes(encoded))
    expect(await scaleoffset.decode(bytes(encoded), clientData, 32)).toEqual(bytes(rounded))
  })

  it('reads a chunk with all bits of the type', async () => {
    const encoded = bytes('08000000 08 0700000000000000 0000000000000000 00ff07')
    const clientData = values([2, 0, 3, 0, 1, 0, 0, 1])
    expect(await scaleoffset.decode(encoded, clientData, 3)).toEqual(bytes('00ff07'))
    expect(await scaleoffset.decode(bytes('00ff07'), values([2, 8, 3, 0, 1, 0, 0, 1]), 3)).toEqual(
      bytes('00ff07'),
    )
  })

  it.each([
    ['needs all bits of the type', values([2, 0, 3, 0, 1, 0, 0, 1]), '00ff07'],
    ['does not fit the bits that were asked for', values([2, 3, 3, 0, 1, 0, 0, 0]), '000801'],
    ['would be taken for the fill value', values([2, 3, 3, 0, 1, 0, 0, 1], 9), '000701'],
    ['has NaN', values([0, 2, 2, 1, 4, 0, 0, 1]), '0000c07f 00000000'],
    ['has an infinity', values([0, 2, 2, 1, 4, 0, 0, 1]), '0000807f 00000000'],
    ['is not of this many elements', values([2, 0, 3, 0, 1, 0, 0, 1]), '0001'],
  ])('leaves a chunk that %s to be stored without it', (_what, clientData, data) => {
    expect(scaleoffset.encode(bytes(data), clientData)).toBeUndefined()
  })

  const HEADER = '08 0000000000000000 0000000000000000'
  it.each([
    ['no header', [2, 0, 3, 0, 1, 0, 0, 1], '00', '1 bytes are too few for the header'],
    ['too many bits', [2, 0, 3, 0, 1, 0, 0, 1], `09000000${HEADER}000000`, '9 bits for elements of 1 bytes'],
    ['too few bytes', [2, 0, 3, 0, 1, 0, 0, 1], `07000000${HEADER}0000`, 'do not hold 3 elements of 7 bits'],
    ['too many elements', [2, 0, 2 ** 32 - 1, 0, 1, 0, 0, 1], `00000000${HEADER}`, 'more than 3'],
    ['a size without numbers', [2, 0, 3, 0, 3, 0, 0, 1], `00000000${HEADER}`, 'elements of 3 bytes'],
    ['a scale that does not exist', [1, 0, 3, 1, 4, 0, 0, 1], `00000000${HEADER}`, 'a scale of type 1'],
    ['more bits than there are', [2, 9, 3, 0, 1, 0, 0, 1], `00000000${HEADER}`, '9 bits for elements'],
  ])('refuses %s', (_what, head, encoded, message) => {
    expect(() => scaleoffset.decode(bytes(encoded), values(head), 3)).toThrow(message)
  })

  it('refuses client data of another length', () => {
    expect(() => scaleoffset.decode(bytes('00'), [2, 0, 3], 3)).toThrow('client data of 3 values')
  })
})
