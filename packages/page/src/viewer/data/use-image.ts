// The image of a slice, for a component: it is read anew when other elements are wanted. Another one may be read ahead.

import { useEffect, useMemo, useReducer, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import { type Image, ImageLoader, type ImageRequest, readAhead, wantedOf } from './image.ts'
import { Tiles } from './tiles.ts'

export function useImage(request: ImageRequest, ahead?: ImageRequest): Image {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = useMemo(() => new Tiles(contents.domain), [contents])
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [loader] = useState(() => new ImageLoader(redraw))
  const wanted = wantedOf(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => loader.load(tiles, request, fail), [loader, wanted, request.convert, tiles, attempt, fail])
  const image = loader.imageOf(request)
  const next = ahead && wantedOf(ahead)
  const { isComplete } = image
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => (ahead && isComplete ? readAhead(tiles, ahead) : undefined), [next, isComplete, tiles])
  return image
}
