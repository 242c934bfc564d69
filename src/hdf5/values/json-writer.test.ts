import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { elementJson, nested } from '../../../test/arbitraries/values.ts'
import type { Datatype } from '../datatype/datatype.ts'
import { type JsonValue, stringifyJson } from '../json.ts'
import { ElementsBuilder } from './copy.ts'
import type { Elements } from './elements.ts'
import { elementsFromJson, elementsToJson } from './json-tree.ts'
import { JsonValueWriter } from './json-writer.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from './references.ts'

const WIDENED: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }

/** The elements from `from` to `to`, with a heap of their own. */
function slice(type: Datatype, elements: Elements, from: number, to: number): Elements {
  const builder = new ElementsBuilder(type, to - from)
  builder.copy(elements, from, 0, to - from)
  return builder.finish()
}

function written(
  type: Datatype,
  dims: readonly number[],
  elements: Elements,
  cuts: number[],
  style = WIDENED,
) {
  const writer = new JsonValueWriter(type, dims, style)
  const chunks: Uint8Array[] = []
  const borders = [...new Set(cuts.map(cut => cut % (elements.count + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...borders, elements.count]) {
    chunks.push(...writer.write(slice(type, elements, from, to)))
    from = to
  }
  chunks.push(writer.finish())
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

const typedValue = fc
  .record({ type: datatype, dims: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }) })
  .chain(({ type, dims }) => nested(elementJson(type), dims).map(json => ({ type, dims, json })))

describe('JsonValueWriter', () => {
  test('gives the text of the tree, however the elements are cut into pieces', () => {
    const style = fc.record({
      references: fc.constant(PREFIXED_REFERENCES),
      nonFinite: fc.constantFrom('bare' as const, 'text' as const, 'null' as const),
      float32: fc.constantFrom('widened' as const, 'shortest' as const),
    })
    fc.assert(
      fc.property(typedValue, fc.array(fc.nat()), style, ({ type, dims, json }, cuts, style) => {
        const elements = elementsFromJson(type, dims, json, PREFIXED_REFERENCES)
        const expected = stringifyJson(elementsToJson(type, dims, elements, style), style.nonFinite)
        expect(written(type, dims, elements, cuts, style)).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })

  test.each<[number[], JsonValue, string]>([
    [[], 7, '7'],
    [[1], [7], '[7]'],
    [
      [2, 2],
      [
        [1, 2],
        [3, 4],
      ],
      '[[1,2],[3,4]]',
    ],
    [[2, 1, 2], [[[1, 2]], [[3, 4]]], '[[[1,2]],[[3,4]]]'],
    [[0], [], '[]'],
    [[2, 0], [[], []], '[[],[]]'],
    [[0, 2], [], '[]'],
    [[2, 0, 3], [[], []], '[[],[]]'],
  ])('shape %j', (dims, json, expected) => {
    const elements = elementsFromJson(I32, dims, json, PREFIXED_REFERENCES)
    expect(written(I32, dims, elements, [1])).toBe(expected)
  })

  test('rows of doubles with few and many digits, -0 and what is no number among them', () => {
    const value = fc.oneof(
      { weight: 20, arbitrary: fc.double() },
      { weight: 5, arbitrary: fc.integer().map(number => number / 8) },
      { weight: 1, arbitrary: fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY) },
    )
    const nonFinite = fc.constantFrom('bare' as const, 'text' as const, 'null' as const)
    fc.assert(
      fc.property(fc.array(value, { maxLength: 1500, size: 'max' }), nonFinite, (values, nonFinite) => {
        const type: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'BE' }
        const elements = elementsFromJson(type, [values.length], values, PREFIXED_REFERENCES)
        const text = written(type, [values.length], elements, [100], { ...WIDENED, nonFinite })
        expect(text).toBe(stringifyJson(values, nonFinite))
      }),
      { numRuns: 100 },
    )
  })

  test('an absurd number of empty arrays is left out', () => {
    const writer = new JsonValueWriter(I32, [2 ** 40, 0], WIDENED)
    expect(new TextDecoder().decode(writer.finish())).toBe('[]')
  })

  test('pieces are handed out as they fill and are the receiver’s own', () => {
    const count = 200_000
    const data = new Uint8Array(Int32Array.from({ length: count }, (_, i) => i * 7919).buffer)
    const writer = new JsonValueWriter(I32, [count], WIDENED)
    const pieces = [...writer.write({ count, data, heap: new Uint8Array(0) })]
    expect(pieces.length).toBeGreaterThan(5)
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(200_000)
    const text = Buffer.concat([...pieces, writer.finish()]).toString()
    expect(text).toBe(JSON.stringify(Array.from({ length: count }, (_, i) => (i * 7919) | 0)))
  })

  test('too many and too few elements are defects', () => {
    const one = elementsFromJson(I32, [1], [1], PREFIXED_REFERENCES)
    const writer = new JsonValueWriter(I32, [2], WIDENED)
    expect([...writer.write(one)]).toEqual([])
    expect(() => writer.finish()).toThrow('fewer')
    expect([...writer.write(one)]).toEqual([])
    expect(() => [...writer.write(one)]).toThrow('more')
  })
})

test('long texts are handed out one by one, however many follow one another', () => {
  const type: Datatype = {
    class: 'H5T_STRING',
    length: 'H5T_VARIABLE',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
  }
  const texts = elementsFromJson(type, [20], Array(20).fill('x'.repeat(300_000)), PREFIXED_REFERENCES)
  const writer = new JsonValueWriter(type, [20], WIDENED)
  const lengths = [...writer.write(texts)].map(piece => piece.length)
  expect(Math.max(...lengths)).toBeLessThan(400_000)
})
