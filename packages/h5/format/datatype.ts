// The datatype message (HDF5 file format specification, IV.A.2.d), versions 1 to 5, and its inverse.

import { MAX_RANK } from '@hyperslab/model/dataset'
import { CHARACTER_SETS, MAX_TYPE_DEPTH, STRING_PADDINGS } from '@hyperslab/model/datatype'
import { roundUp } from './alignment.ts'
import type { FieldReader } from './field-reader.ts'
import type { FieldWriter } from './field-writer.ts'
import type {
  BitRange,
  FileArray,
  FileByteOrder,
  FileComplex,
  FileCompound,
  FileEnum,
  FileFloat,
  FileMember,
  FileOpaque,
  FileReference,
  FileType,
  FileVlen,
} from './file-type.ts'

export type { FileType } from './file-type.ts'

/** In the order of their numbers. */
const CLASSES = [
  'H5T_INTEGER',
  'H5T_FLOAT',
  'H5T_TIME',
  'H5T_STRING',
  'H5T_BITFIELD',
  'H5T_OPAQUE',
  'H5T_COMPOUND',
  'H5T_REFERENCE',
  'H5T_ENUM',
  'H5T_VLEN',
  'H5T_ARRAY',
  'H5T_COMPLEX',
] as const satisfies readonly FileType['class'][]
const NORMALIZATIONS = ['none', 'always-set', 'implied'] as const
const REFERENCE_KINDS = ['object', 'region', 'object2', 'region2', 'attribute'] as const

/** Version of the message of a datatype. @limit format, version */
const MAX_VERSION = 5

// Bits of the class bit field.
const BIG_ENDIAN = 0x01
const SIGNED = 0x08
const VAX = 0x40
const SEQUENCE = 0
const STRING = 1
const HOMOGENEOUS_RECTANGULAR = 0x01

/** Count, address and index: the bytes of an element of variable size beside the address. */
export const VLEN_FIELDS_SIZE = 8

/** Bytes of a type before the properties of its class. */
const PREFIX_SIZE = 8

/** The fields of all classes, and the reader of the properties of the class. */
interface Prefix {
  readonly fields: FieldReader
  readonly version: number
  readonly bits: number
  readonly size: number
  readonly depth: number
}

const DECODERS: { readonly [C in FileType['class']]: (prefix: Prefix) => FileType & { readonly class: C } } =
  {
    H5T_INTEGER: ({ fields, bits, size }) => ({
      class: 'H5T_INTEGER',
      size,
      order: decodeOrder(bits),
      signed: (bits & SIGNED) !== 0,
      ...decodeBitRange(fields, size),
    }),
    H5T_FLOAT: decodeFloat,
    H5T_TIME: ({ fields, bits, size }) => ({
      class: 'H5T_TIME',
      size,
      order: decodeOrder(bits),
      precision: fields.u16(),
    }),
    H5T_STRING: ({ fields, bits, size }) => ({
      class: 'H5T_STRING',
      size,
      padding: oneOf(fields, STRING_PADDINGS, bits & 0x0f, 'string padding'),
      charSet: oneOf(fields, CHARACTER_SETS, (bits >> 4) & 0x0f, 'character set'),
    }),
    H5T_BITFIELD: ({ fields, bits, size }) => ({
      class: 'H5T_BITFIELD',
      size,
      order: decodeOrder(bits),
      ...decodeBitRange(fields, size),
    }),
    H5T_OPAQUE: ({ fields, bits, size }) => {
      const tag = fields.take(bits & 0xff)
      const end = tag.indexOf(0)
      return { class: 'H5T_OPAQUE', size, tag: end === -1 ? tag : tag.subarray(0, end) }
    },
    H5T_COMPOUND: decodeCompound,
    H5T_REFERENCE: decodeReference,
    H5T_ENUM: decodeEnum,
    H5T_VLEN: decodeVlen,
    H5T_ARRAY: decodeArray,
    H5T_COMPLEX: decodeComplex,
  }

/** Reads one type; further bytes may follow. */
export function decodeDatatype(fields: FieldReader): FileType {
  return decodeType(fields, 1)
}

