// The image of a slice at the resolution of the screen. A picture of few of its elements comes first where many must be
// read, and the points take its place tile by tile.

import { useEffect, useMemo, useRef, useState } from 'react'
import type { DatasetShape, Elements } from '../../../client/index.ts'
import {
  type BlockSelection,
  type Extent,
  elementsOf,
  extentFor,
  IMAGE_TILE,
  pointsOf,
  tilesOf,
} from './blocks.ts'
import { Tiles } from './tiles.ts'
import type { DimensionUse, Reduction, Span } from './view-address.ts'
import { useViewer } from './viewer-context.ts'

/** A part of an image, row by row. */
export interface Picture {
  readonly y: Extent
  readonly x: Extent
  readonly rows: number
  readonly columns: number
  /** Numbers of each point: one, or one for each colour. */
  readonly depth: number
  readonly data: Float64Array
  /** It has few of the elements, while the others are read. */
  readonly isSample: boolean
}

export interface ImageRequest {
  readonly dataset: DatasetShape
  readonly uses: readonly DimensionUse[]
  readonly reduction: Reduction
  /** Makes the numbers that are drawn. It stays the same function. */
  readonly convert: (elements: Elements) => Float64Array
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

/** Elements that are read at once without a first picture. */
const READ_AT_ONCE = 2 ** 23

const NOTHING: Image & { readonly slice: string } = {
  picture: undefined,
  overview: undefined,
  isComplete: false,
  error: undefined,
  slice: '',
}

export function useImage({ dataset, uses, reduction, convert, sight, size }: ImageRequest): Image {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = useMemo(() => new Tiles(contents.domain), [contents])
  const [image, setImage] = useState(NOTHING)
  const shape = dataset.shape ?? []
  const [yDimension, xDimension] = [uses.indexOf('y'), uses.indexOf('x')]
  const [rows, columns] = [shape[yDimension] ?? 0, shape[xDimension] ?? 0]
  const partOf = (seen: typeof sight) =>
    size && {
      y: extentFor(rows, seen?.y, size.height, IMAGE_TILE),
      x: extentFor(columns, seen?.x, size.width, IMAGE_TILE),
    }
  const part = partOf(sight)
  const stamp = contents.changesOf(dataset.id)
  const slice = JSON.stringify([dataset.id, stamp, shape, uses, reduction])
  const wanted = JSON.stringify([slice, part])
  /** The slice of the overview that was drawn. */
  const drawn = useRef({ slice: '', convert })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => {
    const whole = partOf(undefined)
    if (part === undefined || whole === undefined || rows * columns === 0) return
    const abort = new AbortController()
    const { signal } = abort
    const set = (change: Partial<typeof NOTHING>) => {
      if (!signal.aborted) setImage(before => ({ ...before, ...change }))
    }
    const hasOverview = drawn.current.slice === slice && drawn.current.convert === convert
    set({ isComplete: false, error: undefined, ...(!hasOverview && { overview: undefined, slice: '' }) })
    const select = (y: Extent, x: Extent): BlockSelection =>
      uses.map(use => (use === 'y' ? y : use === 'x' ? x : use === ':' ? undefined : use))
    const read = (y: Extent, x: Extent, value: Reduction) =>
      tiles.read(dataset, stamp, select(y, x), value, signal)
    const draw = async ({ y, x }: typeof part, show: (picture: Picture) => void) => {
      const depth = uses.at(-1) === ':' ? (shape.at(-1) ?? 1) : 1
      const picture = emptyPicture(y, x, depth)
      const put = (yPart: Extent, xPart: Extent, elements: Elements) =>
        fill(picture, yPart, xPart, convert(elements), xDimension < yDimension)
      const isSampled =
        reduction !== 'first' && y.block * x.block > 1 && elementsOf(shape, select(y, x)) > READ_AT_ONCE
      if (isSampled) {
        put(y, x, (await read(y, x, 'first')).data)
        show({ ...picture, isSample: true })
      }
      let shownAt = performance.now()
      await Promise.all(
        tilesOf(y, IMAGE_TILE)
          .flatMap(yTile => tilesOf(x, IMAGE_TILE).map(xTile => [yTile, xTile] as const))
          .map(async ([yTile, xTile]) => {
            put(yTile, xTile, (await read(yTile, xTile, reduction)).data)
            if (!isSampled || performance.now() - shownAt < REDRAW_MS) return
            shownAt = performance.now()
            show({ ...picture, isSample: true })
          }),
      )
      show({ ...picture })
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

/** Pictures are drawn anew at most so often while tiles come. */
const REDRAW_MS = 150

function emptyPicture(y: Extent, x: Extent, depth: number): Picture {
  const [rows, columns] = [pointsOf(y), pointsOf(x)]
  const data = new Float64Array(rows * columns * depth).fill(Number.NaN)
  return { y, x, rows, columns, depth, data, isSample: false }
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
