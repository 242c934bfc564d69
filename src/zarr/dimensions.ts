// Names of dimensions, without which xarray opens no array. Equal names in one group mean equal extents, so that no
// other array must be read.

import { OBJECT_REFERENCE_SIZE, SLOT_SIZE } from '../hdf5/datatype/datatype.ts'
import type { ObjectId } from '../hdf5/object-id.ts'
import { readObjectReference } from '../hdf5/values/references.ts'
import { slotLength, slotStart } from '../hdf5/values/slots.ts'
import type { ShownAttribute } from './attributes.ts'

const DIMENSION_LIST = 'DIMENSION_LIST'

/** The first scale of each dimension, as `DIMENSION_LIST` names them; undefined: it has none. */
export function scalesOf(attributes: readonly ShownAttribute[]): readonly (ObjectId | undefined)[] {
  const list = attributes.find(({ name }) => name === DIMENSION_LIST)
  const isList =
    list?.type.class === 'H5T_VLEN' &&
    list.type.base.class === 'H5T_REFERENCE' &&
    list.type.base.base === 'H5T_STD_REF_OBJ'
  const value = isList ? list.value : undefined
  if (!value) return []
  const { count, data, heap } = value
  return Array.from({ length: count }, (_, i) => {
    if (slotLength(data, i * SLOT_SIZE) < OBJECT_REFERENCE_SIZE) return undefined
    return readObjectReference(heap, slotStart(data, i * SLOT_SIZE))?.id
  })
}

/** The names of all dimensions; a dimension that has none in `names` gets one from its extent. */
export function dimensionNames(
  dims: readonly number[],
  names: readonly (string | undefined)[],
): readonly string[] {
  const taken = new Map<number, number>()
  return dims.map((extent, d) => {
    const name = names[d]
    if (name !== undefined) return name
    const before = taken.get(extent) ?? 0
    taken.set(extent, before + 1)
    return before === 0 ? `phony_dim_${extent}` : `phony_dim_${extent}_${before + 1}`
  })
}
