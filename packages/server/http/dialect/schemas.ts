// Schemas that both dialects have.

import { PERMISSIONS } from '@hyperslab/model/names'
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

const TIME: Schema = { ...STRING, description: 'A time in UTC.' }
const EXAMPLE_TIME = '2027-01-31T12:00:00.000Z'

const SCOPE: Readonly<Record<string, Schema>> = {
  writes: BOOLEAN,
  'within?': {
    ...STRING,
    description: 'The path of a domain, or of a folder, with all below it; absent: all domains and folders.',
  },
}

const TOKEN: Readonly<Record<string, Schema>> = {
  id: STRING,
  name: STRING,
  ...SCOPE,
  created: TIME,
  end: TIME,
}
const EXAMPLE_TOKEN = {
  id: '5f1c2a3b4d5e6f70',
  name: 'beamline 7',
  writes: true,
  within: '/physics',
  created: EXAMPLE_TIME,
  end: EXAMPLE_TIME,
}

const VIEW: Schema = {
  ...STRING,
  description: 'The query of the address of the page `/ui`, for the view that the share opens there.',
}
const H5PATH: Schema = {
  ...STRING,
  description: 'The path of the dataset of the domain that the share is for; absent: all of it.',
}
const FRAME_ANCESTORS: Schema = {
  ...list(STRING),
  description: 'The origins whose pages may show it in a frame, of those in the setting `frame_ancestors`.',
}

const SHARE: Readonly<Record<string, Schema>> = {
  'frame_ancestors?': FRAME_ANCESTORS,
  id: STRING,
  domain: { ...STRING, description: 'The path of the domain or folder that it shows.' },
  'h5path?': H5PATH,
  note: STRING,
  view: VIEW,
  created: TIME,
  end: TIME,
  uses: { ...COUNT, description: 'Requests by its address; those of the last seconds may be missing.' },
  'used?': { ...TIME, description: 'The time of the last one; absent: there was none.' },
}
const EXAMPLE_SHARE = {
  id: '5f1c2a3b4d5e6f70',
  domain: '/home/ann/run7.h5',
  note: 'for the referees',
  view: 'domain=%2Fhome%2Fann%2Frun7.h5',
  created: EXAMPLE_TIME,
  end: EXAMPLE_TIME,
  uses: 12,
  used: EXAMPLE_TIME,
}

const USER: Readonly<Record<string, Schema>> = {
  name: STRING,
  admin: { ...BOOLEAN, description: 'True: an administrator, with all permissions.' },
  groups: list(STRING, 'The groups of the user, without `g:`.'),
  disabled: { ...BOOLEAN, description: 'True: the user cannot log in, and the name stays taken.' },
  stored: { ...BOOLEAN, description: 'False: the password is in the password file.' },
  'displayName?': { ...STRING, description: 'The name that the identity provider shows.' },
  'issuer?': { ...STRING, description: 'The identity provider at which the user logs in.' },
}
const EXAMPLE_USER = { name: 'ann', admin: false, groups: ['lab'], disabled: false, stored: true }

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

/** A member of objects and lists of a mounted file (common 19). */
export const DAMAGE = {
  'damage?': {
    ...STRING,
    description:
      'The reason why links or attributes of a mounted file are missing: even their names cannot be read.',
  },
}
/** Members of files and folders that are served where they are. */
export const MOUNTED = {
  'mounted?': { const: true, description: 'Served where it is: no request changes it.' },
  'file_size?': { ...COUNT, description: 'Bytes of the mounted file.' },
  ...DAMAGE,
}
const ENTRY = { ...MOUNTED, name: STRING, owner: STRING, created: NUMBER, lastModified: NUMBER, hrefs: HREFS }
const LISTED_DOMAIN = { ...ENTRY, class: { const: 'domain' }, root: STRING }

const EVENT_ID = '1042-5f0c9e1b'

