// What `type` in a body says: a predefined name, a committed datatype's id, or a type object.

import { HyperslabError } from '../../errors.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import { formatDatatype } from '../../hdf5/datatype/format.ts'
import { includesType, mapType } from '../../hdf5/datatype/layout.ts'
import { parseDatatype } from '../../hdf5/datatype/parse.ts'
import { predefinedType } from '../../hdf5/datatype/predefined.ts'
import {
  excerpt,
  isJsonList,
  isJsonObject,
  type JsonOutput,
  type JsonValue,
  stringifyJson,
} from '../../hdf5/json.ts'
import type { GivenType, TypeUse } from '../../service/objects/committed-type.ts'
import type { Dialect } from '../dialect/dialect.ts'

export function parseTypeUse(json: JsonValue | undefined, dialect: Dialect): TypeUse {
  if (json === undefined) throw new HyperslabError('malformed-type', 'the type is missing')
  if (typeof json === 'string') {
    const committed = dialect.parseTypeId(json.startsWith('datatypes/') ? json.slice(10) : json)
    if (committed !== undefined) return { committed }
  }
  if (dialect.rules.types.namesNeedOrder && typeof json === 'string') requireOrder(json)
  const type = mapType(parseDatatype(json), nullPadded)
  if (
    !dialect.rules.types.takesBitfields &&
    includesType(type, ({ class: name }) => name === 'H5T_BITFIELD')
  ) {
    throw new HyperslabError('malformed-type', 'bitfields come from files only: take an unsigned integer')
  }
  return givenType(json, type, dialect)
}

/** What is no name of a predefined type in any case is told so where types are parsed. */
function requireOrder(name: string): void {
  if (/[LB]E$/.test(name) || predefinedType(name) === undefined) return
  throw new HyperslabError(
    'malformed-type',
    `${excerpt(name)} is not a predefined type: its byte order is missing (${name}LE or ${name}BE)`,
  )
}

/**
 * What is written here ends with NULs whatever `strPad` says; spaces are the padding of files (hsds-values 12.1;
 * classic 14.2).
 */
function nullPadded(leaf: Datatype): Datatype {
  const isSpacePadded = leaf.class === 'H5T_STRING' && leaf.strPad === 'H5T_STR_SPACEPAD'
  return isSpacePadded ? { ...leaf, strPad: 'H5T_STR_NULLPAD' } : leaf
}

/**
 * What the type's own JSON does not say is kept: members of no meaning here, names in place of objects, the byte order
 * of one byte (hsds-values 3.2).
 */
function givenType(json: JsonValue, type: Datatype, { rules }: Dialect): GivenType {
  if (!rules.types.keepsSpelling) return { type }
  const given = isJsonObject(json)
    ? json
    : new Map([
        ['class', type.class],
        ['base', json],
      ])
  return isSame(given, formatDatatype(type)) ? { type } : { type, givenType: given }
}

/** Whether both say the same, in whatever order their members are. */
function isSame(given: JsonValue, formatted: JsonOutput | undefined): boolean {
  if (formatted === undefined || given === formatted) return given === formatted
  if (isJsonList(given) && Array.isArray(formatted)) {
    return given.length === formatted.length && given.every((item, i) => isSame(item, formatted[i]))
  }
  if (!isJsonObject(given)) return stringifyJson(given) === stringifyJson(formatted)
  if (typeof formatted !== 'object' || formatted === null || Array.isArray(formatted)) return false
  const members = formatted instanceof Map ? formatted : new Map(Object.entries(formatted))
  return given.size === members.size && [...given].every(([name, value]) => isSame(value, members.get(name)))
}
