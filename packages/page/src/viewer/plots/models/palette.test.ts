import { expect, test } from 'vitest'
import type { Picture } from '../../data/image.ts'
import { coloursOfIndices } from './palette.ts'

test('points have the colours of their indices; others are transparent', () => {
  const data = Float64Array.of(1, 0, 2, Number.NaN, -1, 0.5)
  const picture = { data, rows: 2, columns: 3, depth: 1 } as unknown as Picture
  const colours = coloursOfIndices(picture, Uint8Array.of(1, 2, 3, 4, 5, 6))
  expect([...colours]).toEqual([4, 5, 6, 255, 1, 2, 3, 255, ...Array(16).fill(0)])
})
