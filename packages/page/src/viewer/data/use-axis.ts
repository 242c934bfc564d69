// The axis of a drawing, for a component: its coordinates are read when they have changed.

import { useMemo } from 'react'
import { messageOf } from '../../common/errors.ts'
import { type Axis, axisAt } from '../meaning/axes.ts'
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

export interface ChosenAxis {
  /** Undefined: that of the file. */
  readonly axis: Axis | undefined
  readonly isLoading: boolean
  /** The reason why the dataset is no axis, in a sentence. */
  readonly problem: string | undefined
}

/** The axis of a dimension that the user has chosen by the path of its dataset. */
export function useChosenAxis(path: string | undefined, length: number): ChosenAxis {
  const { contents, version } = useViewer()
  const { value, error, isLoading } = useLoaded(
    async signal => (path === undefined ? undefined : axisAt(contents, path, length, signal)),
    [JSON.stringify([path, length]), contents, version],
  )
  return {
    axis: value,
    isLoading: path !== undefined && isLoading && value === undefined && error === undefined,
    problem: error === undefined ? undefined : `${path} is not the axis: ${messageOf(error)}`,
  }
}
