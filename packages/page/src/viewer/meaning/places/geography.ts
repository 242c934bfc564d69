// Where on the earth the elements of a dataset are: by a latitude and a longitude for each row and column, or for each
// element, or by the plane that rows and columns are in (CF 5, HDF-EOS). Coordinates are read for the blocks of a
// picture.

import type { Domain } from '@hyperslab/client'
import type { Numbers } from '@hyperslab/client/elements'
import { type AxisRole, roleOf, type ValueMeaning } from '@hyperslab/meaning/meaning'
import { MOST_COORDINATES } from '../../data/axis.ts'
import { type BlockSelection, type Extent, pointsOf, readBlocks } from '../../data/blocks.ts'
import type { DimensionUse } from '../../view-address.ts'
import type { Axis, DatasetAt, DatasetAxes } from '../axes.ts'
import { meaningOf } from '../values.ts'
import { type Corners, cornersOfAxes, cornersOfGrid, cornersOfPlane, type ToEarth } from './corners.ts'

/** A coordinate of each element of a grid. */
interface Grid extends DatasetAt {
  readonly meaning: ValueMeaning
  /** For each dimension of the grid that of the dataset. */
  readonly dimensions: readonly number[]
}

/** The coordinates along a dimension. */
interface Line {
  readonly numbers: (
    range: { readonly start: number; readonly stop: number; readonly step?: number },
    signal?: AbortSignal,
  ) => Promise<Numbers>
}

/** Coordinates that are computed. */
export function lineOf(at: (index: number) => number): Line {
  return {
    numbers: async ({ start, stop, step = 1 }) =>
      Float64Array.from({ length: Math.ceil((stop - start) / step) }, (_, i) => at(start + i * step)),
  }
}

export type Geography = {
  /** The dimensions of the dataset that are the rows and the columns of the map. */
  readonly y: number
  readonly x: number
} & (
  | { readonly kind: 'axes'; readonly latitude: Line; readonly longitude: Line }
  | { readonly kind: 'grids'; readonly latitude: Grid; readonly longitude: Grid }
  | {
      readonly kind: 'plane'
      readonly rows: Line
      readonly columns: Line
      /** Rejects if nobody knows the plane. */
      readonly toEarth: () => Promise<ToEarth>
    }
)

/** Undefined: the file does not say where the elements are. */
export function geographyOf(
  shape: readonly number[],
  axes: readonly Axis[],
  { others, gridMapping: mapping }: Pick<DatasetAxes, 'others' | 'gridMapping'>,
): Geography | undefined {
  const byRole = (role: AxisRole) => axes.findLastIndex(axis => axis.role === role && axis.source)
  const [y, x] = [byRole('latitude'), byRole('longitude')]
  const [latitude, longitude] = [axes[y], axes[x]]
  if (latitude && longitude)
    return { kind: 'axes', y, x, latitude: latitude.coordinates, longitude: longitude.coordinates }
  const ofGrids = gridsOf(shape, others)
  if (ofGrids) return ofGrids
  const [row, column] = [byRole('y'), byRole('x')]
  const [rows, columns] = [axes[row], axes[column]]
  if (!mapping || !rows || !columns) return undefined
  return {
    kind: 'plane',
    y: row,
    x: column,
    rows: rows.coordinates,
    columns: columns.coordinates,
    toEarth: async () => (await import('./grid-mapping.ts')).toEarthBy(mapping, columns.meaning?.units),
  }
}

function gridsOf(shape: readonly number[], others: readonly DatasetAt[]): Geography | undefined {
  const grids = { latitude: gridOf(shape, others, 'latitude'), longitude: gridOf(shape, others, 'longitude') }
  const dimensions = grids.latitude?.dimensions ?? []
  const [row, column] = dimensions.slice(-2)
  if (!grids.latitude || !grids.longitude || row === undefined || column === undefined) return undefined
  if (String(dimensions) !== String(grids.longitude.dimensions)) return undefined
  return { kind: 'grids', y: row, x: column, latitude: grids.latitude, longitude: grids.longitude }
}

/** Files of HDF-EOS have no attributes that say it. */
const NAMES = { latitude: /(^|\/)lat(itude)?$/i, longitude: /(^|\/)lon(gitude)?$/i }

function gridOf(
  shape: readonly number[],
  others: readonly DatasetAt[],
  role: 'latitude' | 'longitude',
): Grid | undefined {
  for (const other of others) {
    const { path, dataset, attributes } = other
    const dimensions = dimensionsOf(dataset.shape ?? [], shape)
    if (dimensions === undefined) continue
    const meaning = meaningOf(dataset.type, attributes)
    if ((roleOf(attributes, meaning) ?? (NAMES[role].test(path) ? role : undefined)) === role)
      return { ...other, meaning, dimensions }
  }
  return undefined
}

