// The schemas of requests and answers about the values of several datasets, which the dialects make alike.

import { list, object, ref, type Schema, type Schemas, STRING } from '../../message/schema.ts'
import { HREFS } from './common.ts'
import { BASE64, VALUE } from './values.ts'

interface DialectParts {
  /** Members that select elements. */
  readonly selection: Readonly<Record<string, Schema>>
  /** Members of a write beside the elements and their selection. */
  readonly writeOptions: Readonly<Record<string, Schema>>
  readonly hrefs: readonly { readonly href: string; readonly rel: string }[]
  /** The id of a dataset in examples. */
  readonly dataset: string
  readonly written: Schema
}

const DATASET_NAME = {
  'id?': { ...STRING, description: 'The id of the dataset.' },
  'h5path?': {
    ...STRING,
    description: 'The path of the dataset from the root group, through links of all kinds.',
  },
}

export function severalValuesSchemas(parts: DialectParts): Schemas {
  return { ...readSchemas(parts), ...writeSchemas(parts) }
}

function readSchemas({ selection, hrefs, dataset }: DialectParts): Schemas {
  return {
    ValuesQuery: {
      ...object({ values: list(ref('ValuesQueryItem'), 'The values to read.') }),
      examples: [{ values: [{ h5path: '/series/temperature', select: '[0:10]' }, { id: dataset }] }],
    },
    ValuesQueryItem: {
      ...object({ ...DATASET_NAME, ...optional(selection) }),
      description:
        'A dataset, by `id` or `h5path`, and the elements of it that are read; without a selection, all.',
      examples: [{ h5path: '/series/temperature', select: '[0:10]' }],
    },
    Values: {
      ...object({
        values: list(ref('ValuesItem'), 'The values, in the order of the request.'),
        hrefs: HREFS,
      }),
      examples: [
        {
          values: [
            { h5path: '/series/temperature', id: dataset, value: [20.5, 21] },
            { id: dataset, value: [20.5, 21, 21.5] },
          ],
          hrefs,
        },
      ],
    },
    ValuesItem: {
      ...object({
        'h5path?': { ...STRING, description: 'The path, if the request has it.' },
        id: STRING,
        'domain?': { ...STRING, description: 'The path of the domain of the dataset, if it is another one.' },
        value: VALUE,
      }),
      examples: [{ id: dataset, value: [20.5, 21] }],
    },
  }
}

function writeSchemas({ selection, writeOptions, dataset, written }: DialectParts): Schemas {
  return {
    NewValues: {
      ...object({
        values: list(ref('NewValuesItem'), 'The values to write, in this order.'),
        'hrefs?': { ...HREFS, description: 'The hrefs of an answer, which mean nothing here.' },
      }),
      examples: [
        {
          values: [
            { h5path: '/motor/x', value: 1.5 },
            { id: dataset, select: '[0:2]', value: [1, 2] },
          ],
        },
      ],
    },
    NewValuesItem: {
      ...object({
        ...DATASET_NAME,
        'value?': VALUE,
        'value_base64?': BASE64,
        ...optional(selection),
        ...optional(writeOptions),
      }),
      description:
        'A dataset, by `id` or `h5path`, and elements of it, like the body of a write of one dataset. An item without a value takes the next part of a multipart body.',
      examples: [{ h5path: '/motor/x', value: 1.5 }],
    },
    ValuesWritten: written,
  }
}

function optional(members: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [`${name}?`, schema]))
}
