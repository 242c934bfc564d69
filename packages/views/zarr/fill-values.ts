// The elements of a chunk that is not stored.

import type { NumpyDates } from '@hyperslab/meaning/meaning'
import { complexPart, type Datatype, datesOf, isBoolean } from '@hyperslab/model/datatype'
import { elementsToJson, type JsonOutput } from '@hyperslab/model/json'
import { type Elements, PREFIXED_REFERENCES, type ValueStyle } from '@hyperslab/model/values'
import type { ArrayType } from './array-types.ts'
import { type Attributes, fillAttribute } from './attributes.ts'

/** `fill_value` of Zarr 3. Numbers that JSON cannot express are words in strings. */
export function fillValue({ base }: ArrayType, element: Elements | undefined): JsonOutput {
  const json = element && fillJson(base, element)
  const dates = datesOf(base)
  if (dates) return element ? dateNumber(dates, element) : 0
  if (isBoolean(base)) return json === 1 || json === true
  if (base.class === 'H5T_STRING') return json ?? ''
  return json ?? (complexPart(base) ? [0, 0] : 0)
}

function dateNumber({ isLittleEndian }: NumpyDates, { data }: Elements): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigInt64(0, isLittleEndian)
}

function fillJson(
  type: Datatype,
  element: Elements,
  float32: ValueStyle['float32'] = 'shortest',
): JsonOutput {
  return elementsToJson(type, [], element, {
    references: PREFIXED_REFERENCES,
    nonFinite: 'text',
    float32,
  })
}

/** `fill_value` of Zarr 2, and whether chunks that are not stored have it. */
export interface MissingValue {
  readonly value: JsonOutput
  readonly isFill: boolean
}

/**
 * Programs treat `fill_value` of Zarr 2 as missing data, so it is null, unless an attribute declares that the fill
 * value of the dataset means missing data, or declares a number that only `fill_value` can express: NaN or an infinity.
 */
export function missingValue(
  { base, encoding }: ArrayType,
  element: Elements | undefined,
  attributes: Attributes,
): MissingValue {
  const said = attributes.get('_FillValue')
  if (said === undefined || encoding !== 'stored' || base.class === 'H5T_STRING')
    return { value: null, isFill: false }
  const json = element ? fillJson(base, element, 'widened') : 0
  const isFill = Object.is(fillAttribute(json, base, 2), said)
  const isExpressed = isFill || (typeof said === 'number' && !Number.isFinite(said))
  return { value: isExpressed ? said : null, isFill }
}
