// Values in the classic dialect (classic 7.8 to 7.10).

import { COUNT, list, object, oneOf, type Schema, type Schemas, STRING } from '../../../message/schema.ts'
import { HREFS } from '../../schemas/common.ts'
import { severalValuesSchemas } from '../../schemas/several-values.ts'
import { BASE64, PER_DIMENSION, POINTS, statisticsSchemas, VALUE } from '../../schemas/values.ts'

const BASE = 'http://tall.example.org:5000'
const DATASET = 'c3f1f7a2-9d01-11e8-8acf-0242ac110009'
const ITEM_HREFS = [
  { href: `${BASE}/datasets/${DATASET}/value`, rel: 'self' },
  { href: `${BASE}/groups/45a882e1-9d01-11e8-8acf-0242ac110009`, rel: 'root' },
  { href: `${BASE}/datasets/${DATASET}`, rel: 'owner' },
  { href: `${BASE}/`, rel: 'home' },
]

const SEVERAL_HREFS = [
  { href: `${BASE}/values`, rel: 'self' },
  { href: `${BASE}/groups/45a882e1-9d01-11e8-8acf-0242ac110009`, rel: 'root' },
  { href: `${BASE}/`, rel: 'home' },
]

function bound(byDefault: string): Schema {
  return {
    ...oneOf(PER_DIMENSION, { type: 'null' }),
    description: `For each dimension; absent, null or 0: ${byDefault}.`,
  }
}

/** Members that select, of a request that reads or writes. */
const SELECTION: Readonly<Record<string, Schema>> = {
  start: bound('0'),
  stop: bound('the extent'),
  step: bound('1'),
  points: POINTS,
  select: { ...STRING, description: 'The selection, as in the query.' },
}

export const valueSchemas: Schemas = {
  ...statisticsSchemas(ITEM_HREFS),
  Value: {
    ...object({
      value: VALUE,
      'index?': list(COUNT, 'The indexes of the elements that a query finds, ascending.'),
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
          [23, '7:15'],
          [23, '8:15'],
        ],
        index: [4, 5],
        hrefs: ITEM_HREFS,
      },
    ],
  },
  PointQuery: {
    type: 'object',
    description: 'The points that are read.',
    properties: { points: POINTS },
    required: ['points'],
    examples: [
      { points: [3, 0, 3] },
      {
        points: [
          [5, 25],
          [10, 0],
        ],
      },
    ],
  },
  ValueInput: {
    type: 'object',
    description:
      'The elements, in `value` or `value_base64`, and which they are: `points`, or `start`, `stop` and `step`, or `select`; or all.',
    properties: {
      value: VALUE,
      value_base64: BASE64,
      ...SELECTION,
    },
    anyOf: [{ required: ['value'] }, { required: ['value_base64'] }],
    examples: [
      { value: [1, 2, 3] },
      { start: [0, 1], stop: [4, 8], step: [2, 3], value_base64: 'AQAAAP////8=' },
      { points: [3, 5], value: [30, 50] },
    ],
  },
  ...severalValuesSchemas({
    selection: SELECTION,
    writeOptions: {},
    hrefs: SEVERAL_HREFS,
    dataset: DATASET,
    written: { ...object({ hrefs: HREFS }), examples: [{ hrefs: SEVERAL_HREFS }] },
  }),
  ValueWritten: { ...object({ hrefs: HREFS }), examples: [{ hrefs: ITEM_HREFS }] },
}
