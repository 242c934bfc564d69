// An image of a detector without its bad pixels, for a component: its mask is read beside it.

import { useMemo } from 'react'
import type { Image } from '../../data/image.ts'
import { useImage } from '../../data/use-image.ts'
import { detectorOf } from '../../meaning/detector.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { type ImageSight, type ImageSubject, imageRequest } from '../models/image.ts'
import { maskRequest, withoutBadPixels } from './bad-pixels.ts'

const NO_PICTURES = { picture: undefined, overview: undefined }

/** The image itself, if it is none of a detector. */
export function useGoodPixels(subject: ImageSubject, seen: ImageSight, image: Image): Image {
  const { contents, version } = useViewer()
  const { dataset, plot, palette, isOfComplex } = subject
  const { path } = plot.signal
  const isPlain = palette === undefined && !isOfComplex
  const { value: detector } = useLoaded(
    async () => (isPlain ? detectorOf({ contents, path }, dataset) : undefined),
    [`${contents.domain.path} ${path} ${isPlain}`, version],
  )
  const request = imageRequest(subject, seen)
  const masked = detector && maskRequest(request, detector)
  // Without a size nothing is read.
  const mask = useImage(masked ?? { ...request, size: undefined })
  const { picture, overview } = masked ? mask : NO_PICTURES
  const [ownPicture, ownOverview] = [image.picture, image.overview]
  const good = useMemo(() => {
    const own = { picture: ownPicture, overview: ownOverview }
    return detector ? withoutBadPixels(own, { picture, overview }, detector) : own
  }, [detector, ownPicture, ownOverview, picture, overview])
  return { ...image, ...good }
}
