// An image of a detector without its bad pixels, for a component. The picture does not wait for the detector: it is
// read once as it is, and from then on without them.

import { useEffect, useMemo, useState } from 'react'
import type { Contents } from '../../data/contents.ts'
import type { Image } from '../../data/image.ts'
import type { Tiles } from '../../data/tiles.ts'
import { useImage } from '../../data/use-image.ts'
import { type Detector, detectorOf } from '../../meaning/detector.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { type ImageSight, type ImageSubject, imageRequest } from '../models/image.ts'
import { useConverters } from '../use-parts.ts'
import { goodRequest, hidesGoodPixels, isLeftOut, maskRequest, withoutBadPixels } from './bad-pixels.ts'

const NO_PICTURES = { picture: undefined, overview: undefined }

interface Others {
  /** The image that likely comes next. */
  readonly ahead?: ImageSubject | undefined
  /** The file of the image; absent: the one that is shown. */
  readonly file?: {
    /** Undefined: there is no image. */
    readonly contents: Contents | undefined
    readonly tiles: Tiles | undefined
  }
}

/** The image as it is, if it is none of a detector. */
export function useGoodPixels(subject: ImageSubject, seen: ImageSight, { ahead, file }: Others): Image {
  const viewer = useViewer()
  const { contents, tiles } = file ?? { ...viewer, tiles: undefined }
  const detector = useDetector(subject, contents)
  const { dataset, plot, part, isReducible, reduction } = subject
  const { path } = plot.signal
  const isMaskAsked = detector && contents && isReducible && isLeftOut(detector, dataset, contents.domain)
  const [convert] = useConverters([plot], part)
  const [begun, setBegun] = useState<string>()
  const requestOf = (subject: ImageSubject) => {
    const request = { ...imageRequest(subject, seen, convert), tiles }
    if (detector === undefined || !isReducible || begun !== path) return request
    return goodRequest(request, isMaskAsked ? detector : { ...detector, mask: undefined })
  }
  const image = useImage(requestOf(subject), ahead && requestOf(ahead))
  const isBetter = detector?.mask && isMaskAsked ? true : hidesGoodPixels(image, detector, reduction)
  useEffect(() => {
    if (isReducible && image.isComplete && isBetter) setBegun(path)
  }, [isReducible, image.isComplete, isBetter, path])
  const saturation = detector?.saturation
  const left = useMemo(
    () => (isMaskAsked ? { mask: undefined, saturation } : detector),
    [isMaskAsked, saturation, detector],
  )
  const beside = useWithoutMasked(subject, seen, image, left, tiles)
  return { ...image, ...beside }
}

/** Undefined: it is no image of a detector, or that is not known yet. */
function useDetector(
  { dataset, plot, palette, isOfComplex }: ImageSubject,
  contents: Contents | undefined,
): Detector | undefined {
  const { version } = useViewer()
  const { path } = plot.signal
  const isPlain = palette === undefined && !isOfComplex
  const { value } = useLoaded(
    async () => (contents && isPlain ? detectorOf({ contents, path }, dataset) : undefined),
    [`${contents?.domain.path} ${path} ${isPlain}`, version],
  )
  return value
}

/** The pictures without the pixels of a mask that is read beside them. */
function useWithoutMasked(
  subject: ImageSubject,
  seen: ImageSight,
  image: Image,
  detector: Detector | undefined,
  tiles: Tiles | undefined,
) {
  const request = imageRequest(subject, seen)
  const masked = detector && maskRequest(request, detector)
  // Without a size nothing is read.
  const mask = useImage({ ...(masked ?? { ...request, size: undefined }), tiles })
  const { picture, overview } = masked ? mask : NO_PICTURES
  const [ownPicture, ownOverview] = [image.picture, image.overview]
  return useMemo(() => {
    const own = { picture: ownPicture, overview: ownOverview }
    return detector ? withoutBadPixels(own, { picture, overview }, detector) : own
  }, [detector, ownPicture, ownOverview, picture, overview])
}
