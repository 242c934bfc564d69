// The names of HDF5's types in Zarr, and the form in which their bytes are sent. In Zarr 3 only types that zarr-python
// 3.0 knows are shown: one array of another type makes the whole group unreadable there.

import type { ByteOrder, CompoundField, Datatype, FloatType, IntegerType } from '@hyperslab/model/datatype'
import {
  complexPart,
  datesOf,
  elementSize,
  elementsOfType,
  isBoolean,
  isVariableSize,
} from '@hyperslab/model/datatype'
import type { JsonOutput } from '@hyperslab/model/json'
import { integerOf, isFixedString } from '@hyperslab/model/values'
import { nameFault, type ZarrFormat } from './names.ts'

/** The conversion of the elements of a chunk to the bytes that a reader expects. */
export type Encoding =
  /** The stored bytes. */
  | 'stored'
  /** Bytes as stored, with NULs instead of the spaces that pad strings. */
  | 'unpadded'
  /** The number of strings, and each with its length: UTF-8 (`vlen-utf8`). */
  | 'text'
  /** The same for sequences of numbers (`vlen-array`). */
  | 'sequences'
  /** Complex numbers whose parts have 32 bits instead of 16. */
  | 'widened'

export interface ArrayType {
  readonly kind: 'array'
  /** `data_type` of Zarr 3, `dtype` of Zarr 2. */
  readonly name: JsonOutput
  readonly order: ByteOrder
  readonly encoding: Encoding
  /** The type of one element: that of the items where the elements of the dataset are arrays. */
  readonly base: Datatype
  /** The dimensions of elements that are arrays: they are the last ones of the array. */
  readonly dims: readonly number[]
  /** Zarr 2: the type of the items of sequences. */
  readonly items?: JsonOutput
}

/**
 * A compound without a type of its own in Zarr: it is shown as a group with an array for each member that readers can
 * ask for.
 */
export interface MembersType {
  readonly kind: 'members'
  readonly members: readonly CompoundField[]
}

export interface LeftOut {
  readonly kind: 'left-out'
  readonly reason: string
}

export type ShownType = ArrayType | MembersType | LeftOut

export function shownType(type: Datatype, format: ZarrFormat): ShownType {
  const { base, dims } = elementsOfType(type)
  const arrayType = format === 3 ? typeOf3(base) : typeOf2(base)
  if (!arrayType && base.class === 'H5T_COMPOUND' && dims.length === 0) {
    const members = base.fields.filter(({ name }) => nameFault(name, format) === undefined)
    if (members.some(({ type }) => shownType(type, format).kind !== 'left-out'))
      return { kind: 'members', members }
  }
  if (arrayType === undefined)
    return { kind: 'left-out', reason: `Zarr ${format} has no type for ${describe(type)}` }
  return { kind: 'array', order: 'LE', encoding: 'stored', ...arrayType, base, dims }
}

type FoundType = Pick<ArrayType, 'name'> & Partial<Pick<ArrayType, 'order' | 'encoding' | 'items'>>

function typeOf3(type: Datatype): FoundType | undefined {
  if (isBoolean(type)) return { name: 'bool' }
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_ENUM':
    case 'H5T_BITFIELD': {
      const { signed, size, order } = integerOf(type)
      return { name: `${signed ? 'int' : 'uint'}${8 * size}`, order }
    }
    case 'H5T_FLOAT':
      return { name: `float${8 * type.size}`, order: type.order }
    case 'H5T_COMPOUND': {
      const part = complexPart(type)
      return part && { ...numbersAs(part), name: `complex${16 * Math.max(part.size, 4)}` }
    }
    case 'H5T_STRING':
      return { name: 'string', encoding: 'text' }
    case 'H5T_OPAQUE': {
      // Readers make dates of the numbers, by the attributes of CF.
      const dates = datesOf(type)
      return dates && { name: 'int64', order: dates.isLittleEndian ? 'LE' : 'BE' }
    }
    default:
      return undefined
  }
}

/** Complex numbers of shorter parts are made longer: Zarr has none of them. */
function numbersAs({ size, order }: FloatType): Partial<FoundType> {
  return size === 2 ? { encoding: 'widened' } : { order }
}

function typeOf2(type: Datatype): FoundType | undefined {
  if (type.class === 'H5T_STRING' && !isFixedString(type)) return { name: '|O', encoding: 'text' }
  if (type.class === 'H5T_VLEN') {
    const items = isVariableSize(type.base) ? undefined : numberName(type.base)
    return items === undefined ? undefined : { name: '|O', encoding: 'sequences', items }
  }
  const name = isVariableSize(type) ? undefined : fixedName(type)
  if (name === undefined) return undefined
  if (complexPart(type)?.size === 2) return { name, encoding: 'widened' }
  const isPadded = type.class === 'H5T_STRING' && type.strPad === 'H5T_STR_SPACEPAD'
  return { name, ...(isPadded && { encoding: 'unpadded' }) }
}

/** A `dtype` of NumPy. */
function fixedName(type: Datatype): JsonOutput | undefined {
  switch (type.class) {
    case 'H5T_STRING':
      return `|S${type.length}`
    case 'H5T_OPAQUE':
      return datesOf(type)?.dtype ?? `|V${type.size}`
    case 'H5T_COMPOUND':
      return complexPart(type) ? numberName(type) : fieldNames(type.fields)
    default:
      return numberName(type)
  }
}

function fieldNames(fields: readonly CompoundField[]): JsonOutput | undefined {
  const names: JsonOutput[] = []
  for (const { name, type } of fields) {
    const { base, dims } = elementsOfType(type)
    // zarr-python 3 reads neither a compound within another one nor a group with such an array.
    const isNested = base.class === 'H5T_COMPOUND' && (complexPart(base)?.size ?? 2) === 2
    const found = isNested ? undefined : fixedName(base)
    if (found === undefined) return undefined
    names.push(dims.length === 0 ? [name, found] : [name, found, dims])
  }
  return names
}

function numberName(type: Datatype): string | undefined {
  if (isBoolean(type)) return '|b1'
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_ENUM':
    case 'H5T_BITFIELD': {
      const integer = integerOf(type)
      return `${orderOf(integer)}${integer.signed ? 'i' : 'u'}${integer.size}`
    }
    case 'H5T_FLOAT':
      return `${orderOf(type)}f${type.size}`
    case 'H5T_COMPOUND': {
      const part = complexPart(type)
      if (part?.size === 2) return '<c8'
      return part && `${orderOf(part)}c${2 * part.size}`
    }
    default:
      return undefined
  }
}

function orderOf({ size, order }: Pick<IntegerType, 'size' | 'order'>): '|' | '<' | '>' {
  if (size === 1) return '|'
  return order === 'LE' ? '<' : '>'
}

function describe(type: Datatype): string {
  const { base, dims } = elementsOfType(type)
  const name = base.class === 'H5T_VLEN' ? `sequences of ${base.base.class}` : base.class
  const size = isVariableSize(base) ? '' : ` of ${elementSize(base)} bytes`
  return dims.length === 0 ? name + size : `arrays of ${name}${size}`
}
