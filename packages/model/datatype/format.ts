// A datatype as the JSON of HDF5/JSON (classic 14.3): inner types are always objects, and every class is under its own
// name. Dialects adapt it where they differ. Properties that only describe a file are left out: reduced precision, gaps
// in compounds.

import { type JsonOutput, stringifyJson } from '../json/json.ts'
import type { Datatype } from './datatype.ts'
import { predefinedName } from './predefined.ts'

export function formatDatatype(type: Datatype): { [name: string]: JsonOutput } {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_FLOAT':
    case 'H5T_BITFIELD':
      return { class: type.class, base: predefinedName(type) }
    case 'H5T_STRING':
      return { class: type.class, charSet: type.charSet, strPad: type.strPad, length: type.length }
    case 'H5T_COMPOUND':
      return {
        class: type.class,
        fields: type.fields.map(field => ({ name: field.name, type: formatDatatype(field.type) })),
      }
    case 'H5T_ARRAY':
      return { class: type.class, dims: type.dims, base: formatDatatype(type.base) }
    case 'H5T_ENUM':
      return {
        class: type.class,
        base: formatDatatype(type.base),
        // A Map, since names may look like integers.
        mapping: new Map(type.members.map(({ name, value }) => [name, value])),
      }
    case 'H5T_VLEN':
      return { class: type.class, base: formatDatatype(type.base) }
    case 'H5T_OPAQUE':
      return {
        class: type.class,
        size: type.size,
        ...(type.tag === undefined ? {} : { tag: type.tag }),
      }
    case 'H5T_REFERENCE':
      return { class: type.class, base: type.base }
  }
}

/**
 * True when the types are the same in all that their JSON says, so that elements of the one are elements of the other.
 */
export function isSameType(a: Datatype, b: Datatype): boolean {
  return a === b || stringifyJson(formatDatatype(a)) === stringifyJson(formatDatatype(b))
}
