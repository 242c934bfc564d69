import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { hyperslabCase, pointsCase } from '../../../test/arbitraries/selection.ts'
import { elementJson } from '../../../test/arbitraries/values.ts'
import type { CompoundType, Datatype } from '../datatype/datatype.ts'
import { type JsonValue, stringifyJson } from '../json.ts'
import { planParts } from '../selection/runs.ts'
import { selectionCount } from '../selection/selection.ts'
import { ElementsBuilder } from './copy.ts'
import type { Elements } from './elements.ts'
import { fieldCopy, withFields } from './field-copy.ts'
import { elementsFromJson, elementsToJson } from './json-tree.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from './references.ts'

const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }

function encode(type: Datatype, values: readonly JsonValue[]): Elements {
  return elementsFromJson(type, [values.length], values, PREFIXED_REFERENCES)
}

function read(type: Datatype, elements: Elements): string {
  return stringifyJson(elementsToJson(type, [elements.count], elements, STYLE))
}

const INT: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const BYTE: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const ABC: CompoundType = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: INT },
    { name: 'b', type: BYTE },
    { name: 'c', type: INT },
  ],
}

describe('fieldCopy', () => {
  test('joins what lies together on both sides', () => {
    expect(fieldCopy(withFields(ABC, ['a', 'b']), ABC, ['a', 'b'])).toEqual({
      sourceSize: 5,
      stretches: [{ from: 0, to: 0, length: 5 }],
    })
    expect(fieldCopy(withFields(ABC, ['c', 'a']), ABC, ['c', 'a'])).toEqual({
      sourceSize: 8,
      stretches: [
        { from: 0, to: 5, length: 4 },
        { from: 4, to: 0, length: 4 },
      ],
    })
    expect(fieldCopy(ABC, ABC, ['b'])).toEqual({ sourceSize: 9, stretches: [{ from: 4, to: 4, length: 1 }] })
  })

  test('of a field that is not there is a defect', () => {
    expect(() => withFields(ABC, ['d'])).toThrow('"d"')
    expect(() => fieldCopy(ABC, ABC, ['d'])).toThrow('"d"')
  })
})

/** A compound of two fields or more, some of them in any order, and values. */
const chosen = fc
  .uniqueArray(datatype, { minLength: 2, maxLength: 5 })
  .map(types => ({
    class: 'H5T_COMPOUND' as const,
    fields: types.map((type, i) => ({ name: `f${i}`, type })),
  }))
  .chain(type =>
    fc.record({
      type: fc.constant(type),
      order: fc.shuffledSubarray([...type.fields.keys()], { minLength: 1 }),
      before: fc.array(elementJson(type), { minLength: 1, maxLength: 3 }),
      after: fc.array(elementJson(type), { minLength: 1, maxLength: 3 }),
    }),
  )

describe('scatter with fields', () => {
  test('changes these fields of the selected elements, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(hyperslabCase, pointsCase),
        chosen,
        ({ selection, grid }, { type, order, before, after }) => {
          const size = grid.chunkDims.reduce((a, b) => a * b, 1)
          const count = selectionCount(selection)
          const names = order.map(field => `f${field}`)
          const packed = withFields(type, names)
          const given = Array.from({ length: count }, (_, i) => after[i % after.length])
          const pieces = given.map(row => order.map(field => (row as JsonValue[])[field]))
          const copy = fieldCopy(packed, type, names)
          for (const part of planParts(selection, grid)) {
            const old = Array.from({ length: size }, (_, i) => before[i % before.length])
            const chunk = new ElementsBuilder(type, size)
            chunk.copy(encode(type, old), 0, 0, size)
            chunk.scatter(part, encode(packed, pieces), copy)
            const expected = old.map(row => [...(row as JsonValue[])])
            part.runs((offset, stride, from, length) => {
              for (let i = 0; i < length; i++) {
                for (const field of order)
                  expected[offset + i * stride][field] = (given[from + i] as JsonValue[])[field]
              }
            })
            expect(read(type, chunk.finish())).toBe(stringifyJson(expected))
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
