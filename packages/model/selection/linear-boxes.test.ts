import { expect, it } from 'vitest'
import { product } from '../dataset/dataspace.ts'
import { linearBoxes } from './linear-boxes.ts'

/** The numbers of the elements of a box, in row-major order. */
function* elementsOf(
  dims: readonly number[],
  start: readonly number[],
  count: readonly number[],
  base = 0,
): Generator<number> {
  if (dims.length === 0) {
    yield base
    return
  }
  for (let i = 0; i < count[0]; i++) {
    yield* elementsOf(dims.slice(1), start.slice(1), count.slice(1), (base + start[0] + i) * (dims[1] ?? 1))
  }
}

it.each([[[]], [[1]], [[7]], [[3, 4]], [[2, 3, 4]], [[4, 1, 3]], [[1, 1, 5]], [[2, 2, 2, 2]]])(
  'of %j are each run of elements, in order, in few boxes',
  dims => {
    const all = product(dims)
    for (let first = 0; first <= all; first++) {
      for (let end = first; end <= all; end++) {
        const boxes = [...linearBoxes(dims, first, end)]
        const elements = boxes.flatMap(({ start, count }) => [...elementsOf(dims, start, count)])
        expect(elements).toEqual(Array.from({ length: end - first }, (_, i) => first + i))
        expect(boxes.length).toBeLessThanOrEqual(Math.max(1, 2 * dims.length))
      }
    }
  },
)
