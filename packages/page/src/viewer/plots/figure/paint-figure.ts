// Paints a figure, light on white as paper is: the drawing with its title and axes, and the bar of its colours beside
// it.

import type { Size } from '../../drawing/frame.ts'
import { paintScene } from '../../drawing/paint.ts'
import { type Look, type Place, placeOfLayers } from '../../drawing/scene.ts'
import type { ImageOf, Surface } from '../../drawing/surface.ts'
import { type ColourBarProps, partsOfBar } from './colour-bar.ts'
import type { Figure, FigureDrawing } from './figure.ts'

/** Pixels of the bar with its numbers and its name. */
const BAR = { width: 96, left: 8, colours: 20, name: 84 }
/** Steps of colours: more than an eye tells apart. */
const STEPS = 128

/** In pixels of the screen; undefined: there is no drawing. */
export function sizeOfFigure(figure: Figure): Size | undefined {
  const sizes = drawingsOf(figure).map(({ size }) => size)
  if (sizes.length === 0) return undefined
  return {
    width: sizes.reduce((sum, { width }) => sum + Math.round(width), figure.bar ? BAR.width : 0),
    height: Math.round(Math.max(...sizes.map(({ height }) => height))),
  }
}

/** The drawings that are there, with the sizes that they have in the figure. */
function drawingsOf({ drawing, second }: Figure) {
  return [drawing, second].flatMap(one => {
    const size = one && sizeWithTitle(one)
    return one && size ? [{ ...one, size }] : []
  })
}

/** The layers are as large as on the screen, where they have no title above them. */
function sizeWithTitle({ scene, size }: FigureDrawing): Size | undefined {
  if (size === undefined) return undefined
  const topWith = (title: string) => placeOfLayers(size, { ...scene, title }).top
  return { ...size, height: size.height + topWith(scene.title) - topWith('') }
}

export function paintFigure(
  surface: Surface,
  figure: Figure,
  { family, ratio, imageOf }: Pick<Look, 'family' | 'ratio'> & { readonly imageOf: ImageOf },
): void {
  const drawings = drawingsOf(figure)
  const [first] = drawings
  if (first === undefined) return
  const look: Look = { text: '#16202a', muted: '#55626e', family, ratio }
  surface.save()
  for (const { scene, size, camera, isSquare } of drawings) {
    paintScene(surface, scene, { size, camera, isSquare, look, imageOf })
    surface.translate(Math.round(size.width), 0)
  }
  const { bar } = figure
  if (bar && !bar.isEmpty) paintBar(surface, bar, placeOfLayers(first.size, first.scene), look)
  surface.restore()
}

function paintBar(surface: Surface, bar: ColourBarProps, { top, height }: Place, look: Look): void {
  const { least, most, ticks, colourAt, isOne } = partsOfBar(bar)
  const { left, colours } = BAR
  // Each lies on the one above it: there are no seams between them.
  for (let i = STEPS - 1; i >= 0; i--) {
    const place = (i + 0.5) / STEPS
    surface.fillStyle = colourAt(isOne ? Math.round(place) : place)
    const length = (height * (i + 1)) / STEPS
    surface.fillRect(left, top + height - length, colours, length)
  }
  surface.lineWidth = 1
  surface.strokeStyle = look.muted
  surface.beginPath()
  surface.rect(left + 0.5, top + 0.5, colours - 1, height - 1)
  surface.font = `10.5px ${look.family}`
  surface.textAlign = 'left'
  surface.textBaseline = 'middle'
  surface.fillStyle = look.text
  surface.fillText(most, left, top - 8)
  surface.fillText(least, left, top + height + 10)
  surface.fillStyle = look.muted
  for (const { text, place } of ticks) {
    const y = top + height * (1 - place)
    surface.moveTo(left + colours, Math.floor(y) + 0.5)
    surface.lineTo(left + colours + 4, Math.floor(y) + 0.5)
    surface.fillText(text, left + colours + 7, y)
  }
  surface.stroke()
  surface.fillStyle = look.text
  surface.textAlign = 'center'
  surface.font = `500 13px ${look.family}`
  surface.translate(BAR.name, top + height / 2)
  surface.rotate(-Math.PI / 2)
  surface.fillText(bar.label, 0, 0)
}
