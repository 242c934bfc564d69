// A slice on a map: what is requested for a view, and what is said of it, without the page.

import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Plot } from '../../data/plot.ts'
import type { Sight, Zoom } from '../../data/sight.ts'
import type { Corners } from '../../meaning/places/corners.ts'
import type { Geography } from '../../meaning/places/geography.ts'
import type { DimensionUse, View } from '../../view-address.ts'
import { type ImageSubject, type ImageTip, imageOf, imageRequest } from '../models/image.ts'
import { type Convert, formatValue } from '../models/numbers.ts'
import type { Raster } from './cells.ts'
import type { Projection } from './projection.ts'
import { latitudeText, longitudeText } from './scene.ts'
import { elementsIn, type MapWindow } from './window.ts'

/** What is drawn of a plot: its rows and columns are those of its places. */
export function mapOf(plot: Plot, view: View, geography: Geography): ImageSubject {
  const subject = imageOf(plot, view)
  return { ...subject, uses: usesOnMap(subject.uses, geography) }
}

function usesOnMap(uses: readonly DimensionUse[], { y, x }: Geography): readonly DimensionUse[] {
  return uses.map((use, d) => (d === y ? 'y' : d === x ? 'x' : typeof use === 'number' ? use : 0))
}

/** The part of the map that a zoom shows; undefined: all of it. */
export function windowAt(zoom: Zoom | undefined): MapWindow | undefined {
  const { x, y } = zoom ?? {}
  return x && y && { x: ordered(x), y: ordered(y) }
}

function ordered([from, to]: readonly [number, number]): readonly [number, number] {
  return from < to ? [from, to] : [to, from]
}

/** A picture whose cells are known. */
export interface PlacedPicture {
  readonly picture: Picture
  readonly corners: Corners
}

/** The elements in sight, once the places of all are known; those of all before. */
export function mapRequest(
  subject: ImageSubject,
  convert: Convert | undefined,
  { sight, zoom }: { readonly sight: Sight | undefined; readonly zoom: Zoom | undefined },
  { projection, whole }: { readonly projection: Projection; readonly whole: PlacedPicture | undefined },
): ImageRequest {
  const window = windowAt(zoom)
  const seen = whole && window && elementsIn(whole.corners, projection, window, whole.picture)
  const request = imageRequest(subject, { geometry: undefined, zoom, sight }, convert)
  return { ...request, sight: seen, size: subject.hasElements ? sight : undefined }
}

/** Pixels of a map, and the picture whose cells they are of. */
export interface MapPicture extends PlacedPicture {
  readonly raster: Raster
  readonly cells: Int32Array
}

/** The place at the pointer, and the number of the first picture that has a cell there. */
export function mapTip(
  [x, y]: readonly [x: number, y: number],
  pictures: readonly MapPicture[],
  { toLongitude, toLatitude }: Projection,
): ImageTip {
  const place = `${latitudeText(toLatitude(x, y))}, ${longitudeText(toLongitude(x, y))}`
  const numbers = numbersAt(x, y, pictures)
  return {
    place,
    value: numbers ? Array.from(numbers, formatValue).join(', amplitude ') : formatValue(undefined),
  }
}

/** The numbers of the first picture that has a cell at a place on the map. */
export function numbersAt(x: number, y: number, pictures: readonly MapPicture[]): Float64Array | undefined {
  for (const { picture, raster, cells } of pictures) {
    const cell = cells[pixelAt(raster, x, y)]
    if (cell === undefined || cell < 0) continue
    return picture.data.subarray(cell * picture.depth, (cell + 1) * picture.depth)
  }
  return undefined
}

/** -1: the place is not in the raster. */
function pixelAt(raster: Raster, x: number, y: number): number {
  const { width, height } = raster
  const column = Math.floor(((x - raster.x[0]) / (raster.x[1] - raster.x[0])) * width)
  const row = Math.floor(((y - raster.y[0]) / (raster.y[1] - raster.y[0])) * height)
  return column >= 0 && column < width && row >= 0 && row < height ? row * width + column : -1
}

/** The pictures to draw: that of all, and above it that of the part in sight. */
export function picturesOf({ picture, overview }: Image, zoom: Zoom | undefined) {
  return zoom === undefined
    ? { whole: overview ?? picture, part: undefined }
    : { whole: overview, part: picture === overview ? undefined : picture }
}
