// Outlines of regions above an image, or a line: what shows the drawing says which.

import { createContext, useContext, useMemo } from 'react'
import type { PlotAxis } from '../../data/axis.ts'
import type { Domain } from '../../drawing/scales.ts'
import type { Layer } from '../../drawing/scene.ts'
import type { DimensionUse } from '../../view-address.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import { intervalLayers, type Outlines, outlineLayers } from './regions.ts'

export const OutlinesContext = createContext<Outlines | undefined>(undefined)

/** The layers, with the outlines above them. */
export function useOutlined(
  layers: readonly Layer[],
  uses: readonly DimensionUse[],
  geometry: ImageGeometry,
): readonly Layer[] {
  const outlines = useContext(OutlinesContext)
  const text = uses.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the slice
  return useMemo(
    () => (outlines ? [...layers, ...outlineLayers(outlines, uses, geometry)] : layers),
    [outlines, layers, text, geometry],
  )
}

/** The layers of a line, with the ends of the chosen region above them. */
export function useIntervals(layers: readonly Layer[], x: PlotAxis, [bottom, top]: Domain): readonly Layer[] {
  const outlines = useContext(OutlinesContext)
  return useMemo(
    () => (outlines ? [...layers, ...intervalLayers(outlines, x, [bottom, top])] : layers),
    [outlines, layers, x, bottom, top],
  )
}
