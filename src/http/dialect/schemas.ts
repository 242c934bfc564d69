// Schemas that both dialects have.

import { ANY, COUNT, list, mapOf, object, oneOf, type Schema, type Schemas, STRING } from '../schema.ts'
import { TEMPORARY_SCHEMAS } from './temporary-schemas.ts'

/** `hrefs`: addresses of what the answer is about. */
export const HREFS: Schema = list(object({ href: STRING, rel: STRING }), 'Addresses of related resources.')

export const LINK_CLASSES = [
  'H5L_TYPE_HARD',
  'H5L_TYPE_SOFT',
  'H5L_TYPE_EXTERNAL',
  'H5L_TYPE_USER_DEFINED',
] as const

/** Values as JSON: lists within lists, one for each dimension. */
export const VALUE: Schema = {
  ...ANY,
  description:
    'A list for each dimension; of a scalar, the bare element. An element is a number, a string, a boolean, null, or a list: of the members of a compound, of the elements of an array or sequence.',
}

/** A number for one dimension, or a list with a number for each. */
export const PER_DIMENSION: Schema = oneOf(COUNT, list(COUNT))

export const POINTS: Schema = list(
  PER_DIMENSION,
  'The index of each element in each dimension; of one dimension, a number for each element.',
)

export const BASE64: Schema = { type: 'string', description: 'The Base64 of the bytes of the elements.' }

export const COMMON_SCHEMAS: Schemas = {
  ...TEMPORARY_SCHEMAS,
  Error: {
    ...object({
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: { type: 'string', description: 'The name of the rule that was broken (docs/errors.md).' },
      message: STRING,
    }),
    examples: [{ status: 404, code: 'link-not-found', message: 'group g-1 has no link "x"' }],
  },
  AnyValue: {
    description:
      'A value as JSON: numbers, strings, booleans, null; lists for dimensions, compound elements and sequences.',
    examples: [
      42,
      'm',
      null,
      [
        [0.5, 1.5],
        [2, 3],
      ],
      ['a', [1, 2]],
    ],
  },
  Health: { ...object({ status: { const: 'alive' } }), examples: [{ status: 'alive' }] },
  Ready: { ...object({ status: { const: 'ready' } }), examples: [{ status: 'ready' }] },
  Info: {
    ...object({
      name: STRING,
      greeting: STRING,
      about: STRING,
      documentation: STRING,
      hyperslab_version: STRING,
      h5serv_version: STRING,
      node: mapOf({}),
      'process?': mapOf({}, 'Figures about the process, for those who may see them.'),
    }),
    examples: [
      {
        name: 'Hyperslab',
        greeting: 'Welcome to Hyperslab!',
        about: 'Hyperslab serves hierarchical array data',
        documentation: 'https://github.com/HDFGroup/hdf-rest-api',
        hyperslab_version: '0.1.0',
        h5serv_version: '0.2',
        node: { id: 'sn-001', type: 'sn', start_time: 1700000000, state: 'READY', node_count: 1 },
      },
    ],
  },
  OpenApi: { type: 'object', description: 'A document of OpenAPI 3.1.', examples: [{ openapi: '3.1.0' }] },
  About: {
    ...object({
      start_time: { type: 'integer' },
      state: STRING,
      hsds_version: STRING,
      hyperslab_version: STRING,
      name: STRING,
      greeting: STRING,
      about: STRING,
      node_count: { type: 'integer' },
      dn_urls: list(STRING),
      dn_ids: list(STRING),
      username: STRING,
      isadmin: { type: 'boolean' },
    }),
    examples: [
      {
        start_time: 1700000000,
        state: 'READY',
        hsds_version: '1.0.2',
        hyperslab_version: '0.1.0',
        name: 'Hyperslab',
        greeting: 'Welcome to Hyperslab!',
        about: 'Hyperslab serves hierarchical array data',
        node_count: 1,
        dn_urls: [],
        dn_ids: ['dn-001'],
        username: 'ann',
        isadmin: false,
      },
    ],
  },
}
