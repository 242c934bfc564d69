// The predefined datatypes that have a name on the wire: `H5T_STD_I32LE`, `H5T_IEEE_F64BE`. On input a name without
// a byte order is little-endian; a type of one byte has no order and is always ...LE (classic 14.1 and 14.3).

import type { BitfieldType, FloatType, IntegerType } from './datatype.ts'

type PredefinedType = IntegerType | FloatType | BitfieldType

const NAME = /^H5T_(STD_I|STD_U|STD_B|IEEE_F)(8|16|32|64)(LE|BE)?$/
const SIZES = { '8': 1, '16': 2, '32': 4, '64': 8 } as const

/** The type of a name, or undefined. The names of bitfields, `H5T_STD_B8LE`, occur as the base of that class only. */
export function predefinedType(name: string): PredefinedType | undefined {
  const match = NAME.exec(name)
  if (match === null) return undefined
  const [, kind, bits, suffix] = match
  // The pattern allows only these.
  const size = SIZES[bits as keyof typeof SIZES]
  const order = suffix === 'BE' && size > 1 ? 'BE' : 'LE'
  if (kind === 'STD_B') return { class: 'H5T_BITFIELD', size, order }
  if (kind === 'IEEE_F') return size === 1 ? undefined : { class: 'H5T_FLOAT', size, order }
  return { class: 'H5T_INTEGER', size, signed: kind === 'STD_I', order }
}

export function predefinedName(type: PredefinedType): string {
  return `H5T_${kindOf(type)}${type.size * 8}${type.size === 1 ? 'LE' : type.order}`
}

function kindOf(type: PredefinedType): string {
  switch (type.class) {
    case 'H5T_INTEGER':
      return type.signed ? 'STD_I' : 'STD_U'
    case 'H5T_FLOAT':
      return 'IEEE_F'
    case 'H5T_BITFIELD':
      return 'STD_B'
  }
}
