// A figure as a canvas, as a PNG that says how large it is on paper, and as SVG.

import { SvgSurface } from '../../drawing/svg-surface.ts'
import { canvasOf } from './canvas-image.ts'
import type { Figure } from './figure.ts'
import { paintFigure, sizeOfFigure } from './paint-figure.ts'
import { withResolution } from './png.ts'

/** Pixels of CSS in an inch. */
const INCH = 96

/** Undefined: there is no drawing. */
export function canvasOfFigure(figure: Figure, ratio: number): HTMLCanvasElement | undefined {
  const size = sizeOfFigure(figure)
  const canvas = document.createElement('canvas')
  const surface = canvas.getContext('2d')
  if (size === undefined || surface === null) return undefined
  canvas.width = Math.round(size.width * ratio)
  canvas.height = Math.round(size.height * ratio)
  surface.scale(ratio, ratio)
  paintFigure(surface, figure, { family: fonts(), ratio, imageOf: canvasOf })
  // Below what is painted.
  surface.globalCompositeOperation = 'destination-over'
  surface.fillStyle = '#fff'
  surface.fillRect(0, 0, size.width, size.height)
  return canvas
}

function fonts(): string {
  return getComputedStyle(document.body).fontFamily
}

export async function pngOfFigure(figure: Figure, ratio: number): Promise<Blob> {
  const canvas = canvasOfFigure(figure, ratio)
  const blob = await new Promise<Blob | null | undefined>(resolve =>
    canvas ? canvas.toBlob(resolve, 'image/png') : resolve(undefined),
  )
  if (!blob) throw new Error('The browser cannot make a picture of this size.')
  const bytes = withResolution(new Uint8Array(await blob.arrayBuffer()), ratio * INCH)
  return new Blob([bytes], { type: 'image/png' })
}

/** Lines and letters as such: they are sharp at any size. */
export function svgOfFigure(figure: Figure): Blob {
  const size = sizeOfFigure(figure)
  const context = document.createElement('canvas').getContext('2d')
  if (size === undefined || context === null) throw new Error('There is no drawing.')
  const svg = new SvgSurface({
    measureText: (font, text) => {
      context.font = font
      return context.measureText(text).width
    },
    addressOf: partOfImage,
  })
  paintFigure(svg.surface, figure, { family: fonts(), ratio: 300 / INCH, imageOf: canvasOf })
  return new Blob([svg.textOf(size)], { type: 'image/svg+xml' })
}

function partOfImage(image: CanvasImageSource, x: number, y: number, width: number, height: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, width, height)
  return canvas.toDataURL()
}
