import { expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import type { Picture } from '../../data/image.ts'
import { geometryOf } from './geometry.ts'
import { colouredBy, pictureLayer } from './picture.ts'

const AXIS = {
  name: 'D0',
  label: 'D0',
  length: 10,
  source: undefined,
  meaning: undefined,
  coordinates: {} as never,
  role: undefined,
  growsDown: false,
} as const

const PICTURE: Picture = {
  y: { start: 2, stop: 10, block: 4 },
  x: { start: 0, stop: 10, block: 5 },
  rows: 2,
  columns: 2,
  depth: 1,
  data: Float64Array.of(0, 1, Number.NaN, 1),
  progress: undefined,
}

test('a picture lies where its elements are, in the colours of its numbers, which are made once', () => {
  const geometry = {
    x: geometryOf(axisOf(AXIS, undefined, true)),
    y: geometryOf(axisOf(AXIS, undefined, true)),
  }
  const scale = { domain: [0, 1], scale: 'linear', gamma: 1, map: 'Gray', isInverted: false } as const
  const coloursOf = colouredBy({ ...scale, domain: [0, 1] }, undefined)
  const layer = pictureLayer(PICTURE, geometry, coloursOf)
  expect(layer).toMatchObject({ kind: 'picture', rows: 2, columns: 2, x: [0, 10], y: [2, 10] })
  expect([...layer.colours]).toEqual([0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255])
  expect(pictureLayer(PICTURE, geometry, coloursOf).colours).toBe(layer.colours)
})

test('a picture with a brightness is dark where that is low', () => {
  const shade = () => Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0)
  const coloursOf = colouredBy(
    { domain: [0, 1], scale: 'linear', gamma: 1, map: 'Gray', isInverted: false },
    shade,
  )
  expect([...coloursOf(PICTURE).subarray(4, 8)]).toEqual([0, 0, 0, 255])
  expect([...coloursOf(PICTURE).subarray(12, 16)]).toEqual([255, 255, 255, 255])
})
