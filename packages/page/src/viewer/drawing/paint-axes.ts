// Paints what is around the layers: lines of the grid, ticks with their numbers, the names of the axes, and the title.

import type { PixelAxis } from './frame.ts'
import type { Domain } from './scales.ts'
import { LABEL_DISTANCE, type Look, type Place, type Scene, type SceneAxis } from './scene.ts'
import type { Surface } from './surface.ts'
import { textsWithRoom, tickCount, ticksOf } from './ticks.ts'

const TICK_LENGTH = 8
const TICK_FONT = '10.5px'
const LABEL_FONT = '500 14px'
const TITLE_FONT = '600 14px'
/** The height of a line of numbers. */
const LINE_HEIGHT = 12
const GRID_OPACITY = 0.33
/** Room for numbers on the left of the layers, and on the right of them. */
const ORDINATE_ROOM = 66
const MARGIN = 22

export interface PaintedAxis {
  readonly axis: SceneAxis
  readonly pixels: PixelAxis
  /** What is in sight. */
  readonly seen: Domain
  readonly format: (value: number) => string
}

interface PlacedTick {
  readonly pixel: number
  readonly text: string
}

/** The ticks in sight. Beyond the ends of most axes, and where a number has no text, there is nothing to count. */
function placedTicks({ axis, pixels, seen, format }: PaintedAxis, length: number): readonly PlacedTick[] {
  if (axis.isEmpty) return []
  const [least, most] = [Math.min(...axis.domain), Math.max(...axis.domain)]
  const room = (most - least) * 1e-9
  return ticksOf(seen, axis.scale ?? 'linear', tickCount(length), axis.isIndex)
    .filter(value => axis.goesOn || (value >= least - room && value <= most + room))
    .map(value => ({ pixel: pixels.toPixel(value), text: format(value) }))
    .filter(({ text }) => text !== '')
}

export interface Axes {
  readonly x: PaintedAxis
  readonly y: PaintedAxis
}

/** Lines over the layers, whose place begins at 0. */
export function paintGrid(surface: Surface, axes: Axes, { width, height }: Place, look: Look): void {
  surface.save()
  surface.strokeStyle = look.muted
  surface.globalAlpha = GRID_OPACITY
  surface.lineWidth = 1
  surface.beginPath()
  if (axes.x.axis.hasGrid)
    for (const { pixel } of placedTicks(axes.x, width)) line(surface, sharp(pixel), 0, sharp(pixel), height)
  if (axes.y.axis.hasGrid)
    for (const { pixel } of placedTicks(axes.y, height)) line(surface, 0, sharp(pixel), width, sharp(pixel))
  surface.stroke()
  surface.restore()
}

/** Lines of one pixel are sharp in its middle. */
function sharp(pixel: number): number {
  return Math.floor(pixel) + 0.5
}

function line(surface: Surface, x0: number, y0: number, x1: number, y1: number): void {
  surface.moveTo(x0, y0)
  surface.lineTo(x1, y1)
}

export function paintAround(surface: Surface, scene: Scene, axes: Axes, place: Place, look: Look): void {
  const { left, top, width, height } = place
  surface.save()
  surface.strokeStyle = look.muted
  surface.fillStyle = look.muted
  surface.lineWidth = 1
  surface.font = `${TICK_FONT} ${look.family}`
  paintAbscissa(surface, axes.x, place)
  paintOrdinate(surface, axes.y, place)
  surface.fillStyle = look.text
  surface.textAlign = 'center'
  surface.textBaseline = 'middle'
  surface.font = `${TITLE_FONT} ${look.family}`
  surface.fillText(shortened(surface, scene.title, width + left), left + width / 2, top / 2)
  surface.font = `${LABEL_FONT} ${look.family}`
  const { label: xLabel = '' } = scene.x
  surface.fillText(
    shortened(surface, xLabel, width + left),
    left + width / 2,
    top + height + LABEL_DISTANCE.x,
  )
  const { label: yLabel = '' } = scene.y
  surface.translate(left - LABEL_DISTANCE.y, top + height / 2)
  surface.rotate(-Math.PI / 2)
  surface.fillText(shortened(surface, yLabel, height + top), 0, 0)
  surface.restore()
}

function paintAbscissa(surface: Surface, axis: PaintedAxis, { left, top, width, height }: Place): void {
  const bottom = top + height
  surface.textAlign = 'center'
  surface.textBaseline = 'top'
  // The grid has a line where the axis would have its own.
  if (!axis.axis.hasGrid) paintAxisLine(surface, [left, sharp(bottom), left + width, sharp(bottom)])
  surface.beginPath()
  const ticks = placedTicks(axis, width)
  const texts = ticks.map(({ pixel, text }) => ({
    place: pixel,
    length: surface.measureText(text).width,
  }))
  const shown = textsWithRoom(texts)
  for (const [i, { pixel, text }] of ticks.entries()) {
    line(surface, sharp(left + pixel), bottom, sharp(left + pixel), bottom + TICK_LENGTH)
    // A text at the end of the axis stays on the surface.
    const right = left + width + MARGIN - (texts[i]?.length ?? 0) / 2
    if (shown.has(i)) surface.fillText(text, Math.min(left + pixel, right), bottom + TICK_LENGTH + 5)
  }
  surface.stroke()
}

function paintOrdinate(surface: Surface, axis: PaintedAxis, { left, top, height }: Place): void {
  surface.textAlign = 'right'
  surface.textBaseline = 'middle'
  if (!axis.axis.hasGrid) paintAxisLine(surface, [sharp(left), top, sharp(left), top + height])
  surface.beginPath()
  const ticks = placedTicks(axis, height).map(({ pixel, text }) => ({
    pixel,
    lines: linesOf(surface, text),
  }))
  const shown = textsWithRoom(
    ticks.map(({ pixel, lines }) => ({ place: pixel, length: LINE_HEIGHT * lines.length })),
  )
  for (const [i, { pixel, lines }] of ticks.entries()) {
    line(surface, left, sharp(top + pixel), left - TICK_LENGTH, sharp(top + pixel))
    if (!shown.has(i)) continue
    for (const [row, text] of lines.entries()) {
      const down = LINE_HEIGHT * (row - (lines.length - 1) / 2)
      surface.fillText(text, left - TICK_LENGTH - 4, top + pixel + down)
    }
  }
  surface.stroke()
}

/** The text in one line, or in one for each word: a date above its time. */
function linesOf(surface: Surface, text: string): readonly string[] {
  const parts = surface.measureText(text).width <= ORDINATE_ROOM ? [text] : text.split(' ')
  return parts.map(part => shortened(surface, part, ORDINATE_ROOM))
}

function paintAxisLine(surface: Surface, ends: readonly [number, number, number, number]): void {
  surface.globalAlpha = GRID_OPACITY
  surface.beginPath()
  line(surface, ...ends)
  surface.stroke()
  surface.globalAlpha = 1
}

/** The text, or as much of it as there is room for. */
function shortened(surface: Surface, text: string, room: number): string {
  if (surface.measureText(text).width <= room) return text
  let length = text.length
  while (length > 1 && surface.measureText(`${text.slice(0, length)}…`).width > room) length--
  return `${text.slice(0, length)}…`
}
