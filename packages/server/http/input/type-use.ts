// The member `type` of a body: a predefined name, the id of a committed datatype, or a type object.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import {
  formatDatatype,
  includesType,
  mapType,
  parseDatatype,
  predefinedType,
} from '@hyperslab/model/datatype'
import {
  excerpt,
  isJsonList,
  isJsonObject,
  type JsonOutput,
  type JsonValue,
  stringifyJson,
} from '@hyperslab/model/json'
import type { GivenType, TypeUse } from '../../service/objects/committed-type.ts'
import type { Dialect } from '../dialect/dialect.ts'

export function parseTypeUse(json: JsonValue | undefined, dialect: Dialect): TypeUse {
  if (json === undefined)
    throw new HyperslabError('malformed-type', 'the type is missing: send it as the member `type`')
  if (typeof json === 'string') {
    const committed = dialect.parseTypeId(json.startsWith('datatypes/') ? json.slice(10) : json)
    if (committed !== undefined) return { committed }
  }
  if (typeof json !== 'string') return givenType(json, dialect)
  const named = NAMED_TYPES[dialect.name]
  const known = named.get(json)
  if (known) return known
  if (dialect.rules.types.namesNeedOrder) requireOrder(json)
  const given = givenType(json, dialect)
  named.set(json, given)
  return given
}

/** The types of predefined names, of which there are few, in each dialect. */
const NAMED_TYPES: Readonly<Record<Dialect['name'], Map<string, GivenType>>> = {
  classic: new Map(),
  hsds: new Map(),
}

function givenType(json: JsonValue, dialect: Dialect): GivenType {
  const type = mapType(parseDatatype(json), nullPadded)
  if (
    !dialect.rules.types.takesBitfields &&
    includesType(type, ({ class: name }) => name === 'H5T_BITFIELD')
  ) {
    throw new HyperslabError(
      'malformed-type',
      'a new type must not have a bitfield, only imported files have them: use an unsigned integer',
    )
  }
  return withSpelling(json, type, dialect)
}

/** Throws for a predefined name without a byte order. Other unknown names are rejected where types are parsed. */
function requireOrder(name: string): void {
  if (/[LB]E$/.test(name) || predefinedType(name) === undefined) return
  throw new HyperslabError(
    'malformed-type',
    `${excerpt(name)} is not a predefined type: its byte order is missing (${name}LE or ${name}BE)`,
  )
}

/**
 * The type of a string with NUL padding. Written strings end with NULs whatever `strPad` is; only files pad with spaces
 * (hsds-values 12.1; classic 14.2).
 */
function nullPadded(leaf: Datatype): Datatype {
  const isSpacePadded = leaf.class === 'H5T_STRING' && leaf.strPad === 'H5T_STR_SPACEPAD'
  return isSpacePadded ? { ...leaf, strPad: 'H5T_STR_NULLPAD' } : leaf
}

/**
 * The JSON is kept where that of the parsed type differs: in members without meaning, in names instead of objects, or
 * in the byte order of one byte (hsds-values 3.2).
 */
function withSpelling(json: JsonValue, type: Datatype, { rules }: Dialect): GivenType {
  if (!rules.types.keepsSpelling) return { type }
  const sent = isJsonObject(json)
    ? json
    : new Map([
        ['class', type.class],
        ['base', json],
      ])
  return isSameJson(sent, formatDatatype(type)) ? { type } : { type, givenType: sent }
}

/** Whether both are the same JSON, in any order of members. */
function isSameJson(sent: JsonValue, formatted: JsonOutput | undefined): boolean {
  if (formatted === undefined || sent === formatted) return sent === formatted
  if (isJsonList(sent) && Array.isArray(formatted)) {
    return sent.length === formatted.length && sent.every((item, i) => isSameJson(item, formatted[i]))
  }
  if (!isJsonObject(sent)) return stringifyJson(sent) === stringifyJson(formatted)
  if (typeof formatted !== 'object' || formatted === null || Array.isArray(formatted)) return false
  const members = formatted instanceof Map ? formatted : new Map(Object.entries(formatted))
  return (
    sent.size === members.size && [...sent].every(([name, value]) => isSameJson(value, members.get(name)))
  )
}
