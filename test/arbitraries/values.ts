// Random values for a datatype, as the JSON that they are read back as.

import type { Datatype, StringType } from '@hyperslab/model/datatype'
import { isBoolean } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { idFromHex, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import { decodeText, encodeBase64, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import fc from 'fast-check'
import { floatOfHalf, integerOf } from '../../packages/model/values/numbers.ts'
import { unicodeString } from '../wire/unicode.ts'

/** The JSON of one element, references in the prefixed spelling. */
export function elementJson(type: Datatype): fc.Arbitrary<JsonValue> {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return integer(integerOf(type))
    case 'H5T_ENUM':
      return isBoolean(type) ? fc.boolean() : integer(type.base)
    case 'H5T_FLOAT':
      if (type.size === 2) return fc.integer({ min: 0, max: 0xffff }).map(floatOfHalf)
      return type.size === 4 ? fc.float() : fc.double()
    case 'H5T_STRING':
      return text(type)
    case 'H5T_OPAQUE':
      return bytes(type.size, type.size).map(opaque => encodeBase64(opaque))
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ' ? objectReference : regionReference
    case 'H5T_COMPOUND':
      return fc.tuple(...type.fields.map(field => elementJson(field.type)))
    case 'H5T_ARRAY':
      return nested(elementJson(type.base), type.dims)
    case 'H5T_VLEN':
      return fc.array(elementJson(type.base), { maxLength: 4 })
  }
}

/** Nested arrays of this shape. */
export function nested(element: fc.Arbitrary<JsonValue>, dims: readonly number[]): fc.Arbitrary<JsonValue> {
  return dims.reduceRight<fc.Arbitrary<JsonValue>>(
    (inner, extent) => fc.array(inner, { minLength: extent, maxLength: extent }),
    element,
  )
}

function integer({ size, signed }: { size: number; signed: boolean }): fc.Arbitrary<number | bigint> {
  const bits = BigInt(size * 8)
  const min = signed ? -(2n ** (bits - 1n)) : 0n
  return fc
    .oneof(fc.bigInt({ min, max: min + 2n ** bits - 1n }), fc.bigInt({ min: signed ? -100n : 0n, max: 100n }))
    .map(value => (Number.isSafeInteger(Number(value)) ? Number(value) : value))
}

function bytes(minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength, maxLength })
}

/** Text, and bytes that are none. Padding would not come back. */
function text({ length }: StringType): fc.Arbitrary<string> {
  const most = length === 'H5T_VARIABLE' ? 40 : length
  const encoder = new TextEncoder()
  return fc
    .oneof(
      bytes(0, most),
      unicodeString({ maxLength: most }).map(string => encoder.encode(string).subarray(0, most)),
    )
    .map(stored => decodeText(stored, 0, stored.length).replace(/[\0 ]+$/, ''))
}

const objectId: fc.Arbitrary<ObjectId> = bytes(16, 16).map(id =>
  idFromHex(Array.from(id, byte => byte.toString(16).padStart(2, '0')).join('')),
)

const objectReference: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(''),
  fc
    .record({ kind: fc.constantFrom<ObjectKind>('group', 'dataset', 'datatype'), id: objectId })
    .map(PREFIXED_REFERENCES.format),
)

const coordinates = fc.array(fc.nat(1000), { minLength: 2, maxLength: 2 })

const regionReference: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc
    .tuple(
      objectId,
      fc.oneof(
        fc.constantFrom('H5S_SEL_ALL', 'H5S_SEL_NONE').map(name => [name, null] as const),
        fc
          .array(coordinates, { minLength: 1, maxLength: 3 })
          .map(points => ['H5S_SEL_POINTS', points] as const),
        fc
          .array(fc.tuple(coordinates, coordinates), { minLength: 1, maxLength: 3 })
          .map(corners => corners.map(([first, size]) => [first, first.map((x, d) => x + size[d])]))
          .map(blocks => ['H5S_SEL_HYPERSLABS', blocks] as const),
      ),
    )
    .map(
      ([id, [name, selection]]) =>
        new Map<string, JsonValue>([
          ['id', PREFIXED_REFERENCES.formatId({ kind: 'dataset', id })],
          ['select_type', name],
          ['selection', selection],
        ]),
    ),
)