function decodeType(fields: FieldReader, depth: number): FileType {
  if (depth > MAX_TYPE_DEPTH) throw fields.error(`its types are nested more than ${MAX_TYPE_DEPTH} deep`)
  const classAndVersion = fields.u8()
  const version = classAndVersion >> 4
  if (version < 1 || version > MAX_VERSION) throw fields.error(`there is no version ${version} of it`)
  const name = oneOf(fields, CLASSES, classAndVersion & 0x0f, 'datatype class')
  const bits = fields.unsigned(3)
  const size = fields.u32()
  if (size === 0) throw fields.error(`it has a type of class ${name} with elements of 0 bytes`)
  return DECODERS[name]({ fields, version, bits, size, depth })
}

function decodeOrder(bits: number): 'LE' | 'BE' {
  return bits & BIG_ENDIAN ? 'BE' : 'LE'
}

function decodeBitRange(fields: FieldReader, size: number): BitRange {
  const offset = fields.u16()
  const precision = fields.u16()
  checkBits(fields, offset, precision, size)
  return { offset, precision }
}

/** Throws unless there is at least one bit and all bits are within the element. */
function checkBits(fields: FieldReader, offset: number, count: number, size: number): void {
  if (count > 0 && offset + count <= size * 8) return
  throw fields.error(`${count} bits from bit ${offset} on are not within a number of ${size} bytes`)
}

function decodeFloat({ fields, bits, size }: Prefix): FileFloat {
  const order = (bits & VAX) === 0 ? decodeOrder(bits) : bits & BIG_ENDIAN ? 'VAX' : undefined
  if (!order) throw fields.error('it has a float of an unknown byte order')
  if (order === 'VAX' && size % 2 !== 0) throw fields.error(`it has a float of ${size} bytes in VAX order`)
  const normalization = oneOf(fields, NORMALIZATIONS, (bits >> 4) & 0x03, 'normalization of floats')
  const sign = (bits >> 8) & 0xff
  const range = decodeBitRange(fields, size)
  const exponentLocation = fields.u8()
  const exponentSize = fields.u8()
  const mantissaLocation = fields.u8()
  const mantissaSize = fields.u8()
  const bias = fields.u32()
  checkBits(fields, sign, 1, size)
  checkBits(fields, exponentLocation, exponentSize, size)
  checkBits(fields, mantissaLocation, mantissaSize, size)
  return {
    class: 'H5T_FLOAT',
    size,
    order,
    ...range,
    sign,
    exponent: { location: exponentLocation, size: exponentSize, bias },
    mantissa: { location: mantissaLocation, size: mantissaSize, normalization },
  }
}

function decodeCompound({ fields, version, bits, size, depth }: Prefix): FileCompound {
  const count = bits & 0xffff
  if (count === 0) throw fields.error('it has a compound without members')
  const members = fields.list(count, PREFIX_SIZE, () => {
    const name = decodeName(fields, version)
    const offset = version < 3 ? fields.u32() : fields.unsigned(offsetWidth(size))
    const dims = version === 1 ? decodeMemberDims(fields) : []
    const type = decodeType(fields, depth + 1)
    return { name, offset, type: dims.length === 0 ? type : arrayOf(fields, dims, type) }
  })
  checkMembers(fields, members, size)
  return { class: 'H5T_COMPOUND', size, members }
}

/** Members of version 1 may be arrays themselves. */
function decodeMemberDims(fields: FieldReader): readonly number[] {
  const rank = fields.u8()
  // Reserved bytes, the permutation of the dimensions, which never had a meaning, and reserved bytes.
  fields.skip(3 + 4 + 4)
  const dims = fields.list(4, 4, () => fields.u32())
  if (rank > dims.length) throw fields.error(`it has a member of ${rank} dimensions`)
  return dims.slice(0, rank)
}

function checkMembers(fields: FieldReader, members: readonly FileMember[], size: number): void {
  let end = 0
  for (const { offset, type } of [...members].sort((a, b) => a.offset - b.offset)) {
    if (offset < end) throw fields.error('it has a compound whose members overlap')
    end = offset + type.size
  }
  if (end > size) throw fields.error(`it has a compound of ${size} bytes with a member that ends at ${end}`)
}

function decodeReference({ fields, bits, size }: Prefix): FileReference {
  const kind = oneOf(fields, REFERENCE_KINDS, bits & 0x0f, 'kind of references')
  const { offsets } = fields.widths
  // An index follows the address of a region. The newer kinds have a header, and as much.
  const needed = kind === 'object' ? offsets : kind === 'region' ? offsets + 4 : offsets + 10
  if (size < needed) throw fields.error(`it has references of ${size} bytes, which need ${needed}`)
  return { class: 'H5T_REFERENCE', size, kind }
}

