// Values as JSON, statistics of values, and members of requests that select elements.

import {
  ANY,
  COUNT,
  list,
  NUMBER,
  object,
  oneOf,
  ref,
  type Schema,
  type Schemas,
  STRING,
} from '../../message/schema.ts'
import { HREFS } from './common.ts'

/** Values as JSON: lists within lists, one for each dimension. */
export const VALUE: Schema = {
  ...ANY,
  description:
    'A list for each dimension; of a scalar, the bare element. An element is a number, a string, a boolean, null, or a list: of the members of a compound, of the elements of an array or sequence.',
}

/** A number, or the form of one that is not finite. */
const ANY_NUMBER: Schema = oneOf(NUMBER, STRING, { type: 'null' })

/** The statistics of values: the members of an object. */
const VALUE_STATISTICS: Readonly<Record<string, Schema>> = {
  count: { ...COUNT, description: 'Elements that are not NaN.' },
  nanCount: COUNT,
  'min?': { ...ANY_NUMBER, description: 'Absent without elements that are not NaN, as are the next three.' },
  'max?': ANY_NUMBER,
  'mean?': ANY_NUMBER,
  'standardDeviation?': { ...ANY_NUMBER, description: 'The standard deviation of the population.' },
  'histogram?': {
    ...object({ min: NUMBER, max: NUMBER, counts: list(COUNT) }),
    description: 'The number of finite numbers in each of several bins of equal width from `min` to `max`.',
  },
}

const VALUE_STATISTICS_EXAMPLE = {
  count: 4,
  nanCount: 0,
  min: 1,
  max: 4,
  mean: 2.5,
  standardDeviation: 1.118033988749895,
  histogram: { min: 1, max: 4, counts: [2, 2] },
} as const

/** The answers of a read of values or of their statistics. */
export function statisticsSchemas(hrefs: readonly object[]): Schemas {
  return {
    ValueOrStatistics: {
      ...oneOf(ref('Value'), ref('ValueStatistics')),
      examples: [{ value: [1, 2, 3, 4], hrefs }],
    },
    ValueStatistics: {
      ...object({ ...VALUE_STATISTICS, hrefs: HREFS }),
      examples: [{ ...VALUE_STATISTICS_EXAMPLE, hrefs }],
    },
  }
}

/** A number for one dimension, or a list with a number for each. */
export const PER_DIMENSION: Schema = oneOf(COUNT, list(COUNT))

export const POINTS: Schema = list(
  PER_DIMENSION,
  'The index of each element in each dimension; of one dimension, a number for each element.',
)

export const BASE64: Schema = { type: 'string', description: 'The Base64 of the bytes of the elements.' }

export const valueSchemas: Schemas = {
  AnyValue: {
    description:
      'A value as JSON: numbers, strings, booleans, null; lists for dimensions, compound elements and sequences.',
    examples: [
      42,
      'm',
      null,
      [
        [0.5, 1.5],
        [2, 3],
      ],
      ['a', [1, 2]],
    ],
  },
}
