// The value of an attribute as JSON. A short one is part of the answer's JSON; a long one is read, written as JSON and
// sent piece by piece.

import { extentsOf } from '@hyperslab/model/dataset'
import { elementsToJson, type JsonOutput, JsonValueWriter, StreamedJson } from '@hyperslab/model/json'
import { type Elements, encodeBase64, type ValueStyle } from '@hyperslab/model/values'
import type { Attribute, ListedAttribute } from '@hyperslab/store/store'
import { isShort, piecesOf, SHORT_BYTES } from '../../service/attributes/attribute-value.ts'
import { repeatable } from '../../service/values/values.ts'
import { joined, slices } from '../message/pieces.ts'

type Value = NonNullable<Attribute['value']>

export function valueJson({ type, space }: Attribute, value: Value, style: ValueStyle): JsonOutput {
  const dims = extentsOf(space)
  if (isShortValue(value)) return elementsToJson(type, dims, value, style)
  async function* text(): AsyncGenerator<Uint8Array> {
    const writer = new JsonValueWriter(type, dims, style)
    for await (const piece of piecesOf(value)) yield* writer.write(piece)
    yield writer.finish()
  }
  return new StreamedJson(repeatable(() => joined(text())))
}

/** The value in base64, for values of fixed size. */
export function valueBase64(value: Value): JsonOutput {
  return isShortValue(value)
    ? encodeBase64(value.data)
    : new StreamedJson(repeatable(() => base64Text(value)))
}

/** Whether the values of the attributes together are too long to be written as one string. */
export function areLong(attributes: readonly ListedAttribute[]): boolean {
  let bytes = 0
  for (const attribute of attributes) {
    if ('reason' in attribute || attribute.value === undefined) continue
    const { value } = attribute
    if (!isShortValue(value)) return true
    bytes += value.data.length + value.heap.length
    if (bytes > SHORT_BYTES) return true
  }
  return false
}

/**
 * Base64 as a JSON string. Three bytes make four characters, so up to two bytes of a piece are encoded with the next
 * one.
 */
async function* base64Text(value: Value): AsyncGenerator<Uint8Array> {
  yield Buffer.from('"')
  let left: Uint8Array = new Uint8Array(0)
  for await (const { data } of piecesOf(value)) {
    for await (const slice of slices(data)) {
      const bytes = Buffer.concat([left, slice])
      const whole = bytes.length - (bytes.length % 3)
      yield Buffer.from(bytes.toString('base64', 0, whole))
      left = bytes.subarray(whole)
    }
  }
  yield Buffer.from(`${Buffer.from(left).toString('base64')}"`)
}

function isShortValue(value: Value): value is Elements {
  return 'data' in value && isShort(value)
}
