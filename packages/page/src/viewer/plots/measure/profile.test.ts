import { describe, expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import type { Picture } from '../../data/image.ts'
import type { Ends } from '../../view-address.ts'
import { geometryOf } from '../models/geometry.ts'
import { imageOf } from '../models/image.ts'
import { newPlot } from '../models/test-plots.ts'
import {
  obliqueProfile,
  profileRows,
  profileScale,
  selectionOfLine,
  straightLine,
  straightProfile,
} from './profile.ts'
import { csvText, tabText } from './rows.ts'

const SHAPE = [6, 8] as const

/** An image whose element at a row and a column is `10 * row + column`. */
function newImage(shape: readonly [number, number] = SHAPE) {
  const subject = imageOf(newPlot({ shape }), {})
  const [y, x] = [subject.yAxis, subject.xAxis].map(axis => axis && axisOf(axis, undefined, true))
  if (x === undefined || y === undefined) throw new Error('an image has axes')
  return { axes: { x, y }, geometry: { x: geometryOf(x), y: geometryOf(y) }, uses: subject.uses }
}

function pictureOf(block: number): Picture {
  const [height, width] = SHAPE
  const [rows, columns] = [height / block, width / block]
  const data = Float64Array.from(
    { length: rows * columns },
    (_, i) => 10 * block * Math.floor(i / columns) + block * (i % columns),
  )
  const extent = (stop: number) => ({ start: 0, stop, block })
  return { y: extent(height), x: extent(width), rows, columns, depth: 1, data, progress: undefined }
}

describe('a line along an axis', () => {
  test.each<[Ends, string, readonly unknown[]]>([
    [[1.2, 3.1, 4.8, 3.9], 'x', [3, { start: 1, stop: 5, block: 1 }]],
    [[4.8, 3.1, 1.2, 3.1], 'x', [3, { start: 1, stop: 5, block: 1 }]],
    [[2.5, 0, 2.5, 99], 'y', [{ start: 0, stop: 6, block: 1 }, 2]],
    [[2.5, 2.5, 2.5, 2.5], 'x', [2, { start: 2, stop: 3, block: 1 }]],
  ])('%j reads elements along %s', (ends, along, selection) => {
    const { geometry, uses } = newImage()
    const line = straightLine(ends, geometry)
    expect(line?.along).toBe(along)
    expect(line && selectionOfLine(line, uses)).toEqual(selection)
  })

  test('of a slice has its index', () => {
    const line = straightLine([0, 2, 8, 2], newImage().geometry)
    expect(line && selectionOfLine(line, [7, 'x', 'y'])).toEqual([7, { start: 0, stop: 8, block: 1 }, 2])
  })

  test('has each element at its middle', () => {
    const line = straightLine([1, 3, 3.5, 3], newImage().geometry)
    const profile = line && straightProfile(line, [Float64Array.of(31, 32, 33)], true)
    expect(profile).toMatchObject({
      x: Float64Array.of(1.5, 2.5, 3.5),
      values: [Float64Array.of(31, 32, 33)],
    })
    expect(profile?.text).toContain('All elements')
  })

  test('of very many elements has the extremes of blocks, and says so', () => {
    const line = straightLine([0, 0.5, 200_000, 0.5], newImage([1, 200_000]).geometry)
    expect(line?.extent).toEqual({ start: 0, stop: 200_000, block: 4 })
    const profile = line && straightProfile(line, [Float64Array.of(1, 9, 2, 8)], true)
    expect(profile).toMatchObject({ values: [Float64Array.of(1, 9, 2, 8)] })
    expect(profile?.text).toContain('least and the greatest of each 4')
  })
})

describe('an oblique line', () => {
  const ends: Ends = [0.5, 0.5, 4.5, 4.5]

  test('has the elements that are nearest, where elements are drawn', () => {
    const { geometry } = newImage()
    const profile = obliqueProfile(ends, geometry, { picture: pictureOf(1), overview: undefined })
    expect([...(profile?.values[0] ?? [])]).toEqual([0, 11, 22, 33, 44])
    expect(profile?.text).toContain('nearest element')
  })

  test('has the points that are drawn, those of all outside of what is in sight, and says so', () => {
    const { geometry } = newImage()
    const overview = pictureOf(2)
    const picture = { ...pictureOf(2), rows: 1, columns: 1, data: Float64Array.of(-1) }
    const profile = obliqueProfile(ends, geometry, { picture, overview })
    expect([...(profile?.values[0] ?? [])]).toEqual([-1, 22, 44])
    expect(profile?.text).toContain('of 2 × 2 elements')
  })

  test('has no numbers outside of the image, and no points before there is one', () => {
    const { geometry } = newImage()
    const profile = obliqueProfile([7.5, 5.5, 9.5, 7.5], geometry, {
      picture: pictureOf(1),
      overview: undefined,
    })
    expect([...(profile?.values[0] ?? [])]).toEqual([57, Number.NaN, Number.NaN])
    expect(obliqueProfile(ends, geometry, { picture: undefined, overview: undefined })).toBeUndefined()
  })

  test('has distances from its first point if both axes have the same units', () => {
    const { geometry, axes } = newImage()
    const profile = obliqueProfile([0, 0, 3, 4], geometry, { picture: pictureOf(1), overview: undefined })
    if (profile === undefined) throw new Error('there is a picture')
    const scale = profileScale(profile, axes, { common: 'mm' })
    expect(scale.label).toBe('Distance (mm)')
    expect(scale.places.at(-1)).toBe(5)
    expect(profileScale(profile, axes, undefined).label).toBe('Distance (elements)')
  })
})

test('a profile as CSV has both coordinates of each point, and cells with commas in quotes', () => {
  const { geometry, axes } = newImage()
  const line = straightLine([1, 3, 2.5, 3], geometry)
  if (line === undefined) throw new Error('the line is straight')
  const rows = profileRows(straightProfile(line, [Float64Array.of(31, 32.5)], true), axes, ['counts, raw'])
  expect(csvText(rows)).toBe('x,y,"counts, raw"\n1,3,31\n2,3,32.5\n')
  expect(tabText(rows)).toBe('x\ty\tcounts, raw\n1\t3\t31\n2\t3\t32.5\n')
})

test('a profile of an image in colours has the numbers of each colour', () => {
  const { geometry, axes } = newImage()
  const data = Float64Array.from({ length: 6 * 8 * 3 }, (_, i) => i)
  const picture = { ...pictureOf(1), depth: 3, data }
  const profile = obliqueProfile([0.5, 0.5, 2.5, 1.5], geometry, { picture, overview: undefined }, 3)
  expect(profile && profileRows(profile, axes, ['Red', 'Green', 'Blue'])).toEqual([
    ['x', 'y', 'Red', 'Green', 'Blue'],
    [0, 0, 0, 1, 2],
    [1, 1, 27, 28, 29],
    [2, 1, 30, 31, 32],
  ])
})
