// The lines of a type: members of compounds and names of enums, below each other, each with its own below it.

import type { Datatype } from '@hyperslab/client'
import { formatDatatype, isBoolean, isComplex } from '@hyperslab/client/elements'

/** None where the name of the type says all. */
export function typeLines(type: Datatype, depth = 0): readonly string[] {
  const indent = '  '.repeat(depth)
  switch (type.class) {
    case 'H5T_ENUM':
      if (isBoolean(type)) return []
      return Object.entries(type.mapping)
        .toSorted(([, a], [, b]) => Number(a) - Number(b))
        .map(([name, value]) => `${indent}${name} = ${value}`)
    case 'H5T_ARRAY':
    case 'H5T_VLEN':
      return typeLines(type.base, depth)
    case 'H5T_COMPOUND':
      if (isComplex(type)) return []
      return type.fields.flatMap(field => [
        `${indent}${field.name}: ${formatDatatype(field.type)}`,
        ...typeLines(field.type, depth + 1),
      ])
    default:
      return []
  }
}
