// Links in the hsds dialect (hsds-objects 11).

import {
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
  word,
} from '../../../message/schema.ts'
import { DAMAGE, HREFS } from '../../schemas/common.ts'

const COLLECTION = word('groups', 'datasets', 'datatypes')
const GROUP = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'
const SUFFIX = '?domain=/home/ann/tall.h5'

type Members = Readonly<Record<string, Schema>>

/** The forms of a link, one for each class, each with the members `all`, and hard links also with `hard`. */
const formsOf = (all: Members, hard: Members): readonly Schema[] => [
  object({ class: { const: 'H5L_TYPE_HARD' }, id: STRING, ...hard, ...all }),
  object({ class: { const: 'H5L_TYPE_SOFT' }, h5path: STRING, ...all }),
  object({ class: { const: 'H5L_TYPE_EXTERNAL' }, h5path: STRING, h5domain: STRING, file: STRING, ...all }),
  object({ class: { const: 'H5L_TYPE_USER_DEFINED' }, ...all }),
]

/** A link in a list; one of a mounted file whose object cannot be read has the reason. */
function listedLinkOf(all: Members, hard: Members): Schema {
  return oneOf(
    ...formsOf(all, hard),
    object({ class: { const: 'H5L_TYPE_ERROR' }, unreadable: STRING, ...all }),
  )
}

/** The links of one group, or of several by their ids; a group that may not be read has a status. */
const LINK_MAP = mapOf(oneOf(list(ref('LinkItem')), object({ status: { type: 'integer' } })))
const ITEM = {
  title: 'g1',
  class: 'H5L_TYPE_HARD',
  id: GROUP,
  created: 1700000000.5,
  collection: 'groups',
  target: `http://127.0.0.1:5101/groups/${GROUP}${SUFFIX}`,
  href: `http://127.0.0.1:5101/groups/${GROUP}/links/g1${SUFFIX}`,
}

export const linkSchemas: Schemas = {
  LinkItem: {
    ...listedLinkOf(
      { title: STRING, created: NUMBER, href: STRING },
      { collection: COLLECTION, target: STRING },
    ),
    description: 'A link in a list.',
    examples: [ITEM],
  },
  StoredLink: {
    ...listedLinkOf({ 'title?': STRING, created: NUMBER }, {}),
    description: 'A link in a map by title.',
    examples: [{ class: 'H5L_TYPE_HARD', id: GROUP, created: 1700000000.5 }],
  },
  LinkList: {
    ...object({ links: oneOf(list(ref('LinkItem')), LINK_MAP), ...DAMAGE, hrefs: HREFS }),
    examples: [{ links: [ITEM], hrefs: [] }],
  },
  FoundLinks: {
    ...object({ links: oneOf(list(ref('LinkItem')), LINK_MAP) }),
    examples: [{ links: { [GROUP]: [ITEM] } }],
  },
  Link: {
    ...object({
      link: oneOf(...formsOf({ title: STRING }, { collection: COLLECTION })),
      created: NUMBER,
      lastModified: NUMBER,
      hrefs: HREFS,
    }),
    examples: [
      {
        link: { title: 'soft', class: 'H5L_TYPE_SOFT', h5path: '/g1/dset' },
        created: 1700000000.5,
        lastModified: 1700000000.5,
        hrefs: [],
      },
    ],
  },
  LinkPut: { ...object({ hrefs: HREFS }), examples: [{ hrefs: [] }] },
  LinkDeleted: { ...object({}), examples: [{}] },
  NewLink: {
    type: 'object',
    description:
      'A hard link has `id`, a soft link `h5path`, an external link `h5path` and `h5domain` or `file`. Other members are errors.',
    additionalProperties: false,
    properties: {
      ...object(ignored('title', 'collection', 'lastModified', 'href', 'hrefs', 'target')).properties,
      id: STRING,
      h5path: STRING,
      h5domain: STRING,
      file: STRING,
      class: STRING,
      created: { description: 'Seconds since 1970; a value that is not a number is ignored.' },
    },
    anyOf: [{ required: ['id'] }, { required: ['h5path'] }],
    examples: [{ id: GROUP }, { h5path: '/g1/dset' }, { h5path: '/g1', h5domain: '/home/ann/other.h5' }],
  },
  NewLinks: {
    type: 'object',
    description:
      'Links by their titles, for the group in the path, for each of `grp_ids`, or others for each.',
    additionalProperties: false,
    properties: {
      links: mapOf(ref('NewLink')),
      grp_ids: oneOf(list(STRING), mapOf(object({ 'links?': mapOf(ref('NewLink')) }))),
    },
    examples: [{ links: { g1: { id: GROUP } } }],
  },
  LinkQuery: {
    type: 'object',
    description: 'Titles of the group in the path, of each of `grp_ids`, or others of each.',
    properties: { titles: list(STRING), grp_ids: oneOf(list(STRING), mapOf(list(STRING))) },
    examples: [{ titles: ['g1', 'g2'] }],
  },
}
