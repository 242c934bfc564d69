// The bad pixels of a detector in a picture of it: masked and saturated ones become NaN, which has no place in the
// range of colours and a colour of its own. The service leaves them out, so that a block with good and bad pixels has
// the number of the good ones; a mask in another file is read beside the picture.

import type { Domain } from '@hyperslab/client'
import { numberForm, productOf } from '@hyperslab/client/elements'
import type { Image, ImageRequest, Picture } from '../../data/image.ts'
import type { Detector } from '../../meaning/detector.ts'
import type { Reduction } from '../../view-address.ts'
import { isOfElements } from '../models/colour-range.ts'

type Pictures = Pick<Image, 'picture' | 'overview'>

/** Elements of a mask with which the service reads. @limit safety, elements */
const MAX_MASK = 2 ** 26

/** Whether the service can leave out the pixels of the mask: it is in the file of the image, and not too large. */
export function isLeftOut({ mask }: Detector, { id }: { readonly id: string }, domain: Domain): boolean {
  if (mask === undefined) return true
  return domain.pathOf(mask.id) === domain.pathOf(id) && productOf(mask.shape ?? []) <= MAX_MASK
}

/** Whether points of a picture, as it is, have the numbers of saturated pixels and not those of the good ones. */
export function hidesGoodPixels(
  { picture }: Pictures,
  detector: Detector | undefined,
  reduction: Reduction,
): boolean {
  const { saturation = Infinity } = detector ?? {}
  if (picture === undefined || saturation === Infinity || isOfElements(picture)) return false
  return reduction !== 'max' || picture.data.some(value => value >= saturation)
}

/** The request without the bad pixels. */
export function goodRequest(request: ImageRequest, { mask, saturation }: Detector): ImageRequest {
  const { dataset } = request
  const [least = '', most = ''] = dataset.numbers?.valid?.split(',') ?? []
  const limit = saturation === undefined ? Infinity : below(saturation, dataset)
  const greatest = Math.min(limit, most === '' ? Infinity : Number(most))
  const numbers = {
    ...dataset.numbers,
    ...(greatest < Infinity && { valid: `${least},${greatest}` }),
    ...(mask && { mask: mask.id }),
  }
  return { ...request, dataset: { ...dataset, numbers }, isCleaned: true }
}

/** The greatest number of the type that is less, or one of floats that is near. */
function below(limit: number, { type }: ImageRequest['dataset']): number {
  if (numberForm(type)?.kind === 'float') return limit * (1 - 2 ** -23)
  return Math.min(Math.ceil(limit) - 1, limit * (1 - 2 ** -52))
}

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
