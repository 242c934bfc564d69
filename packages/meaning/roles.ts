// The roles of dimensions in a drawing: latitudes are drawn with north up, depths and pressures downwards (CF 4), and
// some images have a dimension of colours.

import { type Attributes, type NumberForm, textOf } from './attributes.ts'
import type { ValueMeaning } from './values.ts'

export type AxisRole = 'latitude' | 'longitude' | 'vertical' | 'time' | 'x' | 'y'

const LATITUDE = /^(degrees?_north|degrees?_?N)$/
const LONGITUDE = /^(degrees?_east|degrees?_?E)$/
const PRESSURE = /^(Pa|hPa|kPa|mbar|millibars?|bar|atm|dbar|decibars?)$/i

const BY_NAME: Readonly<Record<string, AxisRole>> = {
  latitude: 'latitude',
  longitude: 'longitude',
  projection_x_coordinate: 'x',
  projection_y_coordinate: 'y',
  grid_longitude: 'x',
  grid_latitude: 'y',
  air_pressure: 'vertical',
  depth: 'vertical',
  altitude: 'vertical',
  height: 'vertical',
}

const BY_AXIS: Readonly<Record<string, AxisRole>> = { X: 'x', Y: 'y', Z: 'vertical', T: 'time' }

export function roleOf(attributes: Attributes, { kind, units = '' }: ValueMeaning): AxisRole | undefined {
  if (kind === 'time') return 'time'
  if (LATITUDE.test(units)) return 'latitude'
  if (LONGITUDE.test(units)) return 'longitude'
  const name = textOf(attributes, 'standard_name')
  if (name !== undefined && Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  const axis = textOf(attributes, 'axis')?.toUpperCase()
  if (axis !== undefined && Object.hasOwn(BY_AXIS, axis)) return BY_AXIS[axis]
  return textOf(attributes, 'positive') !== undefined || PRESSURE.test(units) ? 'vertical' : undefined
}

/** Whether greater coordinates are lower. */
export function growsDown(attributes: Attributes, role: AxisRole | undefined): boolean {
  if (role !== 'vertical') return false
  const positive = textOf(attributes, 'positive')?.toLowerCase()
  return positive === undefined ? PRESSURE.test(textOf(attributes, 'units') ?? '') : positive === 'down'
}

/** The dimensions of an image: `x` to the right, `y` upwards. */
export interface ImageDimensions {
  readonly x: number
  readonly y: number
}

interface RoleAndLength {
  readonly role: AxisRole | undefined
  readonly length: number
}

const IS_X: ReadonlySet<AxisRole | undefined> = new Set(['longitude', 'x'] as const)
const IS_Y: ReadonlySet<AxisRole | undefined> = new Set(['latitude', 'y', 'vertical'] as const)

/** The dimensions to draw first: those of a map, else the last two that have several elements. */
export function imageDimensions(axes: readonly RoleAndLength[]): ImageDimensions | undefined {
  if (axes.length < 2) return undefined
  const map = { x: axes.findLastIndex(({ role }) => IS_X.has(role)), y: -1 }
  map.y = axes.findLastIndex(({ role }) => role === 'latitude' || role === 'y')
  if (map.x >= 0 && map.y >= 0) return map
  const long = axes.flatMap(({ length }, d) => (length > 1 ? [d] : []))
  const [y, x] = long.length >= 2 ? long.slice(-2) : [axes.length - 2, axes.length - 1]
  if (x === undefined || y === undefined) return undefined
  // A section has its heights upwards, also where they vary fastest.
  return IS_X.has(axes[y]?.role) || (IS_Y.has(axes[x]?.role) && !IS_Y.has(axes[y]?.role))
    ? { x: y, y: x }
    : { x, y }
}

/** Sides of an image that no attribute says is one. */
export const SHORTEST_SIDE = 16

/** The position of the colours among the last three dimensions, by the attribute INTERLACE_MODE. */
const PLACES: Readonly<Record<string, number>> = {
  INTERLACE_PIXEL: -1,
  INTERLACE_LINE: -2,
  INTERLACE_PLANE: -3,
}

/** A dataset as far as rules of drawings look at it. */
export interface DrawnDataset {
  /** Undefined: its elements are no numbers. Booleans and enums are numbers. */
  readonly form: NumberForm | undefined
  readonly isInteger: boolean
  readonly shape: readonly number[]
}

/** The dimension of the colours; undefined: the dataset is no image of colours. */
export function colourDimension(dataset: DrawnDataset, attributes: Attributes): number | undefined {
  const { form, shape } = dataset
  const rank = shape.length
  if (rank < 3 || form === undefined) return undefined
  if (textOf(attributes, 'CLASS') === 'IMAGE') {
    if (textOf(attributes, 'IMAGE_SUBCLASS') !== 'IMAGE_TRUECOLOR') return undefined
    const mode = textOf(attributes, 'INTERLACE_MODE') ?? 'INTERLACE_PIXEL'
    const dimension = rank + (Object.hasOwn(PLACES, mode) ? (PLACES[mode] ?? -1) : -1)
    return shape[dimension] === 3 ? dimension : undefined
  }
  const [rows = 0, columns = 0, colours = 0] = shape.slice(-3)
  const isImage = (colours === 3 || colours === 4) && rows >= SHORTEST_SIDE && columns >= SHORTEST_SIDE
  const hasAxis = attributes.has('DIMENSION_LIST') || attributes.has('axes')
  return isOfLight(dataset) && isImage && !hasAxis ? rank - 1 : undefined
}

/** A table of three counts for each of many points is as likely for every other type. */
export function isOfLight({ form, isInteger }: DrawnDataset): boolean {
  return isInteger && form?.kind === 'unsigned' && form.size <= 2
}

/** The number of the brightest colour of integers up to `most`: cameras have 8 to 16 bits. */
export function brightestOf(most: number): number {
  return 2 ** Math.max(8, 2 * Math.ceil(Math.log2(most + 1) / 2)) - 1
}
