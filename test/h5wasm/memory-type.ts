// How elements of a datatype lie in the library's memory, found from the description by h5wasm, and how each
// part becomes storage form (hdf5/datatype/datatype.ts).
//
// h5wasm reads into a copy of the file's datatype whose byte order it tries to set to little-endian. That has
// effect when all parts of a compound that have an order are big-endian; it ends at the first enum, and the members
// of an enum keep the order of the file (H5T__set_order).

import type { Metadata } from 'h5wasm/node'
import { HyperslabError } from '../../src/errors.ts'
import type { ByteOrder, Datatype, EnumMember, IntegerType } from '../../src/hdf5/datatype/datatype.ts'
import { elementSize } from '../../src/hdf5/datatype/layout.ts'

export interface MemoryField {
  /** Of the member in the memory of an element. */
  readonly offset: number
  /** Of the member in an element in storage form. */
  readonly storageOffset: number
  readonly member: MemoryType
}

export type MemoryType = {
  readonly type: Datatype
  /** Bytes that an element takes in memory. */
  readonly size: number
} & (
  | { readonly kind: 'plain' }
  /** Little-endian in memory, big-endian in storage. */
  | { readonly kind: 'swapped' }
  /** An integer in some of the bits only; in storage it takes all of them. */
  | { readonly kind: 'bits'; readonly order: ByteOrder; readonly precision: number; readonly offset: number }
  | { readonly kind: 'compound'; readonly fields: readonly MemoryField[] }
  | { readonly kind: 'array'; readonly length: number; readonly base: MemoryType }
  /** A pointer to text that ends with NUL. */
  | { readonly kind: 'string' }
  /** A length and a pointer to so many elements. */
  | { readonly kind: 'sequence'; readonly base: MemoryType }
  | { readonly kind: 'object-reference' }
  | { readonly kind: 'region-reference' }
)

const POINTER_SIZE = 4
const SEQUENCE_SIZE = 8
const OBJECT_REFERENCE_SIZE = 8
const REGION_REFERENCE_SIZE = 12
const BITS_PER_BYTE = 8

/** The library's numbers for the datatype classes (H5T_class_t). */
const CLASS_NAMES = [
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
] as const

const CHARACTER_SETS = ['H5T_CSET_ASCII', 'H5T_CSET_UTF8'] as const
const PADDINGS = ['H5T_STR_NULLTERM', 'H5T_STR_NULLPAD', 'H5T_STR_SPACEPAD'] as const

/** Without the members that h5wasm gives for a whole datatype only, not for one inside another. */
type TypeMetadata = Omit<Metadata, 'chunks' | 'maxshape' | 'total_size'>

/** `nbit`: the client data of the n-bit filter, the only place where h5wasm has reduced precision. */
export function memoryTypeOf(metadata: TypeMetadata, nbit?: readonly number[]): MemoryType {
  const order = orderOf(metadata)
  // The first three values describe the filter itself (H5Znbit.c).
  const precisions = nbit && { values: nbit, position: 3 }
  return parseType(metadata, { littleEndian: order === 'BE', precisions })
}

/** The same for bytes as they stand in the file, such as a fill value; not for types of variable size. */
export function fileTypeOf(metadata: TypeMetadata): MemoryType {
  return parseType(metadata, { littleEndian: false, precisions: undefined })
}

interface Context {
  /** The library turns big-endian parts into little-endian ones, until it meets an enum. */
  littleEndian: boolean
  readonly precisions: { readonly values: readonly number[]; position: number } | undefined
}

type Order = 'LE' | 'BE' | 'MIXED' | undefined

