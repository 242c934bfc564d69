// Paints a scene as a camera sees it. The whole picture is on the surface: axes, names and title too.

import { type Camera, type Frame, frameOf, pixelAxes, type Size, seenDomains } from './frame.ts'
import { paintAround, paintGrid } from './paint-axes.ts'
import { paintCurve } from './paint-curve.ts'
import { paintPicture } from './paint-picture.ts'
import { paintColouredPoints } from './paint-points.ts'
import type { Domain } from './scales.ts'
import { type Look, placeOfLayers, type Scene, type SceneAxis } from './scene.ts'
import type { ImageOf, Surface } from './surface.ts'
import { axisFormat } from './tick-text.ts'

export interface PaintOptions {
  readonly size: Size
  readonly camera: Camera
  readonly isSquare: boolean
  readonly look: Look
  readonly imageOf: ImageOf
}

/** The surface counts in the pixels of the size. */
export function paintScene(surface: Surface, scene: Scene, options: PaintOptions): void {
  const { size, camera, isSquare, look, imageOf } = options
  const place = placeOfLayers(size, scene)
  const frame: Frame = frameOf(place, scene.x, scene.y, isSquare)
  const pixels = pixelAxes(frame, camera)
  const seen = seenDomains(frame, camera)
  const axes = {
    x: { axis: scene.x, pixels: pixels.x, seen: seen.x, format: formatOf(scene.x, seen.x) },
    y: { axis: scene.y, pixels: pixels.y, seen: seen.y, format: formatOf(scene.y, seen.y) },
  }
  surface.clearRect(0, 0, size.width, size.height)
  surface.save()
  surface.beginPath()
  surface.rect(place.left, place.top, place.width, place.height)
  surface.clip()
  surface.translate(place.left, place.top)
  // Lines of a grid would be hidden below a picture, and hide the points of others.
  const hasPicture = scene.layers.some(({ kind }) => kind === 'picture')
  if (!hasPicture) paintGrid(surface, axes, place, look)
  for (const layer of scene.layers) {
    if (layer.kind === 'picture') paintPicture(surface, layer, pixels, place, { ratio: look.ratio, imageOf })
    else if (layer.kind === 'curve') paintCurve(surface, layer, pixels, place)
    else paintColouredPoints(surface, layer, pixels, place, { ratio: look.ratio, imageOf })
  }
  if (hasPicture) paintGrid(surface, axes, place, look)
  surface.restore()
  paintAround(surface, scene, axes, place, look)
}

export function formatOf({ format, scale }: SceneAxis, seen: Domain): (value: number) => string {
  return format ?? axisFormat(seen, scale)
}
