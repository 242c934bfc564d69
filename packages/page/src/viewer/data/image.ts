// The image of a slice at the resolution of the screen. Where many elements must be read, the points come tile by tile:
// until then the former picture has their place, or a picture of few of the elements.

import type { Elements } from '@hyperslab/client'
import { productOf } from '@hyperslab/client/elements'
import type { DimensionUse, Reduction, Span } from '../view-address.ts'
import {
  type BlockSelection,
  blockOf,
  type DrawnDataset,
  type Extent,
  elementsOf,
  extentOf,
  IMAGE_TILE,
  pointsOf,
  READ_AT_ONCE,
  type SampledChunk,
  SHARES,
  sampledChunks,
  sideOf,
  tilesOf,
} from './blocks.ts'
import type { StoredShape } from './contents.ts'
import { drawInParts, type Progress, type Tiles } from './tiles.ts'
import type { Reading } from './use-reading.ts'

/** A part of an image, row by row. */
export interface Picture {
  readonly y: Extent
  readonly x: Extent
  readonly rows: number
  readonly columns: number
  /** Numbers of each point: one, or one for each colour. */
  readonly depth: number
  readonly data: Float64Array
  /** Undefined: all tiles are read. */
  readonly progress: Progress | undefined
  /** Its bad pixels are NaN; absent: nothing is known of bad ones. */
  readonly isCleaned?: boolean
}

export interface ImageRequest {
  readonly dataset: StoredShape & DrawnDataset
  readonly uses: readonly DimensionUse[]
  readonly reduction: Reduction
  /** True: a point is made of as many elements along each of its sides. */
  readonly isSquare: boolean
  /** Makes the numbers that are drawn. It stays the same function. */
  readonly convert: (elements: Elements) => Float64Array
  /** The numbers that it makes of each element, if there is no dimension of colours; one by default. */
  readonly channels?: number
  /** The part in sight; undefined: all. */
  readonly sight: { readonly x: Span; readonly y: Span } | undefined
  /** The size of the canvas in pixels; undefined: not known yet. */
  readonly size: { readonly width: number; readonly height: number } | undefined
  /** Its bad pixels are left out: see `Picture`. */
  readonly isCleaned?: boolean
  /** Those of another file; absent: those of the file that is shown. */
  readonly tiles?: Tiles | undefined
}

export interface Image {
  /** The latest picture of what is in sight. */
  readonly picture: Picture | undefined
  /** The latest picture of all of the slice. */
  readonly overview: Picture | undefined
  readonly isComplete: boolean
  readonly error: unknown
  /** While it comes in parts. */
  readonly reading?: Reading | undefined
}

interface LoadedImage extends Image {
  /** The slice of the overview. */
  readonly slice: string
}

const NOTHING: LoadedImage = {
  picture: undefined,
  overview: undefined,
  isComplete: false,
  error: undefined,
  slice: '',
}

/** The elements of the drawn dimensions that a picture has. */
interface ImagePart {
  readonly y: Extent
  readonly x: Extent
}

/** The pictures of the latest request. `changed` is called when there are others. */
export class ImageLoader {
  readonly #changed: () => void
  #image = NOTHING
  /** The slice of the overview that was drawn. */
  #drawn: { readonly slice: string; readonly convert?: ImageRequest['convert'] } = { slice: '' }
  /** What was shown last, as long as it is of the same subject: new pictures begin with its points. */
  #former: Former = { subject: '' }

  constructor(changed: () => void) {
    this.#changed = changed
  }

  imageOf(request: ImageRequest): Image {
    return this.#image.slice === sliceOf(request) ? this.#image : { ...this.#image, overview: undefined }
  }

