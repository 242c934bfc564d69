// The axis of a drawing, for a component: its coordinates are read when they have changed.

import { useMemo } from 'react'
import type { Axis } from '../meaning/axes.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { axisOf, numbersOf, type PlotAxis } from './axis.ts'

/** Coordinates that are read; between them the axis is taken as straight. */
const MOST_COORDINATES = 65_536
/** Strings that are read; an axis of more has indexes. */
const MOST_NAMES = 4096

/** The axis of a dimension. With `isEdged` each element has a width, as a pixel has. */
export function useAxis(axis: Axis | undefined, isEdged: boolean): PlotAxis | undefined {
  const { contents } = useViewer()
  const id = axis?.source?.dataset.id
  const length = axis?.length ?? 0
  const { value, error } = useLoaded(
    async signal => {
      if (axis === undefined || id === undefined || length === 0) return undefined
      const step = Math.ceil(length / MOST_COORDINATES)
      const values = numbersOf(await axis.coordinates.numbers({ start: 0, stop: length, step }, signal))
      if (axis.meaning?.kind !== 'other' || length > MOST_NAMES || values.every(Number.isFinite))
        return { step, values }
      const names = await axis.coordinates.texts({ start: 0, stop: length })
      return { step: 1, values: Float64Array.from(names.keys()), names }
    },
    [JSON.stringify([id, length, contents.changesOf(id ?? '')])],
  )
  const isLoading = id !== undefined && length > 0 && value === undefined && error === undefined
  return useMemo(
    () => (axis === undefined || isLoading ? undefined : axisOf(axis, value, isEdged)),
    [axis, isLoading, value, isEdged],
  )
}
