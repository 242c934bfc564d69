// Bodies about attributes: the type, the shape and the value of one, its value alone, or several of several objects.
// The value of one attribute may be long: it is decoded from its range of the body, which is not parsed as a whole.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'
import {
  decodeBase64Text,
  excerpt,
  type JsonObject,
  readRange,
  scanEachElement,
  splitValueBody,
} from '@hyperslab/model/json'
import { attributeName, type ObjectReference } from '@hyperslab/model/names'
import { decodeBase64Pieces } from '@hyperslab/model/values'
import { EncodedValue, type SentValue } from '../../service/attributes/attribute-value.ts'
import type { NewAttribute, NewAttributeValue } from '../../service/attributes/attributes.ts'
import { elementsFromBytes } from '../../service/binary/binary.ts'
import type { NewMembers } from '../../service/objects/several.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isBinary } from '../message/content-types.ts'
import { type RequestBody, SHORT_BODY } from '../message/request-body.ts'
import { type BatchWords, parseNewMembers } from './batch-input.ts'
import { createdIn, objectBody, requiredString } from './members.ts'
import { parseTypeUse } from './type-use.ts'

export function attributeWords(dialect: Dialect): BatchWords {
  return {
    ids: 'obj_ids',
    names: 'attr_names',
    items: 'attributes',
    parseId(text) {
      const { kind, id } = dialect.parseTarget(text)
      if (kind !== undefined) return { kind, id }
      throw new HyperslabError('malformed-id', `${excerpt(text)} must be an id that begins with g-, d- or t-`)
    },
    parseName: attributeName,
  }
}

/**
 * The attributes that a body stores in objects: a batch or, as older clients send it, a single one (hsds-objects 12.8).
 */
export async function parseNewAttributes(
  dialect: Dialect,
  body: JsonObject,
  path: ObjectReference,
  replace: boolean,
): Promise<readonly NewMembers<NewAttribute>[]> {
  const parse = (item: JsonObject): NewAttribute => ({
    ...attributeInput(dialect, { members: item }),
    replace,
  })
  const isBatch = body.has('attributes') || body.has('obj_ids')
  if (!isBatch && (body.has('name') || body.has('type'))) {
    const name = attributeName(requiredString(body, 'name', 'malformed-name'))
    return [{ owner: path, items: new Map([[name, parse(body)]]) }]
  }
  const mayBeNone = dialect.rules.attributes.emptyBatch
  const batch = await parseNewMembers(body, path, attributeWords(dialect), parse, mayBeNone)
  if (mayBeNone || batch.some(({ items }) => items.size > 0)) return batch
  throw new HyperslabError('malformed-body', 'the body must have at least one attribute')
}

/** The members of the JSON of an attribute. */
export interface AttributeBody {
  readonly members: JsonObject
  /** The JSON of a long `value`, which is not among the members; it can be read several times. */
  readonly value?: () => AsyncIterable<Uint8Array>
}

/** The body of a request about one attribute, or about its value. A short one is parsed as a whole. */
export async function attributeBody(body: RequestBody): Promise<AttributeBody> {
  const { announcedLength } = body
  if (announcedLength !== undefined && announcedLength <= SHORT_BODY) {
    return { members: objectBody(await body.json()) }
  }
  const spooled = await body.spool()
  if (spooled.length <= SHORT_BODY) {
    return { members: objectBody(spooled.length === 0 ? undefined : await body.jsonOf(spooled)) }
  }
  const { members, value } = await splitValueBody(spooled, body.maxJson, body.memory)
  await body.checked(members)
  return { members, ...(value && { value: () => readRange(spooled, value) }) }
}

export function attributeInput(dialect: Dialect, body: AttributeBody): NewAttribute {
  const { rules } = dialect
  const { members } = body
  const value = sentValue(dialect, body)
  const space = dialect.parseShape(members.get('shape'), undefined)
  if (!rules.attributes.nullTakesValue && space.class === 'H5S_NULL' && (value ?? null) !== null) {
    throw new HyperslabError(
      'null-dataspace',
      'the value of an attribute with the shape H5S_NULL must be null or absent',
    )
  }
  return {
    type: parseTypeUse(members.get('type'), dialect),
    space,
    ...(value !== undefined && { value }),
    valueRequired: rules.attributes.valueRequired,
    ...valueRules(dialect),
    replace: false,
    same: rules.attributes.samePut,
    ...createdIn(members, dialect),
  }
}

/** Characters of Base64 that are decoded at a time. */
const BASE64_PIECE = 1 << 16

/** The member `value`; as bytes if `encoding` says that it is Base64 (hsds-objects 16.4). */
function sentValue(
  { rules, references }: Dialect,
  { members, value: text }: AttributeBody,
): SentValue | undefined {
  const value = members.get('value')
  const encoding = rules.attributes.base64 ? (members.get('encoding') ?? null) : null
  if (encoding === null) {
    if (text === undefined) return value
    return new EncodedValue((type, dims) => scanEachElement(type, dims, text(), references), false)
  }
  if (encoding === 'base64' && text !== undefined) return bytesValue(() => decodeBase64Text(text()))
  if (encoding !== 'base64' || typeof value !== 'string') {
    throw new HyperslabError(
      'malformed-value',
      `with \`encoding\`, which must be "base64", the value must be a string of Base64, not ${excerpt(value ?? null)}`,
    )
  }
  return bytesValue(() => decodeBase64Pieces(value, BASE64_PIECE))
}

/** A new value: JSON with `value`, or packed bytes (hsds-objects 12.5). */
export async function parseNewValue(dialect: Dialect, body: RequestBody): Promise<NewAttributeValue> {
  const value = isBinary(body, dialect)
    ? await binaryValue(body)
    : sentValue(dialect, await attributeBody(body))
  if (value === undefined)
    throw new HyperslabError('malformed-body', 'the value is missing: send it as the member `value`')
  return { value, ...valueRules(dialect) }
}

/** The rules by which the dialect stores values. */
function valueRules({ references, rules }: Dialect): Omit<NewAttributeValue, 'value'> {
  return {
    references,
    checkReferences: rules.objects.checksReferences,
    keepsText: rules.attributes.keepsText,
  }
}

/** A body that is the bytes of a value. */
async function binaryValue(body: RequestBody): Promise<EncodedValue> {
  const spooled = await body.spool()
  return bytesValue(() => readRange(spooled, { from: 0, to: spooled.length }), spooled.length)
}

/** Elements that are decoded at a time, in bytes. */
const PIECE_BYTES = 1 << 16

/** A value of bytes; `length` is their number, if it is known before they are read. */
function bytesValue(
  bytes: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  length?: number,
): EncodedValue {
  return new EncodedValue((type, dims) => {
    requireBytes(type, dims, length)
    return elementsFromBytes(type, bytes(), Math.max(1, Math.floor(PIECE_BYTES / elementSize(type))))
  }, true)
}

function requireBytes(type: Datatype, dims: readonly number[], length: number | undefined): void {
  if (isVariableSize(type)) {
    throw new HyperslabError(
      'type-mismatch',
      'the value of an attribute of variable size must be sent as JSON',
    )
  }
  const count = product(dims)
  const needed = count * elementSize(type)
  if (length === undefined || length === needed) return
  throw new HyperslabError(
    'value-count-mismatch',
    `${count} element(s) of ${elementSize(type)} bytes must come as ${needed} bytes, not ${length}`,
  )
}