  /** Begins to read. Returns the function that gives up. */
  load(tiles: Tiles, request: ImageRequest, fail: (error: unknown) => void): () => void {
    const part = partOf(request, request.sight)
    const whole = partOf(request, undefined)
    const abort = new AbortController()
    const { signal } = abort
    const giveUp = () => abort.abort()
    if (part === undefined || whole === undefined) return giveUp
    const { convert } = request
    const slice = sliceOf(request)
    const set = (change: Partial<LoadedImage>) => {
      if (!signal.aborted) this.#set(change)
    }
    const subject = subjectOf(request)
    if (this.#former.subject !== subject || this.#former.convert !== convert)
      this.#former = { subject, convert }
    const hasOverview = this.#drawn.slice === slice && this.#drawn.convert === convert
    set({ isComplete: false, error: undefined, ...(!hasOverview && { overview: undefined, slice: '' }) })
    const draw = (drawn: ImagePart, show: (picture: Picture) => void) => {
      const { known, ...earlier } = this.#former
      const former = known?.slice === slice ? { ...earlier, known } : earlier
      return drawPicture({ tiles: request.tiles ?? tiles, request, part: drawn, former, signal, show })
    }
    const load = async () => {
      const isAll = JSON.stringify(part) === JSON.stringify(whole)
      const known = await draw(part, picture => set({ picture, ...(isAll && { overview: picture, slice }) }))
      if (!signal.aborted) this.#former = { ...this.#former, known: { slice, picture: known } }
      // An address may lead to a part: the range of colours is that of all.
      if (!isAll && !hasOverview) await draw(whole, overview => set({ overview, slice }))
      if (!signal.aborted) this.#drawn = { slice, convert }
      set({ isComplete: true })
    }
    load().catch((error: unknown) => {
      set({ isComplete: true, error })
      if (!signal.aborted) fail(error)
    })
    return giveUp
  }

  #set(change: Partial<LoadedImage>): void {
    const { overview, picture } = change
    this.#former = { ...this.#former, ...(overview && { overview }), ...(picture && { picture }) }
    this.#image = { ...this.#image, ...change }
    this.#changed()
  }
}

interface Former {
  readonly subject: string
  readonly convert?: ImageRequest['convert']
  readonly overview?: Picture
  readonly picture?: Picture
  /** A picture of which all is read, and its slice: its points are not read again. */
  readonly known?: { readonly slice: string; readonly picture: Picture }
}

function subjectOf({ dataset, uses, reduction }: ImageRequest): string {
  return JSON.stringify([dataset.id, dataset.numbers, uses, reduction])
}

function sliceOf(request: ImageRequest): string {
  const { stamp, shape = [] } = request.dataset
  return JSON.stringify([subjectOf(request), stamp, shape])
}

/** Another text if other elements are wanted. */
export function wantedOf(request: ImageRequest): string {
  return JSON.stringify([sliceOf(request), partOf(request, request.sight)])
}

/** Undefined: the size of the canvas is not known, or there are no elements. */
function partOf(
  { dataset, uses, size, isSquare }: ImageRequest,
  seen: ImageRequest['sight'],
): ImagePart | undefined {
  const { shape = [], filteredChunk } = dataset
  if (size === undefined || !shape[uses.indexOf('y')] || !shape[uses.indexOf('x')]) return undefined
  const block = (axis: 'y' | 'x', pixels: number) =>
    blockOf(shape[uses.indexOf(axis)] ?? 0, seen?.[axis], pixels)
  const [ofY, ofX] = [block('y', size.height), block('x', size.width)]
  const extent = (axis: 'y' | 'x', own: number) => {
    const dimension = uses.indexOf(axis)
    const block = isSquare ? Math.max(ofY, ofX) : own
    return extentOf(shape[dimension] ?? 0, seen?.[axis], block, IMAGE_TILE, filteredChunk?.[dimension])
  }
  return { y: extent('y', ofY), x: extent('x', ofX) }
}

/** Reads the tiles of an image that is likely wanted soon. Returns the function that gives up. */
export function readAhead(tiles: Tiles, request: ImageRequest): () => void {
  const part = partOf(request, request.sight)
  const abort = new AbortController()
  const { dataset, reduction } = request
  for (const { y, x } of part ? tilesOfPart(dataset, request.uses, part, 1) : []) {
    // A failure is one of the drawing, when it asks for the tile.
    tiles
      .read(dataset, dataset.stamp, selectionOfTile(request.uses, y, x), reduction, abort.signal)
      .catch(() => undefined)
  }
  return () => abort.abort()
}

