// The image of a slice at the resolution of the screen. Where many elements must be read, the points come tile by tile:
// until then the former picture has their place, or a picture of few of the elements.

import type { Elements } from '@hyperslab/client'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { DimensionUse, Reduction, Span } from '../view-address.ts'
import { useViewer } from '../viewer-context.ts'
import {
  type BlockSelection,
  type DrawnDataset,
  type Extent,
  elementsOf,
  extentFor,
  IMAGE_TILE,
  pointsOf,
  READ_AT_ONCE,
  tilesOf,
} from './blocks.ts'
import type { StoredShape } from './contents.ts'
import { drawInParts, type Progress, Tiles } from './tiles.ts'

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
}

export interface ImageRequest {
  readonly dataset: StoredShape & DrawnDataset
  readonly uses: readonly DimensionUse[]
  readonly reduction: Reduction
  /** Makes the numbers that are drawn. It stays the same function. */
  readonly convert: (elements: Elements) => Float64Array
  /** The numbers that it makes of each element, if there is no dimension of colours; one by default. */
  readonly channels?: number
  /** The part in sight; undefined: all. */
  readonly sight: { readonly x: Span; readonly y: Span } | undefined
  /** The size of the canvas in pixels; undefined: not known yet. */
  readonly size: { readonly width: number; readonly height: number } | undefined
}

export interface Image {
  /** The latest picture of what is in sight. */
  readonly picture: Picture | undefined
  /** The latest picture of all of the slice. */
  readonly overview: Picture | undefined
  readonly isComplete: boolean
  readonly error: unknown
}

const NOTHING: Image & { readonly slice: string } = {
  picture: undefined,
  overview: undefined,
  isComplete: false,
  error: undefined,
  slice: '',
}

export function useImage({
  dataset,
  uses,
  reduction,
  convert,
  channels = 1,
  sight,
  size,
}: ImageRequest): Image {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = useMemo(() => new Tiles(contents.domain), [contents])
  const [image, setImage] = useState(NOTHING)
  const shape = dataset.shape ?? []
  const [yDimension, xDimension] = [uses.indexOf('y'), uses.indexOf('x')]
  const [rows, columns] = [shape[yDimension] ?? 0, shape[xDimension] ?? 0]
  const partOf = (seen: typeof sight) =>
    size && {
      y: extentFor(rows, seen?.y, size.height, IMAGE_TILE, dataset.filteredChunk?.[yDimension]),
      x: extentFor(columns, seen?.x, size.width, IMAGE_TILE, dataset.filteredChunk?.[xDimension]),
    }
  const part = partOf(sight)
  const { stamp } = dataset
  const subject = JSON.stringify([dataset.id, uses, reduction])
  const slice = JSON.stringify([subject, stamp, shape])
  const wanted = JSON.stringify([slice, part])
  /** The slice of the overview that was drawn. */
  const drawn = useRef({ slice: '', convert })
  /** What was shown last, as long as it is of the same subject: new pictures begin with its points. */
  const former = useRef<Former>({ subject, convert, overview: undefined, picture: undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => {
    const whole = partOf(undefined)
    if (part === undefined || whole === undefined || rows * columns === 0) return
    const abort = new AbortController()
    const { signal } = abort
    const set = (change: Partial<typeof NOTHING>) => {
      if (signal.aborted) return
      const { overview, picture } = change
      if (overview) former.current.overview = overview
      if (picture) former.current.picture = picture
      setImage(before => ({ ...before, ...change }))
    }
    if (former.current.subject !== subject || former.current.convert !== convert)
      former.current = { subject, convert, overview: undefined, picture: undefined }
    const hasOverview = drawn.current.slice === slice && drawn.current.convert === convert
    set({ isComplete: false, error: undefined, ...(!hasOverview && { overview: undefined, slice: '' }) })
    const select = (y: Extent, x: Extent): BlockSelection =>
      uses.map(use => (use === 'y' ? y : use === 'x' ? x : use === ':' ? undefined : use))
    const read = (y: Extent, x: Extent, value: Reduction) =>
      tiles.read(dataset, stamp, select(y, x), value, signal)
    const draw = async ({ y, x }: typeof part, show: (picture: Picture) => void) => {
      const depth = uses.at(-1) === ':' ? (shape.at(-1) ?? 1) : channels
      const picture = emptyPicture(y, x, depth)
      const { overview: all, picture: latest } = former.current
      const earlier = [all, latest].filter(one => one !== undefined)
      for (const one of earlier) fillFrom(picture, one)
      const put = (yPart: Extent, xPart: Extent, elements: Elements) =>
        fill(picture, yPart, xPart, convert(elements), xDimension < yDimension)
      const xTiles = tilesOf(x, IMAGE_TILE, dataset.filteredChunk?.[xDimension])
      const tileParts = tilesOf(y, IMAGE_TILE, dataset.filteredChunk?.[yDimension]).flatMap(yTile =>
        xTiles.map(xTile => [yTile, xTile] as const),
      )
      const hasSample =
        earlier.length === 0 &&
        !dataset.filteredChunk &&
        reduction !== 'first' &&
        elementsOf(shape, select(y, x)) > READ_AT_ONCE
      await drawInParts(tileParts, {
        sample: hasSample ? async () => put(y, x, (await read(y, x, 'first')).data) : undefined,
        read: async ([yTile, xTile]) => put(yTile, xTile, (await read(yTile, xTile, reduction)).data),
        show: progress => show({ ...picture, progress }),
      })
    }
    const load = async () => {
      const isAll = JSON.stringify(part) === JSON.stringify(whole)
      await draw(part, picture => set({ picture, ...(isAll && { overview: picture, slice }) }))
      // An address may lead to a part: the range of colours is that of all.
      if (!isAll && !hasOverview) await draw(whole, overview => set({ overview, slice }))
      if (!signal.aborted) drawn.current = { slice, convert }
      set({ isComplete: true })
    }
    load().catch((error: unknown) => {
      set({ isComplete: true, error })
      if (!signal.aborted) fail(error)
    })
    return () => abort.abort()
  }, [wanted, convert, tiles, attempt, fail])
  return image.slice === slice ? image : { ...image, overview: undefined }
}

interface Former {
  readonly subject: string
  readonly convert: ImageRequest['convert']
  overview: Picture | undefined
  picture: Picture | undefined
}

function emptyPicture(y: Extent, x: Extent, depth: number): Picture {
  const [rows, columns] = [pointsOf(y), pointsOf(x)]
  const data = new Float64Array(rows * columns * depth).fill(Number.NaN)
  return { y, x, rows, columns, depth, data, progress: undefined }
}

/** Puts the points of a tile, which come by columns if x is the earlier dimension, to their place. */
function fill(picture: Picture, y: Extent, x: Extent, numbers: Float64Array, isByColumns: boolean): void {
  const { data, columns, depth } = picture
  const top = Math.floor((y.start - picture.y.start) / y.block)
  const left = Math.floor((x.start - picture.x.start) / x.block)
  const [height, width] = [pointsOf(y), pointsOf(x)]
  for (let row = 0; row < height; row++) {
    const at = ((top + row) * columns + left) * depth
    if (!isByColumns) data.set(numbers.subarray(row * width * depth, (row + 1) * width * depth), at)
    else {
      for (let column = 0; column < width; column++)
        for (let i = 0; i < depth; i++)
          data[at + column * depth + i] = numbers[(column * height + row) * depth + i] ?? Number.NaN
    }
  }
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
