// The service itself: its health, versions and figures, and the description of the API.

import { BOOLEAN, COUNT, list, NUMBER, object, type Schemas, STRING, word } from '../../message/schema.ts'

const STATE = word('READY', 'STOPPING')

/** Figures about the process; absent for callers that may not see them. */
const PROCESS = {
  'host?': STRING,
  'req_count?': object({ GET: COUNT, PUT: COUNT, POST: COUNT, DELETE: COUNT, num_tasks: COUNT }),
  'memory?': object({ rss: COUNT, heap_total: COUNT, heap_used: COUNT, external: COUNT }),
  'cpu?': object({ user_seconds: NUMBER, system_seconds: NUMBER }),
  'diskio?': object({ read_bytes: COUNT, write_bytes: COUNT }),
  'netio?': object({ bytes_received: COUNT, bytes_sent: COUNT }),
  'meta_cache_stats?': object({ count: COUNT }),
  'chunk_cache_stats?': object({ count: COUNT, bytes: COUNT }),
  'store?': object({ commits: COUNT, retries: COUNT, conflicts: COUNT }),
}

export const serviceSchemas: Schemas = {
  Health: { ...object({ status: { const: 'alive' } }), examples: [{ status: 'alive' }] },
  Ready: {
    type: 'object',
    required: ['status'],
    properties: {
      status: { const: 'ready' },
      unwell_mount_count: {
        description: 'The number of mounts whose file systems do not answer, or fail; all else is served.',
        ...COUNT,
      },
      unwell_mounts: {
        description: 'These mounts, for callers that may see figures about the process.',
        ...list(object({ path: STRING, since: NUMBER, overdue: NUMBER, reason: STRING })),
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
      'hyperslab_commit?': STRING,
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
