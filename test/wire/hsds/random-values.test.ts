// Random values of random types through the hsds dialect: what is written as JSON reads back the same, and so do the
// bytes of it, written to another dataset. fast-check prints the seed of a failure.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { makeHome, newDomain, OCTETS } from './domain.ts'

beforeAll(makeHome)

/** A type as JSON, and the JSON of its values as it is read back. */
interface TypedValues {
  readonly type: object
  readonly value: fc.Arbitrary<unknown>
  readonly variable: boolean
}

function fixed(type: object, value: fc.Arbitrary<unknown>): TypedValues {
  return { type, value, variable: false }
}

const integer = fc.record({
  signed: fc.boolean(),
  bits: fc.constantFrom(8, 16, 32),
  order: fc.constantFrom('LE', 'BE'),
})

const integerType = integer.map(({ signed, bits, order }) => {
  const base = `H5T_STD_${signed ? 'I' : 'U'}${bits}${bits === 8 ? 'LE' : order}`
  const min = signed ? -(2 ** (bits - 1)) : 0
  return fixed({ class: 'H5T_INTEGER', base }, fc.integer({ min, max: min + 2 ** bits - 1 }))
})

const floatType = fc
  .constantFrom('LE', 'BE')
  .chain(order =>
    fc.constantFrom(
      fixed(
        { class: 'H5T_FLOAT', base: `H5T_IEEE_F32${order}` },
        fc.float({ noNaN: true, noDefaultInfinity: true }),
      ),
      fixed(
        { class: 'H5T_FLOAT', base: `H5T_IEEE_F64${order}` },
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
    ),
  )

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map(value => value.replace(/[\0 ]+$/, ''))
const stringOf = (length: number | string) => ({
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLPAD',
  length,
})

const leaf: fc.Arbitrary<TypedValues> = fc.oneof(
  integerType,
  floatType,
  fc.constant(fixed(stringOf(600), text)),
  fc.constant({ type: stringOf('H5T_VARIABLE'), value: text, variable: true }),
  fc.constant(
    fixed(
      {
        class: 'H5T_ENUM',
        base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
        mapping: { FALSE: 0, TRUE: 1 },
      },
      fc.boolean(),
    ),
  ),
  fc.integer({ min: 1, max: 9 }).map(size =>
    fixed(
      { class: 'H5T_OPAQUE', size },
      fc.uint8Array({ minLength: size, maxLength: size }).map(bytes => Buffer.from(bytes).toString('base64')),
    ),
  ),
)

const anyType: fc.Arbitrary<TypedValues> = fc.letrec<{ type: TypedValues }>(tie => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map(members => ({
      type: { class: 'H5T_COMPOUND', fields: members.map(({ type }, i) => ({ name: `m${i}`, type })) },
      value: fc.tuple(...members.map(({ value }) => value)),
      variable: members.some(({ variable }) => variable),
    })),
    fc.record({ base: tie('type'), extent: fc.integer({ min: 1, max: 3 }) }).map(({ base, extent }) => ({
      type: { class: 'H5T_ARRAY', base: base.type, dims: [extent] },
      value: fc.array(base.value, { minLength: extent, maxLength: extent }),
      variable: base.variable,
    })),
    tie('type')
      .filter(({ variable }) => !variable)
      .map(base => ({
        type: { class: 'H5T_VLEN', base: base.type },
        value: fc.array(base.value, { maxLength: 4 }),
        variable: true,
      })),
  ),
})).type

/** A reader of JSON that is no JavaScript keeps -0; here it is 0 on both sides. */
function plain(json: unknown): string {
  return JSON.stringify(json)
}

/** Numbers of such compounds are sent in little-endian and answered in their own order (hsds-values 14, rule 6). */
function isSymmetric({ type, variable }: TypedValues): boolean {
  return !(variable && JSON.stringify(type).includes('BE"') && JSON.stringify(type).includes('H5T_COMPOUND'))
}

test('JSON and binary come back the same', async () => {
  const domain = await newDomain()
  const cases = anyType.chain(typed =>
    fc.record({ typed: fc.constant(typed), value: fc.array(typed.value, { minLength: 3, maxLength: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ({ typed, value }) => {
      const id = await domain.dataset({ type: typed.type, shape: [3] })
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
      expect(plain(await domain.value(id))).toBe(plain(value))
      expect(plain(await domain.value(id, '?select=[1:3]'))).toBe(plain(value.slice(1)))

      const options = { user: USER1, headers: { accept: OCTETS } }
      const { bytes, headers, story } = await domain.send('GET', `/datasets/${id}/value`, undefined, options)
      expect(headers['content-type'], story).toBe(OCTETS)
      if (!isSymmetric(typed)) return
      const other = await domain.dataset({ type: typed.type, shape: [3] })
      await domain.want(200, 'PUT', `/datasets/${other}/value`, { value_base64: bytes.toString('base64') })
      expect(plain(await domain.value(other))).toBe(plain(value))
      const again = await domain.send('GET', `/datasets/${other}/value`, undefined, options)
      expect(again.bytes.equals(bytes)).toBe(true)

      await domain.want(201, 'PUT', `/datasets/${id}/attributes/a`, { type: typed.type, shape: [3], value })
      const attribute = await domain.want(200, 'GET', `/datasets/${id}/attributes/a`)
      expect(plain(asFloat32(attribute.value))).toBe(plain(asFloat32(value)))
    }),
    { numRuns: 60 },
  )
})

/** Floats of 32 bits come back in the fewest digits from attributes. */
function asFloat32(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(asFloat32)
  return typeof json === 'number' ? Math.fround(json) : json
}
