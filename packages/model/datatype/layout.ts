// The layout of elements of a datatype in storage form (datatype.ts): packed, in declaration order, with a slot for
// every part of variable size.

import type { ArrayType, CompoundType, Datatype } from './datatype.ts'
import { OBJECT_REFERENCE_SIZE, SLOT_SIZE } from './datatype.ts'

/** Bytes that one element takes in storage form, slots counted. */
export function elementSize(type: Datatype): number {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_FLOAT':
    case 'H5T_OPAQUE':
    case 'H5T_BITFIELD':
      return type.size
    case 'H5T_STRING':
      return type.length === 'H5T_VARIABLE' ? SLOT_SIZE : type.length
    case 'H5T_COMPOUND':
      return type.fields.reduce((size, field) => size + elementSize(field.type), 0)
    case 'H5T_ARRAY':
      return arrayLength(type.dims) * elementSize(type.base)
    case 'H5T_ENUM':
      return type.base.size
    case 'H5T_VLEN':
      return SLOT_SIZE
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ' ? OBJECT_REFERENCE_SIZE : SLOT_SIZE
  }
}

/** Slots in one packed element, without those of elements that are in the heap. */
export function slotCount(type: Datatype): number {
  if (type.class === 'H5T_COMPOUND') {
    return type.fields.reduce((count, field) => count + slotCount(field.type), 0)
  }
  if (type.class === 'H5T_ARRAY') return arrayLength(type.dims) * slotCount(type.base)
  return isSlot(type) ? 1 : 0
}

/** True when the type, or a type within it, passes `isSuch`. */
export function includesType(type: Datatype, isSuch: (type: Datatype) => boolean): boolean {
  if (isSuch(type)) return true
  if (type.class === 'H5T_COMPOUND') return type.fields.some(field => includesType(field.type, isSuch))
  return (type.class === 'H5T_ARRAY' || type.class === 'H5T_VLEN') && includesType(type.base, isSuch)
}

/** The type with every type in it that has no parts of its own changed. */
export function mapType(type: Datatype, change: (leaf: Datatype) => Datatype): Datatype {
  switch (type.class) {
    case 'H5T_COMPOUND':
      return { ...type, fields: type.fields.map(({ name, type }) => ({ name, type: mapType(type, change) })) }
    case 'H5T_ARRAY':
    case 'H5T_VLEN':
      return { ...type, base: mapType(type.base, change) }
    default:
      return change(type)
  }
}

/** An array of arrays is one array, with the dimensions of both. */
export function wholeArray(type: ArrayType): ArrayType {
  if (type.base.class !== 'H5T_ARRAY') return type
  const inner = wholeArray(type.base)
  return { ...inner, dims: [...type.dims, ...inner.dims] }
}

/** The parts of a value of the type: elements of `base` in the dimensions of an array type, or one element. */
export function elementsOfType(type: Datatype): {
  readonly base: Datatype
  readonly dims: readonly number[]
} {
  return type.class === 'H5T_ARRAY' ? wholeArray(type) : { base: type, dims: [] }
}

/** True when the type has parts of variable size. */
export function isVariableSize(type: Datatype): boolean {
  if (type.class === 'H5T_COMPOUND') return type.fields.some(field => isVariableSize(field.type))
  if (type.class === 'H5T_ARRAY') return isVariableSize(type.base)
  return isSlot(type)
}

/** The offset of each field in a packed element of a compound. */
export function fieldOffsets({ fields }: Pick<CompoundType, 'fields'>): readonly number[] {
  let offset = 0
  return fields.map(({ type }) => {
    const start = offset
    offset += elementSize(type)
    return start
  })
}

/** Offsets in one packed element of its slots, ascending. Slots of elements that are in the heap are not among them. */
export function slotOffsets(type: Datatype): readonly number[] {
  const offsets: number[] = []
  collectSlots(type, 0, offsets)
  return offsets
}

function collectSlots(type: Datatype, start: number, offsets: number[]): void {
  if (type.class === 'H5T_COMPOUND') {
    let offset = start
    for (const field of type.fields) {
      collectSlots(field.type, offset, offsets)
      offset += elementSize(field.type)
    }
  } else if (type.class === 'H5T_ARRAY') {
    if (!isVariableSize(type.base)) return
    const stride = elementSize(type.base)
    const length = arrayLength(type.dims)
    for (let index = 0; index < length; index++) collectSlots(type.base, start + index * stride, offsets)
  } else if (isSlot(type)) {
    offsets.push(start)
  }
}

/** The boolean of h5py: an enum over I8 whose members are exactly FALSE 0 and TRUE 1. */
export function isBoolean(type: Datatype): boolean {
  if (type.class !== 'H5T_ENUM' || type.base.size !== 1 || !type.base.signed) return false
  return (
    type.members.length === 2 &&
    type.members.some(({ name, value }) => name === 'FALSE' && value === 0) &&
    type.members.some(({ name, value }) => name === 'TRUE' && value === 1)
  )
}

function isSlot(type: Datatype): boolean {
  switch (type.class) {
    case 'H5T_STRING':
      return type.length === 'H5T_VARIABLE'
    case 'H5T_VLEN':
      return true
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_DSETREG'
    default:
      return false
  }
}

function arrayLength(dims: readonly number[]): number {
  return dims.reduce((length, extent) => length * extent, 1)
}
