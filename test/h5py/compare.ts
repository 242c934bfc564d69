// How values are compared with what h5py gave (describe.py): as JSON, with every reference as the address of what it
// refers to.

import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Datatype } from '../../src/hdf5/datatype/datatype.ts'
import { type JsonObject, stringifyJson } from '../../src/hdf5/json.ts'
import { parseJson } from '../../src/hdf5/json-parser.ts'
import type { ObjectId } from '../../src/hdf5/object-id.ts'
import type { Elements } from '../../src/hdf5/values/elements.ts'
import { elementsToJson } from '../../src/hdf5/values/json-tree.ts'

/** describe.py gives a digest instead of more numbers than this. */
const MANY = 5000

export type AddressOf = (id: ObjectId) => string

/** Null references are null in h5py's description. */
export function valueJson(
  type: Datatype,
  dims: readonly number[],
  elements: Elements,
  addressOf: AddressOf,
): unknown {
  const references = {
    parse: () => undefined,
    format: ({ id }: { id: ObjectId }) => addressOf(id),
    parseId: () => undefined,
    formatId: ({ id }: { id: ObjectId }) => addressOf(id),
    nullText: 'null',
  }
  const json = elementsToJson(type, dims, elements, { references, nonFinite: 'bare', float32: 'widened' })
  return parseJson(stringifyJson(json).replaceAll('"null"', 'null'))
}

export function compareValue(
  expected: JsonObject,
  type: Datatype,
  dims: readonly number[],
  elements: Elements | undefined,
  addressOf: AddressOf,
): void {
  if (expected.has('unreadable')) return
  if (expected.get('null') === true || !elements) {
    expect(elements).toBeUndefined()
    expect(expected.get('null')).toBe(true)
  } else if (expected.has('sha1')) {
    expect(elements.count).toBeGreaterThan(MANY)
    expect(createHash('sha1').update(elements.data).digest('hex')).toBe(expected.get('sha1'))
  } else {
    expect(valueJson(type, dims, elements, addressOf)).toEqual(expected.get('value'))
  }
}
