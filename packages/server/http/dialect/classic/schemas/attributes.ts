// Attributes in the classic dialect (classic 9).

import { list, object, oneOf, ref, type Schemas, STRING, word } from '../../../message/schema.ts'
import { DAMAGE, HREFS } from '../../schemas/common.ts'

const OWNER = 'http://tall.example.org/groups/45a882e1-9d01-11e8-8acf-0242ac110009'

const MEMBERS = {
  name: STRING,
  type: ref('Type'),
  shape: ref('Shape'),
  created: STRING,
  lastModified: STRING,
}

const EXAMPLE = {
  name: 'units',
  type: {
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_ASCII',
    strPad: 'H5T_STR_NULLPAD',
    length: 3,
  },
  shape: { class: 'H5S_SIMPLE', dims: [2] },
  created: '2026-01-02T03:04:05Z',
  lastModified: '2026-01-02T03:04:05Z',
}
const SELF = { href: `${OWNER}/attributes/units`, rel: 'self' }
const ALL = { href: `${OWNER}/attributes`, rel: 'self' }

export const attributeSchemas: Schemas = {
  AttributeItem: {
    ...oneOf(
      object({ ...MEMBERS, href: STRING }),
      object({ name: STRING, unreadable: STRING, created: STRING, lastModified: STRING, href: STRING }),
    ),
    description: 'An attribute in a list, without its value, or why one of a mounted file cannot be read.',
    examples: [{ ...EXAMPLE, href: SELF.href }],
  },
  AttributeList: {
    ...object({ attributes: list(ref('AttributeItem')), ...DAMAGE, hrefs: HREFS }),
    examples: [{ attributes: [{ ...EXAMPLE, href: SELF.href }], hrefs: [ALL] }],
  },
  Attribute: {
    ...object(
      { ...MEMBERS, 'value?': ref('AnyValue'), hrefs: HREFS },
      'An attribute. `value` is null for a null dataspace and absent for opaque types.',
    ),
    examples: [{ ...EXAMPLE, value: ['m', 'kg'], hrefs: [SELF] }],
  },
  NewAttribute: {
    type: 'object',
    description:
      'An attribute is a scalar without `shape`. With the shape `H5S_NULL` it has no value, else it needs one. Other members are ignored.',
    properties: {
      type: ref('TypeInput'),
      shape: oneOf({ type: 'integer', minimum: 0 }, list({ type: 'integer', minimum: 0 }), word('H5S_NULL')),
      value: ref('AnyValue'),
    },
    required: ['type'],
    examples: [
      { type: 'H5T_STD_I32LE', value: 42 },
      { type: 'H5T_IEEE_F64LE', shape: [2], value: [0.5, 1.5] },
      { type: 'H5T_STD_I32LE', shape: 'H5S_NULL' },
    ],
  },
  AttributePut: { ...object({ hrefs: HREFS }), examples: [{ hrefs: [SELF] }] },
  AttributeDeleted: { ...object({ hrefs: HREFS }), examples: [{ hrefs: [ALL] }] },
}
