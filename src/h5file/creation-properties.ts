// The creation properties of a dataset of a file, in the model's type.

import { HyperslabError } from '../errors.ts'
import { type CreationProperties, parseCreationProperties } from '../hdf5/creation-properties.ts'
import type { Dataspace } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import type { JsonObject, JsonValue } from '../hdf5/json.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import { elementsToJson } from '../hdf5/values/json-tree.ts'
import { PREFIXED_REFERENCES } from '../hdf5/values/references.ts'

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
