// Attributes in answers of the hsds dialect: their members, their values in the form of the request, and both in lists
// and maps.

import { extentsOf, product } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { Attribute, ListedAttribute } from '@hyperslab/store/store'
import { toEpochSeconds } from '../../message/times.ts'
import { valueBase64, valueJson } from '../attribute-json.ts'
import type { Body, ShownValues } from '../dialect.ts'
import type { Place } from '../hrefs.ts'
import { presentTypeUse } from './types.ts'
import { hsdsValueStyle } from './values.ts'

export function attributeMembers(attribute: Attribute): Body {
  const { name, space } = attribute
  const shape =
    space.class === 'H5S_SIMPLE' ? { class: space.class, dims: space.dims } : { class: space.class }
  return { name, shape, type: presentTypeUse(attribute) }
}

/** `value` and, when that is Base64, `encoding`; null where nothing was written (hsds-objects 12.3 and 16). */
export function attributeValue(
  place: Place,
  attribute: Attribute,
  { values, base64, maxDataSize }: ShownValues,
): Body {
  const { type, value, sent } = attribute
  if (!values || (maxDataSize !== undefined && dataSize(attribute) > maxDataSize)) return {}
  if (value === undefined) return { value: null }
  if (sent === 'base64' || (base64 && !isVariableSize(type))) {
    return { value: valueBase64(value), encoding: 'base64' }
  }
  if (sent !== undefined) return { value: sent.json }
  return { value: valueJson(attribute, value, hsdsValueStyle(place, 'attribute')) }
}

/** Bytes that an element of variable size counts (hsds-objects 12.6). */
const VARIABLE_DATA_SIZE = 512

function dataSize({ type, space }: Attribute): number {
  const size = isVariableSize(type) ? VARIABLE_DATA_SIZE : elementSize(type)
  return space.class === 'H5S_NULL' ? 0 : size * product(extentsOf(space))
}

/** An attribute in a list, or the reason why it cannot be read. */
export function attributeItem(place: Place, attribute: ListedAttribute, shown: ShownValues): Body {
  if ('reason' in attribute) {
    const { name, reason, created } = attribute
    return { name, unreadable: reason.message, created: toEpochSeconds(created) }
  }
  return {
    ...attributeMembers(attribute),
    ...attributeValue(place, attribute, shown),
    created: toEpochSeconds(attribute.created),
  }
}

/** An attribute in a map of attributes: all members but its name (hsds-objects 12.1). */
export function storedAttribute(place: Place, attribute: ListedAttribute): Body {
  const { name: _, ...members } = attributeItem(place, attribute, { values: true })
  return members
}
