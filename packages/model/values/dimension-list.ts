// The attribute DIMENSION_LIST, by which HDF5 attaches dimension scales to a dataset (H5DSattach_scale).

import { chosenScale } from '@hyperslab/meaning/meaning'
import { type Datatype, OBJECT_REFERENCE_SIZE, SLOT_SIZE } from '../datatype/datatype.ts'
import type { ObjectId } from '../names/object-id.ts'
import type { Elements } from './elements.ts'
import { readObjectReference } from './references.ts'
import { slotLength, slotStart } from './slots.ts'

/** The scale of each dimension, by the value of `DIMENSION_LIST`. Undefined: it has none. */
export function scalesOfList(type: Datatype, value: Elements): readonly (ObjectId | undefined)[] {
  const isList =
    type.class === 'H5T_VLEN' && type.base.class === 'H5T_REFERENCE' && type.base.base === 'H5T_STD_REF_OBJ'
  if (!isList) return []
  const { count, data, heap } = value
  return Array.from({ length: count }, (_, i) => {
    const count = Math.floor(slotLength(data, i * SLOT_SIZE) / OBJECT_REFERENCE_SIZE)
    if (count === 0) return undefined
    const start = slotStart(data, i * SLOT_SIZE)
    return readObjectReference(heap, start + chosenScale(count) * OBJECT_REFERENCE_SIZE)?.id
  })
}
