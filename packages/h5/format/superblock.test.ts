// Superblocks of each version and width, and that damage of any byte of a checked one is an error.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Widths } from './field-reader.ts'
import { FieldWriter } from './field-writer.ts'
import { HDF5_SIGNATURE } from './signature.ts'
import { decodeSuperblock, encodeSuperblock, superblockSize } from './superblock.ts'

const widths = fc.record({ offsets: fc.constantFrom(2, 4, 8), lengths: fc.constantFrom(2, 4, 8) })
const address = fc.nat(0xfffe)

const superblocks = fc.record(
  {
    version: fc.constantFrom(2, 3),
    widths,
    baseAddress: address,
    endOfFile: address,
    rootHeader: address,
    extension: address,
    groupLeafK: fc.constant(4),
    groupInternalK: fc.constant(16),
    chunkK: fc.constant(32),
    flags: fc.nat(7),
  },
  {
    requiredKeys: [
      'version',
      'widths',
      'baseAddress',
      'endOfFile',
      'rootHeader',
      'groupLeafK',
      'groupInternalK',
      'chunkK',
      'flags',
    ],
  },
)

/** A superblock in the form that libraries of 1998 write. */
function oldSuperblock(version: 0 | 1, fieldWidths: Widths, driverInformation?: number): Uint8Array {
  const writer = new FieldWriter(fieldWidths)
  writer.signature(HDF5_SIGNATURE)
  for (const byte of [version, 0, 0, 0, 0, fieldWidths.offsets, fieldWidths.lengths, 0]) writer.u8(byte)
  writer.u16(5)
  writer.u16(17)
  writer.u32(0)
  if (version === 1) {
    writer.u16(33)
    writer.u16(0)
  }
  writer.address(0)
  writer.address(undefined)
  writer.address(4711)
  writer.address(driverInformation)
  writer.length(0)
  writer.address(96)
  writer.zeros(24)
  return writer.bytes
}

describe('a superblock', () => {
  it('of versions 2 and 3 is what was written', () => {
    fc.assert(
      fc.property(superblocks, superblock => {
        const bytes = encodeSuperblock(superblock)
        expect(bytes.length).toBe(superblockSize(superblock.widths))
        expect(decodeSuperblock(bytes)).toEqual(superblock)
      }),
    )
  })

  it.each([
    [0, 32, { offsets: 8, lengths: 8 }],
    [1, 33, { offsets: 8, lengths: 8 }],
    [0, 32, { offsets: 4, lengths: 8 }],
    [1, 33, { offsets: 8, lengths: 4 }],
    [0, 32, { offsets: 2, lengths: 2 }],
  ] as const)('of version %d has K = %d for chunks', (version, chunkK, fieldWidths) => {
    const expected = {
      version,
      widths: fieldWidths,
      baseAddress: 0,
      endOfFile: 4711,
      rootHeader: 96,
      groupLeafK: 5,
      groupInternalK: 17,
      chunkK,
      flags: 0,
    }
    expect(decodeSuperblock(oldSuperblock(version, fieldWidths))).toEqual(expected)
    expect(decodeSuperblock(oldSuperblock(version, fieldWidths, 99))).toEqual({
      ...expected,
      driverInformation: 99,
    })
  })

  it('is rejected when any of its bytes is another or missing', () => {
    const bytes = encodeSuperblock({
      version: 3,
      widths: { offsets: 8, lengths: 8 },
      baseAddress: 0,
      endOfFile: 2048,
      rootHeader: 48,
      groupLeafK: 4,
      groupInternalK: 16,
      chunkK: 32,
      flags: 0,
    })
    for (const index of bytes.keys()) {
      const damaged = bytes.slice()
      damaged[index] ^= 1
      expect(() => decodeSuperblock(damaged), `byte ${index}`).toThrow('the superblock at 0 cannot be read')
      expect(() => decodeSuperblock(bytes.subarray(0, index)), `cut at ${index}`).toThrow('the superblock')
    }
  })

  it.each([
    [8, 4, 'there is no version 4 of it'],
    [13, 3, 'addresses or lengths of 3 bytes are not supported'],
    [14, 16, 'addresses or lengths of 16 bytes are not supported'],
  ])('with byte %d = %d is rejected', (index, value, rule) => {
    const bytes = oldSuperblock(0, { offsets: 8, lengths: 8 }).slice()
    bytes[index] = value
    if (index === 8) bytes.fill(8, 9, 11)
    expect(() => decodeSuperblock(bytes)).toThrow(rule)
  })
})
