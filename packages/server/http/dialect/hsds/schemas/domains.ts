// Domains and folders in the hsds dialect (hsds-objects 8.1 to 8.5 and 8.12).

import {
  ANY,
  COUNT,
  list,
  mapOf,
  NUMBER,
  object,
  oneOf,
  ref,
  type Schemas,
  STRING,
} from '../../../message/schema.ts'
import { permissionFlags } from '../../schemas/acls.ts'
import { HREFS } from '../../schemas/common.ts'
import { DOMAIN_STATE, JOIN, MOUNTED, STATISTICS, WARNINGS } from '../../schemas/domains.ts'
import { LIMITS } from '../limits.ts'

const ROOT = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'
const hrefs = [{ href: 'http://127.0.0.1:5101/?domain=/home/ann/tall.h5', rel: 'self' }]

/** Flags of a body (hsds-objects 1.3). */
const FLAG = { enum: [true, false, 1, 0, null] }

const NODES = { 'dn_ids?': list(STRING, 'With `getdnids`: it never changes.') }
const ENTRY = { owner: STRING, created: NUMBER, lastModified: NUMBER, ...NODES, ...MOUNTED }
const FOLDER = { ...ENTRY, class: { const: 'folder' } }
const ABILITIES = {
  version: STRING,
  limits: object({ min_chunk_size: COUNT, max_chunk_size: COUNT, max_request_size: COUNT }),
  compressors: list(STRING),
}
const DOMAIN = { ...ENTRY, ...ABILITIES, root: STRING, class: { const: 'domain' } }

const SCANNED_DATASET = object({
  lastModified: NUMBER,
  num_chunks: COUNT,
  allocated_bytes: COUNT,
  logical_bytes: COUNT,
  linked_bytes: COUNT,
  num_linked_chunks: COUNT,
})

const SCAN = object(
  {
    lastModified: NUMBER,
    num_groups: COUNT,
    num_datatypes: COUNT,
    'datasets?': mapOf(
      SCANNED_DATASET,
      'Entries by the ids of the datasets; absent where there are more than 1,000.',
    ),
    num_chunks: COUNT,
    allocated_bytes: COUNT,
    metadata_bytes: COUNT,
    num_linked_chunks: COUNT,
    linked_bytes: COUNT,
    logical_bytes: COUNT,
    bucket: STRING,
    scan_start: NUMBER,
    md5_sum: STRING,
    scan_complete: NUMBER,
  },
  'The numbers are those of the request: `scan_start` and `scan_complete` are its time.',
)

const SHOWN_DOMAIN = {
  ...DOMAIN,
  ...JOIN,
  state: DOMAIN_STATE,
  'domain_objs?': mapOf(ref('BulkObject'), 'With `getobjs`: the objects by their ids, the root group first.'),
  hrefs: HREFS,
}

const ENTRY_EXAMPLE = { owner: 'ann', created: 1700000000.5, lastModified: 1700000000.5 }
const STATE = '0f3c9a1b5d7e8f60718293a4b5c6d7e8'
const DOMAIN_EXAMPLE = {
  root: ROOT,
  class: 'domain',
  ...ENTRY_EXAMPLE,
  version: '1.0.2',
  limits: LIMITS,
  compressors: ['gzip'],
}

