// The curves of a line plot, for a component: they are read anew when other elements are wanted.

import { useEffect, useReducer, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import { type CurveRequest, CurvesLoader, type LoadedCurve, wantedOf } from './curves.ts'
import { tilesOf } from './tiles.ts'
import { type Reading, useReading } from './use-reading.ts'

export interface Curves {
  /** In the order of the requests. */
  readonly loaded: readonly LoadedCurve[]
  /** While some come in parts. */
  readonly reading: Reading | undefined
}

export function useCurves(requests: readonly CurveRequest[]): Curves {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const tiles = tilesOf(contents.domain)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [loader] = useState(() => new CurvesLoader(redraw))
  const wanted = wantedOf(requests)
  const reading = useReading(wanted)
  const keys = [wanted, reading.isStopped, ...requests.map(({ convert }) => convert)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say what is wanted
  useEffect(
    () => (reading.isStopped ? undefined : loader.load(tiles, requests, fail)),
    [loader, ...keys, tiles, attempt, fail],
  )
  const loaded = loader.curvesOf(requests)
  const isInParts = loaded.some(
    ({ points, overview }) => (points?.progress ?? overview?.progress) !== undefined,
  )
  return { loaded, reading: isInParts ? reading : undefined }
}
