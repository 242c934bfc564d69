// What `type` in a body says: a predefined name, a committed datatype's id, or a type object.

import { HyperslabError } from '../../errors.ts'
import { parseDatatype } from '../../hdf5/datatype/parse.ts'
import type { JsonValue } from '../../hdf5/json.ts'
import type { TypeUse } from '../../service/committed-type.ts'
import type { Dialect } from '../dialect/dialect.ts'

export function parseTypeUse(json: JsonValue | undefined, dialect: Dialect): TypeUse {
  if (json === undefined) throw new HyperslabError('malformed-type', 'body.type is missing')
  if (typeof json === 'string') {
    const committed = dialect.parseTypeId(json.startsWith('datatypes/') ? json.slice(10) : json)
    if (committed !== undefined) return { committed }
  }
  return { type: parseDatatype(json) }
}
