import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawField, drawLine, encodeDrawing, SCALES, type Scale } from './drawing.ts'

/** The lines of a drawing, without the numbers of their filters. */
function rowsOf({ lines }: { readonly lines: Iterable<Uint8Array> }): readonly (readonly number[])[] {
  return Array.from(lines, line => [...line.subarray(1)])
}

const field = (columns: number) => ({ rows: 1, columns, width: 1, height: 1 })

describe('a field', () => {
  test.each<[Scale, readonly number[], readonly number[]]>([
    ['linear', [-1, 0, 1, Number.NaN, Number.POSITIVE_INFINITY], [0, 127, 254, 255, 254]],
    ['log', [-1, 0, 1, 10, 100], [0, 0, 0, 127, 254]],
    ['sqrt', [-4, 0, 1, 4], [0, 0, 127, 254]],
    ['symlog', [-9, 0, 9], [0, 127, 254]],
    ['linear', [-Number.MAX_VALUE, 0, Number.MAX_VALUE], [0, 127, 254]],
    ['linear', [7, 7], [0, 0]],
    ['log', [-1, 0], [0, 0]],
    ['linear', [Number.NaN, Number.NaN], [255, 255]],
  ])('in the scale %s: %j', (scale, numbers, expected) => {
    const drawing = drawField(field(numbers.length), Float64Array.from(numbers), { map: 'Gray', scale })
    expect(rowsOf(drawing)).toEqual([expected])
  })

  test('with the ends of its range given', () => {
    const axis = { map: 'Gray', scale: 'linear' } as const
    const of = (ends: { min?: number; max?: number }) =>
      rowsOf(drawField(field(3), Float64Array.of(0, 5, 10), { ...axis, ...ends }))[0]
    expect([of({ max: 20 }), of({ min: 5 }), of({ min: 4, max: 6 })]).toEqual([
      [0, 63, 127],
      [0, 0, 254],
      [0, 127, 254],
    ])
  })

  test('in rectangles, as a file', async () => {
    const form = { rows: 2, columns: 2, width: 3, height: 2 }
    const drawn = () => drawField(form, Float64Array.of(0, 1, 1, 0), { map: 'Viridis', scale: 'linear' })
    const png = await encodeDrawing(drawn())
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png[25]]).toEqual([6, 4, 3])
    expect(rowsOf(drawn())).toEqual([
      [0, 0, 0, 254, 254, 254],
      [0, 0, 0, 254, 254, 254],
      [254, 254, 254, 0, 0, 0],
      [254, 254, 254, 0, 0, 0],
    ])
  })
})

describe('a line', () => {
  /** The covered rows of each column. */
  const spansOf = (
    low: readonly number[],
    high: readonly number[],
    columns: number,
    rows: number,
    scale: Scale = 'linear',
  ) => {
    const band = { low: Float64Array.from(low), high: Float64Array.from(high) }
    const drawn = rowsOf(drawLine({ columns, rows }, band, { scale }))
    return drawn[0].map((_, column) => drawn.flatMap((row, y) => (row[column] > 0 ? [y] : [])))
  }

  test('covers its numbers and what is between them: no peak is lost, and there is no gap', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 2, maxLength: 40 }),
        fc.constantFrom(...SCALES),
        (line, scale) => {
          const spans = spansOf(line, line, 40, 30, scale)
          for (const span of spans) {
            expect(span.length).toBeGreaterThan(0)
            expect(span.at(-1)).toBe(span[0] + span.length - 1)
          }
          for (let column = 1; column < spans.length; column++) {
            const [before, here] = [spans[column - 1], spans[column]]
            expect(here[0] <= (before.at(-1) ?? 0) + 1 && before[0] <= (here.at(-1) ?? 0) + 1).toBe(true)
          }
          if (scale !== 'linear' || Math.min(...line) === Math.max(...line)) return
          expect(Math.min(...spans.map(([first]) => first))).toBe(0)
          expect(Math.max(...spans.map(span => span.at(-1) ?? 0))).toBe(29)
        },
      ),
    )
  })

  test('of the smallest numbers fills its rows', () => {
    const line = [7.4e-323, 8e-323]
    const spans = spansOf(line, line, 40, 30)
    expect([Math.max(...spans[0]), Math.min(...(spans.at(-1) ?? []))]).toEqual([29, 0])
  })

  test('has a gap where a number is NaN, and a point between two gaps', () => {
    const { NaN: none } = Number
    const spans = spansOf([1, none, 2, none, none], [1, none, 2, none, none], 5, 9)
    expect(spans.map(span => span.length > 0)).toEqual([true, false, true, false, false])
  })

  test('of one number, of equal and of infinite numbers', () => {
    expect(spansOf([3], [3], 9, 9).map(span => span.length > 0)).toEqual(
      Array.from({ length: 9 }, (_, i) => i === 4),
    )
    for (const span of spansOf([3, 3], [3, 3], 9, 9)) expect(span).toContain(4)
    const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number
    const line = [0, most, 1, least]
    const spans = spansOf(line, line, 4, 9)
    expect([spans[1].includes(0), spans[3].includes(8)]).toEqual([true, true])
  })
})
