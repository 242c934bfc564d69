// Random datatypes for property tests: every class, nested.

import type { Datatype, EnumType, IntegerType } from '@hyperslab/model/datatype'
import fc from 'fast-check'

const order = fc.constantFrom('LE', 'BE')
const size = fc.constantFrom(1, 2, 4, 8)
/** Names of fields and members: some that a plain object would reorder or mishandle. */
const name = fc.oneof(
  fc.constantFrom('10', '2', '__proto__', 'constructor', 'toString', 'a.b', 'é😀'),
  fc.string({ minLength: 1 }).filter(text => !text.includes('\0')),
)

export const integerType: fc.Arbitrary<IntegerType> = fc.record({
  class: fc.constant('H5T_INTEGER'),
  size,
  signed: fc.boolean(),
  order,
})

const enumType: fc.Arbitrary<EnumType> = integerType.chain(base => {
  const bits = BigInt(base.size * 8)
  const min = base.signed ? -(2n ** (bits - 1n)) : 0n
  const value = fc.bigInt({ min, max: min + 2n ** bits - 1n }).map(integer => {
    const number = Number(integer)
    return Number.isSafeInteger(number) ? number : integer
  })
  const members = fc.uniqueArray(fc.record({ name, value }), {
    minLength: 1,
    maxLength: 5,
    selector: member => member.name,
  })
  return members.map(members => ({ class: 'H5T_ENUM', base, members }))
})

const atomicType: fc.Arbitrary<Datatype> = fc.oneof(
  integerType,
  fc.record({ class: fc.constant('H5T_FLOAT' as const), size: fc.constantFrom(2, 4, 8), order }),
  fc.record({ class: fc.constant('H5T_BITFIELD' as const), size, order }),
  fc.record({
    class: fc.constant('H5T_STRING' as const),
    length: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant('H5T_VARIABLE' as const)),
    charSet: fc.constantFrom('H5T_CSET_ASCII', 'H5T_CSET_UTF8'),
    strPad: fc.constantFrom('H5T_STR_NULLTERM', 'H5T_STR_NULLPAD', 'H5T_STR_SPACEPAD'),
  }),
  fc.record(
    {
      class: fc.constant('H5T_OPAQUE' as const),
      size: fc.integer({ min: 1, max: 20 }),
      tag: fc.string().filter(text => !text.includes('\0')),
    },
    { requiredKeys: ['class', 'size'] },
  ),
  fc.record({
    class: fc.constant('H5T_REFERENCE' as const),
    base: fc.constantFrom('H5T_STD_REF_OBJ', 'H5T_STD_REF_DSETREG'),
  }),
  enumType,
)

/** Any datatype, small enough to work with. */
export const datatype: fc.Arbitrary<Datatype> = fc.letrec<{ type: Datatype }>(tie => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    atomicType,
    fc.record({
      class: fc.constant('H5T_COMPOUND' as const),
      fields: fc.uniqueArray(fc.record({ name, type: tie('type') }), {
        minLength: 1,
        maxLength: 4,
        selector: field => field.name,
      }),
    }),
    fc.record({
      class: fc.constant('H5T_ARRAY' as const),
      dims: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
      base: tie('type'),
    }),
    fc.record({ class: fc.constant('H5T_VLEN' as const), base: tie('type') }),
  ),
})).type