export const domainSchemas: Schemas = {
  Domain: {
    ...oneOf(object(SHOWN_DOMAIN), object({ ...SHOWN_DOMAIN, ...STATISTICS, scan_info: SCAN })),
    description: 'A domain; with `verbose` also its counts and sizes.',
    examples: [{ ...DOMAIN_EXAMPLE, state: STATE, hrefs }],
  },
  Folder: {
    ...object({ ...FOLDER, hrefs: HREFS }),
    examples: [{ class: 'folder', ...ENTRY_EXAMPLE, hrefs }],
  },
  DomainView: {
    ...oneOf(ref('Domain'), ref('Folder'), ref('FoundObject'), ref('FolderList')),
    description:
      'The domain or folder; with `h5path` an object of the domain; the domains and folders at the top level where the request names none.',
    examples: [
      { ...DOMAIN_EXAMPLE, state: STATE, hrefs },
      { domains: [], hrefs: [] },
    ],
  },
  DomainCreated: {
    ...oneOf(
      object({ ...DOMAIN, acls: mapOf(object(permissionFlags())), 'warnings?': WARNINGS }),
      object({ ...FOLDER, ...ABILITIES, acls: mapOf(object(permissionFlags())) }),
    ),
    description:
      'The new domain or folder, with the flags of its access control list by the names of the users.',
    examples: [
      {
        ...DOMAIN_EXAMPLE,
        acls: {
          ann: { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true },
        },
      },
    ],
  },
  DataNodes: { ...object({ dn_ids: list(STRING) }), examples: [{ dn_ids: ['dn-001'] }] },
  PutDone: {
    ...oneOf(ref('DataNodes'), ref('JoinReview')),
    examples: [{ dn_ids: ['dn-001'] }],
  },
  JoinReview: {
    ...object({
      files: COUNT,
      names: list(STRING, 'The paths of the files in their order, the first thousand.'),
      length: { ...COUNT, description: 'The length of the dimension; 0 of a union.' },
      datasets: list(
        object({ path: STRING, shape: list(COUNT), axis: COUNT }),
        'The datasets that are joined, each along its dimension `axis`.',
      ),
      conflicts: list(
        object({
          files: list(STRING),
          'object?': STRING,
          reason: STRING,
          'option?': {
            enum: ['keep', 'unpack'],
            description: 'The member of the definition with which these files can be joined.',
          },
        }),
        'The reasons why the files cannot be joined, the first hundred.',
      ),
      warnings: list(
        object({ path: STRING, message: STRING }),
        'Sources in which there is no file, and files that are left out, the first hundred.',
      ),
    }),
    description: 'The files of a definition, as they would be together.',
    examples: [
      {
        files: 2,
        names: ['/lab/run_1.nc', '/lab/run_2.nc'],
        length: 48,
        datasets: [{ path: '/temp', shape: [48, 90, 120], axis: 0 }],
        conflicts: [],
        warnings: [],
      },
    ],
  },
  NewDomain: {
    type: ['object', 'null'],
    description:
      'The options of a new domain or folder; or `flush`, `rescan` or `moved_from` of one that exists. Flags that the body lacks may be in the query. Other members are errors.',
    additionalProperties: false,
    properties: {
      folder: FLAG,
      owner: { type: 'string', description: 'For administrators; otherwise the caller is the owner.' },
      linked_domain: {
        type: 'string',
        description: 'The path of a domain: the new one gets its root group, so that both hold the same.',
      },
      linked_bucket: { type: 'string', description: 'The bucket that linked_domain is in.' },
      moved_from: {
        type: 'string',
        description:
          'The path of a domain or folder, which gets this one instead, with all that is in it. Alone.',
      },
      root_id: { type: 'string', description: 'The id of the new root group.' },
      join: ref('JoinDefinition'),
      forget: {
        type: 'string',
        description: 'The path of a file that is gone: the joined domain closes its place. Alone.',
      },
      dry_run: {
        ...FLAG,
        description: 'With `join`: nothing is created; the answer says what the files would be together.',
      },
      group: object({ 'creationProperties?': ANY }),
      flush: FLAG,
      rescan: FLAG,
      getdnids: FLAG,
    },
    examples: [
      { folder: true },
      { owner: 'ann' },
      { linked_domain: '/home/ann/tall.h5' },
      { moved_from: '/home/ann/drafts' },
      { flush: true },
    ],
  },
  DomainDeletion: {
    type: ['object', 'null'],
    description: 'Options; a body replaces all options of the query. Other members are errors.',
    additionalProperties: false,
    properties: {
      keep_root: FLAG,
      meta_only: FLAG,
    },
    examples: [{ keep_root: true }],
  },
}
