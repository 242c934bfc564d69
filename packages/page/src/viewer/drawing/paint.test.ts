import { describe, expect, test } from 'vitest'
import { frameOf, pixelAxes, WHOLE } from './frame.ts'
import { paintScene } from './paint.ts'
import { tracePath } from './paint-curve.ts'
import { stripBetween } from './paint-picture.ts'
import { pixelsOfPoints } from './paint-points.ts'
import type { Layer, Scene } from './scene.ts'
import type { Pixels } from './surface.ts'
import { newSurface } from './test-surface.ts'

const LOOK = { text: 'black', muted: 'grey', family: 'sans-serif', ratio: 1 }
/** 400 x 200 pixels between the margins. */
const SIZE = { width: 504, height: 250 }

const sceneOf = (layers: readonly Layer[], more: Partial<Scene> = {}): Scene => ({
  title: '',
  x: { domain: [0, 4], hasGrid: false },
  y: { domain: [0, 2], hasGrid: false },
  layers,
  ...more,
})

function painted(scene: Scene, camera = WHOLE) {
  const surface = newSurface()
  const image = {} as CanvasImageSource
  const options = { size: SIZE, camera, isSquare: false, look: LOOK, imageOf: () => image }
  paintScene(surface.surface, scene, options)
  return surface
}

describe('a picture', () => {
  const picture = {
    kind: 'picture',
    columns: 4,
    rows: 2,
    x: [0, 4],
    y: [0, 2],
    colours: new Uint8ClampedArray(32),
  } as const

  test('has its first row at the bottom, and a rectangle for each element', () => {
    const { of } = painted(sceneOf([picture]))
    expect(of('scale')).toEqual(['scale 1 -1'])
    expect(of('drawImage')).toEqual(['drawImage [object Object] 0 0 4 2 -200 -100 400 200'])
  })

  test('has its first row at the top of an axis that goes the other way', () => {
    const y = { domain: [0, 2], hasGrid: false, isFlipped: true } as Scene['y']
    expect(painted(sceneOf([picture], { y })).of('scale')).toEqual(['scale 1 1'])
  })

  test('is painted as far as it is in sight', () => {
    const camera = { position: { x: 150, y: 50 }, scale: { x: 0.25, y: 0.5 } }
    const { of } = painted(sceneOf([picture]), camera)
    expect(of('drawImage')).toEqual(['drawImage [object Object] 3 1 1 1 -200 -100 400 200'])
  })

  test('of more points than pixels shows the greatest of those that share one', () => {
    const [columns, rows] = [600, 200]
    const numbers = Float64Array.from({ length: columns * rows }, () => Math.random())
    const places = [0, 7, 301, 600 * 100 + 44, 600 * 199 + 599]
    for (const place of places) numbers[place] = 2
    numbers[8] = Number.NaN
    const colours = new Uint8ClampedArray(Uint32Array.from(numbers, number => (number === 2 ? 9 : 1)).buffer)
    const seen: Pixels[] = []
    const options = { size: SIZE, camera: WHOLE, isSquare: false, look: LOOK }
    const { surface, of } = newSurface()
    const layer = { ...picture, columns, rows, colours, numbers }
    const imageOf = (pixels: Pixels) => {
      seen.push(pixels)
      return {} as CanvasImageSource
    }
    for (const _ of [1, 2]) paintScene(surface, sceneOf([layer]), { ...options, imageOf })
    expect(of('drawImage')[0]).toBe('drawImage [object Object] 0 0 400 200 -200 -100 400 200')
    const shown = new Uint32Array(seen[0]?.colours.buffer ?? new ArrayBuffer(0))
    const bright = places.map(place => 400 * Math.floor(place / 600) + Math.floor(((place % 600) * 2) / 3))
    expect([...shown.keys()].filter(place => shown[place] === 9)).toEqual(bright)
    expect([...shown].every(colour => colour !== 0)).toBe(true)
    // Painting again makes nothing anew.
    expect(seen[1]).toBe(seen[0])
    const fine = { ...options, look: { ...LOOK, ratio: 2 }, imageOf }
    paintScene(surface, sceneOf([layer]), fine)
    expect(seen[2]).toBe(layer)
  })

  test.each([
    [[0, 400], [0, 400], 4, { first: 0, count: 4, from: 0, to: 400 }],
    [[400, 0], [0, 400], 4, { first: 0, count: 4, from: 400, to: 0 }],
    [[-1e9, 1e9], [0, 100], 20, { first: 10, count: 1, from: 0, to: 1e8 }],
    [[-300, -100], [0, 400], 4, undefined],
  ] as const)(
    'between the pixels %j, seen between %j, of %d points has %j',
    ([from, to], seen, count, strip) => {
      expect(stripBetween(from, to, count, seen)).toEqual(strip)
    },
  )
})

