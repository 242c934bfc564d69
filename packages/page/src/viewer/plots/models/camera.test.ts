import { describe, expect, test } from 'vitest'
import { frameOf, WHOLE } from '../../drawing/frame.ts'
import { CameraZoom, cameraPlace, placeText, seenZoom } from './camera.ts'

/** 400 x 200 pixels for the axes 0 to 100. */
const X = { domain: [0, 100] as [number, number] }
const frame = frameOf({ width: 400, height: 200 }, X, X, false)
const cameraAt = (x: number, y: number, scaleX: number, scaleY: number) => ({
  position: { x, y },
  scale: { x: scaleX, y: scaleY },
})

describe('the camera', () => {
  test('sees all without a zoom, and a part with one', () => {
    expect(cameraPlace(undefined, frame)).toEqual(WHOLE)
    expect(cameraPlace({ x: [0, 50] }, frame)).toEqual(cameraAt(-100, 0, 0.5, 1))
    // An axis that goes the other way.
    expect(cameraPlace({ x: [100, 50], y: [75, 100] }, frame)).toEqual(cameraAt(100, 75, 0.5, 0.25))
  })

  test('goes no further than the drawing', () => {
    expect(cameraPlace({ x: [90, 200] }, frame)).toEqual(WHOLE)
    expect(cameraPlace({ x: [90, 110] }, frame).position.x).toBe(160)
  })

  test('keeps squares where points are squares', () => {
    const place = cameraPlace({ x: [0, 10], y: [0, 50] }, { ...frame, isSquare: true })
    expect(place).toEqual(cameraAt(-100, -50, 0.5, 0.5))
  })

  test('sees all where the axis has no place for the zoom', () => {
    const log = { domain: [1, 100] as [number, number], scale: 'log' as const }
    expect(cameraPlace({ x: [0, 10] }, frameOf(frame, log, X, false))).toEqual(WHOLE)
  })
})

describe('the zoom of the address', () => {
  test('is what the camera sees, with the digits of a screen', () => {
    const odd = frameOf(frame, { domain: [1.23456789, 3.45678993] }, { domain: [0, 9] }, false)
    const left = cameraAt(-100, 0, 0.5, 1)
    expect(seenZoom(odd, left, true)).toEqual({ x: [1.2346, 2.3457] })
    expect(seenZoom(odd, left, false)).toEqual({ x: [1.2346, 2.3457], y: [0, 9] })
    expect(seenZoom(odd, cameraAt(-100, 0, 0.5, 0.5), true)).toMatchObject({ y: [2.25, 6.75] })
    expect(seenZoom(odd, WHOLE, false)).toBeUndefined()
  })

  const zoom = { x: [0, 50] } as const
  const place = cameraPlace(zoom, frame)
  const wide = frameOf({ width: 500, height: 200 }, X, X, false)

  test('moves the camera once, and again for other axes', () => {
    const state = new CameraZoom()
    expect(state.follow(frame, undefined)).toEqual(WHOLE)
    expect(state.follow(frame, zoom)).toEqual(place)
    expect(state.follow(wide, zoom)).toEqual(cameraPlace(zoom, wide))
    const moved = cameraAt(-90, 0, 0.5, 1)
    state.move(moved)
    expect(state.follow(wide, { ...zoom })).toEqual(moved)
    expect(state.follow(wide, undefined)).toEqual(WHOLE)
  })

  test('without one the camera stays at its place of other axes', () => {
    const state = new CameraZoom()
    state.follow(frame, undefined)
    state.move(cameraAt(-100, 0, 0.5, 1))
    expect(state.follow(wide, undefined)).toEqual(cameraAt(-125, 0, 0.5, 1))
  })

  test('does not take back a movement that it does not know yet, when numbers come and the axes change', () => {
    const state = new CameraZoom()
    state.follow(frame, zoom)
    state.move(WHOLE)
    expect(state.follow(wide, zoom)).toEqual(WHOLE)
    expect(state.settled(true)).toEqual({ zoom: undefined })
  })

  test('stays until the user moves the camera', () => {
    const state = new CameraZoom()
    const square = { ...frame, isSquare: true }
    // The canvas sees a little more than the address says, since points are squares.
    const both = { x: [0, 50], y: [0, 10] } as const
    const placed = state.follow(square, both)
    expect(state.settled(false)).toBeUndefined()
    state.move({ ...placed, position: { ...placed.position, x: -60 } })
    expect(state.settled(false)).toEqual({ zoom: { x: [10, 60], y: [0, 50] } })
    // The address has not followed yet.
    expect(state.follow(square, both).position.x).toBe(-60)
    expect(state.follow(square, { x: [10, 60], y: [0, 50] }).position.x).toBe(-60)
    expect(state.settled(false)).toBeUndefined()
    state.move(WHOLE)
    expect(state.settled(false)).toEqual({ zoom: undefined })
  })

  test('does not change with the last digits of a place', () => {
    const { position, scale } = place
    const near = { position: { ...position, x: position.x + 1e-6 }, scale: { ...scale, x: scale.x + 1e-12 } }
    expect(placeText(near)).toBe(placeText(place))
  })
})
