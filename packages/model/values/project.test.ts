import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { elementJson } from '../../../test/arbitraries/values.ts'
import type { CompoundType, Datatype } from '../datatype/datatype.ts'
import type { JsonValue } from '../json/json.ts'
import { elementsFromJson, elementsToJson } from '../json/json-tree.ts'
import { chooseFields, project } from './project.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from './references.ts'

const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const I8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }

const TYPE: CompoundType = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: I32 },
    { name: 'b', type: I8 },
    { name: 'c:d', type: I8 },
    { name: 'e', type: I32 },
  ],
}

describe('chooseFields (hsds-values 10)', () => {
  test('keeps the order that is asked for, members that stay neighbours are one run', () => {
    const { type, runs, wholeSize } = chooseFields(TYPE, ['e', 'a', 'b'])
    expect(type.fields.map(field => field.name)).toEqual(['e', 'a', 'b'])
    expect(wholeSize).toBe(10)
    expect(runs).toEqual([
      { inWhole: 6, inChosen: 0, length: 4 },
      { inWhole: 0, inChosen: 4, length: 5 },
    ])
  })

  test.each<[string, Datatype, string[]]>([
    ['a type that is no compound', I32, ['a']],
    ['an unknown name', TYPE, ['a', 'x']],
    ['a name twice', TYPE, ['a', 'b', 'a']],
    ['an empty name', TYPE, ['a', '']],
    ['no name', TYPE, []],
  ])('refuses %s', (_, type, names) => {
    expect(() => chooseFields(type, names)).toThrow(
      expect.objectContaining({ name: HyperslabError.name, code: 'malformed-fields' }),
    )
  })
})

const rows = fc
  .uniqueArray(fc.record({ name: fc.string(), type: datatype }), {
    minLength: 1,
    maxLength: 6,
    selector: field => field.name,
  })
  .chain(fields =>
    fc.record({
      fields: fc.constant(fields),
      chosen: fc.shuffledSubarray(
        fields.map((_, index) => index),
        { minLength: 1 },
      ),
      values: fc.array(fc.tuple(...fields.map(field => elementJson(field.type))), { maxLength: 5 }),
      shift: fc.nat(3),
    }),
  )

test('project gives the chosen members of every element, wherever its bytes lie', () => {
  fc.assert(
    fc.property(rows, ({ fields, chosen, values, shift }) => {
      const type: CompoundType = { class: 'H5T_COMPOUND', fields }
      const json: JsonValue = values
      const elements = elementsFromJson(type, [values.length], json, PREFIXED_REFERENCES)
      const buffer = new Uint8Array(elements.data.length + shift)
      buffer.set(elements.data, shift)
      const projection = chooseFields(
        type,
        chosen.map(index => fields[index].name),
      )
      const projected = project(projection, { ...elements, data: buffer.subarray(shift) })
      const expected = elementsToJson(type, [values.length], elements, STYLE) as JsonValue[][]
      expect(elementsToJson(projection.type, [values.length], projected, STYLE)).toEqual(
        expected.map(row => chosen.map(index => row[index])),
      )
    }),
    { numRuns: 200 },
  )
})
