// Schemas of types, shapes and new objects that both dialects share.

import {
  COUNT,
  list,
  looseObject,
  mapOf,
  object,
  oneOf,
  POSITIVE,
  ref,
  type Schema,
  STRING,
  word,
} from '../../message/schema.ts'

/** Extents, one for each dimension. */
export const DIMS: Schema = list(COUNT)

/** Extents of the chunks of a layout. */
export const CHUNK_DIMS: Schema = list(POSITIVE)

export const CHARACTER_SET: Schema = word('H5T_CSET_ASCII', 'H5T_CSET_UTF8')
const STRING_PADDING: Schema = word('H5T_STR_NULLTERM', 'H5T_STR_NULLPAD', 'H5T_STR_SPACEPAD')
/** Bytes of a string. */
export const STRING_LENGTH: Schema = oneOf(POSITIVE, { const: 'H5T_VARIABLE' })
export const REFERENCE_BASE: Schema = word('H5T_STD_REF_OBJ', 'H5T_STD_REF_DSETREG')
/** The integers that the names of an enum represent. */
export const MAPPING: Schema = mapOf({ type: 'integer' })
export const ENUM_MEMBERS: Schema = list(looseObject({ name: STRING, value: { type: 'integer' } }))
/** The dims of an array type. */
export const ARRAY_DIMS: Schema = oneOf(POSITIVE, list(POSITIVE))

/** A type in a request. `named` are the classes that are predefined names. */
export function typeInput(...named: readonly string[]): Schema {
  const type = ref('TypeInput')
  return {
    ...oneOf(
      { type: 'string', description: 'A predefined name, or the id of a committed datatype.' },
      looseObject({ class: word(...named), base: STRING }),
      looseObject({
        class: { const: 'H5T_STRING' },
        'length?': STRING_LENGTH,
        'strsize?': { ...STRING_LENGTH, description: 'Another name of length.' },
        'charSet?': CHARACTER_SET,
        'cset?': { ...CHARACTER_SET, description: 'Another name of charSet.' },
        'strPad?': STRING_PADDING,
        'strpad?': { ...STRING_PADDING, description: 'Another name of strPad.' },
      }),
      looseObject({
        class: { const: 'H5T_COMPOUND' },
        fields: list(looseObject({ name: STRING, type })),
      }),
      looseObject({ class: { const: 'H5T_ARRAY' }, dims: ARRAY_DIMS, base: type }),
      looseObject({
        class: { const: 'H5T_ENUM' },
        base: type,
        'mapping?': MAPPING,
        'members?': { ...ENUM_MEMBERS, description: 'Instead of mapping, or the same.' },
      }),
      looseObject({ class: { const: 'H5T_VLEN' }, base: type }),
      looseObject({ class: { const: 'H5T_OPAQUE' }, size: POSITIVE, 'tag?': STRING }),
      looseObject({ class: { const: 'H5T_REFERENCE' }, base: REFERENCE_BASE }),
    ),
    description: 'A type. Other members of its objects have no effect.',
    examples: [
      'H5T_IEEE_F64LE',
      { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' },
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'time', type: 'H5T_STD_I64LE' },
          { name: 'position', type: { class: 'H5T_ARRAY', dims: [3], base: 'H5T_IEEE_F32LE' } },
        ],
      },
      {
        class: 'H5T_ENUM',
        base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
        mapping: { FALSE: 0, TRUE: 1 },
      },
    ],
  }
}

/** The largest extent in a request. */
const MAXIMUM_EXTENT = oneOf(COUNT, { const: 'H5S_UNLIMITED' })
export const MAXDIMS_INPUT: Schema = {
  ...oneOf(MAXIMUM_EXTENT, list(MAXIMUM_EXTENT)),
  description: 'The extents that a dataset can grow to; 0 and H5S_UNLIMITED are without limit.',
}

/** The member `link` of a new object: the group that gets the link, and its title. */
export const NEW_OBJECT_LINK: Schema = looseObject({ 'id?': STRING, name: STRING })

/** A dataspace, as both dialects show it. */
export const SHAPE: Schema = {
  ...oneOf(
    object({ class: word('H5S_NULL', 'H5S_SCALAR') }),
    object({
      class: { const: 'H5S_SIMPLE' },
      dims: DIMS,
      'maxdims?': { ...DIMS, description: 'The extents that a dataset can grow to; 0 is without limit.' },
    }),
  ),
  examples: [{ class: 'H5S_SCALAR' }, { class: 'H5S_SIMPLE', dims: [10, 20], maxdims: [10, 0] }],
}