function decodeEnum({ fields, version, bits, size, depth }: Prefix): FileEnum {
  const count = bits & 0xffff
  const base = decodeType(fields, depth + 1)
  if (base.size !== size) throw fields.error(`it has an enum of ${size} bytes over a type of ${base.size}`)
  const names = fields.list(count, 1, () => decodeName(fields, version))
  const values = fields.list(count, size, () => fields.take(size))
  const members = names.map((name, index) => ({ name, value: values[index] }))
  return { class: 'H5T_ENUM', size, base, members }
}

/** Up to version 2, the name and its NUL take a multiple of 8 bytes. */
function decodeName(fields: FieldReader, version: number): Uint8Array {
  const name = fields.takeTerminated()
  if (version < 3) fields.skip(namePadding(name))
  return name
}

function namePadding(name: Uint8Array): number {
  return 7 - (name.length % 8)
}

/** In version 3, offsets of members are as wide as the size of their compound needs. */
function offsetWidth(size: number): number {
  return size < 2 ** 8 ? 1 : size < 2 ** 16 ? 2 : size < 2 ** 24 ? 3 : 4
}

function decodeVlen({ fields, bits, size, depth }: Prefix): FileVlen {
  const needed = fields.widths.offsets + VLEN_FIELDS_SIZE
  if (size !== needed) {
    throw fields.error(
      `it has a type of variable size with elements of ${size} bytes, which must be ${needed}`,
    )
  }
  const kind = bits & 0x0f
  if (kind !== SEQUENCE && kind !== STRING)
    throw fields.error(`there is no kind ${kind} of types of variable size`)
  const padding = kind === STRING && oneOf(fields, STRING_PADDINGS, (bits >> 4) & 0x0f, 'string padding')
  const charSet = kind === STRING && oneOf(fields, CHARACTER_SETS, (bits >> 8) & 0x0f, 'character set')
  const base = decodeType(fields, depth + 1)
  return { class: 'H5T_VLEN', size, base, ...(padding && charSet && { text: { padding, charSet } }) }
}

function decodeArray({ fields, version, size, depth }: Prefix): FileArray {
  const rank = fields.u8()
  if (rank < 1 || rank > MAX_RANK) throw fields.error(`it has an array type of ${rank} dimensions`)
  if (version < 3) fields.skip(3)
  const dims = fields.list(rank, 4, () => fields.u32())
  // The permutation of the dimensions, which never had a meaning.
  if (version < 3) fields.skip(4 * rank)
  const array = arrayOf(fields, dims, decodeType(fields, depth + 1))
  if (array.size !== size) {
    throw fields.error(`it has an array type of ${size} bytes whose items take ${array.size}`)
  }
  return array
}

function arrayOf(fields: FieldReader, dims: readonly number[], base: FileType): FileArray {
  const size = dims.reduce((product, extent) => product * extent, base.size)
  if (size === 0 || size >= 2 ** 32) throw fields.error(`it has an array type of the dimensions [${dims}]`)
  return { class: 'H5T_ARRAY', size, dims, base }
}

function decodeComplex({ fields, bits, size, depth }: Prefix): FileComplex {
  if ((bits & 0x07) !== HOMOGENEOUS_RECTANGULAR)
    throw fields.error('it has complex numbers of an unknown form')
  const base = decodeType(fields, depth + 1)
  if (size !== 2 * base.size) {
    throw fields.error(`it has complex numbers of ${size} bytes, their parts have ${base.size}`)
  }
  return { class: 'H5T_COMPLEX', size, base }
}

function oneOf<T>(fields: FieldReader, choices: readonly T[], number: number, subject: string): T {
  const choice = choices[number]
  if (choice === undefined) throw fields.error(`there is no ${subject} ${number}`)
  return choice
}

/** Encodes a type; each type in it is of the lowest version that can describe it, but not below `minVersion`. */
export function encodeDatatype(writer: FieldWriter, type: FileType, minVersion = 1): void {
  const version = Math.max(minVersion, leastVersion(type))
  writer.u8((version << 4) | CLASSES.indexOf(type.class))
  writer.unsigned(classBits(type), 3)
  writer.u32(type.size)
  encodeProperties(writer, type, version, minVersion)
}

