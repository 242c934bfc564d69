import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FloatType, IntegerType } from '../../../model/datatype/datatype.ts'
import type { Elements, Piece } from '../../../model/values/elements.ts'
import { Mask, MaskMarker } from './mask.ts'

const EMPTY = new Uint8Array(0)
const BYTE: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const SINGLE: FloatType = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const DOUBLE: FloatType = { class: 'H5T_FLOAT', size: 8, order: 'LE' }

function elementsOf(type: FloatType | IntegerType, numbers: readonly number[]): Elements {
  const List = type === BYTE ? Int8Array : type === SINGLE ? Float32Array : Float64Array
  return { count: numbers.length, data: new Uint8Array(List.from(numbers).buffer), heap: EMPTY }
}

/** Numbers as pieces of these lengths, the last one perhaps shorter; equal ones as one that is repeated. */
function piecesOf(type: FloatType | IntegerType, numbers: readonly number[], length: number): Piece[] {
  const pieces: Piece[] = []
  for (let first = 0; first < numbers.length; first += length) {
    const part = numbers.slice(first, first + length)
    const isEqual = part.every(number => number === part[0])
    pieces.push(
      isEqual ? { count: part.length, element: elementsOf(type, part.slice(0, 1)) } : elementsOf(type, part),
    )
  }
  return pieces
}

function masked(type: FloatType, mask: readonly number[], numbers: readonly number[], length: number) {
  const bits = new Mask(BYTE, mask.length)
  for (const piece of piecesOf(BYTE, mask, length)) for (const _ of bits.fill(piece));
  const marker = new MaskMarker(type, bits)
  const read = ({ data }: Elements) => {
    const { buffer } = data.slice()
    return [...(type === SINGLE ? new Float32Array(buffer) : new Float64Array(buffer))]
  }
  return piecesOf(type, numbers, length).flatMap(piece =>
    [...marker.push(piece)].flatMap(part =>
      'element' in part ? Array.from({ length: part.count }, () => read(part.element)[0]) : read(part),
    ),
  )
}

test('elements where a mask is not 0 are those that a loop finds, in each of its repetitions', () => {
  const runs = fc.array(fc.tuple(fc.constantFrom(0, 0, 1, -3), fc.integer({ min: 1, max: 30 })), {
    minLength: 1,
    maxLength: 8,
  })
  const longs = (list: readonly (readonly [number, number])[]) =>
    list.flatMap(([number, count]) => Array<number>(count).fill(number))
  const cases = fc.record({
    type: fc.constantFrom(SINGLE, DOUBLE),
    mask: runs.map(longs),
    frame: runs.map(longs),
    frames: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 1, max: 300 }),
  })
  fc.assert(
    fc.property(cases, ({ type, mask, frame, frames, length }) => {
      const numbers = Array.from({ length: frames * mask.length }, (_, i) => frame[i % frame.length] ?? 0)
      const expected = numbers.map((number, i) => (mask[i % mask.length] === 0 ? number : Number.NaN))
      expect(masked(type, mask, numbers, length)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