/** The dimensions of a dataset that a grid has, by their lengths, the last first. Undefined: it is of other ones. */
function dimensionsOf(grid: readonly number[], shape: readonly number[]): readonly number[] | undefined {
  if (grid.length < 2) return undefined
  const dimensions: number[] = []
  let d = shape.length - 1
  for (const length of grid.toReversed()) {
    while (d >= 0 && shape[d] !== length) d--
    if (d < 0) return undefined
    dimensions.unshift(d--)
  }
  return dimensions
}

/** The blocks of a picture, and the indexes of the other dimensions. */
export interface PlacedPicture {
  readonly uses: readonly DimensionUse[]
  readonly y: Extent
  readonly x: Extent
}

/** The corners of the blocks. Rejects if the plane of the coordinates is not known. */
export async function readCorners(
  domain: Domain,
  geography: Geography,
  picture: PlacedPicture,
  signal: AbortSignal,
): Promise<Corners> {
  const { y, x } = picture
  if (geography.kind !== 'grids') {
    const middles = async (line: Line, extent: Extent, turn: number) => {
      const { start, stop } = extent
      const step = Math.ceil((stop - start) / MOST_COORDINATES)
      return middlesOf(await line.numbers({ start, stop, step }, signal), { extent, step, turn })
    }
    if (geography.kind === 'axes') {
      const { latitude, longitude } = geography
      const [rows, columns] = await Promise.all([middles(latitude, y, 0), middles(longitude, x, 360)])
      return cornersOfAxes(columns, rows)
    }
    const [rows, columns, toEarth] = await Promise.all([
      middles(geography.rows, y, 0),
      middles(geography.columns, x, 0),
      geography.toEarth(),
    ])
    return cornersOfPlane(columns, rows, toEarth)
  }
  const [latitudes, longitudes] = await Promise.all(
    [geography.latitude, geography.longitude].map(grid => readGrid(domain, grid, geography, picture, signal)),
  )
  return cornersOfGrid({
    rows: pointsOf(y),
    columns: pointsOf(x),
    latitudes: latitudes ?? new Float64Array(),
    longitudes: longitudes ?? new Float64Array(),
  })
}

/**
 * The middle of each block along an axis. Coordinates that begin again after `turn` within it go on; 0: they do not
 * begin again.
 */
function middlesOf(
  coordinates: Numbers,
  { extent, step, turn }: { readonly extent: Extent; readonly step: number; readonly turn: number },
): Float64Array {
  const { block } = extent
  const { length } = coordinates
  let turns = 0
  const whole = Float64Array.from({ length }, (_, i) => {
    const width = i === 0 ? 0 : Number(coordinates[i]) - Number(coordinates[i - 1])
    if (Math.abs(width) > turn / 2) turns -= Math.sign(width)
    return Number(coordinates[i]) + turn * turns
  })
  const at = (i: number) => whole[Math.min(Math.floor(i / step), length - 1)] ?? Number.NaN
  return Float64Array.from(
    { length: pointsOf(extent) },
    (_, point) => (at(point * block) + at((point + 1) * block - 1)) / 2,
  )
}

/** The coordinate in the middle of each block, row by row; NaN: it has none. */
async function readGrid(
  domain: Domain,
  { dataset, meaning, dimensions }: Grid,
  geography: Geography,
  { uses, y, x }: PlacedPicture,
  signal: AbortSignal,
): Promise<Float64Array> {
  const selection: BlockSelection = dimensions.map(d => {
    if (d === geography.y) return middleOf(y)
    if (d === geography.x) return middleOf(x)
    const use = uses[d]
    return typeof use === 'number' ? use : 0
  })
  const { data } = await readBlocks(domain, dataset, selection, 'first', signal)
  const numbers = meaning.unpack(data as Numbers)
  const [rows, columns] = [pointsOf(y), pointsOf(x)]
  const [height, width] = [pointsOf(middleOf(y)), pointsOf(middleOf(x))]
  const isTransposed = dimensions.indexOf(geography.x) < dimensions.indexOf(geography.y)
  return Float64Array.from({ length: rows * columns }, (_, i) => {
    // A last block that is shorter than its half has the coordinate of the one before.
    const row = Math.min(Math.floor(i / columns), height - 1)
    const column = Math.min(i % columns, width - 1)
    return Number(numbers[isTransposed ? column * height + row : row * width + column] ?? Number.NaN)
  })
}

/** The same blocks, beginning with the element in the middle of the first. */
function middleOf({ start, stop, block }: Extent): Extent {
  const half = Math.floor(block / 2)
  return { start: start + half < stop ? start + half : start, stop, block }
}
