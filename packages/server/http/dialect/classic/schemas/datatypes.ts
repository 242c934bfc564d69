// Types, shapes and creation properties in the classic dialect (classic 14 to 16).

import {
  ANY,
  COUNT,
  list,
  looseObject,
  object,
  oneOf,
  POSITIVE,
  ref,
  type Schemas,
  STRING,
  word,
} from '../../../message/schema.ts'
import { HREFS } from '../../schemas/common.ts'
import {
  CHARACTER_SET,
  CHUNK_DIMS,
  DIMS,
  MAPPING,
  REFERENCE_BASE,
  SHAPE,
  STRING_LENGTH,
  typeInput,
} from '../../schemas/datatypes.ts'

const DATASET = '/datasets/4f1c2a66-9d01-11e8-8acf-0242ac110009'
const BASE = 'http://tall.example.org'
const INTEGER = { class: 'H5T_INTEGER', base: 'H5T_STD_I32BE' }
const FIXED_STRING = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 6 }

const CREATION_PROPERTIES = {
  'layout?': ref('Layout'),
  'fillValue?': { ...ANY, description: 'One element of the type.' },
  'fillTime?': ANY,
  'allocTime?': ANY,
}

export const typeSchemas: Schemas = {
  Type: {
    ...oneOf(
      {
        type: 'string',
        pattern: '^datatypes/',
        description: 'The committed datatype that it was taken from.',
      },
      ref('TypeObject'),
    ),
    examples: ['datatypes/5d2e7b10-9d01-11e8-8acf-0242ac110009', INTEGER],
  },
  TypeObject: {
    ...oneOf(
      object({ class: word('H5T_INTEGER', 'H5T_FLOAT'), base: STRING }),
      object({
        class: { const: 'H5T_STRING' },
        charSet: CHARACTER_SET,
        strPad: word('H5T_STR_NULLTERM', 'H5T_STR_NULLPAD'),
        length: STRING_LENGTH,
      }),
      object({
        class: { const: 'H5T_COMPOUND' },
        fields: list(object({ name: STRING, type: ref('TypeObject') })),
      }),
      object({ class: { const: 'H5T_ARRAY' }, dims: list(POSITIVE), base: ref('TypeObject') }),
      object({ class: { const: 'H5T_ENUM' }, base: ref('TypeObject'), mapping: MAPPING }),
      object({ class: { const: 'H5T_VLEN' }, base: ref('TypeObject') }),
      object({ class: { const: 'H5T_OPAQUE' }, size: POSITIVE }),
      object({ class: { const: 'H5T_REFERENCE' }, base: REFERENCE_BASE }),
    ),
    description: 'A type. Types inside it are objects too.',
    examples: [
      INTEGER,
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'date', type: INTEGER },
          { name: 'time', type: FIXED_STRING },
        ],
      },
      {
        class: 'H5T_ENUM',
        base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
        mapping: { FALSE: 0, TRUE: 1 },
      },
    ],
  },
  Shape: SHAPE,
  TypeInput: typeInput('H5T_INTEGER', 'H5T_FLOAT', 'H5T_BITFIELD'),
  TypeAnswer: {
    ...object({ type: ref('TypeObject'), hrefs: HREFS }),
    examples: [{ type: INTEGER, hrefs: [{ href: `${BASE}${DATASET}/type`, rel: 'self' }] }],
  },
  ShapeInput: {
    ...oneOf(COUNT, DIMS, { const: 'H5S_NULL' }),
    description: 'A number is the extent of one dimension; an empty list is a scalar.',
    examples: [5, [10, 20], 'H5S_NULL'],
  },
  ShapeAnswer: {
    ...object({ shape: ref('Shape'), created: STRING, lastModified: STRING, hrefs: HREFS }),
    examples: [
      {
        shape: { class: 'H5S_SIMPLE', dims: [10] },
        created: '2026-01-02T03:04:05Z',
        lastModified: '2026-01-02T03:04:05Z',
        hrefs: [{ href: `${BASE}${DATASET}`, rel: 'self' }],
      },
    ],
  },
  ShapeChange: {
    ...looseObject({ shape: oneOf(COUNT, DIMS) }),
    description: 'The new extents; none may be smaller.',
    examples: [{ shape: 20 }, { shape: [20, 30] }],
  },
  ShapeChanged: {
    ...object({ hrefs: HREFS }),
    examples: [{ hrefs: [{ href: `${BASE}${DATASET}`, rel: 'self' }] }],
  },
  Layout: {
    ...looseObject({ class: word('H5D_CHUNKED', 'H5D_CONTIGUOUS', 'H5D_COMPACT'), 'dims?': CHUNK_DIMS }),
    description: 'A chunked layout has the `dims` of its chunks.',
    examples: [{ class: 'H5D_CHUNKED', dims: [100, 100] }, { class: 'H5D_CONTIGUOUS' }],
  },
  CreationProperties: {
    ...looseObject({
      ...CREATION_PROPERTIES,
      // h5serv kept what clients sent, also a class alone; its files are shown so.
      'layout?': oneOf(ref('Layout'), STRING),
      'filters?': list(looseObject({ id: { type: 'integer' }, class: ANY })),
    }),
    description: 'The properties as sent, or those in effect. Other members that were sent come back too.',
    examples: [
      {
        allocTime: 'H5D_ALLOC_TIME_LATE',
        fillTime: 'H5D_FILL_TIME_IFSET',
        layout: { class: 'H5D_CONTIGUOUS' },
      },
      {
        layout: { class: 'H5D_CHUNKED', dims: [100, 100] },
        filters: [{ id: 1, class: 'H5Z_FILTER_DEFLATE', level: 9 }],
      },
    ],
  },
  CreationPropertiesInput: {
    ...looseObject({
      ...CREATION_PROPERTIES,
      'filters?': list(looseObject({ id: { type: 'integer' }, 'level?': COUNT })),
    }),
    description: 'Layout, filters and fill value have an effect; other members are kept.',
    examples: [
      { fillValue: 42, layout: { class: 'H5D_CHUNKED', dims: [10] }, filters: [{ id: 1, level: 9 }] },
    ],
  },
}
