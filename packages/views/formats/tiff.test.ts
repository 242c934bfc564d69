import type { IntegerType } from '@hyperslab/model/datatype'
import { describe, expect, test } from 'vitest'
import { encodeTiffHeader } from './tiff.ts'

// tifffile reads such files in test/h5py/images.test.ts.

const U8: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }
const I16: IntegerType = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'BE' }

describe('the header', () => {
  test('says the order of the bytes, and where the elements begin', () => {
    const header = encodeTiffHeader(I16, [3, 4])
    expect(Buffer.from(header.subarray(0, 8)).toString('hex')).toBe('4d4d002a00000008')
    const view = new DataView(header.buffer)
    expect(view.getUint16(8)).toBe(13)
    const entries = Array.from({ length: 13 }, (_, i) => {
      const at = 10 + 12 * i
      const isShort = view.getUint16(at + 2) === 3
      return [view.getUint16(at), isShort ? view.getUint16(at + 8) : view.getUint32(at + 8)]
    })
    expect(entries.map(([tag]) => tag)).toEqual(entries.map(([tag]) => tag).toSorted((a, b) => a - b))
    expect(Object.fromEntries(entries)).toMatchObject({
      256: 4,
      257: 3,
      258: 16,
      273: header.length,
      278: 3,
      279: 24,
      339: 2,
    })
  })

  test('is of BigTIFF where the elements take 4 GiB', () => {
    const small = encodeTiffHeader(U8, [2 ** 32 - 2 ** 10, 1])
    expect([...small.subarray(0, 4)]).toEqual([0x49, 0x49, 42, 0])
    const header = encodeTiffHeader(U8, [2 ** 20, 2 ** 13])
    expect(Buffer.from(header.subarray(0, 16)).toString('hex')).toBe('49492b00080000001000000000000000')
    const view = new DataView(header.buffer)
    const entryOf = (tag: number) => {
      const index = Array.from({ length: 13 }, (_, i) => view.getUint16(24 + 20 * i, true)).indexOf(tag)
      return Number(view.getBigUint64(24 + 20 * index + 12, true))
    }
    expect([entryOf(256), entryOf(273), entryOf(279)]).toEqual([2 ** 13, header.length, 2 ** 33])
  })

  test('is refused for what is no matrix of numbers', () => {
    expect(() => encodeTiffHeader(U8, [2, 3, 4])).toThrow(
      'TIFF cannot hold H5T_INTEGER of the extents [2, 3, 4]',
    )
    expect(() => encodeTiffHeader(U8, [2 ** 32, 1])).toThrow('at most 4294967295 in each')
  })
})
