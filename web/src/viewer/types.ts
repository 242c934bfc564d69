// Datatypes and shapes of the service in the words of h5web.

import {
  type ArrayShape,
  type DType,
  DTypeClass,
  type NumericType,
  type ScalarShape,
  type Shape,
  ShapeClass,
} from '@h5web/app'
import { isBoolean, numberForm } from '../../../client/datatype.ts'
import type { Datatype } from '../../../client/index.ts'

export function shapeOf(extents: readonly number[] | undefined): Shape {
  if (extents === undefined) return { class: ShapeClass.Null }
  if (extents.length === 0) return { class: ShapeClass.Scalar, dims: [] } satisfies ScalarShape
  return { class: ShapeClass.Array, dims: [...extents] } satisfies ArrayShape
}

export function typeOf(type: Datatype): DType {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_FLOAT':
      return numericType(type)
    case 'H5T_BITFIELD':
      return { class: DTypeClass.Bitfield, endianness: endiannessOf(type) }
    case 'H5T_ENUM': {
      if (isBoolean(type)) return { class: DTypeClass.Bool, base: numericType(type.base) }
      const names = Object.entries(type.mapping).map(([name, value]) => [value, name])
      return { class: DTypeClass.Enum, base: numericType(type.base), mapping: Object.fromEntries(names) }
    }
    case 'H5T_STRING':
      return {
        class: DTypeClass.String,
        charSet: undefined,
        strPad: undefined,
        ...(type.length !== 'H5T_VARIABLE' && { length: type.length }),
      }
    case 'H5T_COMPOUND': {
      const [real, imaginary, ...others] = type.fields
      // The complex numbers of h5py.
      if (real?.name === 'r' && imaginary?.name === 'i' && others.length === 0) {
        const [realType, imagType] = [typeOf(real.type), typeOf(imaginary.type)]
        if (realType.class === DTypeClass.Float && imagType.class === DTypeClass.Float)
          return { class: DTypeClass.Complex, realType, imagType }
      }
      return {
        class: DTypeClass.Compound,
        fields: new Map(type.fields.map(field => [field.name, typeOf(field.type)])),
      }
    }
    case 'H5T_ARRAY':
      return { class: DTypeClass.Array, base: typeOf(type.base), dims: [...type.dims] }
    case 'H5T_VLEN':
      return { class: DTypeClass.VLen, base: typeOf(type.base) }
    case 'H5T_OPAQUE':
      return { class: DTypeClass.Opaque, tag: '' }
    case 'H5T_REFERENCE':
      return { class: DTypeClass.Reference }
  }
}

function numericType(type: Datatype): NumericType {
  const { kind, size } = numberForm(type) ?? { kind: 'signed', size: 8 }
  const endianness = endiannessOf(type)
  return kind === 'float'
    ? { class: DTypeClass.Float, size: size * 8, endianness }
    : { class: DTypeClass.Integer, signed: kind === 'signed', size: size * 8, endianness }
}

function endiannessOf(type: Datatype): 'little-endian' | 'big-endian' {
  return numberForm(type)?.isLittleEndian === false ? 'big-endian' : 'little-endian'
}
