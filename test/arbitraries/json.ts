// Random JSON values for property tests.

import type { JsonValue } from '@hyperslab/model/json'
import fc from 'fast-check'
import { unicodeString } from '../wire/unicode.ts'

/** Any value that parseJson can give. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    // Whole numbers that are written with all their digits come back as bigints.
    fc.double().filter(number => !Number.isInteger(number) || !(Math.abs(number) >= 2 ** 53)),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n }),
    unicodeString(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 5 }).map(members => new Map(members)),
  ),
})).value
