// Objects that are found by their paths, and all objects of a domain, in the hsds dialect (hsds-objects 8.2, 8.10 and
// 8.11).

import {
  ANY,
  list,
  mapOf,
  NUMBER,
  object,
  oneOf,
  ref,
  type Schema,
  type Schemas,
  STRING,
} from '../../../message/schema.ts'
import { HREFS } from '../../schemas/common.ts'
import { DATASET_MEMBERS, DATATYPE_MEMBERS, GROUP_MEMBERS } from './objects.ts'

type Members = Readonly<Record<string, Schema>>

const ROOT = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'

/** Attributes in a map by name: they have no member `name`. */
const BULK_ATTRIBUTES: Members = {
  'attributes?': mapOf(
    oneOf(
      object({
        shape: ref('Shape'),
        type: ref('Type'),
        value: ANY,
        'encoding?': { const: 'base64' },
        created: NUMBER,
      }),
      object({ unreadable: STRING, created: NUMBER }),
    ),
  ),
}

/** Members of every object that is found. */
const FOUND: Members = {
  domain: STRING,
  'attributes?': mapOf(ref('AttributeItem'), 'With `include_attrs`: by their names.'),
  'hrefs?': HREFS,
}

const TIMES = { created: 1700000000.5, lastModified: 1700000000.5 }
const GROUP_EXAMPLE = { id: ROOT, root: ROOT, ...TIMES, attributeCount: 0, linkCount: 2 }
const FOUND_EXAMPLE = {
  class: 'group',
  ...GROUP_EXAMPLE,
  domain: '/home/ann/tall.h5',
  bucket: 'hyperslab',
}

export const foundSchemas: Schemas = {
  PathQuery: {
    type: 'object',
    properties: { h5paths: list(STRING) },
    required: ['h5paths'],
    examples: [{ h5paths: ['/', '/g1/dset'] }],
  },
  FoundObject: {
    ...oneOf(
      object({
        class: { const: 'group' },
        ...GROUP_MEMBERS,
        ...FOUND,
        bucket: STRING,
        'links?': mapOf(ref('StoredLink'), 'With `include_links`: by their titles.'),
      }),
      object({ class: { const: 'dataset' }, ...DATASET_MEMBERS, ...FOUND }),
      object({ class: { const: 'datatype' }, ...DATATYPE_MEMBERS, 'creationProperties?': ANY, ...FOUND }),
    ),
    description: 'An object that was found by its path; alone it has `hrefs`.',
    examples: [{ ...FOUND_EXAMPLE, hrefs: [] }],
  },
  FoundObjects: {
    ...object({
      h5paths: mapOf(oneOf(ref('FoundObject'), ref('Error')), 'Objects by the paths as they were sent.'),
    }),
    examples: [{ h5paths: { '/': FOUND_EXAMPLE } }],
  },
  BulkObject: {
    ...oneOf(
      object({ ...GROUP_MEMBERS, links: mapOf(ref('StoredLink')), ...BULK_ATTRIBUTES }),
      object({ ...DATASET_MEMBERS, ...BULK_ATTRIBUTES, 'value?': ANY }),
      object({ ...DATATYPE_MEMBERS, ...BULK_ATTRIBUTES }),
    ),
    description: 'One of all objects of a domain. Small datasets come with their values.',
    examples: [{ ...GROUP_EXAMPLE, links: {}, attributes: {} }],
  },
}
