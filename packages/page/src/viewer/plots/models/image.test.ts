import { Hyperslab } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { Loader } from '../../../common/loader.ts'
import { axisOf } from '../../data/axis.ts'
import { type Image, ImageLoader, type Picture } from '../../data/image.ts'
import type { Plot } from '../../data/plot.ts'
import { type Progress, Tiles } from '../../data/tiles.ts'
import type { View } from '../../view-address.ts'
import { colourRangeOf, type LoadedStatistics, neededStatistics } from './colour-range.ts'
import { domainsOf } from './domains.ts'
import { geometryOf } from './geometry.ts'
import {
  drawnPictures,
  imageNote,
  imageOf,
  imageRequest,
  imageSettings,
  imageTip,
  imageTools,
  imageZoom,
  isCutBy,
  nextSpan,
  rangeSubject,
  rangeText,
} from './image.ts'
import { COMPLEX, fakeDomain, meaningWithout, newPlot, STILL_SCREEN } from './test-plots.ts'

const NOT_LOADED = { value: undefined, error: undefined, isLoading: true }

/** All that a component would show of a dataset, once everything has come. */
async function shown(shape: readonly number[], view: View = {}, size = 100, parts: Partial<Plot> = {}) {
  const plot = newPlot({ shape }, parts)
  const subject = imageOf(plot, view)
  const [y, x] = [subject.yAxis, subject.xAxis].map(axis => axis && axisOf(axis, undefined, true))
  if (!y || !x) throw new Error('an image has two axes')
  const geometry = { y: geometryOf(y), x: geometryOf(x) }
  const zoom = imageZoom(subject, view, geometry)
  const sight = { x: zoom?.x ?? [0, 1], y: zoom?.y ?? [0, 1], width: size, height: size } as const
  const request = imageRequest(subject, { geometry, zoom, sight })
  const { domain, requests, missing } = fakeDomain()
  const image = await new Promise<Image>((resolve, reject) => {
    const loader: ImageLoader = new ImageLoader(() => {
      const image = loader.imageOf(request)
      if (image.isComplete) resolve(image)
    })
    loader.load(new Tiles(domain, STILL_SCREEN), request, reject)
    if (request.size === undefined) resolve(loader.imageOf(request))
  })
  const range = colourRangeOf(rangeSubject(subject, view, image), NOT_LOADED)
  const settings = imageSettings(subject, view, y)
  const domains = domainsOf(range.bounds, settings.scale.value, view.range)
  const tools = imageTools(subject, settings, view, range, domains)
  return { subject, axes: { x, y }, zoom, request, requests, missing, image, range, settings, domains, tools }
}

