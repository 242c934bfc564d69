import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Datatype, FloatType } from '../../../model/datatype/datatype.ts'
import { loaderOf } from '../../../model/reduction/doubles.ts'
import type { Piece } from '../../../model/values/elements.ts'
import { EMPTY_HEAP } from '../../../model/values/elements.ts'
import { writeFloat } from '../../../model/values/numbers.ts'
import { COMPLEX_PARTS, type ComplexPart, PartMaker } from './complex-part.ts'

type Complex = readonly [real: number, imaginary: number]

const NAIVE: Readonly<Record<ComplexPart, (...number: Complex) => number>> = {
  amplitude: Math.hypot,
  phase: (real, imaginary) => Math.atan2(imaginary, real),
  real: real => real,
  imaginary: (_, imaginary) => imaginary,
}

function complex(float: FloatType): Datatype {
  return { class: 'H5T_COMPOUND', fields: ['r', 'i'].map(name => ({ name, type: float })) }
}

function pieceOf(float: FloatType, numbers: readonly Complex[]): Piece {
  const data = new Uint8Array(2 * float.size * numbers.length)
  const view = new DataView(data.buffer)
  for (const [i, number] of numbers.flat().entries()) writeFloat(float, view, i * float.size, number)
  return { count: numbers.length, data, heap: EMPTY_HEAP }
}

function madeOf({ type, push }: { type: FloatType; push: () => Generator<Piece> }): number[] {
  return [...push()].flatMap(piece => {
    const { count, data } = 'element' in piece ? { count: 1, data: piece.element.data } : piece
    const numbers = new Float64Array(count)
    loaderOf(type)(data, 0, 0, count, numbers)
    return [...numbers]
  })
}

function partsOf(float: FloatType, part: ComplexPart, piece: Piece): number[] {
  const maker = new PartMaker(complex(float), part)
  return madeOf({ type: maker.type, push: () => maker.push(piece) })
}

const DOUBLE: FloatType = { class: 'H5T_FLOAT', size: 8, order: 'BE' }
const SINGLE: FloatType = { class: 'H5T_FLOAT', size: 4, order: 'LE' }

describe.each(COMPLEX_PARTS)('%s', part => {
  test('is that of a naive loop', () => {
    const numbers = fc.array(fc.tuple(fc.double(), fc.double()), { maxLength: 20 })
    fc.assert(
      fc.property(numbers, numbers => {
        const made = partsOf(DOUBLE, part, pieceOf(DOUBLE, numbers))
        const expected = numbers.map(number => NAIVE[part](...number))
        expect(made.length).toBe(expected.length)
        for (const [i, number] of made.entries()) {
          const wanted = expected[i]
          if (Math.abs(number - wanted) <= 4e-16 * Math.abs(wanted)) continue
          expect(number).toBe(wanted)
        }
      }),
    )
  })

  test('of many numbers, in several steps, is in their order', () => {
    const numbers = Array.from({ length: 40_000 }, (_, i): Complex => [i, -i])
    const made = partsOf(SINGLE, part, pieceOf(SINGLE, numbers))
    expect(made).toEqual(numbers.map(number => Math.fround(NAIVE[part](...number))))
  })

  test('of an element that is repeated is one number', () => {
    const { data, heap } = pieceOf(SINGLE, [[3, -4]]) as Extract<Piece, { data: Uint8Array }>
    const piece: Piece = { count: 7, element: { count: 1, data, heap } }
    expect(partsOf(SINGLE, part, piece)).toEqual([Math.fround(NAIVE[part](3, -4))])
  })
})

test.each([
  ['H5T_FLOAT', DOUBLE],
  ['H5T_COMPOUND', { class: 'H5T_COMPOUND', fields: [{ name: 'r', type: DOUBLE }] }],
] as [string, Datatype][])('%s has no parts', (name, type) => {
  const rule = `part=phase needs complex numbers: these values are ${name}`
  expect(() => new PartMaker(type, 'phase')).toThrow(rule)
})
