import { describe, expect, test } from 'vitest'
import { CameraZoom, type CanvasPlace, cameraPlace, placeText, seenZoom } from './camera.ts'

/** A canvas of 400 x 200 pixels for the axes 0 to 100. */
const canvas: CanvasPlace = {
  abscissaScale: x => (x - 50) * 4,
  ordinateScale: y => (y - 50) * 2,
  width: 400,
  height: 200,
  visSize: { width: 400, height: 200 },
  visRatio: undefined,
}
const ALL = { position: { x: 0, y: 0 }, scale: { x: 1, y: 1 } }

describe('the camera', () => {
  test('sees all without a zoom, and a part with one', () => {
    expect(cameraPlace(undefined, canvas)).toEqual(ALL)
    expect(cameraPlace({ x: [0, 50] }, canvas)).toEqual({
      position: { x: -100, y: 0 },
      scale: { x: 0.5, y: 1 },
    })
    // An axis that goes the other way.
    expect(cameraPlace({ x: [100, 50], y: [75, 100] }, canvas)).toEqual({
      position: { x: 100, y: 75 },
      scale: { x: 0.5, y: 0.25 },
    })
  })

  test('goes no further than the drawing', () => {
    expect(cameraPlace({ x: [90, 200] }, canvas)).toEqual(ALL)
    expect(cameraPlace({ x: [90, 110] }, canvas).position.x).toBe(160)
  })

  test('keeps squares where points are squares', () => {
    const place = cameraPlace({ x: [0, 10], y: [0, 50] }, { ...canvas, visRatio: 1 })
    expect(place.scale).toEqual({ x: 0.5, y: 0.5 })
    expect(place.position).toEqual({ x: -100, y: -50 })
  })

  test('sees all where the axis has no place for the zoom', () => {
    const logarithmic = { ...canvas, abscissaScale: Math.log10 }
    expect(cameraPlace({ x: [0, 10] }, logarithmic)).toEqual(ALL)
  })
})

describe('the zoom of the address', () => {
  test('is what the camera sees, with the digits of a screen', () => {
    const seen = [[1.23456789, 2.34567891], [0, 9], true, false] as const
    expect(seenZoom(seen, true)).toEqual({ x: [1.2346, 2.3457] })
    expect(seenZoom(seen, false)).toEqual({ x: [1.2346, 2.3457], y: [0, 9] })
    expect(seenZoom([seen[0], seen[1], true, true], true)).toMatchObject({ y: [0, 9] })
    expect(seenZoom([seen[0], seen[1], false, false], false)).toBeUndefined()
  })

  const zoom = { x: [0, 50] } as const
  const given = JSON.stringify(zoom)
  const place = cameraPlace(zoom, canvas)
  const axes = [canvas.abscissaScale, canvas.width]

  test('moves the camera once, and again for other axes', () => {
    const camera = new CameraZoom()
    expect(camera.mustMove('null', axes)).toBe(false)
    // Without a zoom other axes move nothing.
    expect(camera.mustMove('null', [1, 2])).toBe(false)
    expect(camera.mustMove(given, axes)).toBe(true)
    expect(camera.isAt(given)).toBe(false)
    camera.moved(given, place)
    expect([camera.isAt(given), camera.mustMove(given, axes)]).toEqual([true, false])
    expect(camera.mustMove(given, [canvas.abscissaScale, 500])).toBe(true)
  })

  test('stays until the user moves the camera', () => {
    const camera = new CameraZoom()
    camera.moved(given, place)
    // The canvas sees a little more than the address says, since points are squares.
    expect(camera.settled(place, { x: [0, 51] })).toBeUndefined()
    const moved = { ...place, position: { x: -90, y: 0 } }
    expect(camera.settled(moved, zoom)).toBeUndefined()
    expect(camera.settled(moved, { x: [10, 60] })).toEqual({ zoom: { x: [10, 60] } })
    expect(camera.isAt(JSON.stringify({ x: [10, 60] }))).toBe(true)
    expect(camera.mustMove(JSON.stringify({ x: [10, 60] }), [])).toBe(false)
    expect(camera.settled(ALL, undefined)).toEqual({ zoom: undefined })
  })

  test('does not change with the last digits of a place', () => {
    const { position, scale } = place
    const near = { position: { ...position, x: position.x + 1e-6 }, scale: { ...scale, x: scale.x + 1e-12 } }
    expect(placeText(near)).toBe(placeText(place))
  })
})
