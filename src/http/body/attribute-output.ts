// The value of an attribute in an answer. A short one is part of the JSON; a long one is read, written as JSON and sent
// piece by piece.

import { hash } from 'node:crypto'
import { extentsOf, product } from '../../hdf5/dataspace.ts'
import { elementSize } from '../../hdf5/datatype/layout.ts'
import { type JsonOutput, StreamedJson, stringifyJson } from '../../hdf5/json.ts'
import { encodeBase64 } from '../../hdf5/values/base64.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import { elementsToJson } from '../../hdf5/values/json-tree.ts'
import { JsonValueWriter } from '../../hdf5/values/json-writer.ts'
import type { ValueStyle } from '../../hdf5/values/references.ts'
import { isShort, piecesOf, SHORT_BYTES } from '../../service/attributes/attribute-value.ts'
import type { Attribute, ListedAttribute } from '../../service/model.ts'
import { repeatable } from '../../service/values/values.ts'
import type { Body } from '../dialect/dialect.ts'
import type { ByteStream, Reply } from '../message.ts'
import type { Answer } from '../route.ts'
import { OCTETS } from './content-types.ts'
import { entityTag, joined } from './value-output.ts'

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

/** Of values of fixed size. */
export function valueBase64(value: Value): JsonOutput {
  return isShortValue(value)
    ? encodeBase64(value.data)
    : new StreamedJson(repeatable(() => base64Text(value)))
}

/** Whether the values of the attributes together are too long to be written at once. */
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

/** The reply about one attribute. The tag of a large value is that of its version, which is known without reading it. */
export function attributeReply({ value }: Attribute, body: Body, answer: Answer): Reply {
  if (!(body.value instanceof StreamedJson) || value === undefined || 'data' in value) {
    return { status: 200, body }
  }
  const others = stringifyJson({ ...body, value: undefined })
  const tag = entityTag(answer, `${value.version}\n${others}`, answer.dialect.jsonContentType)
  return { status: 200, body, entityTag: tag }
}

/** The bytes of a value of fixed size; one that was never written is all zeros, whatever its length. */
export function valueBytes({ type, space, value }: Attribute, answer: Answer): ByteStream {
  const length = product(extentsOf(space)) * elementSize(type)
  if (value === undefined) return { contentType: OCTETS, length, pieces: zeros(length) }
  if ('pieces' in value) {
    const tag = entityTag(answer, value.version, OCTETS)
    return { contentType: OCTETS, length, entityTag: tag, pieces: dataOf(value.pieces) }
  }
  if (!isShort(value)) return { contentType: OCTETS, pieces: slices(value.data) }
  return {
    contentType: OCTETS,
    length,
    entityTag: `"${hash('sha1', value.data)}"`,
    pieces: slices(value.data),
  }
}

/** Bytes that are sent at once. */
const PIECE_BYTES = 1 << 16

function isShortValue(value: Value): value is Elements {
  return 'data' in value && isShort(value)
}

async function* dataOf(pieces: AsyncIterable<Elements>): AsyncGenerator<Uint8Array> {
  for await (const { data } of pieces) yield data
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

async function* zeros(length: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(Math.min(length, PIECE_BYTES))
  for (let sent = 0; sent < length; sent += piece.length) yield piece.subarray(0, length - sent)
}

/** As a JSON string. Three bytes make four characters, so up to two bytes of a piece are encoded with the next one. */
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
