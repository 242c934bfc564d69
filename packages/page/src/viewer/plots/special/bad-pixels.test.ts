import { expect, test } from 'vitest'
import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Detector } from '../../meaning/detector.ts'
import { badPixelsNote, maskRequest, withoutBadPixels } from './bad-pixels.ts'

function pictureOf(numbers: readonly number[], columns: number, block = 1): Picture {
  const rows = numbers.length / columns
  const extent = (points: number) => ({ start: 0, stop: points * block, block })
  return {
    y: extent(rows),
    x: extent(columns),
    rows,
    columns,
    depth: 1,
    data: Float64Array.from(numbers),
    progress: undefined,
  }
}

function imageOf(picture: Picture): Image {
  return { picture, overview: picture, isComplete: true, error: undefined }
}

const NONE = { picture: undefined, overview: undefined }

test('masked and saturated pixels become NaN, and are counted', () => {
  const mask = pictureOf([0, 1, 0, 0], 2)
  const detector: Detector = { mask: undefined, saturation: 9 }
  const image = withoutBadPixels(imageOf(pictureOf([1, 2, 9, 8], 2)), { ...NONE, overview: mask }, detector)
  expect([...(image.picture?.data ?? [])]).toEqual([1, Number.NaN, Number.NaN, 8])
  expect(image.overview).toBe(image.picture)
  expect(badPixelsNote(image)).toBe('2 pixels that are masked or saturated are left out.')
})

test('a mask in other blocks says the same of the same places', () => {
  const detector: Detector = { mask: undefined, saturation: undefined }
  const mask = pictureOf([0, 8], 2, 2)
  const { picture } = withoutBadPixels(
    imageOf(pictureOf([1, 2, 3, 4], 4)),
    { ...NONE, picture: mask },
    detector,
  )
  expect([...(picture?.data ?? [])]).toEqual([1, 2, Number.NaN, Number.NaN])
})

test('nothing is said of an image of which no pixel is bad', () => {
  const good = withoutBadPixels(imageOf(pictureOf([1], 1)), NONE, { mask: undefined, saturation: 9 })
  expect([badPixelsNote(good), badPixelsNote(imageOf(pictureOf([Number.NaN], 1)))]).toEqual([
    undefined,
    undefined,
  ])
  const one = withoutBadPixels(imageOf(pictureOf([9], 1, 4)), NONE, { mask: undefined, saturation: 9 })
  expect(badPixelsNote(one)).toBe('1 point that is masked or saturated is left out.')
})

test('the mask is read as the last dimensions of the image, and a block is masked if all of it is', () => {
  const mask = { id: 'mask', shape: [4, 5] } as never
  const detector: Detector = { mask, saturation: undefined }
  const request = { uses: [2, 'y', 'x'], reduction: 'max', channels: 2 } as unknown as ImageRequest
  expect(maskRequest(request, detector)).toMatchObject({ dataset: mask, uses: ['y', 'x'], reduction: 'min' })
  expect(maskRequest({ ...request, uses: ['y', 2, 'x'] }, detector)).toBeUndefined()
  expect(maskRequest(request, { ...detector, mask: undefined })).toBeUndefined()
})
