import { describe, expect, test } from 'vitest'
import { frameOf, pixelAxes, seenDomains, WHOLE } from './frame.ts'
import { panned, pinched, selectedBox, selectionFor, wheeled, zoomedAt, zoomedTo } from './gestures.ts'

const FREE = frameOf({ width: 400, height: 200 }, { domain: [0, 400] }, { domain: [0, 200] }, false)
const SQUARE = { ...FREE, isSquare: true }
const NO_KEYS = { ctrlKey: false, altKey: false, shiftKey: false }

describe('a drag', () => {
  test.each([
    [{}, undefined, undefined],
    [{ altKey: true }, undefined, undefined],
    [{ ctrlKey: true }, 'both', 'both'],
    [{ ctrlKey: true, altKey: true }, 'x', 'both'],
    [{ ctrlKey: true, shiftKey: true }, 'y', 'both'],
  ] as const)('with %j chooses a part of %s, of squares of %s', (keys, free, square) => {
    expect(selectionFor({ ...NO_KEYS, ...keys }, false)).toBe(free)
    expect(selectionFor({ ...NO_KEYS, ...keys }, true)).toBe(square)
  })

  test('moves what is below the pointer, as far as there is something', () => {
    const half = { position: { x: 0, y: 0 }, scale: { x: 0.5, y: 0.5 } }
    const { x } = pixelAxes(FREE, panned(FREE, half, { x: -50, y: 0 }, { x: 150, y: 90 }))
    expect(x.toPixel(150)).toBeCloseTo(150)
    expect(panned(FREE, WHOLE, { x: 0, y: 0 }, { x: 50, y: 50 }).position.x).toBe(0)
  })
})

describe('the wheel', () => {
  const pixel = { x: 100, y: 50 }
  test.each([
    [{}, { x: 0.95, y: 0.95 }, { x: 0.95, y: 0.95 }],
    [{ altKey: true }, { x: 0.95, y: 1 }, { x: 0.95, y: 0.95 }],
    [{ shiftKey: true }, { x: 1, y: 0.95 }, { x: 0.95, y: 0.95 }],
  ])('with %j leaves %j, of squares %j', (keys, free, square) => {
    const step = { ...NO_KEYS, ...keys, isCloser: true }
    expect(wheeled(FREE, WHOLE, pixel, step).scale).toEqual(free)
    expect(wheeled(SQUARE, WHOLE, pixel, step).scale).toEqual(square)
  })

  test('keeps what is below the pointer, and ends at the whole drawing', () => {
    const near = wheeled(FREE, WHOLE, pixel, { ...NO_KEYS, isCloser: true })
    expect(pixelAxes(FREE, near).x.toPixel(100)).toBeCloseTo(100)
    const far = wheeled(FREE, near, pixel, { ...NO_KEYS, isCloser: false })
    expect(wheeled(FREE, far, pixel, { ...NO_KEYS, isCloser: false })).toEqual(WHOLE)
  })

  test('never comes so near that points are one', () => {
    const { scale } = zoomedAt(FREE, WHOLE, pixel, { x: 1e-300, y: 1 })
    expect(scale).toEqual({ x: 1e-12, y: 1 })
  })
})

test('two fingers zoom and move', () => {
  const from = [
    { x: 150, y: 100 },
    { x: 250, y: 100 },
  ] as const
  const to = [
    { x: 110, y: 120 },
    { x: 310, y: 120 },
  ] as const
  const camera = pinched(FREE, WHOLE, from, to)
  expect(camera.scale).toEqual({ x: 0.5, y: 0.5 })
})

describe('a part', () => {
  test('is seen, and all of an axis that is not chosen', () => {
    const { seen, isLarge } = selectedBox(FREE, 'both', { x: 100, y: 50 }, { x: 200, y: 100 })
    expect(isLarge).toBe(true)
    expect(seenDomains(FREE, zoomedTo(FREE, WHOLE, seen))).toEqual({ x: [100, 200], y: [100, 150] })
    const ofX = selectedBox(FREE, 'x', { x: 100, y: 50 }, { x: 300, y: 51 })
    expect(seenDomains(FREE, zoomedTo(FREE, WHOLE, ofX.seen))).toEqual({ x: [100, 300], y: [0, 200] })
  })

  test('ends at the drawing, and is no part if it is a click', () => {
    expect(selectedBox(FREE, 'y', { x: 5, y: 150 }, { x: 5, y: 900 }).drawn).toEqual({
      left: 0,
      right: 400,
      top: 150,
      bottom: 200,
    })
    expect(selectedBox(FREE, 'both', { x: 5, y: 5 }, { x: 10, y: 10 }).isLarge).toBe(false)
    expect(selectedBox(FREE, 'x', { x: 5, y: 5 }, { x: 10, y: 10 }).isLarge).toBe(false)
  })

  test('has the shape of the drawing where points are squares', () => {
    const { drawn, seen } = selectedBox(SQUARE, 'both', { x: 0, y: 0 }, { x: 50, y: 100 })
    expect(drawn).toMatchObject({ right: 50, bottom: 100 })
    expect(seen).toEqual({ left: 0, right: 200, top: 0, bottom: 100 })
  })
})
