// The fill value of a dataset's creation properties, as one element.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, isVariableSize } from '../datatype/layout.ts'
import { excerpt, isJsonList, type JsonObject, type JsonValue } from '../json/json.ts'
import { elementsFromJson } from '../json/json-tree.ts'
import { decodeBase64 } from '../values/base64.ts'
import { type Elements, EMPTY_HEAP } from '../values/elements.ts'
import { type ReferenceSyntax, referencesIn } from '../values/references.ts'
import { malformedCreationProperties } from './creation-properties-error.ts'

/** The JSON of one element. Undefined: none was given, or `null`, and all bytes are zero. */
export function parseFillValue(
  json: JsonValue | undefined,
  type: Datatype,
  references: ReferenceSyntax,
): Elements | undefined {
  if (json === undefined || json === null) return undefined
  return withMemberName(() => elementsFromJson(type, [], json, references))
}

/**
 * Parses a fill value as above, or from the Base64 of its bytes, or from one value for all members of a compound
 * (hsds-values 15).
 */
export function parseAnyFillValue(
  properties: JsonObject,
  type: Datatype,
  references: ReferenceSyntax,
): Elements | undefined {
  const json = properties.get('fillValue')
  const encoding = properties.get('fillValue_encoding') ?? 'None'
  if (encoding === 'None')
    return parseFillValue(json === undefined ? json : spread(type, json), type, references)
  if (encoding !== 'base64') {
    throw malformedCreationProperties(
      `fillValue_encoding must be "base64" or "None", not ${excerpt(encoding)}`,
    )
  }
  if (typeof json !== 'string') {
    throw malformedCreationProperties(`fillValue must be a string of Base64, not ${excerpt(json ?? null)}`)
  }
  return withMemberName(() => elementOfBytes(type, decodeBase64(json)))
}

function elementOfBytes(type: Datatype, data: Uint8Array): Elements {
  if (isVariableSize(type))
    throw malformedCreationProperties('a value of variable size cannot be given in Base64: send it as JSON')
  const size = elementSize(type)
  if (data.length !== size)
    throw malformedCreationProperties(`an element must have ${size} bytes, not ${data.length}`)
  const elements = { count: 1, data, heap: EMPTY_HEAP }
  // Bytes that are not a reference fail here.
  for (const _ of referencesIn(type, elements));
  return elements
}

/** A single value where a compound has several members represents each of them. */
function spread(type: Datatype, json: JsonValue): JsonValue {
  if (json === null || type.class !== 'H5T_COMPOUND') return json
  const { fields } = type
  if (!isJsonList(json)) return fields.map(field => spread(field.type, json))
  return json.length === fields.length ? fields.map((field, i) => spread(field.type, json[i])) : json
}

function withMemberName<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
    throw malformedCreationProperties(`fillValue: ${error.message}`, error)
  }
}
