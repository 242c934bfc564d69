// Complex numbers, which are compounds in the data model; the rule is that of the page.

import { areComplexParts } from '@hyperslab/meaning/meaning'
import type { Datatype, FloatType } from './datatype.ts'

/** The type of the parts of complex numbers; undefined: the type has others. */
export function complexPart(type: Datatype): FloatType | undefined {
  if (type.class !== 'H5T_COMPOUND') return undefined
  const parts = type.fields.map(({ name, type }) => ({
    name,
    float: type.class === 'H5T_FLOAT' ? { size: type.size, isLittleEndian: type.order === 'LE' } : undefined,
  }))
  const [first] = type.fields
  return areComplexParts(parts) && first.type.class === 'H5T_FLOAT' ? first.type : undefined
}
