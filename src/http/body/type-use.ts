// What `type` in a body says: a predefined name, a committed datatype's id, or a type object. The older spellings of
// string members (`strsize`, `cset`, `strpad`; contract 00, decision 5) are translated here for both dialects.

import { HyperslabError } from '../../errors.ts'
import { parseDatatype } from '../../hdf5/datatype/parse.ts'
import type { JsonObject, JsonValue } from '../../hdf5/json.ts'
import type { TypeUse } from '../../service/committed-type.ts'
import type { Dialect } from '../dialect/dialect.ts'

const SEED_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['strsize', 'length'],
  ['cset', 'charSet'],
  ['strpad', 'strPad'],
])

export function parseTypeUse(json: JsonValue | undefined, dialect: Dialect): TypeUse {
  if (json === undefined) throw new HyperslabError('malformed-type', 'body.type is missing')
  if (typeof json === 'string') {
    const committed = dialect.parseTypeId(json.startsWith('datatypes/') ? json.slice(10) : json)
    if (committed !== undefined) return { committed }
  }
  return { type: parseDatatype(withoutSeedSpellings(json)) }
}

function withoutSeedSpellings(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutSeedSpellings)
  if (!(json instanceof Map)) return json
  const isString = json.get('class') === 'H5T_STRING'
  const translated = new Map<string, JsonValue>()
  for (const [name, value] of json as JsonObject) {
    const key = isString ? (SEED_SPELLINGS.get(name) ?? name) : name
    if (key === name || !json.has(key)) translated.set(key, withoutSeedSpellings(value))
  }
  return translated
}
