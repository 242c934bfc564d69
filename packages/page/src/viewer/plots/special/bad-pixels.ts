// The bad pixels of a detector in a picture of it: masked and saturated ones become NaN, which has no place in the
// range of colours and a colour of its own.

import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Detector } from '../../meaning/detector.ts'
import { isOfElements } from '../models/colour-range.ts'

type Pictures = Pick<Image, 'picture' | 'overview'>

/** What is read of the mask for an image; undefined: the image has no mask, or is no image of all its pixels. */
export function maskRequest(request: ImageRequest, { mask }: Detector): ImageRequest | undefined {
  const uses = request.uses.slice(-(mask?.shape?.length ?? 0))
  if (mask === undefined || !uses.includes('y') || !uses.includes('x')) return undefined
  // The least of a block is 0 where one of its pixels is good.
  return { ...request, dataset: mask, uses, reduction: 'min', convert: marksOf, channels: 1 }
}

function marksOf(elements: ArrayLike<unknown>): Float64Array {
  return Float64Array.from(elements as ArrayLike<number | bigint>, Number)
}

/** Both pictures of an image without its bad pixels. */
export function withoutBadPixels(image: Pictures, mask: Pictures, detector: Detector): Pictures {
  const picture = image.picture && cleaned(image.picture, mask.picture ?? mask.overview, detector)
  const overview =
    image.overview === image.picture
      ? picture
      : image.overview && cleaned(image.overview, mask.overview, detector)
  return { picture, overview }
}

function cleaned(picture: Picture, mask: Picture | undefined, { saturation = Infinity }: Detector): Picture {
  const { rows, columns } = picture
  const isMasked = mask && maskTest(picture, mask)
  const data = picture.data.map((value, i) => {
    const isBad = value >= saturation || isMasked?.(Math.floor(i / columns), i % columns)
    return isBad ? Number.NaN : value
  })
  return picture.depth === 1 && data.length === rows * columns
    ? { ...picture, data, isCleaned: true }
    : picture
}

/** The test of a point of a picture: whether all of its pixels are masked. */
function maskTest(picture: Picture, mask: Picture): (row: number, column: number) => boolean {
  const at = (axis: 'y' | 'x', point: number) => {
    const [own, other] = [picture[axis], mask[axis]]
    return Math.floor((own.start + (point + 0.5) * own.block - other.start) / other.block)
  }
  return (row, column) => {
    const [i, j] = [at('y', row), at('x', column)]
    const isInside = i >= 0 && i < mask.rows && j >= 0 && j < mask.columns
    // What is not read yet is NaN.
    return isInside && Math.abs(mask.data[i * mask.columns + j] ?? 0) > 0
  }
}

/** How many are left out, as a sentence; undefined: none. */
export function badPixelsNote({ picture, overview }: Pictures): string | undefined {
  const all = overview ?? picture
  if (all?.isCleaned !== true || all.progress !== undefined) return undefined
  let count = 0
  for (const value of all.data) if (Number.isNaN(value)) count++
  if (count === 0) return undefined
  const name = isOfElements(all) ? 'pixel' : 'point'
  return count === 1
    ? `1 ${name} that is masked or saturated is left out.`
    : `${count.toLocaleString('en')} ${name}s that are masked or saturated are left out.`
}
