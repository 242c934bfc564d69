// The range of the colours of an image, for a component: the statistics of the elements are read when they are needed.

import { useRef } from 'react'
import { useLoaded, useViewer } from '../viewer-context.ts'
import {
  type ColourRange,
  colourRangeOf,
  neededStatistics,
  type RangeSubject,
} from './models/colour-range.ts'

export function useColourRange(subject: RangeSubject): ColourRange {
  const { contents } = useViewer()
  const { isNeeded, slice, read } = neededStatistics(subject)
  // Another size of the canvas draws samples again: the statistics stay those of the slice.
  const requested = useRef<string>()
  if (isNeeded) requested.current = slice
  const isRequested = requested.current === slice
  const loaded = useLoaded(
    async abort => (isRequested ? read(contents.domain, abort) : undefined),
    [slice, isRequested],
  )
  return colourRangeOf(subject, loaded)
}
