// The corners of the cells of a grid on the earth, from the middles of the cells: a cell reaches half-way to its
// neighbours.

/** Corners row by row, one row and one column more than there are cells, in degrees. NaN: the corner has no place. */
export interface Corners {
  /** Of cells. */
  readonly rows: number
  readonly columns: number
  readonly longitudes: Float64Array
  readonly latitudes: Float64Array
  readonly hasPlace: (cell: number) => boolean
}

const DEGREE = Math.PI / 180

/** The corners of cells whose longitude depends on the column only, and whose latitude on the row. */
export function cornersOfAxes(longitudes: Float64Array, latitudes: Float64Array): Corners {
  return cornersOfPlane(longitudes, latitudes, (longitude, latitude) => [
    longitude,
    Math.min(90, Math.max(-90, latitude)),
  ])
}

/** Longitude and latitude of a place in a plane that the earth is projected on; NaN: it is none. */
export type ToEarth = (x: number, y: number) => readonly [longitude: number, latitude: number]

/** The corners of cells that are a rectangle in a plane, from the middles of the columns and of the rows. */
export function cornersOfPlane(columns: Float64Array, rows: Float64Array, toEarth: ToEarth): Corners {
  const [xs, ys] = [edgesOf(columns), edgesOf(rows)]
  const corners = emptyCorners(rows.length, columns.length)
  let at = 0
  for (const y of ys) {
    for (const x of xs) {
      const [longitude, latitude] = toEarth(x, y)
      corners.longitudes[at] = longitude
      corners.latitudes[at] = latitude
      at++
    }
  }
  return corners
}

function emptyCorners(rows: number, columns: number) {
  const count = (rows + 1) * (columns + 1)
  const corners = { longitudes: new Float64Array(count), latitudes: new Float64Array(count) }
  return { rows, columns, ...corners, hasPlace: (_cell: number) => true }
}

/** The ends of steps around their middles: the first and the last reach as far out as in. One alone is 1 wide. */
function edgesOf(middles: Float64Array): Float64Array {
  const { length } = middles
  const at = (i: number) => middles[i] ?? Number.NaN
  return Float64Array.from({ length: length + 1 }, (_, i) => {
    if (length === 1) return at(0) + i - 0.5
    if (i === 0) return at(0) - (at(1) - at(0)) / 2
    if (i === length) return at(length - 1) + (at(length - 1) - at(length - 2)) / 2
    return (at(i - 1) + at(i)) / 2
  })
}

/** The middles of cells, row by row, in degrees. NaN: the cell has no place. */
export interface Middles {
  readonly rows: number
  readonly columns: number
  readonly longitudes: Float64Array
  readonly latitudes: Float64Array
}

/**
 * The corners of cells anywhere: each is between the four cells around it, on the sphere, so that poles and the
 * antimeridian are nothing special. Those at the border of the grid, or of its cells that have a place, are as far out
 * as the grid goes on, or else between the cells that are there.
 */
export function cornersOfGrid(middles: Middles): Corners {
  const { rows, columns } = middles
  const vectors = vectorsAround(middles)
  const corners = emptyCorners(rows, columns)
  const width = columns + 2
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const first = row * width + column
      let [x, y, z] = [0, 0, 0]
      for (const i of [first, first + 1, first + width, first + width + 1]) {
        if (Number.isNaN(vectors.x[i])) continue
        x += vectors.x[i] ?? 0
        y += vectors.y[i] ?? 0
        z += vectors.z[i] ?? 0
      }
      const at = row * (columns + 1) + column
      const isNowhere = x === 0 && y === 0 && z === 0
      corners.longitudes[at] = isNowhere ? Number.NaN : Math.atan2(y, x) / DEGREE
      corners.latitudes[at] = isNowhere ? Number.NaN : Math.atan2(z, Math.hypot(x, y)) / DEGREE
    }
  }
  const hasPlace = (cell: number) => isPlace(middles, cell)
  return { ...corners, hasPlace }
}

function isPlace({ longitudes, latitudes }: Middles, cell: number): boolean {
  return Number.isFinite(longitudes[cell]) && Number.isFinite(latitudes[cell])
}

/** Places as vectors of length 1. On each side there is a row or a column more: the grid goes on by its last step. */
function vectorsAround(middles: Middles) {
  const { rows, columns, longitudes, latitudes } = middles
  const width = columns + 2
  const empty = () => new Float64Array(width * (rows + 2)).fill(Number.NaN)
  const vectors = { x: empty(), y: empty(), z: empty() }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column
      if (!isPlace(middles, i)) continue
      const [longitude, latitude] = [(longitudes[i] ?? 0) * DEGREE, (latitudes[i] ?? 0) * DEGREE]
      const at = (row + 1) * width + column + 1
      vectors.x[at] = Math.cos(latitude) * Math.cos(longitude)
      vectors.y[at] = Math.cos(latitude) * Math.sin(longitude)
      vectors.z[at] = Math.sin(latitude)
    }
  }
  const extend = (edge: number, outwards: number, hasMore: boolean) => {
    for (const along of Object.values(vectors)) {
      const last = along[edge] ?? Number.NaN
      const before = hasMore ? (along[edge - outwards] ?? Number.NaN) : last
      along[edge + outwards] = 2 * last - before
    }
  }
  for (let row = 1; row <= rows; row++) {
    extend(row * width + 1, -1, columns > 1)
    extend(row * width + columns, 1, columns > 1)
  }
  for (let column = 0; column < width; column++) {
    extend(width + column, -width, rows > 1)
    extend(rows * width + column, width, rows > 1)
  }
  return vectors
}
