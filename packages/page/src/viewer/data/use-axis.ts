// The axis of a drawing, for a component: its coordinates are read when they have changed.

import { useMemo } from 'react'
import type { Axis } from '../meaning/axes.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { axisOf, type PlotAxis, sampledCoordinates } from './axis.ts'

/** The axis of a dimension. With `isEdged` each element has a width, as a pixel has. */
export function useAxis(axis: Axis | undefined, isEdged: boolean): PlotAxis | undefined {
  const { contents } = useViewer()
  const id = axis?.source?.dataset.id
  const length = axis?.length ?? 0
  const { value, error } = useLoaded(
    async signal =>
      axis === undefined || id === undefined || length === 0 ? undefined : sampledCoordinates(axis, signal),
    [JSON.stringify([id, length, contents.changesOf(id ?? '')])],
  )
  const isLoading = id !== undefined && length > 0 && value === undefined && error === undefined
  return useMemo(
    () => (axis === undefined || isLoading ? undefined : axisOf(axis, value, isEdged)),
    [axis, isLoading, value, isEdged],
  )
}
