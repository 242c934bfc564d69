import { expect, test } from 'vitest'
import type { Image, Picture } from '../../data/image.ts'
import { differenceImage, differenceOf, differenceRange } from './difference.ts'

const pictureOf = (data: readonly number[], block = 1): Picture => ({
  y: { start: 0, stop: 2 * block, block },
  x: { start: 0, stop: 2 * block, block },
  rows: 2,
  columns: 2,
  depth: 1,
  data: Float64Array.from(data),
  progress: undefined,
})

const imageOf = (picture: Picture | undefined, overview = picture): Image => ({
  picture,
  overview,
  isComplete: true,
  error: undefined,
})

test('a difference is that of each point, and none where one has no number', () => {
  const difference = differenceOf(pictureOf([5, 7, 9, Number.NaN]), pictureOf([1, 10, 9, 4]))
  expect([...(difference?.data ?? [])]).toEqual([4, -3, 0, Number.NaN])
})

test('there is none of pictures whose points have other places', () => {
  expect(differenceOf(pictureOf([1, 2, 3, 4]), pictureOf([1, 2, 3, 4], 2))).toBeUndefined()
  expect(differenceOf(pictureOf([1, 2, 3, 4]), undefined)).toBeUndefined()
})

test('an image of differences is complete when both are, and fails when one does', () => {
  const one = imageOf(pictureOf([1, 2, 3, 4]))
  const error = new Error('lost')
  expect(differenceImage(one, { ...one, isComplete: false }).isComplete).toBe(false)
  expect(differenceImage(one, { ...one, error }).error).toBe(error)
  expect(differenceImage(one, one)).toMatchObject({ isComplete: true, error: undefined })
})

test('the colours of differences go as far below 0 as above, also where there are none', () => {
  const all = pictureOf([5, -7, 1, Number.NaN])
  expect(differenceRange(imageOf(pictureOf([1, 1, 1, 1]), all)).bounds).toMatchObject({ min: -7, max: 7 })
  expect(differenceRange(imageOf(pictureOf([0, 0, 0, 0]))).bounds).toMatchObject({ min: -1, max: 1 })
  expect(differenceRange(imageOf(undefined)).bounds).toBeUndefined()
})
