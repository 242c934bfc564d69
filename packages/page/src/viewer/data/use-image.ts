// The image of a slice, for a component: it is read anew when other elements are wanted.

import { useEffect, useMemo, useReducer, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import { type Image, ImageLoader, type ImageRequest, wantedOf } from './image.ts'
import { Tiles } from './tiles.ts'

export function useImage(request: ImageRequest): Image {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = useMemo(() => new Tiles(contents.domain), [contents])
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [loader] = useState(() => new ImageLoader(redraw))
  const wanted = wantedOf(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  useEffect(() => loader.load(tiles, request, fail), [loader, wanted, request.convert, tiles, attempt, fail])
  return loader.imageOf(request)
}
