// An image of a detector without its bad pixels, for a component: its mask is read beside it.

import { useMemo } from 'react'
import type { Contents } from '../../data/contents.ts'
import type { Image } from '../../data/image.ts'
import type { Tiles } from '../../data/tiles.ts'
import { useImage } from '../../data/use-image.ts'
import { detectorOf } from '../../meaning/detector.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { type ImageSight, type ImageSubject, imageRequest } from '../models/image.ts'
import { maskRequest, withoutBadPixels } from './bad-pixels.ts'

const NO_PICTURES = { picture: undefined, overview: undefined }

interface OtherFile {
  /** Undefined: there is no image. */
  readonly contents: Contents | undefined
  readonly tiles: Tiles | undefined
}

/** The image itself, if it is none of a detector. */
export function useGoodPixels(
  subject: ImageSubject,
  seen: ImageSight,
  image: Image,
  other?: OtherFile,
): Image {
  const viewer = useViewer()
  const { version } = viewer
  const { contents, tiles } = other ?? { ...viewer, tiles: undefined }
  const { dataset, plot, palette, isOfComplex } = subject
  const { path } = plot.signal
  const isPlain = palette === undefined && !isOfComplex
  const { value: detector } = useLoaded(
    async () => (contents && isPlain ? detectorOf({ contents, path }, dataset) : undefined),
    [`${contents?.domain.path} ${path} ${isPlain}`, version],
  )
  const request = imageRequest(subject, seen)
  const masked = detector && maskRequest(request, detector)
  // Without a size nothing is read.
  const mask = useImage({ ...(masked ?? { ...request, size: undefined }), tiles })
  const { picture, overview } = masked ? mask : NO_PICTURES
  const [ownPicture, ownOverview] = [image.picture, image.overview]
  const good = useMemo(() => {
    const own = { picture: ownPicture, overview: ownOverview }
    return detector ? withoutBadPixels(own, { picture, overview }, detector) : own
  }, [detector, ownPicture, ownOverview, picture, overview])
  return { ...image, ...good }
}
