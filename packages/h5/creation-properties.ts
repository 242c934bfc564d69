// The creation properties of a dataset of a file, in the model's type.

import { HyperslabError } from '@hyperslab/base/errors'
import { type CreationProperties, type Dataspace, parseCreationProperties } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementsToJson, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import { type Elements, PREFIXED_REFERENCES } from '@hyperslab/model/values'

/**
 * `properties`: as classic 16.2 reports them, without the fill value. Properties that files allow and the service
 * refuses, such as enormous chunks, are reported unchanged, but values are stored without them. Without `isFilled` the
 * fill value is only reported: elements that were never written are zero.
 */
export function fileCreationProperties(
  properties: JsonObject,
  type: Datatype,
  space: Dataspace,
  fillValue: Elements | undefined,
  isFilled = true,
): CreationProperties {
  const filled = { ...(fillValue && isFilled && { fillValue }) }
  try {
    const parsed = parseCreationProperties(properties, type, space)
    return { ...parsed, json: withFillValue(parsed.json, type, fillValue), ...filled }
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
    const json = withFillValue(properties, type, fillValue)
    return { ...parseCreationProperties(undefined, type, space), json, given: true, ...filled }
  }
}

/** Fill values of opaque types are not shown (classic 16.2). */
function withFillValue(properties: JsonObject, type: Datatype, fillValue: Elements | undefined): JsonObject {
  if (!fillValue || type.class === 'H5T_OPAQUE') return properties
  const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
  // elementsToJson gives plain JSON here: arrays, numbers and strings.
  const json = elementsToJson(type, [], fillValue, style) as JsonValue
  return new Map([...properties, ['fillValue', json]])
}