export const COMMON_SCHEMAS: Schemas = {
  Event: {
    ...object({
      id: { ...STRING, description: 'The position of the commit in the feed, for `since`.' },
      time: { ...oneOf(NUMBER, STRING), description: 'The time of the commit.' },
      domain: { ...STRING, description: 'The path of the domain or folder that was changed.' },
      'state?': {
        ...STRING,
        description: 'The state of the domain after the commit; absent: it was deleted, or is a folder.',
      },
      changes: list(ref('Change')),
      'more?': { const: true, description: 'There are more changes than are listed.' },
    }),
    description: 'The changes of one domain in one commit.',
    examples: [
      {
        id: EVENT_ID,
        time: 1_800_000_000.25,
        domain: '/lab/run7.h5',
        state: '0f3c9a1b5d7e8f60718293a4b5c6d7e8',
        changes: [
          {
            kind: 'values',
            class: 'dataset',
            id: 'd-45a882e1-9d0111e8-8acf-0242ac-110009',
            h5path: '/frames',
            start: [12, 0, 0],
            stop: [13, 512, 512],
            shape: [13, 512, 512],
          },
        ],
      },
    ],
  },
  Change: {
    ...object({
      kind: word('created', 'deleted', 'attributes', 'links', 'values', 'acl'),
      class: word('domain', 'folder', 'group', 'dataset', 'datatype'),
      'id?': { ...STRING, description: 'The id of the object; absent: the domain or folder itself.' },
      'h5path?': { ...STRING, description: 'A path of the object, if one is known.' },
      'start?': list(COUNT, 'With `stop`, the smallest box around the elements that were written.'),
      'stop?': list(COUNT, 'The end of the box, exclusive.'),
      'shape?': list(COUNT, 'The new extents of the dataset.'),
    }),
    description: 'A change of an object, or of the domain or folder itself.',
    examples: [{ kind: 'created', class: 'domain' }],
  },
  Events: {
    ...object({
      events: list(ref('Event')),
      next: { ...STRING, description: 'The position after them: `since` of the next request.' },
      'gone?': { const: true, description: 'Events after `since` were removed: read the domain again.' },
      'state?': {
        ...STRING,
        description: 'The present state of the domain, with `gone` and without `since`.',
      },
    }),
    description: 'Events after a position.',
    examples: [{ events: [], next: EVENT_ID }],
  },
  ZarrDocument: {
    type: 'object',
    additionalProperties: true,
    description: 'A document of Zarr 2 or 3.',
    examples: [{ zarr_format: 2 }],
  },
  H5groveAnswer: {
    description: 'An answer of the API of h5grove.',
    examples: [{ name: '/', kind: 'group', attributes: [], children: [] }],
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
  Ready: {
    type: 'object',
    required: ['status'],
    properties: {
      status: { const: 'ready' },
      hung_mounts: {
        description: 'Mounts whose file systems do not answer; all else is served.',
        ...list(object({ path: STRING, since: NUMBER, overdue: NUMBER })),
      },
    },
    examples: [{ status: 'ready' }],
  },
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
  Login: {
    ...object({
      username: STRING,
      isadmin: BOOLEAN,
      login: {
        ...word('none', 'password', 'provider', 'session', 'share', 'token'),
        description: 'How the caller has logged in.',
      },
      'accounts?': {
        ...BOOLEAN,
        description:
          'Only of a caller that has not logged in. False: nobody can, since there are no accounts.',
      },
      'id?': { ...STRING, description: 'The id of the session or token.' },
      'end?': TIME,
      'scope?': {
        ...object({ ...SCOPE, 'h5path?': H5PATH }),
        description: 'The scope of the token or share.',
      },
      'view?': VIEW,
      'displayName?': { ...STRING, description: 'The name that the identity provider shows.' },
      'logout?': {
        ...STRING,
        description:
          'After the end of a session: the address at which the user logs out of the identity provider.',
      },
    }),
    examples: [
      { username: 'ann', isadmin: false, login: 'session', id: '5f1c2a3b4d5e6f70', end: EXAMPLE_TIME },
    ],
  },
  ProviderList: {
    ...object({
      providers: list(
        object({
          name: STRING,
          title: { ...STRING, description: 'The name to show.' },
          login: { ...STRING, description: 'The address that begins a login, which a person opens.' },
          available: { ...BOOLEAN, description: 'False: the provider does not answer at present.' },
        }),
      ),
    }),
    examples: [
      {
        providers: [
          { name: 'lab', title: 'Lab', login: 'https://data.example.org/login/lab', available: true },
        ],
      },
    ],
  },
  SessionList: {
    ...object({
      sessions: list(
        object({
          id: STRING,
          client: { ...STRING, description: 'The program that has logged in, as it names itself.' },
          current: { ...BOOLEAN, description: 'True: the session of the request.' },
          created: TIME,
          used: { ...TIME, description: 'The last use that was noted.' },
          end: TIME,
        }),
      ),
    }),
    examples: [
      {
        sessions: [
          {
            id: '5f1c2a3b4d5e6f70',
            client: 'Mozilla/5.0',
            current: true,
            created: EXAMPLE_TIME,
            used: EXAMPLE_TIME,
            end: EXAMPLE_TIME,
          },
        ],
      },
    ],
  },
  EndedLogins: {
    ...object({ ended: { ...COUNT, description: 'How many have ended.' } }),
    examples: [{ ended: 1 }],
  },
  NewPassword: {
    ...object({ password: { ...STRING, description: 'The present password.' }, new: STRING }),
    examples: [{ password: 'old secret', new: 'new secret' }],
  },
  User: { ...object(USER), examples: [EXAMPLE_USER] },
  UserList: { ...object({ users: list(object(USER)) }), examples: [{ users: [EXAMPLE_USER] }] },
  NewUser: {
    ...object({ password: STRING, 'admin?': BOOLEAN }),
    examples: [{ password: 'a secret' }],
  },
  DisabledUser: {
    ...object({ name: STRING, disabled: { const: true } }),
    examples: [{ name: 'ann', disabled: true }],
  },
  NewToken: {
    ...object({
      name: { ...STRING, description: 'A name by which the user knows the token again.' },
      end: { ...STRING, description: 'The end: a date, which begins in UTC, or a time in UTC.' },
      'writes?': { ...BOOLEAN, description: 'True: for reading and writing; otherwise for reading.' },
      'within?': SCOPE['within?'] ?? STRING,
    }),
    examples: [{ name: 'beamline 7', end: '2027-01-31', writes: true, within: '/physics' }],
  },
  TokenList: {
    ...object({ tokens: list(object(TOKEN)) }),
    examples: [{ tokens: [EXAMPLE_TOKEN] }],
  },
  CreatedToken: {
    ...object({ ...TOKEN, token: { ...STRING, description: 'The secret, which is not shown again.' } }),
    examples: [{ ...EXAMPLE_TOKEN, token: 'hyperslab_...' }],
  },
  NewShare: {
    ...object({
      domain: { ...STRING, description: 'The path of the domain or folder to show.' },
      end: { ...STRING, description: 'The end: a date, which begins in UTC, or a time in UTC.' },
      'h5path?': H5PATH,
      'note?': { ...STRING, maxLength: 500, description: 'A note for the user that makes the share.' },
      'view?': { ...VIEW, maxLength: 2000 },
      'frame_ancestors?': FRAME_ANCESTORS,
    }),
    examples: [{ domain: '/home/ann/run7.h5', end: '2027-01-31', note: 'for the referees' }],
  },
  ShareList: {
    ...object({ shares: list(object(SHARE)) }),
    examples: [{ shares: [EXAMPLE_SHARE] }],
  },
  CreatedShare: {
    ...object({
      ...SHARE,
      address: { ...STRING, description: 'The address with its secret, which is not shown again.' },
    }),
    examples: [{ ...EXAMPLE_SHARE, uses: 0, address: 'https://data.example.org/s/.../' }],
  },
}
