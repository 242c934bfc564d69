// Types of elements in a file: every class of HDF5 with all that is needed to read them (HDF5 file format
// specification, IV.A.2.d). Names are bytes, because they may not be UTF-8. The padding types of the bits beside a
// number are not kept, because no reader needs them.

import type { CharacterSet, StringPadding } from '@hyperslab/model/datatype'

/** VAX: words of 16 bits, the most significant one first, each little-endian. */
export type FileByteOrder = 'LE' | 'BE' | 'VAX'

/** Bits of a number, counted from the least significant one of the element. */
export interface BitRange {
  readonly offset: number
  readonly precision: number
}

export interface FileInteger extends BitRange {
  readonly class: 'H5T_INTEGER'
  readonly size: number
  readonly order: 'LE' | 'BE'
  readonly signed: boolean
}

/**
 * The positions of the fields of a float, in bits. The first bit of the mantissa may be implied: always 1, and not
 * stored.
 */
export interface FileFloat extends BitRange {
  readonly class: 'H5T_FLOAT'
  readonly size: number
  readonly order: FileByteOrder
  readonly sign: number
  readonly exponent: { readonly location: number; readonly size: number; readonly bias: number }
  readonly mantissa: {
    readonly location: number
    readonly size: number
    readonly normalization: Normalization
  }
}

export type Normalization = 'none' | 'always-set' | 'implied'

export interface FileTime {
  readonly class: 'H5T_TIME'
  readonly size: number
  readonly order: 'LE' | 'BE'
  readonly precision: number
}

/** A string of fixed length. */
export interface FileString {
  readonly class: 'H5T_STRING'
  readonly size: number
  readonly padding: StringPadding
  readonly charSet: CharacterSet
}

export interface FileBitfield extends BitRange {
  readonly class: 'H5T_BITFIELD'
  readonly size: number
  readonly order: 'LE' | 'BE'
}

export interface FileOpaque {
  readonly class: 'H5T_OPAQUE'
  readonly size: number
  readonly tag: Uint8Array
}

export interface FileMember {
  readonly name: Uint8Array
  /** The offset in the element; members may leave gaps, and may be in any order. */
  readonly offset: number
  readonly type: FileType
}

/** A compound has at least one member; members do not overlap. */
export interface FileCompound {
  readonly class: 'H5T_COMPOUND'
  readonly size: number
  readonly members: readonly FileMember[]
}

/**
 * `object` and `region` as before HDF5 1.12. An element of the newer ones names its own kind, whichever its type has.
 */
export type ReferenceKind = 'object' | 'region' | 'object2' | 'region2' | 'attribute'

export interface FileReference {
  readonly class: 'H5T_REFERENCE'
  readonly size: number
  readonly kind: ReferenceKind
}

export interface FileEnumMember {
  readonly name: Uint8Array
  /** An element of the base type. */
  readonly value: Uint8Array
}

export interface FileEnum {
  readonly class: 'H5T_ENUM'
  readonly size: number
  readonly base: FileType
  readonly members: readonly FileEnumMember[]
}

/**
 * An element is a count, and the address and index of an object in a global heap. `text`: the count is of bytes of a
 * string.
 */
export interface FileVlen {
  readonly class: 'H5T_VLEN'
  readonly size: number
  readonly base: FileType
  readonly text?: { readonly padding: StringPadding; readonly charSet: CharacterSet }
}

export interface FileArray {
  readonly class: 'H5T_ARRAY'
  readonly size: number
  readonly dims: readonly number[]
  readonly base: FileType
}

/** The real part and the imaginary part, both of the base type. */
export interface FileComplex {
  readonly class: 'H5T_COMPLEX'
  readonly size: number
  readonly base: FileType
}

/** `size` is that of an element in the file, in bytes, and at least 1. */
export type FileType =
  | FileInteger
  | FileFloat
  | FileTime
  | FileString
  | FileBitfield
  | FileOpaque
  | FileCompound
  | FileReference
  | FileEnum
  | FileVlen
  | FileArray
  | FileComplex
