// Groups, datasets and committed datatypes in the hsds dialect (hsds-objects 8.9, 8.10, 10, 13 and 17; hsds-values 3
// and 4).

import {
  ANY,
  COUNT,
  ignored,
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
import { DAMAGE, HREFS } from '../../schemas/common.ts'
import { MAXDIMS_INPUT } from '../../schemas/datatypes.ts'

const BASE = 'http://127.0.0.1:5101'
const SUFFIX = '?domain=/home/ann/tall.h5'
const ROOT = 'g-6a1f0c3e-52b1d9aa-e297-84b6da-395122'
const GROUP = 'g-6a1f0c3e-52b1d9aa-30f1-2c7a90-e1b864'
const DATASET = 'd-6a1f0c3e-52b1d9aa-77c4-1d20e4-9b5f30'
const DATATYPE = 't-6a1f0c3e-52b1d9aa-81d3-6f02b1-40c7e2'

type Members = Readonly<Record<string, Schema>>

const STORED = {
  id: STRING,
  root: STRING,
  created: NUMBER,
  lastModified: NUMBER,
  attributeCount: COUNT,
  ...DAMAGE,
}
export const GROUP_MEMBERS = { ...STORED, linkCount: COUNT, 'creationProperties?': ANY }
export const DATASET_MEMBERS = {
  ...STORED,
  shape: ref('Shape'),
  type: ref('Type'),
  'layout?': ref('Layout'),
  creationProperties: ref('CreationProperties'),
}
export const DATATYPE_MEMBERS = { ...STORED, type: ref('Type') }

/** The members that a description adds. */
const DESCRIBED = {
  domain: STRING,
  'alias?': list(STRING, 'With getalias: the first path of hard links from the root group.'),
  'attributes?': mapOf(ref('AttributeItem'), 'With include_attrs: the attributes by their names.'),
  hrefs: HREFS,
}

/** The members that any new object may have. */
const NEW_OBJECT = {
  'id?': { ...STRING, description: 'The id of the new object; without, it gets a new one.' },
  'h5path?': { ...STRING, description: 'The path where it is linked.' },
  'parent_id?': { ...STRING, description: 'The group where h5path starts; without, the root group.' },
  'link?': {
    ...object({ 'id?': STRING, name: STRING }),
    description: 'A link to it, instead of h5path; without id in the root group.',
  },
  'attributes?': mapOf(ref('NewAttribute'), 'Attributes by their names.'),
  'created?': { description: 'Seconds since 1970; a value that is not a number is ignored.' },
  ...ignored(
    'root',
    'class',
    'domain',
    'bucket',
    'alias',
    'lastModified',
    'attributeCount',
    'linkCount',
    'layout',
    'num_chunks',
    'allocated_size',
    'hrefs',
  ),
}

/** One object, or a list of several. */
function created(members: Members): Schema {
  const item = object(members)
  return oneOf(item, object({ objects: list(item) }))
}

/** The ids or, with h5path, the object at that path. */
function listed(collection: string, described: string): Schema {
  return oneOf(object({ [collection]: list(STRING), hrefs: HREFS }), ref(described))
}

function oneOrMany(item: Schema): Schema {
  return {
    ...oneOf(item, list(item)),
    description: 'One object, or a list of them. Other members are errors.',
  }
}

const EXAMPLE = { root: ROOT, created: 1700000000.5, lastModified: 1700000000.5, attributeCount: 0 }
const GROUP_EXAMPLE = { id: GROUP, ...EXAMPLE, linkCount: 4, creationProperties: { CreateOrder: 1 } }
const TYPE = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F32LE' }
const LAYOUT = { class: 'H5D_CHUNKED', dims: [20] }
const DATASET_EXAMPLE = {
  id: DATASET,
  ...EXAMPLE,
  shape: { class: 'H5S_SIMPLE', dims: [10], maxdims: [20] },
  type: TYPE,
  layout: LAYOUT,
  creationProperties: { fillValue: 3.12, layout: LAYOUT },
}
const DATATYPE_EXAMPLE = { id: DATATYPE, ...EXAMPLE, type: TYPE }

/** Examples of hrefs. */
function self(path: string) {
  return [
    { href: `${BASE}${path}${SUFFIX}`, rel: 'self' },
    { href: `${BASE}/groups/${ROOT}${SUFFIX}`, rel: 'root' },
    { href: `${BASE}/${SUFFIX}`, rel: 'home' },
  ]
}

const newGroup = object({
  ...NEW_OBJECT,
  'links?': mapOf(ref('NewLink'), 'Links of the new group by their titles.'),
  'creationProperties?': { ...ANY, description: 'Any JSON; it comes back as it was sent.' },
})

export const objectSchemas: Schemas = {
  Group: {
    ...object({
      ...GROUP_MEMBERS,
      bucket: STRING,
      'links?': mapOf(ref('StoredLink'), 'With include_links: the links by their titles.'),
      ...DESCRIBED,
    }),
    examples: [
      {
        ...GROUP_EXAMPLE,
        domain: '/home/ann/tall.h5',
        bucket: 'hyperslab',
        alias: ['/g1'],
        links: {
          gain: { title: 'gain', class: 'H5L_TYPE_HARD', id: DATASET, created: 1700000001 },
        },
        hrefs: self(`/groups/${GROUP}`),
      },
    ],
  },
  GroupCreated: { ...created(GROUP_MEMBERS), examples: [{ ...GROUP_EXAMPLE, linkCount: 0 }] },
  Dataset: {
    ...object({
      ...DATASET_MEMBERS,
      'num_chunks?': { ...COUNT, description: 'With verbose: the number of stored chunks.' },
      'allocated_size?': { ...COUNT, description: 'With verbose: the bytes of stored chunks.' },
      ...DESCRIBED,
    }),
    examples: [{ ...DATASET_EXAMPLE, domain: '/home/ann/tall.h5', hrefs: self(`/datasets/${DATASET}`) }],
  },
  DatasetCreated: { ...created(DATASET_MEMBERS), examples: [DATASET_EXAMPLE] },
  Datatype: {
    ...object({ ...DATATYPE_MEMBERS, 'creationProperties?': ANY, ...DESCRIBED }),
    examples: [{ ...DATATYPE_EXAMPLE, domain: '/home/ann/tall.h5', hrefs: self(`/datatypes/${DATATYPE}`) }],
  },
  DatatypeCreated: { ...created(DATATYPE_MEMBERS), examples: [DATATYPE_EXAMPLE] },
  GroupList: { ...listed('groups', 'Group'), examples: [{ groups: [GROUP], hrefs: self('/groups') }] },
  DatasetList: {
    ...listed('datasets', 'Dataset'),
    examples: [{ datasets: [DATASET], hrefs: self('/datasets') }],
  },
  DatatypeList: {
    ...listed('datatypes', 'Datatype'),
    examples: [{ datatypes: [DATATYPE], hrefs: self('/datatypes') }],
  },
  ObjectDeleted: { ...object({}), examples: [{}] },
  NewGroup: {
    ...oneOrMany({ ...newGroup, type: ['object', 'null'] }),
    examples: [
      {},
      { link: { id: ROOT, name: 'g1' } },
      [{ h5path: '/runs/1' }, { h5path: '/runs/2', links: { first: { h5path: '/runs/1' } } }],
    ],
  },
  NewDataset: {
    ...oneOrMany(
      object({
        ...NEW_OBJECT,
        type: ref('TypeInput'),
        'shape?': ref('ShapeInput'),
        'maxdims?': MAXDIMS_INPUT,
        'creationProperties?': ref('CreationPropertiesInput'),
        'value?': { ...ANY, description: 'The first values, in the shape of the dataset.' },
      }),
    ),
    examples: [
      { type: 'H5T_STD_I16LE', shape: [3], value: [4, 5, 6], link: { id: ROOT, name: 'x' } },
      [{ type: 'H5T_IEEE_F32LE', shape: [0], maxdims: [0], h5path: '/runs/y' }, { type: DATATYPE }],
    ],
  },
  NewDatatype: {
    ...oneOrMany(
      object({
        ...NEW_OBJECT,
        type: ref('TypeInput'),
        'creationProperties?': { ...ANY, description: 'Any JSON; it comes back as it was sent.' },
      }),
    ),
    examples: [{ type: 'H5T_IEEE_F64LE', h5path: '/types/number' }],
  },
}
