// Datatypes by short names, and functions for those with parts.

import type {
  ArrayType,
  BitfieldType,
  CompoundType,
  Datatype,
  EnumType,
  FloatType,
  IntegerType,
  OpaqueType,
  ReferenceType,
  StringType,
  VlenType,
} from '@hyperslab/model/datatype'

function integer(size: IntegerType['size'], signed: boolean): IntegerType {
  return { class: 'H5T_INTEGER', size, signed, order: 'LE' }
}

function float(size: FloatType['size']): FloatType {
  return { class: 'H5T_FLOAT', size, order: 'LE' }
}

/** Strings of any length, UTF-8. */
const STRING: StringType = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

/** Types without parts; numbers are little-endian. */
export const TYPES = {
  int8: integer(1, true),
  int16: integer(2, true),
  int32: integer(4, true),
  int64: integer(8, true),
  uint8: integer(1, false),
  uint16: integer(2, false),
  uint32: integer(4, false),
  uint64: integer(8, false),
  float32: float(4),
  float64: float(8),
  string: STRING,
} as const

/** The boolean of h5py. */
export const BOOLEAN: EnumType = enumeration(TYPES.int8, { FALSE: 0, TRUE: 1 })

/** Objects of the same file. */
export const REFERENCE: ReferenceType = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }

/** The type in big-endian byte order. */
export function bigEndian<Type extends IntegerType | FloatType | BitfieldType>(type: Type): Type {
  return { ...type, order: 'BE' }
}

/** Strings of at most `length` bytes, UTF-8, filled up with NUL. */
export function fixedString(length: number): StringType {
  return { ...STRING, length, strPad: 'H5T_STR_NULLPAD' }
}

export function enumeration(base: IntegerType, members: Readonly<Record<string, number | bigint>>): EnumType {
  const list = Object.entries(members).map(([name, value]) => ({ name, value }))
  return { class: 'H5T_ENUM', base, members: list }
}

export function compound(fields: Readonly<Record<string, Datatype>>): CompoundType {
  const list = Object.entries(fields).map(([name, type]) => ({ name, type }))
  return { class: 'H5T_COMPOUND', fields: list }
}

export function array(base: Datatype, dims: readonly number[]): ArrayType {
  return { class: 'H5T_ARRAY', base, dims }
}

/** A sequence of any length. */
export function sequence(base: Datatype): VlenType {
  return { class: 'H5T_VLEN', base }
}

export function opaque(size: number, tag?: string): OpaqueType {
  return { class: 'H5T_OPAQUE', size, ...(tag !== undefined && { tag }) }
}

export function bitfield(size: BitfieldType['size']): BitfieldType {
  return { class: 'H5T_BITFIELD', size, order: 'LE' }
}