/** Tiles beside each other that are read as one. */
interface TileGroup extends ImagePart {
  /** Tiles along each of its sides; a power of two. */
  readonly times: number
}

/** The tiles of a part of an image, or groups of them, in the order in which they are read. */
function tilesOfPart(
  { filteredChunk }: StoredShape,
  uses: readonly DimensionUse[],
  { y, x }: ImagePart,
  times: number,
): readonly TileGroup[] {
  const xTiles = tilesOf(x, IMAGE_TILE, filteredChunk?.[uses.indexOf('x')], times)
  return tilesOf(y, IMAGE_TILE, filteredChunk?.[uses.indexOf('y')], times).flatMap(y =>
    xTiles.map(x => ({ y, x, times })),
  )
}

/** Tiles along each side of the largest groups. */
function mostTimes(
  { filteredChunk }: StoredShape,
  uses: readonly DimensionUse[],
  { y, x }: ImagePart,
): number {
  const sides = [sideOf(IMAGE_TILE, y.block, filteredChunk?.[uses.indexOf('y')]) / y.block]
  sides.push(sideOf(IMAGE_TILE, x.block, filteredChunk?.[uses.indexOf('x')]) / x.block)
  let times = 1
  while (2 * times * Math.max(...sides) <= IMAGE_TILE.mostPoints) times *= 2
  return times
}

/** Whether a picture has numbers for each point of the part, of blocks that are as long. */
function covers(picture: Picture, part: ImagePart): boolean {
  return (['y', 'x'] as const).every(
    axis =>
      picture[axis].block === part[axis].block &&
      picture[axis].start <= part[axis].start &&
      picture[axis].stop >= part[axis].stop,
  )
}

function selectionOfTile(uses: readonly DimensionUse[], y: Extent, x: Extent): BlockSelection {
  return uses.map(use => (use === 'y' ? y : use === 'x' ? x : use === ':' ? undefined : use))
}

interface PictureSteps {
  readonly tiles: Tiles
  readonly request: ImageRequest
  readonly part: ImagePart
  readonly former: Former
  readonly signal: AbortSignal
  readonly show: (picture: Picture) => void
}

/** Returns the picture of which all is read. */
async function drawPicture({ tiles, request, part, former, signal, show }: PictureSteps): Promise<Picture> {
  const { dataset, uses, reduction, convert, channels = 1, isCleaned = false } = request
  const { shape = [], stamp, filteredChunk } = dataset
  const { y, x } = part
  const [yDimension, xDimension] = [uses.indexOf('y'), uses.indexOf('x')]
  const select = (y: Extent, x: Extent) => selectionOfTile(uses, y, x)
  const depth = shape[uses.indexOf(':')] ?? channels
  const picture = { ...emptyPicture(y, x, depth), isCleaned }
  const earlier = [former.overview, former.picture, former.known?.picture].filter(one => one !== undefined)
  for (const one of earlier) fillFrom(picture, one)
  const put = async (y: Extent, x: Extent, value: Reduction) => {
    const { data } = await tiles.read(dataset, stamp, select(y, x), value, signal)
    fill(picture, { y, x }, convert(data), uses)
  }
  const tilesIn = (group: ImagePart) => tilesOfPart(dataset, uses, group, 1)
  const countOf = (group: ImagePart) =>
    tilesIn(group).filter(tile => !former.known || !covers(former.known.picture, tile)).length
  const split = (group: TileGroup) => {
    const count = countOf(group)
    if (count === 0) return []
    const isWhole = count === tilesIn(group).length
    if (group.times === 1 || (isWhole && tiles.isQuick(dataset, elementsOf(shape, select(group.y, group.x)))))
      return undefined
    return tilesOfPart(dataset, uses, group, group.times / 2)
  }
  const putChunk = async ({ box: [boxY, boxX], place: [placeY, placeX] }: SampledChunk) => {
    if (!boxY || !boxX || !placeY || !placeX) return
    const { data } = await tiles.read(dataset, stamp, select(boxY, boxX), reduction, signal)
    const number = convert(data)
    fillFrom(picture, { y: placeY, x: placeX, rows: 1, columns: 1, depth, data: number, progress: undefined })
  }
  const sampleOf = (share: number) => async () => {
    if (!filteredChunk) return put(y, x, 'first')
    const chunk = [yDimension, xDimension].map(dimension => filteredChunk[dimension] ?? 1)
    await Promise.all(sampledChunks([y, x], chunk, productOf(filteredChunk), share).map(putChunk))
  }
  const hasSample =
    earlier.length === 0 && reduction !== 'first' && elementsOf(shape, select(y, x)) > READ_AT_ONCE
  await drawInParts(
    tilesOfPart(dataset, uses, part, mostTimes(dataset, uses, part)),
    {
      samples: hasSample ? (filteredChunk ? SHARES : [1]).map(sampleOf) : [],
      split,
      countOf,
      read: ({ y, x }) => put(y, x, reduction),
      show: progress => show({ ...picture, progress }),
    },
    tiles.screen,
  )
  return picture
}