/** The byte order as the library sees it: that of all parts which have one. */
function orderOf(metadata: TypeMetadata): Order {
  const name = className(metadata)
  if (name === 'H5T_COMPOUND') {
    const orders = new Set(metadata.compound_type?.members.map(orderOf))
    orders.delete(undefined)
    return orders.size > 1 ? 'MIXED' : [...orders][0]
  }
  if (name === 'H5T_ARRAY' && metadata.array_type) return orderOf(metadata.array_type)
  if (name === 'H5T_VLEN' && metadata.vlen_type) return orderOf(metadata.vlen_type)
  if (name === 'H5T_OPAQUE' || name === 'H5T_REFERENCE') return undefined
  if (name === 'H5T_STRING' && !metadata.vlen) return undefined
  return metadata.littleEndian ? 'LE' : 'BE'
}

/** `isBase`: of an array or a sequence. The library looks for enums only outside of these. */
function parseType(metadata: TypeMetadata, context: Context, isBase = false): MemoryType {
  const name = className(metadata)
  const { size } = metadata
  const precision = nextPrecision(context)
  switch (name) {
    case 'H5T_INTEGER':
      return parseInteger(metadata, context, precision)
    case 'H5T_FLOAT': {
      const type = { class: name, size: sizeOf(metadata, [2, 4, 8] as const), order: fileOrder(metadata) }
      return { type, size, kind: isSwapped(type.order, context) ? 'swapped' : 'plain' }
    }
    case 'H5T_BITFIELD': {
      const type = { class: name, size: sizeOf(metadata, [1, 2, 4, 8] as const), order: fileOrder(metadata) }
      return { type, size, kind: isSwapped(type.order, context) ? 'swapped' : 'plain' }
    }
    case 'H5T_OPAQUE':
      return { type: { class: name, size }, size, kind: 'plain' }
    case 'H5T_STRING':
      return parseString(metadata)
    case 'H5T_REFERENCE':
      return parseReference(metadata)
    case 'H5T_ENUM':
      return parseEnum(metadata, context, isBase)
    case 'H5T_COMPOUND':
      return parseCompound(metadata, context)
    case 'H5T_ARRAY': {
      if (!metadata.array_type) throw unsupported('an array without a base type')
      const base = parseType(metadata.array_type, context, true)
      const dims = metadata.array_type.shape ?? []
      const length = dims.reduce((product, extent) => product * extent, 1)
      return { type: { class: name, base: base.type, dims }, size, kind: 'array', length, base }
    }
    case 'H5T_VLEN': {
      if (!metadata.vlen_type) throw unsupported('a sequence without a base type')
      // The n-bit filter does not look into sequences.
      const inside = { ...context, precisions: undefined }
      const base = parseType(metadata.vlen_type, inside, true)
      context.littleEndian = inside.littleEndian
      return { type: { class: name, base: base.type }, size: SEQUENCE_SIZE, kind: 'sequence', base }
    }
    default:
      throw unsupported(`the datatype class ${name}`)
  }
}

function parseInteger(
  metadata: TypeMetadata,
  context: Context,
  precision: Precision | undefined,
): MemoryType {
  const size = sizeOf(metadata, [1, 2, 4, 8] as const)
  const order = fileOrder(metadata)
  const type: IntegerType = { class: 'H5T_INTEGER', size, signed: metadata.signed, order }
  if (precision && precision.precision < size * BITS_PER_BYTE) {
    return { type, size, kind: 'bits', order: isSwapped(order, context) ? 'LE' : order, ...precision }
  }
  return { type, size, kind: isSwapped(order, context) ? 'swapped' : 'plain' }
}

function parseString(metadata: TypeMetadata): MemoryType {
  const charSet = CHARACTER_SETS[metadata.cset ?? 0]
  const strPad = PADDINGS[metadata.strpad ?? 0]
  if (!charSet || !strPad) throw unsupported('a string of an unknown character set or padding')
  if (metadata.vlen) {
    const type = { class: 'H5T_STRING', length: 'H5T_VARIABLE', charSet, strPad } as const
    return { type, size: POINTER_SIZE, kind: 'string' }
  }
  const { size } = metadata
  return { type: { class: 'H5T_STRING', length: size, charSet, strPad }, size, kind: 'plain' }
}