function leastVersion(type: FileType): number {
  switch (type.class) {
    case 'H5T_COMPOUND':
      return Math.max(1, ...type.members.map(member => leastVersion(member.type)))
    case 'H5T_ARRAY':
      return Math.max(2, leastVersion(type.base))
    case 'H5T_VLEN':
    case 'H5T_ENUM':
      return leastVersion(type.base)
    case 'H5T_FLOAT':
      return type.order === 'VAX' ? 3 : 1
    case 'H5T_REFERENCE':
      return type.kind === 'object' || type.kind === 'region' ? 1 : 4
    case 'H5T_COMPLEX':
      return 5
    default:
      return 1
  }
}

function classBits(type: FileType): number {
  switch (type.class) {
    case 'H5T_INTEGER':
      return orderBits(type) | (type.signed ? SIGNED : 0)
    case 'H5T_FLOAT':
      return orderBits(type) | (NORMALIZATIONS.indexOf(type.mantissa.normalization) << 4) | (type.sign << 8)
    case 'H5T_TIME':
    case 'H5T_BITFIELD':
      return orderBits(type)
    case 'H5T_STRING':
      return STRING_PADDINGS.indexOf(type.padding) | (CHARACTER_SETS.indexOf(type.charSet) << 4)
    case 'H5T_OPAQUE':
      return paddedTagLength(type)
    case 'H5T_COMPOUND':
    case 'H5T_ENUM':
      return type.members.length
    case 'H5T_REFERENCE': {
      const isNew = type.kind !== 'object' && type.kind !== 'region'
      // The newer kinds have a version of their own, which is 1.
      return REFERENCE_KINDS.indexOf(type.kind) | (isNew ? 1 << 4 : 0)
    }
    case 'H5T_VLEN':
      if (!type.text) return SEQUENCE
      return (
        STRING |
        (STRING_PADDINGS.indexOf(type.text.padding) << 4) |
        (CHARACTER_SETS.indexOf(type.text.charSet) << 8)
      )
    case 'H5T_ARRAY':
      return 0
    case 'H5T_COMPLEX':
      return HOMOGENEOUS_RECTANGULAR
  }
}

function orderBits({ order }: { readonly order: FileByteOrder }): number {
  return order === 'LE' ? 0 : order === 'BE' ? BIG_ENDIAN : BIG_ENDIAN | VAX
}

function paddedTagLength({ tag }: FileOpaque): number {
  return roundUp(tag.length)
}

function encodeProperties(writer: FieldWriter, type: FileType, version: number, minVersion: number): void {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      writer.u16(type.offset)
      writer.u16(type.precision)
      break
    case 'H5T_FLOAT':
      writer.u16(type.offset)
      writer.u16(type.precision)
      writer.u8(type.exponent.location)
      writer.u8(type.exponent.size)
      writer.u8(type.mantissa.location)
      writer.u8(type.mantissa.size)
      writer.u32(type.exponent.bias)
      break
    case 'H5T_TIME':
      writer.u16(type.precision)
      break
    case 'H5T_OPAQUE':
      writer.put(type.tag)
      writer.zeros(paddedTagLength(type) - type.tag.length)
      break
    case 'H5T_COMPOUND':
      for (const member of type.members) {
        encodeName(writer, member.name, version)
        writer.unsigned(member.offset, version < 3 ? 4 : offsetWidth(type.size))
        // The member itself has no dimensions.
        if (version === 1) writer.zeros(28)
        encodeDatatype(writer, member.type, minVersion)
      }
      break
    case 'H5T_ENUM':
      encodeDatatype(writer, type.base, minVersion)
      for (const { name } of type.members) encodeName(writer, name, version)
      for (const { value } of type.members) writer.put(value)
      break
    case 'H5T_ARRAY':
      writer.u8(type.dims.length)
      if (version < 3) writer.zeros(3)
      for (const extent of type.dims) writer.u32(extent)
      if (version < 3) writer.zeros(4 * type.dims.length)
      encodeDatatype(writer, type.base, minVersion)
      break
    case 'H5T_VLEN':
    case 'H5T_COMPLEX':
      encodeDatatype(writer, type.base, minVersion)
      break
    case 'H5T_STRING':
    case 'H5T_REFERENCE':
      break
  }
}

function encodeName(writer: FieldWriter, name: Uint8Array, version: number): void {
  writer.put(name)
  writer.zeros(version < 3 ? 1 + namePadding(name) : 1)
}
