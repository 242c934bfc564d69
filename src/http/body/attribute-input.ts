// What a body says of an attribute: its type, its shape and its value.

import { HyperslabError } from '../../errors.ts'
import { excerpt, type JsonObject } from '../../hdf5/json.ts'
import { decodeBase64 } from '../../hdf5/values/base64.ts'
import type { SentValue } from '../../service/attribute-value.ts'
import type { NewAttribute } from '../../service/attributes.ts'
import type { Dialect, Rules } from '../dialect/dialect.ts'
import { createdIn } from './members.ts'
import { parseTypeUse } from './type-use.ts'

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
