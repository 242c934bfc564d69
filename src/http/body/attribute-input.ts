// What a body says of an attribute: its type, its shape and its value; and of many, of several objects.

import { HyperslabError } from '../../errors.ts'
import { excerpt, type JsonObject } from '../../hdf5/json.ts'
import { attributeName } from '../../hdf5/names.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import { decodeBase64 } from '../../hdf5/values/base64.ts'
import type { SentValue } from '../../service/attribute-value.ts'
import type { NewAttribute } from '../../service/attributes.ts'
import type { Given } from '../../service/several.ts'
import type { Dialect, Rules } from '../dialect/dialect.ts'
import { type BatchWords, givenIn } from './batch-input.ts'
import { createdIn, requiredText } from './members.ts'
import { parseTypeUse } from './type-use.ts'

export function attributeWords(dialect: Dialect): BatchWords {
  return {
    ids: 'obj_ids',
    names: 'attr_names',
    items: 'attributes',
    parseId(text) {
      const { kind, id } = dialect.parseTarget(text)
      if (kind !== undefined) return { kind, id }
      throw new HyperslabError('malformed-id', `${excerpt(text)} does not tell what it is the id of`)
    },
    parseName: attributeName,
  }
}

/** The batch that a body holds; the attribute alone that older clients send is one too (contract 35, 6.4). */
export async function attributesInput(
  dialect: Dialect,
  body: JsonObject,
  path: ObjectReference,
  replace: boolean,
): Promise<readonly Given<NewAttribute>[]> {
  const parse = (item: JsonObject): NewAttribute => ({ ...attributeInput(dialect, item), replace })
  const isBatch = body.has('attributes') || body.has('obj_ids')
  if (!isBatch && (body.has('name') || body.has('type'))) {
    const name = attributeName(requiredText(body, 'name', 'malformed-name'))
    return [{ owner: path, items: new Map([[name, parse(body)]]) }]
  }
  const mayBeNone = dialect.rules.writesNoAttributes
  const given = await givenIn(body, path, attributeWords(dialect), parse, mayBeNone)
  if (mayBeNone || given.some(({ items }) => items.size > 0)) return given
  throw new HyperslabError('malformed-body', 'the body holds no attributes')
}

export function attributeInput(dialect: Dialect, body: JsonObject): NewAttribute {
  const { rules, references } = dialect
  const value = sentValue(body, rules)
  const space = dialect.parseShape(body.get('shape'), undefined)
  if (rules.nullValue === 'refused' && space.class === 'H5S_NULL' && (value ?? null) !== null) {
    throw new HyperslabError('null-dataspace', 'a null dataspace holds no value, but a value is given')
  }
  return {
    type: parseTypeUse(body.get('type'), dialect),
    space,
    ...(value !== undefined && { value }),
    valueRequired: rules.attributeValueRequired,
    references,
    checkReferences: rules.checksReferences,
    keepsText: rules.keepsAttributeText,
    replace: false,
    same: rules.samePut,
    ...createdIn(body, dialect),
  }
}

/** `value`, as bytes where `encoding` says that it is Base64 (contract 20, 16.4). */
export function sentValue(body: JsonObject, { listingOptions }: Rules): SentValue | undefined {
  const value = body.get('value')
  const encoding = listingOptions ? (body.get('encoding') ?? null) : null
  if (encoding === null) return value
  if (encoding !== 'base64' || typeof value !== 'string') {
    throw new HyperslabError(
      'malformed-value',
      `with an encoding, which can be "base64" alone, the value must be a text, not ${excerpt(value ?? null)}`,
    )
  }
  return decodeBase64(value)
}