describe('an image', () => {
  test('has each element as a point where there is room', async () => {
    const { requests, image, range, domains, axes, subject, zoom } = await shown([10, 20])
    expect(requests).toEqual([
      {
        select: [
          { start: 0, stop: 10 },
          { start: 0, stop: 20 },
        ],
        reduce: undefined,
      },
    ])
    expect(imageNote(image, range, subject, undefined)).toBe(
      'Each point is an element. The colours span all elements.',
    )
    expect(domains.domain).toEqual([0, 199])
    expect(drawnPictures(image, zoom !== undefined)).toEqual([image.picture])
    expect(imageTip([3, 2], axes, image)).toEqual({ place: 'D1 = 3, D0 = 2', value: '43' })
    expect(imageTip([3, 20], axes, image).value).toBe('–')
  })

  test('says which range the user has chosen', async () => {
    const { range, domains } = await shown([10, 20], { range: [5, null] })
    expect(rangeText(range, { range: [5, null] }, domains)).toBe('The colours span 5 to 199.')
    expect(rangeText(range, {}, domains)).toBe('The colours span all elements.')
  })

  test('has means of blocks, and says so', async () => {
    const { requests, image, range, subject } = await shown([1000, 2000])
    expect(requests.map(({ reduce }) => reduce)).toEqual(['mean:16,16'])
    expect(imageNote(image, range, subject, undefined)).toBe(
      'Each point is the mean of 16 × 16 elements. The colours span the points, until all elements are read.',
    )
  })

  test('of filtered chunks reads whole chunks, and says how much of it is drawn', async () => {
    const { signal } = newPlot({ shape: [8192, 8192] })
    const dataset = { ...signal.dataset, filteredChunk: [1024, 1024] }
    const parts = { signal: { ...signal, dataset } as Plot['signal'] }
    const { requests, image, range, subject } = await shown([8192, 8192], {}, 800, parts)
    const places = [0, 4096].map(start => ({ start, stop: start + 4096 }))
    expect(requests).toHaveLength(4)
    const tiles = places.flatMap(y => places.map(x => [y, x]))
    expect(requests.map(({ select }) => select)).toEqual(expect.arrayContaining(tiles))
    expect(new Set(requests.map(({ reduce }) => reduce))).toEqual(new Set(['mean:8,8']))
    const note = (progress: Progress | undefined) =>
      imageNote(
        { ...image, picture: image.picture && { ...image.picture, progress } },
        range,
        subject,
        undefined,
      )
    expect(subject.reduction).toBe('mean')
    expect(note({ done: 0, all: 4 })).toMatch(/8 × 8 elements, of which a sample is read so far\. /)
    expect(note({ done: 1, all: 4 })).toMatch(/8 × 8 elements, in 1 of 4 parts that are read so far\. /)
    expect(note(undefined)).toMatch(/8 × 8 elements\. /)
  })

  test('counts missing values in no mean, and in no statistic', async () => {
    const parts = { meaning: meaningWithout(-32_767) }
    const { requests, missing, subject, image } = await shown([1000, 2000], {}, 100, parts)
    expect(requests.map(({ reduce }) => reduce)).toEqual(['mean:16,16'])
    expect(missing).toEqual(['-32767'])
    const asked: unknown[] = []
    const domain = { statistics: async (_: unknown, options: unknown) => asked.push(options) }
    const { read } = neededStatistics(rangeSubject(subject, {}, image))
    const { signal } = new AbortController()
    await read(domain as never, signal)
    expect(asked).toMatchObject([{ missing: '-32767', signal }])
  })

  test('with a side beyond the limit of graphics cards has few points along it', async () => {
    const { requests, image } = await shown([3, 50_000], {}, 1000)
    expect(requests.map(({ reduce }) => reduce)).toEqual(Array(requests.length).fill('mean:1,64'))
    expect([image.picture?.rows, image.picture?.columns]).toEqual([3, 782])
  })

  test('has the range of its elements when it is known, which their means hide', async () => {
    const { subject, image } = await shown([1000, 2000])
    const range = (loaded: Partial<LoadedStatistics>) =>
      colourRangeOf(rangeSubject(subject, {}, image), { ...NOT_LOADED, ...loaded })
    expect(range({}).text).toBe('The colours span the points, until all elements are read.')
    const histogram = { min: -5, max: 12_800, counts: [3, 1] }
    const value = { count: 4, nanCount: 0, hrefs: [], min: -5, max: 12_800, histogram }
    const known = range({ value, isLoading: false })
    expect(known.text).toBe('The colours span all elements.')
    expect(known.bounds).toMatchObject({ min: -5, max: 12_800 })
    expect(range({ error: new Error('lost'), isLoading: false }).text).toBe(
      'The colours span the points, because of an error: lost.',
    )
  })

  test.each([
    ['H5T_STD_U16LE', {}, 'max'],
    ['H5T_STD_U32LE', {}, 'max'],
    ['H5T_STD_U8LE', {}, 'mean'],
    ['H5T_STD_I32LE', {}, 'mean'],
    ['H5T_STD_U16LE', { reduction: 'first' }, 'first'],
  ] as const)('of %s with %j has of each block the %s', (base, view, reduction) => {
    const plot = newPlot({ shape: [4, 4], type: { class: 'H5T_INTEGER', base } })
    expect(imageOf(plot, view).reduction).toBe(reduction)
  })

  test('of numbers with a few that are far out has colours for the others, and says so', async () => {
    const { subject, image } = await shown([1000, 2000])
    const histogram = { min: 0, max: 1e9, counts: [3, 1] }
    const value = { count: 4, nanCount: 0, hrefs: [], min: 0, max: 1e9, histogram }
    const loaded = { ...NOT_LOADED, value, isLoading: false }
    const rangeFor = (view: View) => colourRangeOf(rangeSubject(subject, view, image), loaded)
    const auto = rangeFor({})
    expect(auto).toMatchObject({ bounds: { min: 0 }, isCut: { low: false, high: true } })
    expect(auto.bounds?.max).toBeLessThan(8000)
    expect(auto.text).toBe('The colours span 0 to 7874; the numbers go from 0 to 1000000000.')
    expect(rangeFor({ span: 'all' })).toMatchObject({
      bounds: { max: 1e9 },
      text: 'The colours span all elements.',
    })
    expect(rangeFor({ span: 'symmetric' }).bounds).toMatchObject({ min: -(auto.bounds?.max ?? 0) })
    expect(isCutBy(auto, { range: [null, 5] })).toEqual({ low: false, high: false })
  })

  test('of indices has the colours of its palette, until another map is chosen', () => {
    const shape = [5000, 5000]
    const palette = Uint8Array.of(0, 0, 0, 9, 8, 7)
    const type = { class: 'H5T_INTEGER', base: 'H5T_STD_U16LE' } as const
    const shownWith = (view: View) => {
      const subject = imageOf(newPlot({ shape, type }, { palette }), view)
      const settings = imageSettings(subject, view, undefined)
      const tools = imageTools(
        subject,
        settings,
        view,
        { histogram: undefined },
        domainsOf(undefined, 'linear', undefined),
      )
      const overview = { x: { block: 8 }, y: { block: 8 }, depth: 1, data: Float64Array.of(1) } as Picture
      const image = { picture: overview, overview } as Image
      return {
        colours: settings.colours.value,
        keys: tools.filter(({ kind }) => kind !== 'more').map(({ key }) => key),
        reduction: subject.reduction,
        flip: settings.flip.value,
        hasStatistics: neededStatistics(rangeSubject(subject, view, image)).isNeeded,
        note: imageNote(image, { bounds: undefined, text: '' }, subject, undefined),
        next: nextSpan(settings),
      }
    }
    expect(shownWith({ reduction: 'mean', colours: 'none' })).toMatchObject({
      colours: 'Palette',
      keys: ['colours', 'ratio', 'flipX', 'flipY', 'grid'],
      reduction: 'first',
      flip: 'y',
      hasStatistics: false,
      next: {},
    })
    expect(shownWith({ colours: 'Viridis' })).toMatchObject({
      colours: 'Viridis',
      keys: expect.arrayContaining(['range', 'reduction']),
      reduction: 'first',
      hasStatistics: true,
    })
    expect(
      imageSettings(imageOf(newPlot({ shape }), {}), { colours: 'Palette' }, undefined).colours.value,
    ).toBe('Viridis')
  })

  test('goes through the ranges of colours by a key', () => {
    const subject = imageOf(newPlot({ shape: [4, 4] }), {})
    let view: View = { range: [0, 1] }
    const spans = Array.from({ length: 4 }, () => {
      view = { ...view, ...nextSpan(imageSettings(subject, view, undefined)) }
      return view.span
    })
    expect(spans).toEqual(['all', 'symmetric', undefined, 'all'])
    expect(view.range).toBeUndefined()
  })

  test('of a part reads that, then all for the range of the colours, and draws both', async () => {
    const view: View = { zoom: { x: [0, 50], y: [0, 50] } }
    const { requests, image, zoom, settings } = await shown([1000, 1000], view)
    expect(requests.map(({ reduce }) => reduce)).toEqual([undefined, 'mean:8,8'])
    expect(drawnPictures(image, zoom !== undefined)).toEqual([image.overview, image.picture])
    expect(settings.ratio.value).toBe('equal')
  })

  test('without elements asks for none', async () => {
    const { subject, request, requests } = await shown([0, 3])
    expect(subject.hasElements).toBe(false)
    expect(request.size).toBeUndefined()
    expect(requests).toEqual([])
  })

  test('of the same number everywhere has a range of it alone', async () => {
    expect((await shown([1, 1])).domains.domain).toEqual([0, 0])
  })

  test.each<readonly [View, readonly unknown[]]>([
    [{}, [0, 0, 'y', 'x']],
    [{ slice: [1, 'x', 'y', 2] }, [1, 'x', 'y', 2]],
    [{ slice: [9, 'x', 'y', 2] }, [0, 0, 'y', 'x']],
    [{ isFollowed: true }, [1, 0, 'y', 'x']],
  ])('with %j has the slice %j', async (view, uses) => {
    expect(imageOf(newPlot({ shape: [2, 3, 4, 5] }), view).uses).toEqual(uses)
  })

  test.each<readonly [readonly number[], View, object]>([
    [[10, 20], {}, { ratio: 'equal', flip: 'none' }],
    [[3, 50_000], {}, { ratio: 'auto', flip: 'none' }],
    [[10, 20], { last: 5 }, { ratio: 'auto', flip: 'none' }],
    [[3, 50_000], { ratio: 'equal', flip: 'xy' }, { ratio: 'equal', flip: 'xy' }],
  ])('of %j with %j is drawn as %j', async (shape, view, expected) => {
    const { ratio, flip } = (await shown(shape, view)).settings
    expect({ ratio: ratio.value, flip: flip.value }).toEqual(expected)
  })

  test('of complex numbers is reduced by the service, and so are the extremes of its colours', () => {
    const subject = imageOf(newPlot({ shape: [5000, 5000], type: COMPLEX }), {
      part: 'real',
      reduction: 'max',
    })
    expect(subject).toMatchObject({ isReducible: true, reduction: 'max' })
    expect(
      imageRequest(subject, { geometry: undefined, zoom: undefined, sight: undefined }).dataset,
    ).toMatchObject({
      numbers: { part: 'real' },
    })
    const overview = { x: { block: 8 }, y: { block: 8 }, depth: 1, data: Float64Array.of(1) } as Picture
    const { isNeeded } = neededStatistics(rangeSubject(subject, {}, { picture: overview, overview } as Image))
    expect(isNeeded).toBe(true)
  })

  test('has its tools in their order; those of complex numbers have no reduction but parts', async () => {
    const keys = ['range', 'span', 'colours', 'colourScale']
    const own = ['ratio', 'flipX', 'flipY', 'grid']
    const named = (tools: Awaited<ReturnType<typeof shown>>['tools']) =>
      tools.filter(({ kind }) => kind !== 'more').map(({ key }) => key)
    expect(named((await shown([4, 4])).tools)).toEqual([...keys, 'reduction', ...own])
    const subject = imageOf(newPlot({ shape: [4, 4], type: COMPLEX }), { part: 'phase-amplitude' })
    expect(subject).toMatchObject({ hasBrightness: true, reduction: 'first', label: 'Phase of data (rad)' })
    const settings = imageSettings(subject, {}, undefined)
    const tools = imageTools(
      subject,
      settings,
      {},
      { histogram: undefined },
      domainsOf(undefined, 'linear', undefined),
    )
    expect(named(tools)).toEqual(['part', ...keys, ...own])
  })

  test('has the name and the units that people gave', async () => {
    const attributes = { long_name: '2 metre temperature', units: 'K' }
    const { plot, label } = imageOf(newPlot({ shape: [2, 2], attributes }), {})
    expect(plot.title).toBe('2 metre temperature')
    expect(label).toBe('2 metre temperature (K)')
  })

  test('asks once for the statistics of a slice, whatever the size of the canvas', async () => {
    const needs = async (size: number, view: View = {}) => {
      const { subject, image } = await shown([1000, 1000], view, size)
      return neededStatistics(rangeSubject(subject, view, image))
    }
    const [small, large] = [await needs(100), await needs(200)]
    expect([small.isNeeded, large.isNeeded]).toEqual([true, true])
    expect(small.slice).toBe(large.slice)
    expect((await needs(100, { span: 'seen' })).isNeeded).toBe(false)
    // Those of another slice are asked for anew.
    const slice = async (first: number) => {
      const { subject, image } = await shown([3, 1000, 1000], { slice: [first, 'y', 'x'] })
      return neededStatistics(rangeSubject(subject, {}, image)).slice
    }
    expect(await slice(0)).not.toBe(await slice(1))
    // Each point is an element.
    expect((await needs(1000)).isNeeded).toBe(false)
  })

  test('asks for the statistics of a slice no longer than that is shown', async () => {
    const asked: { readonly select: string | null; readonly signal: AbortSignal | null | undefined }[] = []
    const client = new Hyperslab('http://test', {
      fetch: (input, init) => {
        const { searchParams } = new URL(String(input))
        expect(searchParams.get('statistics')).toBe('1')
        asked.push({ select: searchParams.get('select'), signal: init?.signal })
        return new Promise((_, fail) => init?.signal?.addEventListener('abort', fail))
      },
    })
    const loader = new Loader<unknown>()
    const begin = async (first: number) => {
      const { subject, image } = await shown([3, 1000, 1000], { slice: [first, 'y', 'x'] })
      const { slice, read } = neededStatistics(rangeSubject(subject, {}, image))
      const fail = () => expect.unreachable('an aborted request is no failure')
      return loader.load(slice, abort => read(client.domain('/a'), abort) ?? Promise.resolve(), { fail })
    }
    const giveUp = await begin(0)
    await expect.poll(() => asked).toHaveLength(1)
    giveUp()
    await begin(1)
    await expect.poll(() => asked).toHaveLength(2)
    expect(asked.map(({ select, signal }) => [select, signal?.aborted])).toEqual([
      ['[0,:,:]', true],
      ['[1,:,:]', false],
    ])
  })
})
