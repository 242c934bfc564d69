import { expect, it } from 'vitest'
import { PassedIndexes } from './passed-indexes.ts'

const again = [new Float64Array([1, 2, 3])]

function passed(batches: number, length: number): PassedIndexes {
  const indexes = new PassedIndexes()
  for (let i = 0; i < batches; i++) indexes.add(new Float64Array(length).fill(i))
  return indexes
}

it('gives up to 64 Ki indexes back without a second search', () => {
  expect(passed(0, 0).all(again)).toEqual([])
  expect(passed(2, 3).all(again)).toEqual([new Float64Array([0, 0, 0]), new Float64Array([1, 1, 1])])
  expect(passed(8, 8192).all(again)).toHaveLength(8)
})

it('keeps none where there are more', () => {
  expect(passed(65_537, 1).all(again)).toBe(again)
  expect(passed(9, 8192).all(again)).toBe(again)
  expect(passed(100, 8192).all(again)).toBe(again)
})
