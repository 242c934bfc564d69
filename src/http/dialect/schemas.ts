// Schemas that both dialects have.

import { PERMISSIONS } from '../../hdf5/acl.ts'
import {
  ANY,
  BOOLEAN,
  COUNT,
  list,
  NUMBER,
  object,
  oneOf,
  ref,
  type Schema,
  type Schemas,
  STRING,
  word,
} from '../message/schema.ts'

/** The member `hrefs`: addresses of the resource and of related ones. */
export const HREFS: Schema = list(object({ href: STRING, rel: STRING }), 'Addresses of related resources.')

/** Parts of a file that the domain made from it lacks. */
export const WARNINGS: Schema = list(
  object({ path: STRING, message: STRING }),
  'The parts of a file that were left out or changed.',
)

/** Values as JSON: lists within lists, one for each dimension. */
export const VALUE: Schema = {
  ...ANY,
  description:
    'A list for each dimension; of a scalar, the bare element. An element is a number, a string, a boolean, null, or a list: of the members of a compound, of the elements of an array or sequence.',
}

/** A number, or the form of one that is not finite. */
const ANY_NUMBER: Schema = oneOf(NUMBER, STRING, { type: 'null' })

/** The statistics of values: the members of an object. */
export const VALUE_STATISTICS: Readonly<Record<string, Schema>> = {
  count: { ...COUNT, description: 'Elements that are not NaN.' },
  nanCount: COUNT,
  'min?': { ...ANY_NUMBER, description: 'Absent without elements that are not NaN, as are the next three.' },
  'max?': ANY_NUMBER,
  'mean?': ANY_NUMBER,
  'standardDeviation?': { ...ANY_NUMBER, description: 'The standard deviation of the population.' },
  'histogram?': {
    ...object({ min: NUMBER, max: NUMBER, counts: list(COUNT) }),
    description: 'The number of finite numbers in each of several bins of equal width from `min` to `max`.',
  },
}

export const VALUE_STATISTICS_EXAMPLE = {
  count: 4,
  nanCount: 0,
  min: 1,
  max: 4,
  mean: 2.5,
  standardDeviation: 1.118033988749895,
  histogram: { min: 1, max: 4, counts: [2, 2] },
} as const

/** A number for one dimension, or a list with a number for each. */
export const PER_DIMENSION: Schema = oneOf(COUNT, list(COUNT))

export const POINTS: Schema = list(
  PER_DIMENSION,
  'The index of each element in each dimension; of one dimension, a number for each element.',
)

export const BASE64: Schema = { type: 'string', description: 'The Base64 of the bytes of the elements.' }

const STATE = word('READY', 'STOPPING')

/** Figures about the process; absent for callers that may not see them. */
const PROCESS = {
  'req_count?': object({ GET: COUNT, PUT: COUNT, POST: COUNT, DELETE: COUNT, num_tasks: COUNT }),
  'memory?': object({ rss: COUNT, heap_total: COUNT, heap_used: COUNT, external: COUNT }),
  'cpu?': object({ user_seconds: NUMBER, system_seconds: NUMBER }),
  'diskio?': object({ read_bytes: COUNT, write_bytes: COUNT }),
  'netio?': object({ bytes_received: COUNT, bytes_sent: COUNT }),
  'meta_cache_stats?': object({ count: COUNT }),
  'chunk_cache_stats?': object({ count: COUNT, bytes: COUNT }),
  'store?': object({ commits: COUNT, retries: COUNT, conflicts: COUNT }),
}

/** The flags of an access control item, each of this schema. */
export function permissionFlags(flag: Schema = BOOLEAN): Readonly<Record<string, Schema>> {
  return Object.fromEntries(PERMISSIONS.map(permission => [permission, flag]))
}

export const DOMAIN_STATE: Schema = {
  type: 'string',
  description: 'Different after every change of anything in the domain.',
}

/** The counts of a domain's contents that `verbose` adds (hsds-objects 8.12). */
export const STATISTICS: Readonly<Record<string, Schema>> = {
  num_groups: COUNT,
  num_datasets: COUNT,
  num_datatypes: COUNT,
  num_objects: COUNT,
  num_chunks: COUNT,
  num_linked_chunks: COUNT,
  total_size: COUNT,
  allocated_bytes: COUNT,
  metadata_bytes: COUNT,
  linked_bytes: COUNT,
  md5_sum: STRING,
}

