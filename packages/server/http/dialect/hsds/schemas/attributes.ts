// Attributes in the hsds dialect (hsds-objects 12, 15 and 16).

import {
  ignored,
  list,
  mapOf,
  NUMBER,
  object,
  oneOf,
  ref,
  type Schemas,
  STRING,
  word,
} from '../../../message/schema.ts'
import { DAMAGE, HREFS } from '../../schemas/common.ts'

const GROUP = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'
const DATASET = 'd-45a882e1-9d0111e8-9a1b-0242ac-110009'
const SELF = {
  href: `http://127.0.0.1:5101/groups/${GROUP}/attributes/units?domain=/home/ann/tall.h5`,
  rel: 'self',
}

const MEMBERS = { name: STRING, shape: ref('Shape'), type: ref('Type') }

/** The value as an answer shows it; `encoding` says that it is Base64. */
const VALUE = { 'value?': ref('AnyValue'), 'encoding?': word('base64') }

const EXAMPLE = {
  name: 'units',
  shape: { class: 'H5S_SIMPLE', dims: [2] },
  type: {
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_ASCII',
    strPad: 'H5T_STR_NULLPAD',
    length: 3,
  },
}
const ITEM = { ...EXAMPLE, value: ['m', 'kg'], created: 1700000000.5 }

/** Attributes of one object, or by the ids of several; one that may not be read has a status. */
const LIST_OR_MAP = oneOf(
  list(ref('AttributeItem')),
  mapOf(oneOf(list(ref('AttributeItem')), object({ status: { type: 'integer' } }))),
)

const EXTENT = { type: 'integer', minimum: 0 } as const

/** The members of the body of a new attribute. */
const NEW_MEMBERS = {
  type: ref('TypeInput'),
  shape: oneOf(EXTENT, list(EXTENT), word('H5S_NULL', 'H5S_SCALAR'), {
    type: 'object',
    properties: { class: word('H5S_NULL', 'H5S_SCALAR', 'H5S_SIMPLE'), dims: list(EXTENT) },
    required: ['class'],
  }),
  value: ref('AnyValue'),
  encoding: { enum: ['base64', null], description: 'base64: the value is the Base64 of its bytes.' },
  created: { description: 'Seconds since 1970; a value that is not a number is ignored.' },
}
/** Clients send attributes back as answers have them (clients 3.8). */
const FROM_ANSWER = object(ignored('name', 'lastModified', 'href', 'hrefs', 'creationProperties')).properties

const ONE = { type: 'H5T_STD_I32LE', value: 42 }

export const attributeSchemas: Schemas = {
  AttributeItem: {
    ...oneOf(
      object({ ...MEMBERS, ...VALUE, created: NUMBER, 'href?': STRING }),
      object({ name: STRING, unreadable: STRING, created: NUMBER, 'href?': STRING }),
    ),
    description:
      'An attribute in a list, or why one of a mounted file cannot be read. Lists of one object, read by GET, have `href`.',
    examples: [ITEM, { ...EXAMPLE, created: 1700000000.5, href: SELF.href }],
  },
  AttributeList: {
    ...object({ attributes: LIST_OR_MAP, ...DAMAGE, hrefs: HREFS }),
    examples: [
      { attributes: [{ ...ITEM, href: SELF.href }], hrefs: [] },
      { attributes: { [GROUP]: [ITEM], [DATASET]: [] }, hrefs: [] },
    ],
  },
  FoundAttributes: {
    ...object({ attributes: LIST_OR_MAP }),
    examples: [{ attributes: [ITEM] }, { attributes: { [GROUP]: [ITEM], [DATASET]: [] } }],
  },
  Attribute: {
    ...object(
      { ...MEMBERS, ...VALUE, created: NUMBER, lastModified: NUMBER, hrefs: HREFS },
      'An attribute. `value` is null where nothing was written, and absent with `IncludeData=0`.',
    ),
    examples: [{ ...ITEM, lastModified: 1700000000.5, hrefs: [SELF] }],
  },
  AttributeValue: {
    ...object({ value: ref('AnyValue'), 'encoding?': word('base64'), hrefs: HREFS }),
    examples: [{ value: ['m', 'kg'], hrefs: [SELF] }],
  },
  AttributePut: { ...object({}, 'It has no members.'), examples: [{}] },
  AttributeDeleted: { ...object({}, 'It has no members.'), examples: [{}] },
  AttributesDeleted: { ...object({ hrefs: HREFS }), examples: [{ hrefs: [] }] },
  NewAttribute: {
    type: 'object',
    description:
      'An attribute is a scalar without `shape`, and may come without a value. Other members are errors.',
    additionalProperties: false,
    properties: { ...FROM_ANSWER, ...NEW_MEMBERS },
    required: ['type'],
    examples: [
      ONE,
      { type: 'H5T_IEEE_F64LE', shape: [2], value: [0.5, 1.5] },
      { type: 'H5T_STD_I32LE', shape: [1], value: 'KgAAAA==', encoding: 'base64' },
      { type: 'H5T_STD_I32LE', shape: { class: 'H5S_NULL' } },
    ],
  },
  NewAttributeValue: {
    type: 'object',
    description: 'The shape and the type of the attribute stay. null is no value.',
    properties: { value: NEW_MEMBERS.value, encoding: NEW_MEMBERS.encoding },
    required: ['value'],
    examples: [{ value: [0.5, 1.5] }, { value: 'KgAAAA==', encoding: 'base64' }],
  },
  NewAttributes: {
    type: 'object',
    description:
      'Attributes by their names, for the object in the path, for each of `obj_ids`, or others for each; or one with its `name` and the members of NewAttribute.',
    additionalProperties: false,
    properties: {
      attributes: mapOf(ref('NewAttribute')),
      obj_ids: oneOf(list(STRING), mapOf(object({ 'attributes?': mapOf(ref('NewAttribute')) }))),
      ...FROM_ANSWER,
      name: STRING,
      ...NEW_MEMBERS,
    },
    examples: [
      { attributes: { count: ONE } },
      { attributes: { count: ONE }, obj_ids: [GROUP, DATASET] },
      { obj_ids: { [GROUP]: { attributes: { count: ONE } } } },
      { name: 'count', ...ONE },
    ],
  },
  AttributeQuery: {
    type: 'object',
    description:
      'Names of the object in the path, of each of `obj_ids`, or others of each. Without names: all.',
    properties: { attr_names: list(STRING), obj_ids: oneOf(list(STRING), mapOf(list(STRING))) },
    examples: [
      { attr_names: ['units', 'count'] },
      { obj_ids: [GROUP, DATASET], attr_names: ['units'] },
      { obj_ids: { [GROUP]: ['units'], [DATASET]: [] } },
    ],
  },
}
