import { describe, expect, test } from 'vitest'
import { frameOf, isOnDrawing, keptWithin, movedTo, pixelAxes, seenDomains, WHOLE } from './frame.ts'

const SIZE = { width: 400, height: 200 }
const X = { domain: [0, 100] as [number, number] }
const Y = { domain: [0, 50] as [number, number] }

describe('a frame', () => {
  test('has its first ends on the left and at the bottom', () => {
    const { x, y } = pixelAxes(frameOf(SIZE, X, Y, false), WHOLE)
    expect([0, 25, 100].map(x.toPixel)).toEqual([0, 100, 400])
    expect([0, 50].map(y.toPixel)).toEqual([200, 0])
    expect([x.toValue(100), y.toValue(0)]).toEqual([25, 50])
  })

  test('has an axis the other way', () => {
    const { y } = pixelAxes(frameOf(SIZE, X, { ...Y, isFlipped: true }, false), WHOLE)
    expect([0, 50].map(y.toPixel)).toEqual([0, 200])
  })

  test('has steps of the same length, and nothing beside the drawing', () => {
    const frame = frameOf(SIZE, X, { domain: [0, 100] }, true)
    expect(frame.whole).toEqual({ width: 200, height: 200 })
    expect(pixelAxes(frame, WHOLE).x.toPixel(0)).toBe(100)
    expect(isOnDrawing(frame, WHOLE, { x: 100, y: 0 })).toBe(true)
    expect(isOnDrawing(frame, WHOLE, { x: 99, y: 0 })).toBe(false)
  })

  test('tells twenty of 50 million points apart', () => {
    const frame = frameOf(SIZE, { domain: [0, 50_000_000] }, Y, false)
    const camera = {
      position: { x: frame.x.toWorld(30_000_000), y: 0 },
      scale: { x: 20 / 50_000_000, y: 1 },
    }
    const { x } = pixelAxes(frame, camera)
    expect(x.toPixel(30_000_001) - x.toPixel(30_000_000)).toBeCloseTo(20, 3)
  })
})

describe('the camera', () => {
  test('sees the part at its position', () => {
    const camera = { position: { x: -100, y: 50 }, scale: { x: 0.5, y: 0.5 } }
    expect(seenDomains(frameOf(SIZE, X, Y, false), camera)).toEqual({ x: [0, 50], y: [25, 50] })
  })

  test('goes no further than the drawing', () => {
    const camera = { position: { x: 1000, y: -1000 }, scale: { x: 0.5, y: 1 } }
    expect(keptWithin(frameOf(SIZE, X, Y, false), camera).position).toEqual({ x: 100, y: -0 })
  })

  test('stays at the same place of a drawing of another size, or with other axes', () => {
    const former = frameOf(SIZE, X, Y, false)
    const camera = { position: { x: -100, y: 0 }, scale: { x: 0.5, y: 0.5 } }
    const frame = frameOf({ width: 800, height: 200 }, { domain: [0, 200] }, Y, false)
    expect(movedTo(frame, former, camera)).toEqual({ position: { x: -200, y: 0 }, scale: camera.scale })
    const logarithmic = frameOf(SIZE, { domain: [1, 100], scale: 'log' }, Y, false)
    const all = { ...camera, position: { x: -300, y: 0 } }
    expect(movedTo(logarithmic, former, all).position.x).toBe(0)
  })
})