const ENTRY = { name: STRING, owner: STRING, created: NUMBER, lastModified: NUMBER, hrefs: HREFS }
const LISTED_DOMAIN = { ...ENTRY, class: { const: 'domain' }, root: STRING }

export const COMMON_SCHEMAS: Schemas = {
  ZarrDocument: {
    type: 'object',
    additionalProperties: true,
    description: 'A document of Zarr 2 or 3.',
    examples: [{ zarr_format: 2 }],
  },
  References: {
    type: 'object',
    properties: {
      version: { const: 1 },
      refs: {
        type: 'object',
        additionalProperties: {
          description: 'The text of a document, or an address, perhaps with an offset and a length.',
          oneOf: [STRING, { type: 'array', items: { oneOf: [STRING, COUNT] } }],
        },
      },
    },
    required: ['version', 'refs'],
    examples: [
      {
        version: 1,
        refs: {
          '.zgroup': '{"zarr_format":2}',
          'energy/0.0': [
            'http://127.0.0.1:5101/h5/~1c9f6e3a5b7d4e0f8a2b4c6d8e0f1a3b/lab/run7.h5',
            4096,
            80000,
          ],
          'energy/0.1': [
            'http://127.0.0.1:5101/zarr/v2/~1c9f6e3a5b7d4e0f8a2b4c6d8e0f1a3b/lab/run7.h5/energy/0.1',
          ],
        },
      },
    ],
  },
  NewAclList: {
    type: 'object',
    description: 'Items, each with the name of its user and at least one flag.',
    properties: { acls: { ...list(ref('NewAcl')), minItems: 1 } },
    required: ['acls'],
    examples: [{ acls: [{ userName: 'ann', read: true }] }],
  },
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
      h5py_version: STRING,
      hdf5_version: STRING,
      'hdf5-json-version': STRING,
      node: object({ id: STRING, type: STRING, start_time: COUNT, state: STATE, node_count: COUNT }),
      ...PROCESS,
    }),
    examples: [
      {
        name: 'Hyperslab',
        greeting: 'Welcome to Hyperslab!',
        about: 'Hyperslab serves hierarchical array data',
        documentation: 'https://github.com/HDFGroup/hdf-rest-api',
        hyperslab_version: '0.1.0',
        h5serv_version: '0.2',
        h5py_version: 'not used',
        hdf5_version: 'not used',
        'hdf5-json-version': 'not used',
        node: { id: 'sn-001', type: 'sn', start_time: 1700000000, state: 'READY', node_count: 1 },
      },
    ],
  },
  FolderList: {
    ...object({ domains: list(ref('ListedDomain')), hrefs: HREFS }, 'The domains and folders in a folder.'),
    examples: [{ domains: [], hrefs: [] }],
  },
  ListedDomain: {
    ...oneOf(
      object(LISTED_DOMAIN),
      object({ ...LISTED_DOMAIN, ...STATISTICS }),
      object({ ...ENTRY, class: { const: 'folder' } }),
    ),
    description: 'A domain or folder in a list, by its path; with `verbose` also its counts and sizes.',
    examples: [
      {
        name: '/home/ann/tall.h5',
        class: 'domain',
        root: 'g-45a882e1-9d0111e8-8acf-0242ac-110009',
        owner: 'ann',
        created: 1700000000.5,
        lastModified: 1700000000.5,
        hrefs: [{ href: 'http://127.0.0.1:5101/?domain=/home/ann/tall.h5', rel: 'domain' }],
      },
      {
        name: '/home',
        class: 'folder',
        owner: '',
        created: 1700000000.5,
        lastModified: 1700000000.5,
        hrefs: [{ href: 'http://127.0.0.1:5101/?domain=/home', rel: 'domain' }],
      },
    ],
  },
  OpenApi: { type: 'object', description: 'A document of OpenAPI 3.1.', examples: [{ openapi: '3.1.0' }] },
  About: {
    ...object({
      start_time: COUNT,
      state: STATE,
      hsds_version: STRING,
      hyperslab_version: STRING,
      name: STRING,
      greeting: STRING,
      about: STRING,
      node_count: COUNT,
      dn_urls: list(STRING),
      dn_ids: list(STRING),
      username: STRING,
      isadmin: BOOLEAN,
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
