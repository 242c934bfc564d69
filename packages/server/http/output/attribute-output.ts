// The reply about one attribute: its description with its value, or the bytes of its value.

import { extentsOf, product } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import { StreamedJson, stringifyJson } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'
import type { Attribute } from '@hyperslab/store/store'
import { isShort } from '../../service/attributes/attribute-value.ts'
import type { Body } from '../dialect/dialect.ts'
import { OCTETS } from '../message/content-types.ts'
import { tagOf } from '../message/entity-tag.ts'
import type { ByteStream, Reply } from '../message/message.ts'
import { slices, zeros } from '../message/pieces.ts'
import type { Answer } from '../route/route.ts'
import { entityTag } from './value-output.ts'

/**
 * The reply about one attribute. The tag of a large value is that of its version, which is known without reading it.
 */
export function attributeReply({ value }: Attribute, body: Body, answer: Answer): Reply {
  if (!(body.value instanceof StreamedJson) || value === undefined || 'data' in value) {
    return { status: 200, body }
  }
  const others = stringifyJson({ ...body, value: undefined })
  const tag = entityTag(answer, `${value.version}\n${others}`, answer.dialect.jsonContentType)
  return { status: 200, body, entityTag: tag }
}

/** The bytes of a value of fixed size; a value that was never written is all zeros, whatever its length. */
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
    entityTag: tagOf(value.data),
    pieces: slices(value.data),
  }
}

async function* dataOf(pieces: AsyncIterable<Elements>): AsyncGenerator<Uint8Array> {
  for await (const { data } of pieces) yield data
}
