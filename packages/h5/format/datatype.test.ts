// Datatype messages: the circle of encoder and decoder, bytes that libhdf5 wrote (H5Tencode of HDF5 1.10), and damage.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDatatype, encodeDatatype } from './datatype.ts'
import { FieldReader, type Widths } from './field-reader.ts'
import { FieldWriter } from './field-writer.ts'
import type { FileFloat, FileType } from './file-type.ts'

const WIDTHS = { offsets: 8, lengths: 8 }

function decode(bytes: Uint8Array, widths: Widths = WIDTHS): FileType {
  return decodeDatatype(new FieldReader(bytes, widths, 'the datatype', 96))
}

function decodeHex(hex: string): FileType {
  return decode(Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')))
}

function encode(type: FileType, minVersion?: number, widths: Widths = WIDTHS): Uint8Array {
  const writer = new FieldWriter(widths)
  encodeDatatype(writer, type, minVersion)
  return writer.bytes.slice()
}

function name(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

const I32: FileType = { class: 'H5T_INTEGER', size: 4, order: 'LE', signed: true, offset: 0, precision: 32 }
const I16: FileType = { ...I32, size: 2, precision: 16 }

function ieee(size: number, order: 'LE' | 'BE', mantissa: number, bias: number): FileFloat {
  const exponent = { location: mantissa, size: size * 8 - 1 - mantissa, bias }
  return {
    class: 'H5T_FLOAT',
    size,
    order,
    offset: 0,
    precision: size * 8,
    sign: size * 8 - 1,
    exponent,
    mantissa: { location: 0, size: mantissa, normalization: 'implied' },
  }
}

const VERSION_1_MEMBER = '00'.repeat(28)

describe('decodeDatatype reads what libhdf5 writes', () => {
  const cases: [what: string, hex: string, type: FileType][] = [
    ['an integer', '10080000 04000000 0000 2000', I32],
    ['a big-endian unsigned integer', '10010000 02000000 0000 1000', { ...I16, order: 'BE', signed: false }],
    ['12 bits from bit 5 on', '10080000 04000000 0500 0c00', { ...I32, offset: 5, precision: 12 }],
    ['a big-endian double', '11213f00 08000000 0000 4000 34 0b 00 34 ff030000', ieee(8, 'BE', 52, 1023)],
    ['a half', '11200f00 02000000 0000 1000 0a 05 00 0a 0f000000', ieee(2, 'LE', 10, 15)],
    [
      'the long double of x87',
      '11004f00 10000000 0000 5000 40 0f 00 40 ff3f0000',
      {
        ...ieee(16, 'LE', 64, 16383),
        precision: 80,
        sign: 79,
        exponent: { location: 64, size: 15, bias: 16383 },
        mantissa: { location: 0, size: 64, normalization: 'none' },
      },
    ],
    ['a time', '12010000 04000000 2000', { class: 'H5T_TIME', size: 4, order: 'BE', precision: 32 }],
    [
      'a string',
      '13120000 07000000',
      { class: 'H5T_STRING', size: 7, padding: 'H5T_STR_SPACEPAD', charSet: 'H5T_CSET_UTF8' },
    ],
    [
      'a bitfield',
      '14010000 02000000 0000 1000',
      { class: 'H5T_BITFIELD', size: 2, order: 'BE', offset: 0, precision: 16 },
    ],
    [
      'an opaque type with its tag',
      '15100000 05000000 70686f746f6772617068000000000000',
      { class: 'H5T_OPAQUE', size: 5, tag: name('photograph') },
    ],
    [
      'a compound of version 1, whose members are in the order of neither names nor offsets',
      `16020000 18000000
       6200000000000000 10000000 ${VERSION_1_MEMBER} 11203f00 08000000 0000 4000 34 0b 00 34 ff030000
       6100000000000000 02000000 ${VERSION_1_MEMBER} 10080000 02000000 0000 1000`,
      {
        class: 'H5T_COMPOUND',
        size: 24,
        members: [
          { name: name('b'), offset: 16, type: ieee(8, 'LE', 52, 1023) },
          { name: name('a'), offset: 2, type: I16 },
        ],
      },
    ],
    [
      'a compound of version 2 with an array',
      `26010000 0c000000 6c6f6e676e616d650000000000000000 00000000
       2a000000 0c000000 02 000000 02000000 03000000 00000000 01000000 10080000 02000000 0000 1000`,
      {
        class: 'H5T_COMPOUND',
        size: 12,
        members: [
          {
            name: name('longname'),
            offset: 0,
            type: { class: 'H5T_ARRAY', size: 12, dims: [2, 3], base: I16 },
          },
        ],
      },
    ],
    ['a reference to an object', '17000000 08000000', { class: 'H5T_REFERENCE', size: 8, kind: 'object' }],
    ['a reference to a region', '17010000 0c000000', { class: 'H5T_REFERENCE', size: 12, kind: 'region' }],
    [
      'an enum',
      '18020000 02000000 10090000 02000000 0000 1000 5245440000000000 475245454e000000 0001 fffe',
      {
        class: 'H5T_ENUM',
        size: 2,
        base: { ...I16, order: 'BE' },
        members: [
          { name: name('RED'), value: Uint8Array.of(0, 1) },
          { name: name('GREEN'), value: Uint8Array.of(0xff, 0xfe) },
        ],
      },
    ],
  ]

  it.each(cases)('%s', (_, hex, type) => {
    expect(decodeHex(hex)).toEqual(type)
  })
  // The permutation of dimensions is not kept.
  it.each(cases.filter(([what]) => !what.includes('array')))('%s is written alike', (_, hex, type) => {
    expect(Buffer.from(encode(type)).toString('hex')).toBe(hex.replaceAll(/\s/g, ''))
  })

  it('dimensions of a member of version 1 are an array type', () => {
    const member = '6100000000000000 00000000 02 000000 00000000 00000000 02000000 03000000 00000000 00000000'
    const type = decodeHex(`16010000 0c000000 ${member} 10080000 02000000 0000 1000`)
    expect(type).toEqual({
      class: 'H5T_COMPOUND',
      size: 12,
      members: [
        { name: name('a'), offset: 0, type: { class: 'H5T_ARRAY', size: 12, dims: [2, 3], base: I16 } },
      ],
    })
  })
})

// Any type

const anyWidths = fc.constantFrom(2, 4, 8).map(offsets => ({ offsets, lengths: 8 }))
const anyOrder = fc.constantFrom<'LE' | 'BE'>('LE', 'BE')
const anyPadding = fc.constantFrom('H5T_STR_NULLTERM', 'H5T_STR_NULLPAD', 'H5T_STR_SPACEPAD')
const anyCharSet = fc.constantFrom('H5T_CSET_ASCII', 'H5T_CSET_UTF8')
const anyName = fc.uint8Array({ max: 255, maxLength: 20 }).map(bytes => bytes.filter(byte => byte !== 0))
const anySize = fc.integer({ min: 1, max: 16 })

function bitsIn(size: number): fc.Arbitrary<{ offset: number; precision: number }> {
  return fc
    .integer({ min: 0, max: size * 8 - 1 })
    .chain(offset =>
      fc.record({ offset: fc.constant(offset), precision: fc.integer({ min: 1, max: size * 8 - offset }) }),
    )
}

const anyInteger: fc.Arbitrary<FileType> = fc
  .tuple(anySize, anyOrder, fc.boolean())
  .chain(([size, order, signed]) =>
    bitsIn(size).map(bits => ({ class: 'H5T_INTEGER', size, order, signed, ...bits })),
  )
const anyFloat: fc.Arbitrary<FileType> = fc
  .tuple(
    fc.constantFrom(2, 4, 8, 16),
    fc.constantFrom<FileFloat['order']>('LE', 'BE', 'VAX'),
    fc.nat(2 ** 32 - 1),
  )
  .chain(([size, order, bias]) =>
    fc
      .tuple(bitsIn(size), bitsIn(size), bitsIn(size), fc.nat(size * 8 - 1))
      .chain(([bits, exponent, mantissa, sign]) =>
        fc.constantFrom<'none' | 'always-set' | 'implied'>('none', 'always-set', 'implied').map(
          (normalization): FileType => ({
            class: 'H5T_FLOAT',
            size,
            order,
            ...bits,
            sign,
            exponent: { location: exponent.offset, size: exponent.precision, bias },
            mantissa: { location: mantissa.offset, size: mantissa.precision, normalization },
          }),
        ),
      ),
  )

function compoundOf(
  members: { type: FileType; gap: number; name: Uint8Array }[],
  isReversed: boolean,
): FileType {
  let size = 0
  const placed = members.map(({ type, gap, name }) => {
    const offset = size + gap
    size = offset + type.size
    return { name, offset, type }
  })
  return { class: 'H5T_COMPOUND', size: size + 3, members: isReversed ? placed.reverse() : placed }
}

function anyType(widths: Widths): fc.Arbitrary<FileType> {
  const { type } = fc.letrec<{ type: FileType }>(tie => ({
    type: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'type' },
      anyInteger,
      anyFloat,
      fc.record({ class: fc.constant('H5T_TIME'), size: anySize, order: anyOrder, precision: fc.nat(65535) }),
      fc.record({
        class: fc.constant('H5T_STRING'),
        size: anySize,
        padding: anyPadding,
        charSet: anyCharSet,
      }),
      fc.record({ class: fc.constant('H5T_OPAQUE'), size: anySize, tag: anyName }),
      anySize.chain(size =>
        fc
          .tuple(anyOrder, bitsIn(size))
          .map(([order, bits]): FileType => ({ class: 'H5T_BITFIELD', size, order, ...bits })),
      ),
      fc.record({
        class: fc.constant('H5T_REFERENCE'),
        size: fc.integer({ min: 18, max: 20 }),
        kind: fc.constantFrom('object', 'region', 'object2', 'region2', 'attribute'),
      }),
      anyInteger.chain(base =>
        fc
          .array(
            fc.record({
              name: anyName,
              value: fc.uint8Array({ minLength: base.size, maxLength: base.size }),
            }),
          )
          .map((members): FileType => ({ class: 'H5T_ENUM', size: base.size, base, members })),
      ),
      tie('type').map((base): FileType => ({ class: 'H5T_COMPLEX', size: 2 * base.size, base })),
      fc
        .tuple(
          tie('type'),
          fc.option(fc.record({ padding: anyPadding, charSet: anyCharSet }), { nil: undefined }),
        )
        .map(
          ([base, text]): FileType => ({
            class: 'H5T_VLEN',
            size: widths.offsets + 8,
            base,
            ...(text && { text }),
          }),
        ),
      fc.tuple(tie('type'), fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 })).map(
        ([base, dims]): FileType => ({
          class: 'H5T_ARRAY',
          size: dims.reduce((product, extent) => product * extent, base.size),
          dims,
          base,
        }),
      ),
      fc
        .tuple(
          fc.array(fc.record({ type: tie('type'), gap: fc.nat(300), name: anyName }), {
            minLength: 1,
            maxLength: 5,
          }),
          fc.boolean(),
        )
        .map(([members, isReversed]) => compoundOf(members, isReversed)),
    ) as fc.Arbitrary<FileType>, // records of constants are reported by their class
  }))
  return type
}

