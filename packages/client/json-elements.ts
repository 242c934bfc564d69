// Values of variable size from JSON (hsds-values 13), in the form of decode.ts; values of attributes come only as JSON.
// Integers beyond 2^53 are rounded, and infinities are NaN.

import { type Datatype, isBoolean, numberForm, productOf } from './datatype.ts'
import { type Elements, numbersOf } from './decode.ts'

/** The elements of `json`, which has a level of lists for each extent, and null for a value that was never written. */
export function elementsFromJson(type: Datatype, shape: readonly number[], json: unknown): Elements {
  if (json === null) return listOf(type, Array(productOf(shape)).fill(null))
  return listOf(type, flatten(json, shape.length))
}

function flatten(json: unknown, depth: number): readonly unknown[] {
  if (depth === 0) return [json]
  if (!Array.isArray(json)) return []
  return depth === 1 ? json : json.flatMap(row => flatten(row, depth - 1))
}

function listOf(type: Datatype, items: readonly unknown[]): Elements {
  const form = isBoolean(type) ? undefined : numberForm(type)
  if (form) return numbersOf(form, items.map(Number))
  return items.map(item => elementFromJson(type, item))
}

function elementFromJson(type: Datatype, json: unknown): unknown {
  switch (type.class) {
    case 'H5T_STRING':
      return json ?? ''
    case 'H5T_REFERENCE':
      return json
    case 'H5T_OPAQUE':
      return bytesOfBase64(String(json ?? ''))
    case 'H5T_COMPOUND': {
      const members: readonly unknown[] = Array.isArray(json) ? json : []
      return type.fields.map((field, i) => elementFromJson(field.type, members[i] ?? null))
    }
    case 'H5T_ARRAY':
      return json === null
        ? elementsFromJson(type.base, type.dims, null)
        : listOf(type.base, flatten(json, type.dims.length))
    case 'H5T_VLEN':
      // A sequence that was never written is 0 in JSON.
      return listOf(type.base, Array.isArray(json) ? json : [])
    default: {
      if (isBoolean(type)) return json === true || json === 1
      const [number] = listOf(type, [json])
      return number
    }
  }
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

export function base64OfBytes(bytes: Uint8Array): string {
  let text = ''
  // A call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
