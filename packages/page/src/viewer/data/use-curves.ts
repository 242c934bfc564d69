// The curves of a line plot, for a component: they are read anew when other elements are wanted.

import { useEffect, useMemo, useReducer, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import { type CurveRequest, CurvesLoader, type LoadedCurve, wantedOf } from './curves.ts'
import { Tiles } from './tiles.ts'

/** In the order of the requests. */
export function useCurves(requests: readonly CurveRequest[]): readonly LoadedCurve[] {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = useMemo(() => new Tiles(contents.domain), [contents])
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [loader] = useState(() => new CurvesLoader(redraw))
  const keys = [wantedOf(requests), ...requests.map(({ convert }) => convert)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say what is wanted
  useEffect(() => loader.load(tiles, requests, fail), [loader, ...keys, tiles, attempt, fail])
  return loader.curvesOf(requests)
}
