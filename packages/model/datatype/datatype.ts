// The datatype model: a union over HDF5's own class names. A value is plain, readonly and complete: code
// that has one need not check it again. Parsing and formatting of its JSON live beside it; dialect spellings do not.
//
// Storage form. Elements are packed: no alignment, members in declaration order, in the declared byte order.
// Parts of variable size (variable strings, sequences, region references) take an 8-byte slot in the packed
// element that points into the heap of the elements (values/elements.ts).

export type ByteOrder = 'LE' | 'BE'

/**
 * Two's complement or unsigned. `precision` and `offset` are set when fewer bits than the size holds are significant;
 * they describe a file, while storage form holds the number in all bits of its size.
 */
export interface IntegerType {
  readonly class: 'H5T_INTEGER'
  readonly size: 1 | 2 | 4 | 8
  readonly signed: boolean
  readonly order: ByteOrder
  readonly precision?: number
  readonly offset?: number
}

/** IEEE 754 binary16, binary32 or binary64. */
export interface FloatType {
  readonly class: 'H5T_FLOAT'
  readonly size: 2 | 4 | 8
  readonly order: ByteOrder
}

/** In the order of their codes in HDF5 files. */
export const CHARACTER_SETS = ['H5T_CSET_ASCII', 'H5T_CSET_UTF8'] as const
export type CharacterSet = (typeof CHARACTER_SETS)[number]
/** In the order of their codes in HDF5 files. */
export const STRING_PADDINGS = ['H5T_STR_NULLTERM', 'H5T_STR_NULLPAD', 'H5T_STR_SPACEPAD'] as const
export type StringPadding = (typeof STRING_PADDINGS)[number]

/** Types within each other, in requests and in files. @limit safety, levels */
export const MAX_TYPE_DEPTH = 32
/** The most parts of variable size in one element: each is processed by itself. @limit safety, parts */
export const MAX_SLOTS = 2 ** 14

/** `length` counts bytes. A variable string is a slot into the heap. */
export interface StringType {
  readonly class: 'H5T_STRING'
  readonly length: number | 'H5T_VARIABLE'
  readonly charSet: CharacterSet
  readonly strPad: StringPadding
}

export interface CompoundField {
  readonly name: string
  readonly type: Datatype
}

/** The bytes of an element, and the offset of each field in it. */
export interface CompoundLayout {
  readonly size: number
  readonly offsets: readonly number[]
}

/**
 * A compound has at least one field; names are unique. `inFile` is set when the fields are not one after another in
 * files. It describes files only: storage form is packed, and types that differ in nothing else are the same type
 * (`isSameType`).
 */
export interface CompoundType {
  readonly class: 'H5T_COMPOUND'
  readonly fields: readonly CompoundField[]
  readonly inFile?: CompoundLayout
}

/** An array type has at least one dimension, each positive. */
export interface ArrayType {
  readonly class: 'H5T_ARRAY'
  readonly base: Datatype
  readonly dims: readonly number[]
}

export interface EnumMember {
  readonly name: string
  /** A bigint only beyond +-2^53. */
  readonly value: number | bigint
}

export interface EnumType {
  readonly class: 'H5T_ENUM'
  readonly base: IntegerType
  readonly members: readonly EnumMember[]
}

/** A sequence of any length: a slot into the heap, which holds the packed base elements. */
export interface VlenType {
  readonly class: 'H5T_VLEN'
  readonly base: Datatype
}

export interface OpaqueType {
  readonly class: 'H5T_OPAQUE'
  readonly size: number
  readonly tag?: string
}

export interface BitfieldType {
  readonly class: 'H5T_BITFIELD'
  readonly size: 1 | 2 | 4 | 8
  readonly order: ByteOrder
}

/**
 * An object reference is 48 bytes of ASCII, NUL-padded: `groups/g-...`, `datasets/d-...`, `datatypes/t-...` in the
 * prefixed spelling; all NUL is the null reference. A region reference is a slot to the UTF-8 JSON text of a
 * RegionReference (values/references.ts).
 */
export interface ReferenceType {
  readonly class: 'H5T_REFERENCE'
  readonly base: 'H5T_STD_REF_OBJ' | 'H5T_STD_REF_DSETREG'
}

export type Datatype =
  | IntegerType
  | FloatType
  | StringType
  | CompoundType
  | ArrayType
  | EnumType
  | VlenType
  | OpaqueType
  | BitfieldType
  | ReferenceType

export type DatatypeClass = Datatype['class']

/**
 * Bytes that a slot takes in the packed element: two unsigned 32-bit integers, little-endian: offset and length in
 * bytes.
 */
export const SLOT_SIZE = 8

/** Bytes of a stored object reference. */
export const OBJECT_REFERENCE_SIZE = 48
