// Types, shapes and creation properties in the hsds dialect (hsds-objects 14 and 15; hsds-values 3 to 5, 15 and 17).

import {
  ANY,
  COUNT,
  list,
  looseObject,
  NUMBER,
  object,
  oneOf,
  POSITIVE,
  ref,
  type Schema,
  type Schemas,
  STRING,
  word,
} from '../../../message/schema.ts'
import { HREFS } from '../../schemas/common.ts'
import {
  ARRAY_DIMS,
  CHUNK_DIMS,
  DIMS,
  ENUM_MEMBERS,
  MAPPING,
  MAXDIMS_INPUT,
  REFERENCE_BASE,
  SHAPE,
  STRING_LENGTH,
  typeInput,
} from '../../schemas/datatypes.ts'

const DATASET = 'd-6a1f0c3e-52b1d9aa-77c4-1d20e4-9b5f30'
const DATATYPE = 't-6a1f0c3e-52b1d9aa-81d3-6f02b1-40c7e2'
const SUFFIX = '?domain=/home/ann/tall.h5'
const INTEGER = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }

/** A type of one class, with `id` if it was taken from a committed datatype. */
function typeOf(members: Readonly<Record<string, Schema>>): Schema {
  return looseObject({ ...members, 'id?': STRING })
}

/** A type inside a type; predefined names that were sent come back. */
const INNER = oneOf({ type: 'string', description: 'A predefined name.' }, ref('Type'))

/** Digits in quotes are accepted. */
const DIGITS = oneOf(COUNT, { type: 'string', pattern: '^[0-9]{1,16}$' })
const POSITIVE_DIGITS = oneOf(POSITIVE, { type: 'string', pattern: '^(?!0+$)[0-9]{1,16}$' })

const LAYOUT_INPUT = {
  ...looseObject({
    class: word(
      'H5D_CHUNKED',
      'H5D_CONTIGUOUS',
      'H5D_COMPACT',
      'H5D_CONTIGUOUS_REF',
      'H5D_CHUNKED_REF',
      'H5D_CHUNKED_REF_INDIRECT',
    ),
    'dims?': CHUNK_DIMS,
    'exact?': { type: 'boolean' },
    'file_uri?': STRING,
    'offset?': COUNT,
    'size?': COUNT,
    'chunks?': { type: 'object' },
    'chunk_table?': STRING,
    'hyper_dims?': ANY,
  }),
  description:
    'The layout. A chunked layout has the `dims` of its chunks, which stay as given if `exact` is true.',
} as const

const CREATION_PROPERTIES = {
  'layout?': LAYOUT_INPUT,
  'fillValue?': { ...ANY, description: 'One element of the type, or its bytes as Base64.' },
  'fillValue_encoding?': word('base64', 'None'),
  'initializer?': {
    ...ANY,
    description:
      'arange: what elements are that were never written. chunklocator: the rows of a table of chunks.',
  },
  'initializer_opts?': ANY,
  'fillTime?': ANY,
  'allocTime?': ANY,
}

