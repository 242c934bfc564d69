import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Selection, selectionCount } from '../../../model/selection/selection.ts'
import { selectionParts } from './selection-parts.ts'

/** The coordinates of the elements of a selection, in order. */
function elementsOf(selection: Selection): string[] {
  if (selection.kind === 'points') {
    const { rank, coordinates } = selection
    return Array.from({ length: coordinates.length / rank }, (_, i) =>
      coordinates.subarray(i * rank, (i + 1) * rank).join(),
    )
  }
  if (selection.kind === 'lists') throw new Error('no part of lists is a selection')
  let found: number[][] = [[]]
  for (const [d, start] of selection.start.entries()) {
    const { stride, count, block } = selection
    const along: number[] = []
    for (let i = 0; i < count[d]; i++)
      for (let k = 0; k < block[d]; k++) along.push(start + i * stride[d] + k)
    found = found.flatMap(before => along.map(index => [...before, index]))
  }
  return found.map(coordinates => coordinates.join())
}

const dimension = fc
  .record({
    start: fc.nat(3),
    step: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 1, max: 3 }),
    form: fc.constantFrom('steps', 'blocks side by side', 'one block'),
  })
  .map(({ start, step, count, length, form }) => {
    if (form === 'steps') return { start, stride: step, count, block: 1 }
    return form === 'one block'
      ? { start, stride: length + step, count: 1, block: length }
      : { start, stride: length, count, block: length }
  })

const selections: fc.Arbitrary<Selection> = fc.oneof(
  fc.array(dimension, { maxLength: 4 }).map(
    (dimensions): Selection => ({
      kind: 'hyperslab',
      start: dimensions.map(({ start }) => start),
      stride: dimensions.map(({ stride }) => stride),
      count: dimensions.map(({ count }) => count),
      block: dimensions.map(({ block }) => block),
    }),
  ),
  fc
    .array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 9 })
    .map((points): Selection => ({ kind: 'points', rank: 2, coordinates: Float64Array.from(points.flat()) })),
)

it('the parts of a selection have its elements from one up to another, in order', () => {
  fc.assert(
    fc.property(selections, fc.nat(), fc.nat(), (selection, a, b) => {
      const elements = elementsOf(selection)
      expect(elements).toHaveLength(selectionCount(selection))
      const first = a % elements.length
      const end = first + 1 + (b % (elements.length - first))
      expect(selectionParts(selection, first, end)?.flatMap(elementsOf)).toEqual(elements.slice(first, end))
    }),
  )
})

it('nothing is a part of blocks with gaps, nor of lists', () => {
  const blocks: Selection = { kind: 'hyperslab', start: [0], stride: [3], count: [4], block: [2] }
  expect(selectionParts(blocks, 0, 3)).toBeUndefined()
  const rest = { kind: 'hyperslab', start: [0], stride: [1], count: [4], block: [1] } as const
  const lists: Selection = { kind: 'lists', listed: [0], coordinates: Float64Array.of(1, 3), rest }
  expect(selectionParts(lists, 0, 3)).toBeUndefined()
})
