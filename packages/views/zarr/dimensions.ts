// Dimension scales in attributes, and names of dimensions, without which xarray opens no array.

import { type Datatype, elementSize, OBJECT_REFERENCE_SIZE } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { readInteger, readObjectReference, scalesOfList } from '@hyperslab/model/values'
import { attributeText, DIMENSION_LABELS, DIMENSION_LIST, type ShownAttribute } from './attributes.ts'

/** The scale of each dimension, of those that `DIMENSION_LIST` names. Undefined: it has none. */
export function scalesOf(attributes: readonly ShownAttribute[]): readonly (ObjectId | undefined)[] {
  const list = attributes.find(({ name }) => name === DIMENSION_LIST)
  return list?.value ? scalesOfList(list.type, list.value) : []
}

/** The labels of dimensions (H5DSset_label); empty: there are none. */
export function labelsOf(attributes: readonly ShownAttribute[]): readonly string[] {
  const labels = attributes.find(({ name }) => name === DIMENSION_LABELS)
  return labels ? attributeText(labels) : []
}

/** A dimension of a dataset that has a scale. */
export interface ScaleUse {
  readonly id: ObjectId
  readonly dimension: number
}

/** The dimensions that the elements of `REFERENCE_LIST` name: compounds of a reference and a number. */
export function* usesOfScale(type: Datatype, { count, data }: Elements): Generator<ScaleUse> {
  const [dataset, dimension] = type.class === 'H5T_COMPOUND' ? type.fields : []
  const isList = dataset?.type.class === 'H5T_REFERENCE' && dataset.type.base === 'H5T_STD_REF_OBJ'
  if (!isList || dimension?.type.class !== 'H5T_INTEGER') return
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const size = elementSize(type)
  for (let i = 0; i < count; i++) {
    const id = readObjectReference(data, i * size)?.id
    const number = readInteger(dimension.type, view, i * size + OBJECT_REFERENCE_SIZE)
    if (id) yield { id, dimension: Number(number) }
  }
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
