// The image of a slice, for a component: it is read anew when other elements are wanted. Another one may be read ahead.

import { useEffect, useReducer, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import { type Image, ImageLoader, type ImageRequest, readAhead, wantedOf } from './image.ts'
import { tilesOf } from './tiles.ts'
import { useReading } from './use-reading.ts'

export function useImage(request: ImageRequest, ahead?: ImageRequest): Image {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = tilesOf(contents.domain)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [loader] = useState(() => new ImageLoader(redraw))
  const wanted = wantedOf(request)
  const reading = useReading(wanted)
  const { isStopped } = reading
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(
    () => (isStopped ? undefined : loader.load(tiles, request, fail)),
    [loader, wanted, request.convert, tiles, attempt, fail, isStopped],
  )
  const image = loader.imageOf(request)
  const next = ahead && wantedOf(ahead)
  const { isComplete } = image
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => (ahead && isComplete ? readAhead(tiles, ahead) : undefined), [next, isComplete, tiles])
  const isInParts = [image.picture, image.overview].some(one => one?.progress !== undefined)
  return isInParts ? { ...image, reading } : image
}
