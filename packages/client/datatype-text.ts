// Datatypes and shapes in the words of NumPy and HDF5 that people know: `float64`, `string`, `1000 × 1000`.

import { numpyDates } from '@hyperslab/meaning/meaning'
import { type Datatype, isBoolean, isComplex, numberForm } from './datatype.ts'

export function formatDatatype(type: Datatype): string {
  const form = numberForm(type)
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_FLOAT':
    case 'H5T_BITFIELD': {
      if (!form) return type.base
      const name = type.class === 'H5T_BITFIELD' ? 'bits' : NUMBER_NAMES[form.kind]
      return `${name}${form.size * 8}${form.isLittleEndian || form.size === 1 ? '' : ' (big-endian)'}`
    }
    case 'H5T_STRING':
      return type.length === 'H5T_VARIABLE' ? 'string' : `string of ${counted(type.length, 'byte')}`
    case 'H5T_ENUM':
      return isBoolean(type) ? 'boolean' : `enum of ${counted(Object.keys(type.mapping).length, 'name')}`
    case 'H5T_OPAQUE': {
      const dates = numpyDates(type.tag, type.size)
      if (dates) return `${dates.kind} (${dates.count === 1 ? '' : dates.count}${dates.unit})`
      return `opaque, ${counted(type.size, 'byte')}`
    }
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ' ? 'object reference' : 'region reference'
    case 'H5T_COMPOUND': {
      const [first] = type.fields
      if (isComplex(type) && first) return `complex of ${formatDatatype(first.type)}`
      return `compound of ${counted(type.fields.length, 'member')}`
    }
    case 'H5T_ARRAY':
      return `${formatShape(type.dims)} array of ${formatDatatype(type.base)}`
    case 'H5T_VLEN':
      return `sequence of ${formatDatatype(type.base)}`
  }
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

const NUMBER_NAMES = { signed: 'int', unsigned: 'uint', float: 'float' } as const

/** Undefined: a null dataspace. */
export function formatShape(shape: readonly number[] | undefined): string {
  if (shape === undefined) return 'no elements'
  return shape.length === 0 ? 'scalar' : shape.map(extent => extent.toLocaleString('en')).join(' × ')
}
