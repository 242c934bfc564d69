import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { hyperslabCase, pointsCase } from '../../../test/arbitraries/selection.ts'
import { elementJson } from '../../../test/arbitraries/values.ts'
import { product } from '../dataset/dataspace.ts'
import type { Datatype } from '../datatype/datatype.ts'
import { type JsonValue, stringifyJson } from '../json/json.ts'
import { elementsFromJson, elementsToJson } from '../json/json-tree.ts'
import { planParts } from '../selection/runs.ts'
import { selectionCount } from '../selection/selection.ts'
import type { Elements } from './elements.ts'
import { ElementsBuilder, type FieldCopy } from './elements-builder.ts'
import { chosenIntoWhole, chosenOfWhole } from './field-copy.ts'
import { chooseFields } from './project.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from './references.ts'

const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }

function encode(type: Datatype, values: readonly JsonValue[]): Elements {
  return elementsFromJson(type, [values.length], values, PREFIXED_REFERENCES)
}

function read(type: Datatype, elements: Elements): string {
  return stringifyJson(elementsToJson(type, [elements.count], elements, STYLE))
}

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

/** Chunks and selections that are quick to compare element by element. */
const small = fc
  .oneof(hyperslabCase, pointsCase)
  .filter(({ selection, grid }) => product(grid.chunkDims) <= 50 && selectionCount(selection) <= 50)

describe('scatter with fields', () => {
  test('changes these fields of the selected elements, and nothing else', () => {
    fc.assert(
      fc.property(small, chosen, ({ selection, grid }, { type, order, before, after }) => {
        const size = product(grid.chunkDims)
        const count = selectionCount(selection)
        const names = order.map(field => `f${field}`)
        const projection = chooseFields(type, names)
        const given = Array.from({ length: count }, (_, i) => after[i % after.length])
        const pieces = given.map(row => order.map(field => (row as JsonValue[])[field]))
        for (const part of planParts(selection, grid)) {
          const old = Array.from({ length: size }, (_, i) => before[i % before.length])
          const scattered = (piece: Elements, fields: FieldCopy): string => {
            const chunk = new ElementsBuilder(type, size)
            chunk.copy(encode(type, old), 0, 0, size)
            chunk.scatter(part, piece, fields)
            return read(type, chunk.finish())
          }
          const expected = old.map(row => [...(row as JsonValue[])])
          part.runs((offset, stride, from, length) => {
            for (let i = 0; i < length; i++) {
              for (const field of order)
                expected[offset + i * stride][field] = (given[from + i] as JsonValue[])[field]
            }
          })
          const text = stringifyJson(expected)
          expect(scattered(encode(projection.type, pieces), chosenIntoWhole(projection))).toBe(text)
          expect(scattered(encode(type, given), chosenOfWhole(projection))).toBe(text)
        }
      }),
      { numRuns: 60 },
    )
  })
})
