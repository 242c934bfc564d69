// Points as a canvas that other canvases draw: it is kept as long as the points are.

import type { ImageOf } from '../../drawing/surface.ts'

const known = new WeakMap<Uint8ClampedArray, HTMLCanvasElement>()

export const canvasOf: ImageOf = ({ columns, rows, colours }) => {
  const found = known.get(colours)
  if (found) return found
  const canvas = document.createElement('canvas')
  canvas.width = columns
  canvas.height = rows
  canvas.getContext('2d')?.putImageData(new ImageData(colours, columns, rows), 0, 0)
  known.set(colours, canvas)
  return canvas
}