function emptyPicture(y: Extent, x: Extent, depth: number): Picture {
  const [rows, columns] = [pointsOf(y), pointsOf(x)]
  const data = new Float64Array(rows * columns * depth).fill(Number.NaN)
  return { y, x, rows, columns, depth, data, progress: undefined }
}

/** Puts the points of a tile, whose numbers come in the order of the dimensions, to their place. */
export function fill(
  picture: Picture,
  { y, x }: ImagePart,
  numbers: Float64Array,
  uses: readonly DimensionUse[],
): void {
  const { data, columns, depth } = picture
  const top = Math.floor((y.start - picture.y.start) / y.block)
  const left = Math.floor((x.start - picture.x.start) / x.block)
  const [height, width] = [pointsOf(y), pointsOf(x)]
  const steps = stepsOf(uses, { y: height, x: width, ':': depth })
  for (let row = 0; row < height; row++) {
    const at = ((top + row) * columns + left) * depth
    if (steps.x === depth && steps[':'] === 1) {
      data.set(numbers.subarray(row * steps.y, row * steps.y + width * depth), at)
      continue
    }
    for (let column = 0; column < width; column++) {
      const from = row * steps.y + column * steps.x
      for (let i = 0; i < depth; i++)
        data[at + column * depth + i] = numbers[from + i * steps[':']] ?? Number.NaN
    }
  }
}

type DrawnUse = Exclude<DimensionUse, number>

/** How far numbers that follow each other along a dimension are apart; those of a point have none or one. */
function stepsOf(uses: readonly DimensionUse[], extents: Readonly<Record<DrawnUse, number>>) {
  const drawn = uses.filter(use => typeof use !== 'number')
  const order = drawn.includes(':') ? drawn : [...drawn, ':' as const]
  const steps = { y: 0, x: 0, ':': 0 }
  let step = 1
  for (const use of order.toReversed()) {
    steps[use] = step
    step *= extents[use]
  }
  return steps
}

/** Fills a picture with the points of another one that are at the same place, as far as that one has numbers there. */
export function fillFrom(picture: Picture, other: Picture): void {
  const { depth, data, columns, rows } = picture
  if (other.depth !== depth) return
  const places = (own: Extent, count: number, extent: Extent, most: number) =>
    Array.from({ length: count }, (_, i) => {
      const at = Math.floor((own.start + (i + 0.5) * own.block - extent.start) / extent.block)
      return at >= 0 && at < most ? at : undefined
    })
  const left = places(picture.x, columns, other.x, other.columns)
  for (const [row, top] of places(picture.y, rows, other.y, other.rows).entries()) {
    if (top === undefined) continue
    for (let column = 0; column < columns; column++) {
      const from = left[column]
      if (from === undefined) continue
      for (let i = 0; i < depth; i++) {
        const value = other.data[(top * other.columns + from) * depth + i] ?? Number.NaN
        if (!Number.isNaN(value)) data[(row * columns + column) * depth + i] = value
      }
    }
  }
}
