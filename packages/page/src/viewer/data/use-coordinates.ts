// The coordinates of an axis for the heads of rows and columns in sight.

import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { Axis } from '../meaning/axes.ts'

const PAGE = 256

/** Gives the string for an index; its index until the coordinates are there, and if they cannot be read. */
export function useCoordinates(axis: Axis | undefined): (index: number) => string {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const pages = useRef(new Map<number, readonly string[]>())
  const coordinates = axis?.source && axis.coordinates
  const length = axis?.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: another axis has other coordinates
  useEffect(() => {
    pages.current = new Map()
    redraw()
  }, [coordinates])
  return useCallback(
    index => {
      if (coordinates === undefined) return String(index)
      const start = index - (index % PAGE)
      const known = pages.current
      const page = known.get(start)
      if (page === undefined) {
        known.set(start, [])
        coordinates.texts({ start, stop: Math.min(length, start + PAGE) }).then(
          texts => {
            known.set(start, texts)
            if (known === pages.current) redraw()
          },
          // The numbers of the elements stay; the drawing says that something could not be loaded.
          () => undefined,
        )
      }
      const text = page?.[index - start]
      return text === undefined ? String(index) : coordinates.withUnits(text)
    },
    [coordinates, length],
  )
}
