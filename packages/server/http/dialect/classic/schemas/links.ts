// Links in the classic dialect (classic 6.5 to 6.8).

import { list, object, oneOf, ref, type Schema, type Schemas, STRING, word } from '../../../message/schema.ts'
import { DAMAGE, HREFS } from '../../schemas/common.ts'

const COLLECTION = word('groups', 'datasets', 'datatypes')
const GROUP = '45a882e1-9d01-11e8-8acf-0242ac110009'
const BASE = 'http://tall.example.org'

type Members = Parameters<typeof object>[0]
const title = STRING

/** The forms of a link, one for each class, each with the members `others`. */
const formsOf = (others: Members): readonly Schema[] => [
  object({ title, class: { const: 'H5L_TYPE_HARD' }, collection: COLLECTION, id: STRING, ...others }),
  object({ title, class: { const: 'H5L_TYPE_SOFT' }, h5path: STRING, ...others }),
  object({ title, class: { const: 'H5L_TYPE_EXTERNAL' }, h5path: STRING, h5domain: STRING, ...others }),
  object({ title, class: { const: 'H5L_TYPE_USER_DEFINED' }, ...others }),
]

/** A link in a list; one of a mounted file whose object cannot be read has the reason. */
function listedLinkOf(others: Members): Schema {
  return oneOf(
    ...formsOf(others),
    object({ title, class: { const: 'H5L_TYPE_ERROR' }, unreadable: STRING, ...others }),
  )
}

export const linkSchemas: Schemas = {
  LinkItem: {
    ...listedLinkOf({ href: STRING, 'target?': STRING }),
    description:
      'A link in a list. `target` is the address of the object that a hard or external link points to.',
    examples: [
      {
        title: 'g1',
        class: 'H5L_TYPE_HARD',
        collection: 'groups',
        id: GROUP,
        href: `${BASE}/groups/${GROUP}/links/g1`,
        target: `${BASE}/groups/${GROUP}`,
      },
    ],
  },
  LinkList: {
    ...object({ links: list(ref('LinkItem')), ...DAMAGE, hrefs: HREFS }),
    examples: [{ links: [], hrefs: [{ href: `${BASE}/groups/${GROUP}/links`, rel: 'self' }] }],
  },
  Link: {
    ...object({ link: oneOf(...formsOf({})), created: STRING, lastModified: STRING, hrefs: HREFS }),
    examples: [
      {
        link: { title: 'soft', class: 'H5L_TYPE_SOFT', h5path: '/g1/dset' },
        created: '2026-01-02T03:04:05Z',
        lastModified: '2026-01-02T03:04:05Z',
        hrefs: [{ href: `${BASE}/groups/${GROUP}/links/soft`, rel: 'self' }],
      },
    ],
  },
  LinkPut: {
    ...object({ hrefs: HREFS }),
    examples: [{ hrefs: [{ href: `${BASE}/groups/${GROUP}/links/g1`, rel: 'self' }] }],
  },
  LinkDeleted: { ...object({ hrefs: HREFS }), examples: [{ hrefs: [{ href: `${BASE}/`, rel: 'home' }] }] },
  NewLink: {
    type: 'object',
    description:
      'A hard link has `id`, a soft link `h5path`, an external link `h5path` and `h5domain`. The first form that fits counts; other members are ignored.',
    properties: { id: STRING, h5path: STRING, h5domain: STRING },
    anyOf: [{ required: ['id'] }, { required: ['h5path'] }],
    examples: [{ id: GROUP }, { h5path: '/g1/dset' }, { h5path: '/g1', h5domain: 'other.example.org' }],
  },
}