describe('a curve', () => {
  const pathOf = (x: readonly number[], y: readonly number[]) => {
    const { surface, calls } = newSurface()
    tracePath(surface, { x: Float64Array.from(x), y: Float64Array.from(y) }, { width: 400, height: 200 })
    return calls
  }

  test('is one path, with a gap where a number has no place', () => {
    expect(pathOf([0, 1, 2, 3, 4, 5], [0, 1, 2, Number.NaN, 4, 5])).toEqual([
      'moveTo 0 0',
      'lineTo 1 1',
      'lineTo 2 2',
      'moveTo 4 4',
      'lineTo 5 5',
    ])
  })

  test('is cut far outside of the place', () => {
    expect(pathOf([-1e9, 1e9], [100, 100])).toEqual(['moveTo -1000 100', 'lineTo 1400 100'])
    expect(pathOf([-5000, -4000, -3000], [0, 0, 0])).toEqual([])
  })

  test('has bars of errors with caps, and points', () => {
    const y = Float64Array.of(1, Number.NaN)
    const errors = Float64Array.of(0.5, 1)
    const curve = { kind: 'curve', x: Float64Array.of(2, 3), y, errors, colour: 'red' } as const
    const { of } = painted(sceneOf([{ ...curve, hasLine: false, hasPoints: true }]))
    expect(of('arc')).toEqual(['arc 200 100 3.5 0 6.28'])
    const bars = of('moveTo').concat(of('lineTo'))
    for (const part of ['moveTo 200 150', 'lineTo 200 50', 'moveTo 195.5 150', 'lineTo 204.5 50'])
      expect(bars).toContain(part)
  })

  test('has a bar to the number itself where the scale has no place for the end of its error', () => {
    const y = { domain: [1, 100], scale: 'log', hasGrid: false } as Scene['y']
    const errors = Float64Array.of(20)
    const curve = {
      kind: 'curve',
      x: Float64Array.of(2),
      y: Float64Array.of(10),
      errors,
      colour: 'red',
    } as const
    const { of } = painted(sceneOf([{ ...curve, hasLine: false, hasPoints: false }], { y }))
    expect(of('moveTo')).toContain('moveTo 200 100')
  })
})

test('points are discs of their colours, later ones above, and none without a colour or a place', () => {
  const frame = frameOf({ width: 8, height: 4 }, { domain: [0, 8] }, { domain: [0, 4] }, false)
  const layer = {
    kind: 'points',
    x: Float64Array.of(2, 2, 6, Number.NaN, 6),
    y: Float64Array.of(2, 2, 2, 1, 2),
    colours: Uint32Array.of(1, 2, 3, 4, 0),
    size: 2,
  } as const
  const bytes = pixelsOfPoints(layer, pixelAxes(frame, WHOLE), { columns: 8, rows: 4, ratio: 1 })
  const pixels = new Uint32Array(bytes.buffer)
  expect([...pixels.subarray(8, 16)]).toEqual([0, 2, 2, 0, 0, 3, 3, 0])
  expect([...pixels.subarray(0, 8)]).toEqual(Array(8).fill(0))
})

describe('what is around the layers', () => {
  test('has numbers, names, and the title', () => {
    const scene = sceneOf([], { title: 'Counts', x: { domain: [0, 4], label: 'time', hasGrid: false } })
    const texts = painted(scene).of('fillText')
    for (const text of ['Counts', 'time', '0', '2', '4'])
      expect(texts.some(call => call.startsWith(`fillText ${text} `))).toBe(true)
  })

  test('has a date above its time where both have no room beside each other', () => {
    const format = (value: number) => (value === 1 ? '2000-01-02 12:00' : '')
    const { of } = painted(sceneOf([], { y: { domain: [0, 2], hasGrid: false, format } }))
    const texts = of('fillText').filter(call => call.includes(':') || call.includes('-'))
    expect(texts).toEqual(['fillText 2000-01-02 68 110', 'fillText 12:00 68 122'])
  })

  test('has no ticks where nothing is known, and none beside the drawing', () => {
    const empty = { domain: [0, 1], hasGrid: true, isEmpty: true } as const
    const axis = { ...empty, domain: [0, 1] as [number, number] }
    expect(
      painted(sceneOf([], { x: axis, y: axis }))
        .of('fillText')
        .join(' '),
    ).not.toMatch(/\d\.\d|fillText \d/)
    const textsOf = (goesOn: boolean) => {
      const surface = newSurface()
      const scene = sceneOf([], { x: { domain: [0, 1], hasGrid: false, goesOn } })
      paintScene(surface.surface, scene, {
        size: SIZE,
        camera: WHOLE,
        isSquare: true,
        look: LOOK,
        imageOf: () => ({}) as CanvasImageSource,
      })
      return surface.of('fillText').join(' ')
    }
    expect(textsOf(false)).not.toContain('fillText -')
    // A map goes on.
    expect(textsOf(true)).toContain('fillText -')
  })

  test('has a grid above a picture, and below all else', () => {
    const grid = { x: { domain: [0, 4], hasGrid: true }, y: { domain: [0, 2], hasGrid: true } } as Pick<
      Scene,
      'x' | 'y'
    >
    const curve = { kind: 'curve', x: Float64Array.of(1.23, 3), y: Float64Array.of(1, 1) } as const
    const { calls } = painted(sceneOf([{ ...curve, colour: 'red', hasLine: true, hasPoints: false }], grid))
    const [ofGrid, ofCurve] = ['moveTo 100.5 0', 'moveTo 123 100'].map(call => calls.indexOf(call))
    expect(ofGrid).toBeGreaterThan(0)
    expect(ofGrid).toBeLessThan(ofCurve ?? 0)
  })
})