function parseReference(metadata: TypeMetadata): MemoryType {
  const { size } = metadata
  if (metadata.ref_type === 'object' && size === OBJECT_REFERENCE_SIZE) {
    return { type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, size, kind: 'object-reference' }
  }
  if (metadata.ref_type === 'region' && size === REGION_REFERENCE_SIZE) {
    return { type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }, size, kind: 'region-reference' }
  }
  throw unsupported('references other than to objects and to regions')
}

function parseEnum(metadata: TypeMetadata, context: Context, isBase: boolean): MemoryType {
  const size = sizeOf(metadata, [1, 2, 4, 8] as const)
  const given = metadata.enum_type
  if (!given || CLASS_NAMES[given.type] !== 'H5T_INTEGER')
    throw unsupported('an enum of other values than integers')
  const members = Object.entries(given.members).map(([name, value]): EnumMember => ({ name, value }))
  // h5wasm passes members through a 32-bit integer and an object of JavaScript; what both lose shows here.
  const isCut = members.some(({ value }) => value === 2 ** 31 - 1 || value === -(2 ** 31))
  if (members.length !== given.nmembers || (size > 4 && isCut) || (size === 4 && !metadata.signed && isCut)) {
    throw unsupported('an enum with members beyond 32 bits')
  }
  const base: IntegerType = {
    class: 'H5T_INTEGER',
    size,
    signed: metadata.signed,
    order: fileOrder(metadata),
  }
  // The library stops changing the byte order here, and reads members in the order of the file.
  if (!isBase) context.littleEndian = false
  return { type: { class: 'H5T_ENUM', base, members }, size, kind: 'plain' }
}

function parseCompound(metadata: TypeMetadata, context: Context): MemoryType {
  const fields: MemoryField[] = []
  let storageOffset = 0
  for (const field of metadata.compound_type?.members ?? []) {
    // Each member of the n-bit filter's description begins with its offset.
    if (context.precisions) context.precisions.position++
    const member = parseType(field, context)
    fields.push({ offset: field.offset, storageOffset, member })
    storageOffset += elementSize(member.type)
  }
  const names = metadata.compound_type?.members.map(({ name }) => name) ?? []
  const types = fields.map(({ member }, index) => ({ name: names[index] ?? '', type: member.type }))
  return { type: { class: 'H5T_COMPOUND', fields: types }, size: metadata.size, kind: 'compound', fields }
}

interface Precision {
  readonly precision: number
  readonly offset: number
}

const NBIT_ATOMIC = 1
const NBIT_ARRAY = 2
const NBIT_COMPOUND = 3

/** Reads the n-bit filter's description of the part that is parsed next. */
function nextPrecision({ precisions }: Context): Precision | undefined {
  if (!precisions) return undefined
  const { values, position } = precisions
  const code = values[position]
  // Class, size, and: byte order, precision, offset / nothing / count of members / nothing.
  precisions.position += code === NBIT_ATOMIC ? 5 : code === NBIT_COMPOUND ? 3 : 2
  if (code === NBIT_ARRAY || code !== NBIT_ATOMIC) return undefined
  return { precision: values[position + 3] ?? 0, offset: values[position + 4] ?? 0 }
}

function className(metadata: TypeMetadata): string {
  return CLASS_NAMES[metadata.type] ?? `number ${metadata.type}`
}

function fileOrder(metadata: TypeMetadata): ByteOrder {
  return metadata.littleEndian || metadata.size === 1 ? 'LE' : 'BE'
}

function isSwapped(order: ByteOrder, context: Context): boolean {
  return order === 'BE' && context.littleEndian
}

function sizeOf<const T extends number>(metadata: TypeMetadata, sizes: readonly T[]): T {
  const size = sizes.find(candidate => candidate === metadata.size)
  if (size === undefined) throw unsupported(`${className(metadata)} of ${metadata.size} bytes`)
  return size
}

function unsupported(what: string): HyperslabError {
  return new HyperslabError('type-unsupported', `${what} cannot be read from files`)
}
