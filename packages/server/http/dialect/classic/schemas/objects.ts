// Groups, datasets and committed datatypes in the classic dialect (classic 6 to 8).

import { ANY, COUNT, list, looseObject, object, ref, type Schemas, STRING } from '../../../message/schema.ts'
import { DAMAGE, HREFS } from '../../schemas/common.ts'
import { MAXDIMS_INPUT, NEW_OBJECT_LINK } from '../../schemas/datatypes.ts'

const BASE = 'http://tall.example.org'
const ROOT = '38a0a8f2-9d01-11e8-8acf-0242ac110009'
const GROUP = '45a882e1-9d01-11e8-8acf-0242ac110009'
const DATASET = '4f1c2a66-9d01-11e8-8acf-0242ac110009'
const DATATYPE = '5d2e7b10-9d01-11e8-8acf-0242ac110009'

const MEMBERS = { id: STRING, created: STRING, lastModified: STRING, attributeCount: COUNT, ...DAMAGE }
const LINK = {
  ...NEW_OBJECT_LINK,
  required: ['id', 'name'],
  description: 'The link to it; without, it has none.',
}
const NEW_OBJECT = {
  'link?': LINK,
  'creationProperties?': { ...ANY, description: 'Any JSON; the hsds dialect shows it.' },
}

const TIMES = { created: '2026-01-02T03:04:05Z', lastModified: '2026-01-02T03:04:05Z' }
const TYPE = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }

/** Examples of hrefs. */
function self(path: string) {
  return [
    { href: `${BASE}${path}`, rel: 'self' },
    { href: `${BASE}/groups/${ROOT}`, rel: 'root' },
  ]
}

const group = object({
  ...MEMBERS,
  linkCount: COUNT,
  'links?': list(ref('LinkItem'), 'With include_links, if there are any.'),
  hrefs: HREFS,
})
const GROUP_EXAMPLES = [
  { id: GROUP, ...TIMES, attributeCount: 0, linkCount: 2, hrefs: self(`/groups/${GROUP}`) },
]

export const objectSchemas: Schemas = {
  Group: { ...group, examples: GROUP_EXAMPLES },
  GroupCreated: { ...group, examples: GROUP_EXAMPLES },
  Dataset: {
    ...object({
      ...MEMBERS,
      type: ref('Type'),
      shape: ref('Shape'),
      creationProperties: ref('CreationProperties'),
      hrefs: HREFS,
    }),
    examples: [
      {
        id: DATASET,
        ...TIMES,
        attributeCount: 0,
        type: TYPE,
        shape: { class: 'H5S_SIMPLE', dims: [10] },
        creationProperties: { layout: { class: 'H5D_CONTIGUOUS' } },
        hrefs: self(`/datasets/${DATASET}`),
      },
    ],
  },
  DatasetCreated: {
    ...object({ ...MEMBERS, hrefs: HREFS }),
    examples: [{ id: DATASET, ...TIMES, attributeCount: 0, hrefs: self(`/datasets/${DATASET}`) }],
  },
  Datatype: {
    ...object({ ...MEMBERS, type: ref('TypeObject'), hrefs: HREFS }),
    examples: [
      { id: DATATYPE, ...TIMES, attributeCount: 0, type: TYPE, hrefs: self(`/datatypes/${DATATYPE}`) },
    ],
  },
  DatatypeCreated: {
    ...object({ ...MEMBERS, hrefs: HREFS }),
    examples: [{ id: DATATYPE, ...TIMES, attributeCount: 0, hrefs: self(`/datatypes/${DATATYPE}`) }],
  },
  GroupList: {
    ...object({ groups: list(STRING), hrefs: HREFS }),
    examples: [{ groups: [GROUP], hrefs: self('/groups') }],
  },
  DatasetList: {
    ...object({ datasets: list(STRING), hrefs: HREFS }),
    examples: [{ datasets: [DATASET], hrefs: self('/datasets') }],
  },
  DatatypeList: {
    ...object({ datatypes: list(STRING), hrefs: HREFS }),
    examples: [{ datatypes: [DATATYPE], hrefs: self('/datatypes') }],
  },
  ObjectDeleted: { ...object({ hrefs: HREFS }), examples: [{ hrefs: self('/groups') }] },
  NewGroup: {
    ...looseObject(NEW_OBJECT),
    type: ['object', 'null'],
    description: 'Other members are ignored.',
    examples: [{}, { link: { id: ROOT, name: 'g1' } }],
  },
  NewDataset: {
    ...looseObject({
      type: ref('TypeInput'),
      'shape?': ref('ShapeInput'),
      'maxdims?': MAXDIMS_INPUT,
      'creationProperties?': ref('CreationPropertiesInput'),
      'link?': LINK,
    }),
    description: 'Without a shape it is a scalar. Other members are ignored.',
    examples: [
      { type: 'H5T_STD_I32LE', shape: [10], maxdims: [0], link: { id: ROOT, name: 'dset1' } },
      { type: `datatypes/${DATATYPE}` },
    ],
  },
  NewDatatype: {
    ...looseObject({ type: ref('TypeInput'), ...NEW_OBJECT }),
    description: 'Other members are ignored.',
    examples: [{ type: 'H5T_IEEE_F64LE', link: { id: ROOT, name: 'dtype1' } }],
  },
}
