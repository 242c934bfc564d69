// Values and queries in the hsds dialect (hsds-values 6 to 8 and 11).

import {
  ANY,
  COUNT,
  list,
  object,
  oneOf,
  POSITIVE,
  ref,
  type Schema,
  type Schemas,
  STRING,
} from '../../../message/schema.ts'
import { HREFS } from '../../schemas/common.ts'
import { severalValuesSchemas } from '../../schemas/several-values.ts'
import { BASE64, PER_DIMENSION, POINTS, statisticsSchemas, VALUE } from '../../schemas/values.ts'

const ADDRESS = 'http://127.0.0.1:5101'
const DATASET = 'd-45a882e1-9d0111e8-8acf-0242ac-110009'
const SUFFIX = '?domain=/home/ann/tall.h5'
const ITEM_HREFS = [
  { href: `${ADDRESS}/datasets/${DATASET}/value${SUFFIX}`, rel: 'self' },
  { href: `${ADDRESS}/groups/g-45a882e1-9d0111e8-0a1b-0242ac-110009${SUFFIX}`, rel: 'root' },
  { href: `${ADDRESS}/${SUFFIX}`, rel: 'home' },
  { href: `${ADDRESS}/datasets/${DATASET}${SUFFIX}`, rel: 'owner' },
]

const INDICES = list(list(COUNT), 'For each element its index in each dimension.')
const INDEX = list(COUNT, 'The index of each element, for a dataset of one dimension.')

/** Members that select, of a request that reads or writes. */
const SELECTION: Readonly<Record<string, Schema>> = {
  points: POINTS,
  select: {
    ...oneOf(STRING, list(oneOf(COUNT, list(COUNT), STRING))),
    description:
      'The selection as in the query, or for each dimension an index, a list of indices, or a range such as "3:7".',
  },
  start: { ...PER_DIMENSION, description: 'The first index in each dimension.' },
  stop: { ...PER_DIMENSION, description: 'The index behind the last in each dimension.' },
  step: { ...oneOf(POSITIVE, list(POSITIVE), { type: 'null' }), description: '1 by default.' },
  fields: { ...oneOf(STRING, list(STRING)), description: 'Members of a compound.' },
}

/** Members of a request that writes elements, beside the elements and their selection. */
const WRITE_OPTIONS: Readonly<Record<string, Schema>> = {
  append: {
    type: ['integer', 'null'],
    minimum: 1,
    description: 'The number of elements by which a dimension grows.',
  },
  append_dim: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'The dimension that is appended to; 0 by default.',
  },
  element_count: {
    type: ['integer', 'null'],
    minimum: 1,
    description: 'The number of elements in the body, which are repeated over the selection.',
  },
}

export const valueSchemas: Schemas = {
  ...statisticsSchemas(ITEM_HREFS),
  Value: {
    ...object({
      value: VALUE,
      'index?': {
        ...INDEX,
        description: 'The index of each element, for a query on a dataset of one dimension.',
      },
      hrefs: HREFS,
    }),
    examples: [
      {
        value: [
          [12, 13],
          [22, 23],
        ],
        hrefs: ITEM_HREFS,
      },
      {
        value: [
          [21.5, 'N1'],
          [20.25, 'N2'],
        ],
        index: [3, 17],
        hrefs: ITEM_HREFS,
      },
    ],
  },
  PointQuery: {
    type: 'object',
    description: 'The elements to read: `points`, or `select`, or `start` and `stop`.',
    properties: SELECTION,
    examples: [
      {
        points: [
          [5, 25],
          [10, 0],
        ],
      },
      { select: [[0, 1, 3, 7], '0:10'], fields: ['temp'] },
      { start: 0, stop: 10, step: 2 },
    ],
  },
  NewValue: {
    type: 'object',
    description:
      'The elements, in `value` or `value_base64`, and which they are: a selection, or with `append` new ones; or all.',
    properties: {
      value: VALUE,
      value_base64: BASE64,
      ...SELECTION,
      ...WRITE_OPTIONS,
    },
    anyOf: [{ required: ['value'] }, { required: ['value_base64'] }],
    examples: [
      { value: [1, 2, 3] },
      { select: '[0:1,0:2]', value_base64: 'AQAAAP////8=' },
      { value: [7, 8], append: 2 },
      { start: 0, stop: 1000, element_count: 1, value: [0] },
    ],
  },
  ...severalValuesSchemas({
    selection: SELECTION,
    writeOptions: WRITE_OPTIONS,
    hrefs: [
      { href: `${ADDRESS}/values${SUFFIX}`, rel: 'self' },
      { href: `${ADDRESS}/groups/g-45a882e1-9d0111e8-0a1b-0242ac-110009${SUFFIX}`, rel: 'root' },
      { href: `${ADDRESS}/${SUFFIX}`, rel: 'home' },
    ],
    dataset: DATASET,
    written: { ...object({}), examples: [{}] },
  }),
  QueryUpdate: {
    ...ANY,
    description:
      'The new value of the elements that a query matches: of a compound, members with their new values; of another type the value, or an object with `value`. `query`, `Limit` and `select` may be given too.',
    examples: [{ flag: 1 }, 0, { value: 0, query: '_ < 0', Limit: 10 }],
  },
  ValueInput: {
    ...oneOf(ref('NewValue'), ref('QueryUpdate')),
    examples: [{ value: [1, 2, 3] }, { flag: 1 }],
  },
  ValueWritten: {
    ...oneOf(object({}), ref('QueryUpdated')),
    description: 'Nothing; of a query, which elements were changed.',
    examples: [{}],
  },
  QueryUpdated: {
    ...object({
      indices: INDICES,
      'index?': INDEX,
      'value?': { ...VALUE, description: 'At level 0.9: the elements, each behind its indexes.' },
      hrefs: HREFS,
    }),
    examples: [{ indices: [[3], [17]], index: [3, 17], hrefs: ITEM_HREFS }],
  },
  QueryIndexes: {
    ...object({ indices: INDICES, 'index?': INDEX, hrefs: HREFS }),
    examples: [
      { indices: [[3], [17]], index: [3, 17], hrefs: ITEM_HREFS },
      {
        indices: [
          [0, 4],
          [2, 1],
        ],
        hrefs: ITEM_HREFS,
      },
    ],
  },
}
