// What a body says of an attribute: its type, its shape and its value.

import { HyperslabError } from '../../errors.ts'
import { parseShape } from '../../hdf5/dataspace.ts'
import type { JsonObject } from '../../hdf5/json.ts'
import type { NewAttribute } from '../../service/attributes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { createdIn } from './members.ts'
import { parseTypeUse } from './type-use.ts'

export function attributeInput(dialect: Dialect, body: JsonObject): NewAttribute {
  const { rules, references } = dialect
  if (rules.strictBodies && body.has('encoding')) {
    throw new HyperslabError('option-unsupported', 'attribute values in Base64 are not supported yet')
  }
  const value = body.get('value')
  const space = parseShape(body.get('shape'), undefined)
  if (rules.nullValue === 'refused' && space.class === 'H5S_NULL' && (value ?? null) !== null) {
    throw new HyperslabError('null-dataspace', 'a null dataspace holds no value, but body.value is given')
  }
  return {
    type: parseTypeUse(body.get('type'), dialect),
    space,
    ...(value !== undefined && { value }),
    valueRequired: rules.attributeValueRequired,
    references,
    checkReferences: rules.checksReferences,
    replace: false,
    same: rules.samePut,
    ...createdIn(body, dialect),
  }
}