describe('decodeDatatype', () => {
  it('gives back what encodeDatatype wrote, in every version and width of addresses', () => {
    const anyCase = anyWidths.chain(widths =>
      fc.record({
        widths: fc.constant(widths),
        type: anyType(widths),
        minVersion: fc.integer({ min: 1, max: 5 }),
      }),
    )
    fc.assert(
      fc.property(anyCase, ({ widths, type, minVersion }) => {
        const bytes = encode(type, minVersion, widths)
        const fields = new FieldReader(bytes, widths, 'the datatype')
        expect(decodeDatatype(fields)).toEqual(type)
        expect(fields.left).toBe(0)
      }),
    )
  })

  it('meets every cut and every changed byte with a type or an error of the file', () => {
    fc.assert(
      fc.property(anyType(WIDTHS), fc.nat(), fc.nat(255), (type, position, byte) => {
        const bytes = encode(type)
        const cut = bytes.subarray(0, position % bytes.length)
        expect(() => decode(cut)).toThrow('the datatype at 96 cannot be read')
        bytes[position % bytes.length] = byte
        expectTypeOrDamage(bytes)
      }),
    )
  })

  it.each([
    ['version 6', '60080000 04000000 0000 2000', 'there is no version 6'],
    ['class 12', '1c000000 04000000', 'there is no datatype class 12'],
    ['no bytes', '10080000 00000000 0000 2000', 'elements of 0 bytes'],
    ['bits beyond the size', '10080000 04000000 0100 2000', '32 bits from bit 1 on'],
    ['no bits', '10080000 04000000 0000 0000', '0 bits from bit 0 on'],
    [
      'a float without an exponent',
      '11200f00 02000000 0000 1000 0a 00 00 0a 0f000000',
      '0 bits from bit 10 on',
    ],
    ['a sign beyond the size', '11201000 02000000 0000 1000 0a 05 00 0a 0f000000', '1 bits from bit 16 on'],
    ['an unknown order', '11600f00 02000000 0000 1000 0a 05 00 0a 0f000000', 'unknown byte order'],
    ['a compound without members', '16000000 04000000', 'without members'],
    ['more members than bytes', '36ffff00 04000000', '65535 items of 8 bytes do not fit'],
    [
      'overlapping members',
      '36020000 04000000 6100 00 10080000 02000000 0000 1000 6200 01 10080000 02000000 0000 1000',
      'members overlap',
    ],
    ['a member beyond the compound', '36010000 04000000 6100 03 10080000 02000000 0000 1000', 'ends at 5'],
    ['an enum of another size', '38000000 04000000 10080000 02000000 0000 1000', 'over a type of 2'],
    ['an array of no dimensions', '3a000000 02000000 00', '0 dimensions'],
    [
      'an array of another size',
      '3a000000 05000000 01 02000000 10080000 02000000 0000 1000',
      'whose items take 4',
    ],
    ['an empty array', '3a000000 02000000 01 00000000 10080000 02000000 0000 1000', 'dimensions [0]'],
    ['a sequence that holds no address', '39000000 08000000 10080000 02000000 0000 1000', 'which must be 16'],
    ['a region without its index', '17010000 08000000', 'references of 8 bytes, which need 12'],
    ['a complex number in polar form', '5b030000 04000000 10080000 02000000 0000 1000', 'unknown form'],
  ])('rejects %s', (_, hex, rule) => {
    expect(() => decodeHex(hex)).toThrow(rule)
  })

  it('follows types into one another 32 deep', () => {
    const nested = (depth: number): FileType => {
      let type: FileType = I32
      for (let level = 1; level < depth; level++)
        type = { class: 'H5T_ARRAY', size: 4, dims: [1], base: type }
      return type
    }
    expect(decode(encode(nested(32)))).toEqual(nested(32))
    expect(() => decode(encode(nested(33)))).toThrow('nested more than 32 deep')
  })
})

function expectTypeOrDamage(bytes: Uint8Array): void {
  try {
    expect(decode(bytes).size).toBeGreaterThan(0)
  } catch (error) {
    expect(error).toMatchObject({ code: 'file-unreadable' })
  }
}
