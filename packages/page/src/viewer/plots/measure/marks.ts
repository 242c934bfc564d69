// Marks on a drawing, that say what is measured: a line between two points (profile), a box, or a part of the axis of a
// line (interval). The address has them, as the axes count; at most one at a time.

import type { PlotAxis } from '../../data/axis.ts'
import type { Zoom } from '../../data/sight.ts'
import type { Point } from '../../drawing/frame.ts'
import type { Domain } from '../../drawing/scales.ts'
import type { CurveLayer } from '../../drawing/scene.ts'
import { type Ends, NO_MARK, type Span, type View } from '../../view-address.ts'
import type { ComplexPart } from '../models/numbers.ts'

export type Mark =
  | { readonly kind: 'profile' | 'box'; readonly ends: Ends }
  | { readonly kind: 'interval'; readonly ends: Span }

export type MarkKind = Mark['kind']

/** The mark of the address, if the drawing has marks of its kind. */
export function markOf({ profile, box, interval }: View, kinds: readonly MarkKind[]): Mark | undefined {
  const marks: readonly (Mark | undefined)[] = [
    profile && { kind: 'profile', ends: profile },
    box && { kind: 'box', ends: box },
    interval && { kind: 'interval', ends: interval },
  ]
  return marks.find(mark => mark && kinds.includes(mark.kind))
}

export function markChange(mark: Mark | undefined): Partial<View> {
  return { ...NO_MARK, ...(mark && { [mark.kind]: mark.ends.map(shortened) }) }
}

/** With as many digits as anybody reads: an address of sixteen would say no more. */
function shortened(end: number): number {
  return Number(end.toPrecision(10))
}

/** The part of both axes that a drawing shows, or all. */
export interface Seen {
  readonly x: Span
  readonly y: Span
}

export function seenOf(zoom: Zoom | undefined, x: Domain, y: Domain): Seen {
  return { x: zoom?.x ?? x, y: zoom?.y ?? y }
}

/** The mark before the user draws one, in the middle of what is in sight: keys can do all that a pointer can. */
export function usualMark(kind: MarkKind, { x, y }: Seen): Mark {
  const at = ([from, to]: Span, part: number) => from + part * (to - from)
  const middle = at(y, 0.5)
  if (kind === 'profile') return { kind, ends: [x[0], middle, x[1], middle] }
  if (kind === 'interval') return { kind, ends: [at(x, 0.25), at(x, 0.75)] }
  return { kind, ends: [at(x, 0.25), at(y, 0.25), at(x, 0.75), at(y, 0.75)] }
}

/** The mark that is drawn from one point to another one, with the digits that are seen. It ends where the axes do. */
export function drawnMark(kind: MarkKind, from: Point, to: Point, all: Seen, seen = all): Mark {
  const within = (value: number, [one, other]: Span) =>
    Math.min(Math.max(value, Math.min(one, other)), Math.max(one, other))
  const x = (value: number) => within(asSeen(value, seen.x), all.x)
  const y = (value: number) => within(asSeen(value, seen.y), all.y)
  if (kind === 'interval') return { kind, ends: [x(from.x), x(to.x)] }
  return { kind, ends: [x(from.x), y(from.y), x(to.x), y(to.y)] }
}

/** As fine as one in ten thousand of the axis in sight: finer than a pixel. */
function asSeen(value: number, [from, to]: Span): number {
  const step = 10 ** Math.floor(Math.log10(Math.abs(to - from)) - 4)
  return step > 0 ? shortened(Math.round(value / step) * step) : value
}

/** A button of the bar: it begins to measure, or ends it. */
export interface MarkButton {
  readonly isOn: boolean
  /** Undefined: the axes are not known yet. */
  readonly toggled: Partial<View> | undefined
}

export function markButtons(
  kinds: readonly MarkKind[],
  view: View,
  seen: Seen | undefined,
): Partial<Record<MarkKind, MarkButton>> {
  const mark = markOf(view, kinds)
  const button = (kind: MarkKind): MarkButton => {
    const isOn = mark?.kind === kind
    return { isOn, toggled: isOn ? NO_MARK : seen && markChange(usualMark(kind, seen)) }
  }
  return Object.fromEntries(kinds.map(kind => [kind, button(kind)]))
}

/** Seen on light and dark pictures: a line with a border. */
const COLOURS = [
  ['#ffffff', 4],
  ['#d81b60', 1.5],
] as const

/** The mark on the drawing. An interval goes over all of y. */
export function markLayers(mark: Mark | undefined, [bottom, top]: Domain): readonly CurveLayer[] {
  if (mark === undefined) return []
  const { x, y } = outlineOf(mark, bottom, top)
  return COLOURS.map(([colour, width]) => ({
    kind: 'curve',
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    colour,
    width,
    hasLine: true,
    hasPoints: false,
  }))
}

/** The corners of its lines; NaN is between two lines. */
function outlineOf({ kind, ends }: Mark, bottom: number, top: number) {
  if (kind === 'interval') {
    const [from, to] = ends
    return { x: [from, from, Number.NaN, to, to], y: [bottom, top, Number.NaN, bottom, top] }
  }
  const [x0, y0, x1, y1] = ends
  return kind === 'profile'
    ? { x: [x0, x1], y: [y0, y1] }
    : { x: [x0, x1, x1, x0, x0], y: [y0, y0, y1, y1, y0] }
}

/** One number for each element: phases with an amplitude are phases. */
export function measuredPart({ part }: { readonly part: ComplexPart }): ComplexPart {
  return part === 'phase-amplitude' ? 'phase' : part
}

/** Elements of a dimension that follow each other. */
export interface Part {
  readonly start: number
  readonly stop: number
}

/** Elements that have a width: those whose middle is between two positions; if none is, the one that is there. */
export function elementsBetween(from: number, to: number, length: number): Part | undefined {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  if (!(high >= 0 && low <= length) || length === 0) return undefined
  const start = Math.max(0, Math.ceil(low - 0.5))
  const stop = Math.min(length, Math.ceil(high - 0.5))
  if (start < stop) return { start, stop }
  const only = Math.min(length - 1, Math.max(0, Math.floor((low + high) / 2)))
  return { start: only, stop: only + 1 }
}

/** Room for the digits that an address leaves out, in elements. */
const ROOM = 1e-6

/** Elements of a line: those whose coordinates are between two others. Undefined: none is. */
export function elementsWithin([from, to]: Span, { toPosition, length }: PlotAxis): Part | undefined {
  const ends = [toPosition(from), toPosition(to)]
  const start = Math.max(0, Math.ceil(Math.min(...ends) - ROOM))
  const stop = Math.min(length, Math.floor(Math.max(...ends) + ROOM) + 1)
  return start < stop ? { start, stop } : undefined
}
