import { expect, test } from 'vitest'
import { type CurveRequest, doublePoints, type LoadedCurve } from '../../data/curves.ts'
import { fakeDomain } from '../models/test-plots.ts'
import { isBand, lineDensityNote, readCloud, sampleStep } from './line-density.ts'

const REQUEST = {
  dataset: { id: 'd', shape: [3, 100_000], stamp: 0 },
  uses: [1, 'x'],
  convert: (numbers: unknown) => numbers,
  hasExtremes: true,
} as unknown as CurveRequest

function curveOf(extremes: readonly number[], block = 256, progress?: LoadedCurve['points']): LoadedCurve {
  const points = doublePoints({ start: 0, stop: 1000, block }, Float64Array.from(extremes))
  const shown = progress ? { ...points, progress: { done: 0, all: 2 } } : points
  return { points: shown, overview: undefined, isComplete: true, error: undefined }
}

const NOISE = [-4, 4, -5, 4, Number.NaN, Number.NaN, -4, 5]

test('a line is a band where blocks are high', () => {
  expect(isBand(curveOf(NOISE), REQUEST)).toBe(true)
  expect(isBand(curveOf([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]), REQUEST)).toBe(false)
  expect(isBand(curveOf([3, 3, 3, 3]), REQUEST)).toBe(false)
})

test('a line is none where blocks have few elements, or no extremes, or are not all read', () => {
  expect(isBand(curveOf(NOISE, 128), REQUEST)).toBe(false)
  expect(isBand(curveOf(NOISE, 256, curveOf(NOISE).points), REQUEST)).toBe(false)
  expect(isBand(curveOf(NOISE), { ...REQUEST, hasExtremes: false })).toBe(false)
  expect(isBand({ ...curveOf(NOISE), points: undefined }, REQUEST)).toBe(false)
})

test('a line of filtered chunks is none if these have other lines too', () => {
  const filtered = (filteredChunk: readonly number[]) => ({
    ...REQUEST,
    dataset: { ...REQUEST.dataset, filteredChunk },
  })
  expect([isBand(curveOf(NOISE), filtered([1, 50])), isBand(curveOf(NOISE), filtered([3, 50]))]).toEqual([
    true,
    false,
  ])
})

test('one of an odd number of elements is read, and the note says so', async () => {
  expect([10, 2 ** 20, 20_000_000, 21_000_000].map(stop => sampleStep({ start: 0, stop }))).toEqual([
    1, 1, 21, 21,
  ])
  const { domain, requests } = fakeDomain()
  const extent = { start: 100, stop: 2 ** 21 + 100, block: 4096 }
  const axis = { toCoordinate: (position: number) => position / 10 }
  const { signal } = new AbortController()
  const { x, y } = await readCloud(domain, REQUEST, extent, axis, signal)
  expect(requests).toEqual([{ select: [1, { start: 100, stop: 2 ** 21 + 100, step: 3 }], reduce: undefined }])
  expect([...x.subarray(0, 3)]).toEqual([10, 10.3, 10.6])
  expect(y.length).toBe(x.length)
  expect(lineDensityNote(extent)).toContain('count one of each 3 elements,')
  expect(lineDensityNote({ start: 0, stop: 5, block: 1 })).toContain('count all elements,')
})
