// Complex numbers of two floats of 16 bits as ones of two floats of 32, for formats that have no shorter ones.

import { complexPart } from '../datatype/complex.ts'
import type { Datatype, FloatType } from '../datatype/datatype.ts'
import type { Elements } from './elements.ts'
import { floatOfHalf } from './numbers.ts'

/** The type of the wider numbers, also where they are the elements of arrays; undefined: the type has no such ones. */
export function wideComplexType(type: Datatype): Datatype | undefined {
  if (type.class === 'H5T_ARRAY') {
    const base = wideComplexType(type.base)
    return base && { ...type, base }
  }
  if (type.class !== 'H5T_COMPOUND' || complexPart(type)?.size !== 2) return undefined
  return { class: 'H5T_COMPOUND', fields: type.fields.map(({ name }) => ({ name, type: WIDE })) }
}

const WIDE: FloatType = { class: 'H5T_FLOAT', size: 4, order: 'LE' }

/** The elements with wider numbers, where `type` has a `wideComplexType`. */
export function widenComplex(type: Datatype, { count, data, heap }: Elements): Elements {
  const base = type.class === 'H5T_ARRAY' ? type.base : type
  if (base.class === 'H5T_ARRAY') return widenComplex(base, { count, data, heap })
  const isLittle = complexPart(base)?.order === 'LE'
  const from = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const to = new DataView(new ArrayBuffer(2 * data.length))
  for (let at = 0; at < data.length; at += 2)
    to.setFloat32(2 * at, floatOfHalf(from.getUint16(at, isLittle)), true)
  return { count, data: new Uint8Array(to.buffer), heap }
}
