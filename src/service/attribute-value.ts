// The value of an attribute: what was sent, JSON or bytes, as what is stored.

import { HyperslabError } from '../errors.ts'
import { type Dataspace, extentsOf, product } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { elementSize, includesType, isVariableSize } from '../hdf5/datatype/layout.ts'
import { isJsonList, type JsonOutput, type JsonValue } from '../hdf5/json.ts'
import { type Elements, EMPTY_HEAP } from '../hdf5/values/elements.ts'
import { elementsFromJson, elementsToJson } from '../hdf5/values/json-tree.ts'
import { type ReferenceSyntax, referencesIn } from '../hdf5/values/references.ts'
import { isAllUtf8 } from '../hdf5/values/text-check.ts'
import type { Attribute } from '../storage/store.ts'

/** JSON, or the packed bytes of all elements. */
export type SentValue = JsonValue | Uint8Array

type StoredValue = Pick<Attribute, 'value' | 'sent'>

/**
 * `keepsText`: text that the bytes do not tell is kept beside them: what does not fit a fixed string (contract 20, 16.1),
 * and ids without their collection as object references (contract 20, 5.4).
 */
export function storedValue(
  type: Datatype,
  space: Dataspace,
  sent: SentValue,
  { references, keepsText }: { readonly references: ReferenceSyntax; readonly keepsText?: boolean },
): StoredValue {
  if (sent instanceof Uint8Array) {
    const value = elementsOfBytes(type, space, sent)
    // As JSON these bytes are shown as they came (contract 20, 16.4).
    return isAllUtf8(type, value) ? { value } : { value, sent: 'base64' }
  }
  const value = elementsFromJson(type, extentsOf(space), sent, references)
  if (!keepsText || !includesType(type, isShownAsText)) return { value }
  const style = { references, nonFinite: 'bare', float32: 'shortest' } as const
  const kept = textsOf(elementsToJson(type, extentsOf(space), value, style))
  return `${kept}` === `${textsOf(sent)}` ? { value } : { value, sent: { json: sent } }
}

function elementsOfBytes(type: Datatype, space: Dataspace, data: Uint8Array): Elements {
  if (isVariableSize(type)) {
    throw new HyperslabError(
      'type-mismatch',
      'an attribute of a type of variable size takes its value as JSON',
    )
  }
  const count = product(extentsOf(space))
  const needed = count * elementSize(type)
  if (data.length !== needed) {
    throw new HyperslabError(
      'value-count-mismatch',
      `${count} element(s) of ${elementSize(type)} bytes take ${needed} bytes, ${data.length} are given`,
    )
  }
  const elements = { count, data, heap: EMPTY_HEAP }
  // Bytes that are no reference are found here.
  for (const _ of referencesIn(type, elements));
  return elements
}

const isShownAsText = ({ class: name }: Datatype) => name === 'H5T_STRING' || name === 'H5T_REFERENCE'

/** Every text of a value, in order, quoted so that two lists of them can be compared; the empty one may be sent as null. */
function textsOf(json: JsonOutput): string[] {
  if (typeof json === 'string') return json === '' ? [] : [JSON.stringify(json)]
  return isJsonList(json as JsonValue) ? (json as readonly JsonOutput[]).flatMap(textsOf) : []
}
