// Datatypes and shapes as the classic dialect shows them (classic 14.3 and 15.1).

import { type Dataspace, isExtensible, UNLIMITED } from '@hyperslab/model/dataset'
import { type Datatype, formatDatatype, mapType } from '@hyperslab/model/datatype'
import type { JsonOutput } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import { integerOf } from '@hyperslab/model/values'
import type { Body } from '../dialect.ts'
import { formatUuid } from '../ids.ts'

/** The full type object. */
export function presentType(type: Datatype): Body {
  return formatDatatype(classicType(type))
}

/** The type where a committed datatype may represent it: the string `datatypes/<id>`. */
export function presentTypeUse(type: Datatype, committed: ObjectId | undefined): JsonOutput {
  return committed === undefined ? presentType(type) : `datatypes/${formatUuid(committed)}`
}

/**
 * The datatype that clients of this dialect expect: strings NUL-padded or, of variable length,
 * NUL-terminated; bitfields as unsigned integers; opaque types without their tag.
 */
function classicType(type: Datatype): Datatype {
  return mapType(type, leaf => {
    switch (leaf.class) {
      case 'H5T_STRING':
        return { ...leaf, strPad: leaf.length === 'H5T_VARIABLE' ? 'H5T_STR_NULLTERM' : 'H5T_STR_NULLPAD' }
      case 'H5T_BITFIELD':
        return integerOf(leaf)
      case 'H5T_OPAQUE':
        return { class: 'H5T_OPAQUE', size: leaf.size }
      default:
        return leaf
    }
  })
}

/** `maxdims` only while a dimension can still grow; fixed dimensions show their extent (classic 15.1). */
export function presentShape(space: Dataspace): Body {
  if (space.class !== 'H5S_SIMPLE') return { class: space.class }
  const { dims, maxdims } = space
  return {
    class: 'H5S_SIMPLE',
    dims,
    ...(isExtensible(space) && { maxdims: maxdims?.map(max => (max === UNLIMITED ? 0 : max)) }),
  }
}
