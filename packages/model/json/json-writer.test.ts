import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { elementJson, nested } from '../../../test/arbitraries/values.ts'
import type { Datatype } from '../datatype/datatype.ts'
import type { Elements } from '../values/elements.ts'
import { ElementsBuilder, repeatElement } from '../values/elements-builder.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from '../values/references.ts'
import { type JsonValue, stringifyJson } from './json.ts'
import { elementsFromJson, elementsToJson } from './json-tree.ts'
import { JsonValueWriter } from './json-writer.ts'

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
  test('gives the same text where equal elements come as one', () => {
    const runs = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 70 })), { minLength: 1 })
    const element = datatype.chain(type => elementJson(type).map(json => ({ type, json })))
    const shapes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 })
    fc.assert(
      fc.property(element, shapes, runs, ({ type, json }, shape, someRuns) => {
        const one = elementsFromJson(type, [1], [json], PREFIXED_REFERENCES)
        const count = shape.reduce((product, extent) => product * extent, 1)
        const all = repeatElement(type, one, count)
        const expected = written(type, shape, all, [])
        const writer = new JsonValueWriter(type, shape, WIDENED)
        const text: Uint8Array[] = []
        for (let at = 0, i = 0; at < count; i++) {
          const [isOne, length] = someRuns[i % someRuns.length]
          const to = Math.min(count, at + length)
          text.push(...writer.write(isOne ? { count: to - at, element: one } : slice(type, all, at, to)))
          at = to
        }
        expect(Buffer.concat([...text, writer.finish()]).toString()).toBe(expected)
      }),
    )
  })

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

describe('a long element', () => {
  const TEXT: Datatype = {
    class: 'H5T_STRING',
    length: 'H5T_VARIABLE',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
  }
  const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
  const LONG = 'aé€😀"\\\n\u0001\udcff'.repeat(30_000)
  const numbers = Array.from({ length: 60_000 }, (_, i) => i / 3)
  const pair = (a: Datatype, b: Datatype): Datatype => ({
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'a', type: a },
      { name: 'b', type: b },
    ],
  })

  test.each<[string, Datatype, JsonValue[]]>([
    ['a string', TEXT, ['short', LONG, '', LONG]],
    ['a fixed text', { ...TEXT, length: 500_000, strPad: 'H5T_STR_NULLPAD' }, ['é'.repeat(200_000), '']],
    ['opaque bytes', { class: 'H5T_OPAQUE', size: 200_000 }, [Buffer.alloc(200_000, 7).toString('base64')]],
    ['a sequence of numbers', { class: 'H5T_VLEN', base: F64 }, [[1], numbers, []]],
    ['a sequence of strings', { class: 'H5T_VLEN', base: TEXT }, [['a', LONG], [LONG, 'b'], []]],
    [
      'sequences of sequences',
      { class: 'H5T_VLEN', base: { class: 'H5T_VLEN', base: F64 } },
      [[numbers, [], [1]], []],
    ],
    [
      'a compound',
      pair(I32, pair(TEXT, I32)),
      [
        [1, [LONG, 2]],
        [3, ['', 4]],
      ],
    ],
    [
      'an array in a compound',
      pair(I32, { class: 'H5T_ARRAY', base: F64, dims: [2, 30_000] }),
      [[5, [numbers.slice(0, 30_000), numbers.slice(30_000)]]],
    ],
  ])('%s has the text of the tree, in pieces', (_, type, json) => {
    const elements = elementsFromJson(type, [json.length], json, PREFIXED_REFERENCES)
    const expected = stringifyJson(elementsToJson(type, [json.length], elements, WIDENED))
    expect(written(type, [json.length], elements, [1]) === expected).toBe(true)
    const pieces = [...new JsonValueWriter(type, [json.length], WIDENED).write(elements)]
    expect(pieces.length).toBeGreaterThan(1)
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(200_000)
  })

  test('however many follow one another, which may be the same bytes', () => {
    const texts = elementsFromJson(TEXT, [20], Array(20).fill('x'.repeat(300_000)), PREFIXED_REFERENCES)
    const pieces = [...new JsonValueWriter(TEXT, [20], WIDENED).write(texts)]
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(200_000)
  })
})