export const typeSchemas: Schemas = {
  Type: {
    ...oneOf(
      typeOf({ class: word('H5T_INTEGER', 'H5T_FLOAT'), base: STRING }),
      typeOf({
        class: { const: 'H5T_STRING' },
        'charSet?': STRING,
        'strPad?': STRING,
        'length?': STRING_LENGTH,
      }),
      typeOf({
        class: { const: 'H5T_COMPOUND' },
        fields: list(looseObject({ name: STRING, type: INNER })),
      }),
      typeOf({ class: { const: 'H5T_ARRAY' }, dims: ARRAY_DIMS, base: INNER }),
      typeOf({ class: { const: 'H5T_ENUM' }, base: INNER, mapping: MAPPING, members: ENUM_MEMBERS }),
      typeOf({ class: { const: 'H5T_VLEN' }, base: INNER, 'size?': ANY }),
      typeOf({ class: { const: 'H5T_OPAQUE' }, size: POSITIVE, 'tag?': STRING }),
      typeOf({ class: { const: 'H5T_REFERENCE' }, base: REFERENCE_BASE }),
    ),
    description:
      'A type as it was sent: members that have no meaning come back too. `id` is that of the committed datatype that it was taken from.',
    examples: [
      INTEGER,
      { ...INTEGER, id: DATATYPE },
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'time', type: 'H5T_STD_I64LE' },
          { name: 'samples', type: { class: 'H5T_VLEN', base: INTEGER, size: 'H5T_VARIABLE' } },
        ],
      },
      {
        class: 'H5T_ENUM',
        base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
        mapping: { FALSE: 0, TRUE: 1 },
        members: [
          { name: 'FALSE', value: 0 },
          { name: 'TRUE', value: 1 },
        ],
      },
    ],
  },
  Shape: SHAPE,
  TypeInput: typeInput('H5T_INTEGER', 'H5T_FLOAT'),
  TypeAnswer: {
    ...object({ type: ref('Type'), hrefs: HREFS }),
    examples: [{ type: INTEGER, hrefs: [] }],
  },
  ShapeInput: {
    ...oneOf(
      COUNT,
      DIMS,
      word('H5S_NULL', 'H5S_SCALAR'),
      looseObject({ class: word('H5S_NULL', 'H5S_SCALAR') }),
      looseObject({ class: { const: 'H5S_SIMPLE' }, dims: DIMS, 'maxdims?': MAXDIMS_INPUT }),
    ),
    description: 'A number is the extent of one dimension; an empty list is a scalar.',
    examples: [5, [10, 20], 'H5S_NULL', { class: 'H5S_SIMPLE', dims: [10, 20], maxdims: [10, 0] }],
  },
  ShapeAnswer: {
    ...object({ shape: ref('Shape'), created: NUMBER, lastModified: NUMBER, hrefs: HREFS }),
    examples: [
      {
        shape: { class: 'H5S_SIMPLE', dims: [10], maxdims: [0] },
        created: 1700000000.5,
        lastModified: 1700000000.5,
        hrefs: [
          { href: `http://127.0.0.1:5101/datasets/${DATASET}/shape${SUFFIX}`, rel: 'self' },
          { href: `http://127.0.0.1:5101/datasets/${DATASET}${SUFFIX}`, rel: 'owner' },
        ],
      },
    ],
  },
  ShapeChange: {
    type: 'object',
    description: 'The new extents, or by how much (`extend`) a dimension (`extend_dim`, by default 0) grows.',
    properties: { shape: oneOf(COUNT, DIMS), extend: POSITIVE_DIGITS, extend_dim: DIGITS },
    additionalProperties: false,
    anyOf: [{ required: ['shape'] }, { required: ['extend'] }],
    examples: [{ shape: [20, 30] }, { extend: 10 }, { extend: 5, extend_dim: 1 }],
  },
  ShapeChanged: {
    ...object({ 'selection?': STRING }),
    description: 'The new elements, where exactly one dimension has grown and none has shrunk.',
    examples: [{ selection: '[10:15,:]' }, {}],
  },
  Layout: {
    ...oneOf(
      object({ class: { const: 'H5D_CHUNKED' }, dims: DIMS }),
      object({ class: { const: 'H5D_COMPACT' } }),
    ),
    description: 'The layout in effect, with the chunks that values are stored in.',
    examples: [{ class: 'H5D_CHUNKED', dims: [64, 98, 128] }, { class: 'H5D_COMPACT' }],
  },
  CreationProperties: {
    ...looseObject({
      ...CREATION_PROPERTIES,
      'filters?': list(looseObject({ id: { type: 'integer' }, class: STRING, 'name?': STRING })),
    }),
    description:
      'The properties as sent, with the layout in effect if none was sent. Other members that were sent come back too.',
    examples: [
      {
        fillValue: 3.12,
        layout: { class: 'H5D_CHUNKED', dims: [20] },
        filters: [{ class: 'H5Z_FILTER_DEFLATE', id: 1, level: 9, name: 'gzip' }],
      },
    ],
  },
  CreationPropertiesInput: {
    ...looseObject({
      ...CREATION_PROPERTIES,
      'filters?': list(
        oneOf(
          { type: ['integer', 'string'], description: 'The id, name or class of a filter.' },
          looseObject({ 'class?': STRING, 'id?': { type: 'integer' }, 'name?': STRING, 'level?': COUNT }),
        ),
      ),
    }),
    description: 'Layout, filters, fill value and initializer have an effect; other members are kept.',
    examples: [
      {
        fillValue: 3.12,
        layout: { class: 'H5D_CHUNKED', dims: [20] },
        filters: ['shuffle', { class: 'H5Z_FILTER_DEFLATE', level: 9 }],
      },
    ],
  },
}
