import { describe, expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import { CurvesLoader, type LoadedCurve } from '../../data/curves.ts'
import type { Plot } from '../../data/plot.ts'
import { Tiles } from '../../data/tiles.ts'
import type { View } from '../../view-address.ts'
import {
  lineBounds,
  lineFormat,
  lineOf,
  lineRequests,
  lineSettings,
  lineTools,
  lineZoom,
  noteOfLine,
} from './line.ts'
import { COMPLEX, DOUBLE, fakeDomain, newPlot, STILL_SCREEN } from './test-plots.ts'

/** All that a component would show of a dataset, once everything has come. */
async function shown(
  shape: readonly number[],
  view: View = {},
  width = 100,
  type = DOUBLE,
  parts: Partial<Plot> = {},
) {
  const subject = lineOf(newPlot({ shape, type }, parts), view)
  const x = subject.axis && axisOf(subject.axis, undefined, false)
  const zoom = lineZoom(subject, view, x)
  const sight = { x: zoom?.x ?? [0, 1], y: [0, 1], width, height: 100 } as const
  const { domain, requests: reads } = fakeDomain()
  const tiles = new Tiles(domain, STILL_SCREEN)
  const fail = (reason: unknown) => {
    throw reason
  }
  const curves = await new Promise<readonly LoadedCurve[]>(resolve => {
    const requests = lineRequests(subject, subject.curves, { x, zoom, sight }, [])
    const loader: CurvesLoader = new CurvesLoader(() => {
      if (loader.curvesOf(requests).every(({ isComplete }) => isComplete)) resolve(loader.curvesOf(requests))
    })
    // Before the canvas has a size nothing is read.
    const early = lineRequests(subject, subject.curves, { x, zoom, sight: undefined }, [])
    loader.load(tiles, early, fail)
    if (!subject.hasElements) resolve(loader.curvesOf(early))
    setTimeout(() => loader.load(tiles, requests, fail))
  })
  const settings = lineSettings(subject, view)
  return { subject, zoom, reads, curves, settings, note: noteOfLine(subject, settings, curves) }
}

describe('a line', () => {
  test('goes through all elements where they have room', async () => {
    const { reads, note, subject, settings, curves } = await shown([100])
    expect(reads).toEqual([{ select: [{ start: 0, stop: 100 }], reduce: undefined }])
    expect(note).toBe('The line goes through all elements in sight.')
    expect(lineBounds(subject, settings, curves)).toMatchObject({ min: 0, max: 99 })
  })

  test('goes through the extremes of blocks', async () => {
    const { reads, note } = await shown([100_000])
    expect(reads.map(({ reduce }) => reduce)).toEqual(['minmax:512'])
    expect(note).toBe('The line goes through the least and the greatest of each 512 elements.')
  })

  test('of 50 million elements reads few bytes, and no coordinates with them', async () => {
    const { reads, note } = await shown([50_000_000], {}, 1000)
    expect(new Set(reads.map(({ reduce }) => reduce))).toEqual(new Set(['minmax:32768']))
    expect(note).toBe('The line goes through the least and the greatest of each 32,768 elements.')
  })

  test('of 100 million filtered elements begins with some chunks, then has more, since all take long', async () => {
    const { signal } = newPlot({ shape: [100_000_000] })
    const dataset = { ...signal.dataset, filteredChunk: [1_000_000] }
    const parts = { signal: { ...signal, dataset } as Plot['signal'] }
    const { reads } = await shown([100_000_000], {}, 1000, DOUBLE, parts)
    const first = reads.slice(0, 13)
    expect(first.map(({ reduce }) => reduce)).toEqual(Array(13).fill('minmax:1000000'))
    const starts = first.map(({ select }) => (select as { start: number }[])[0]?.start ?? 0)
    expect(starts.slice(0, 4)).toEqual([0, 32_000_000, 64_000_000, 96_000_000])
    expect(starts.toSorted((a, b) => a - b)).toEqual(starts.map((_, i) => i * 8_000_000))
    expect(new Set(reads.slice(13).map(({ reduce }) => reduce))).toEqual(new Set(['minmax:65536']))
  })

  test('of what has become shorter reads what is left', async () => {
    const { reads, note } = await shown([30], { zoom: { x: [20, 90] } })
    for (const { select } of reads) expect((select as { stop: number }[])[0]?.stop).toBeLessThanOrEqual(30)
    expect(note).toBe('The line goes through all elements in sight.')
  })

  test('of a part reads all too, for the other axis, also if the size of the canvas came late', async () => {
    const { reads, curves } = await shown([100_000], { zoom: { x: [10, 20] } })
    expect(reads.map(({ reduce }) => reduce)).toEqual([undefined, 'minmax:512'])
    expect(curves[0]?.overview?.extent.stop).toBe(100_000)
  })

  test('follows the end with the last elements, and stays there', async () => {
    expect((await shown([200], { isFollowed: true, last: 50 })).zoom).toEqual({ x: [150, 199] })
    expect((await shown([200], { isFollowed: true, zoom: { x: [0, 20] } })).zoom).toEqual({ x: [179, 199] })
  })

  test('without elements asks for none', async () => {
    expect((await shown([3, 0])).reads).toEqual([])
  })

  test.each([
    ['amplitude', 'minmax:512'],
    ['phase', 'minmax:512'],
    ['imaginary', 'minmax:512'],
    // The turns between the extremes of a block are not known.
    ['unwrapped', undefined],
  ] as const)('of complex numbers goes through the extremes of blocks of the %s', async (part, reduce) => {
    const { reads, note } = await shown([100_000], { part }, 100, COMPLEX)
    expect(reads).toMatchObject([reduce === undefined ? { reduce } : { reduce, part }])
    expect(
      note?.startsWith(`The line goes through ${reduce === undefined ? 'the first' : 'the least and'}`),
    ).toBe(true)
  })

  test('of complex numbers has their parts, and is no CSV', () => {
    const subject = lineOf(newPlot({ shape: [4], type: COMPLEX }), { part: 'unwrapped' })
    expect(subject).toMatchObject({ label: 'Phase of data (rad)', exports: ['json', 'npy'] })
    const [first] = lineTools(subject, lineSettings(subject, {}), {}, [0, 1])
    const parts = first?.kind === 'choice' ? first.options.map(([part]) => part) : []
    expect(parts).toEqual(['amplitude', 'phase', 'unwrapped', 'real', 'imaginary'])
  })

  test.each([
    ['days since 2000-01-01', '2000-01-11'],
    ['days', undefined],
  ])('in %s has the tick %s at 10', (units, text) => {
    const subject = lineOf(newPlot({ shape: [31], attributes: { units } }), {})
    expect(lineFormat(subject)?.(10)).toBe(text)
  })
})
