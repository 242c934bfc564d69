import { expect, test } from 'vitest'
import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Detector } from '../../meaning/detector.ts'
import {
  badPixelsNote,
  goodRequest,
  hidesGoodPixels,
  isLeftOut,
  maskRequest,
  withoutBadPixels,
} from './bad-pixels.ts'

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

const requestOf = (base: string, numbers = {}) =>
  ({
    dataset: { id: 'd', type: { class: base.includes('IEEE') ? 'H5T_FLOAT' : 'H5T_INTEGER', base }, numbers },
  }) as unknown as ImageRequest

test('the service leaves out the pixels of the mask, and numbers from the saturation on', () => {
  const mask = { id: 'mask', shape: [4, 5] } as never
  const detector: Detector = { mask, saturation: 65535 }
  const asked = goodRequest(requestOf('H5T_STD_U16LE', { missing: '7' }), detector)
  expect(asked).toMatchObject({ isCleaned: true })
  expect(asked.dataset.numbers).toEqual({ missing: '7', valid: ',65534', mask: 'mask' })
})

test.each([
  ['H5T_STD_U16LE', '3,90', 100, '3,90'],
  ['H5T_STD_U16LE', '3,', 100.5, '3,100'],
  ['H5T_STD_U64LE', undefined, 2 ** 64, ',18446744073709548000'],
  ['H5T_IEEE_F32LE', undefined, 100, ',99.99998807907104'],
])('the limit of %s of %s is below %f: %s', (base, valid, saturation, limit) => {
  const request = requestOf(base, valid === undefined ? {} : { valid })
  const { numbers } = goodRequest(request, { mask: undefined, saturation }).dataset
  expect(numbers).toEqual({ valid: limit })
})

test('the service leaves out pixels by a mask in the same file', () => {
  const domain = { pathOf: (id: string) => (id.startsWith('x') ? '/x.h5' : '/a.h5') } as never
  const of = (id: string, shape = [4, 5]): Detector => ({
    mask: { id, shape } as never,
    saturation: undefined,
  })
  expect(isLeftOut(of('mask'), { id: 'd' }, domain)).toBe(true)
  expect(isLeftOut(of('mask'), { id: 'x' }, domain)).toBe(false)
  expect(isLeftOut(of('mask', [2 ** 14, 2 ** 13]), { id: 'd' }, domain)).toBe(false)
  expect(isLeftOut({ mask: undefined, saturation: 9 }, { id: 'd' }, domain)).toBe(true)
})

test('the greatest numbers of blocks hide good pixels where they are saturated, and means hide them anywhere', () => {
  const detector: Detector = { mask: undefined, saturation: 9 }
  const hides = (numbers: readonly number[], block: number, reduction: 'max' | 'mean') =>
    hidesGoodPixels(imageOf(pictureOf(numbers, 1, block)), detector, reduction)
  expect([hides([9], 2, 'max'), hides([8], 2, 'max'), hides([8], 2, 'mean'), hides([9], 1, 'max')]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
