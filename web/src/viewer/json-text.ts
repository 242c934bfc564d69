// The form of values that the viewer shows as JSON: attributes, and single elements of types without a table. Values
// without a form in JSON would be shown falsely: NaN as null, typed arrays as objects of their indexes, matrices
// without rows.

import { isBoolean, productOf } from '../../../client/datatype.ts'
import type { Datatype, Elements } from '../../../client/index.ts'

/** JSON has all digits of 64-bit integers from now on. */
export function enableBigIntJson(): void {
  // Chromium 114, Firefox 135 and Safari 18.4 have it.
  const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown }
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    configurable: true,
    value(this: bigint) {
      return rawJSON ? rawJSON(String(this)) : String(this)
    },
  })
}

/** The value of an attribute: its elements, or the only one. `shape` is undefined for a null dataspace. */
export function attributeValue(
  type: Datatype,
  shape: readonly number[] | undefined,
  data: Elements,
): unknown {
  if (shape === undefined) return null
  if (shape.length > 0) return withJson(data, () => rows(type, shape, data))
  const [element] = data
  return isPrimitive(element) ? jsonOf(type, element) : withJson(element, () => jsonOf(type, element))
}

/**
 * An element of a dataset. Of a typed array the viewer shows the class and the numbers, if it is a list of short ones.
 */
export function elementValue(type: Datatype, element: unknown): unknown {
  const isMatrix = type.class === 'H5T_ARRAY' && type.dims.length > 1
  const isLong = element instanceof BigInt64Array || element instanceof BigUint64Array
  if (!Array.isArray(element) && !isMatrix && !isLong) return element
  return withJson(Array.from(element as Elements), () => jsonOf(type, element))
}

/** The value passes the checks of the viewer, and JSON shows `json`. */
function withJson(value: unknown, json: () => unknown): unknown {
  // A typed array, a list or a reference.
  return Object.defineProperty(value as object, 'toJSON', { value: json })
}

/** Elements as a list, or as lists of lists. */
function rows(type: Datatype, [extent = 0, ...others]: readonly number[], elements: Elements): unknown {
  if (others.length === 0) return Array.from(elements, element => jsonOf(type, element))
  const size = productOf(others)
  return Array.from({ length: extent }, (_, i) =>
    rows(type, others, elements.slice(i * size, (i + 1) * size)),
  )
}

function jsonOf(type: Datatype, element: unknown): unknown {
  switch (type.class) {
    case 'H5T_FLOAT':
      return Number.isFinite(element) ? element : String(element)
    case 'H5T_ENUM': {
      if (isBoolean(type)) return element
      const name = Object.keys(type.mapping).find(name => type.mapping[name] === Number(element))
      return name ?? element
    }
    case 'H5T_COMPOUND': {
      // A compound is a list of its members.
      const members = element as readonly unknown[]
      return Object.fromEntries(type.fields.map(({ name, type }, i) => [name, jsonOf(type, members[i])]))
    }
    case 'H5T_ARRAY':
      return rows(type.base, type.dims, element as Elements)
    case 'H5T_VLEN':
      return rows(type.base, [(element as Elements).length], element as Elements)
    case 'H5T_OPAQUE':
      return Array.from(element as Uint8Array)
    default:
      return element
  }
}

function isPrimitive(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
