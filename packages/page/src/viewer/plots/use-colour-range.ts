// The range of the colours of an image, for a component: the statistics of the elements are read when they are needed.

import { useRef } from 'react'
import { useLoaded, useViewer } from '../viewer-context.ts'
import {
  type ColourRange,
  colourRangeOf,
  neededStatistics,
  type RangeSubject,
} from './models/colour-range.ts'

/** While it is held, as for a stack that plays, it is that of the first slice: colours do not flicker. */
export function useColourRange(subject: RangeSubject, isHeld: boolean): ColourRange {
  const range = useRangeOfSlice(subject, !isHeld)
  const { plot, part, span } = subject
  const key = [plot.signal.path, part, span].join()
  const held = useRef({ key, range })
  if (!isHeld || held.current.key !== key || held.current.range.bounds === undefined)
    held.current = { key, range }
  return isHeld ? { ...held.current.range, text: 'While it plays, the colours span one range.' } : range
}

function useRangeOfSlice(subject: RangeSubject, mayRead: boolean): ColourRange {
  const { contents } = useViewer()
  const needed = neededStatistics(subject)
  const { slice, read } = needed
  const isNeeded = mayRead && needed.isNeeded
  // Another size of the canvas draws samples again: the statistics stay those of the slice.
  const requested = useRef<string>()
  if (isNeeded) requested.current = slice
  const isRequested = requested.current === slice
  const loaded = useLoaded(
    async abort => (isRequested ? read(subject.domain ?? contents.domain, abort) : undefined),
    [slice, isRequested],
  )
  return colourRangeOf(subject, loaded)
}
