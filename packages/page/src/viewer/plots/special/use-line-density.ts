// The density of the first curve of a line plot, for a component.

import { useMemo } from 'react'
import type { PlotAxis } from '../../data/axis.ts'
import type { CurveRequest, LoadedCurve } from '../../data/curves.ts'
import type { Sight } from '../../data/sight.ts'
import type { ColourScale } from '../../drawing/colours.ts'
import type { PictureLayer } from '../../drawing/scene.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { domainsOf } from '../models/domains.ts'
import type { LineSettings } from '../models/line.ts'
import { boundsOfDensity, densityLayer, densityOf } from './density.ts'
import { lineDensityNote, readCloud } from './line-density.ts'

export interface LineDensity {
  readonly layer: PictureLayer
  readonly colours: ColourScale
  readonly note: string
}

interface LineDensityOptions {
  readonly request: CurveRequest | undefined
  readonly curve: LoadedCurve | undefined
  readonly settings: LineSettings
  readonly x: PlotAxis | undefined
  readonly sight: Sight | undefined
}

/** Undefined: the line is drawn as a line, or its elements have not come yet. */
export function useLineDensity(options: LineDensityOptions): LineDensity | undefined {
  const { request, curve, settings, x, sight } = options
  const { contents } = useViewer()
  const isOn = settings.curve.value === 'density'
  const extent = isOn ? curve?.points?.extent : undefined
  const { dataset, uses } = request ?? {}
  const { value: cloud } = useLoaded(
    async abort =>
      request && x && extent ? readCloud(contents.domain, request, extent, x, abort) : undefined,
    [
      JSON.stringify([dataset?.id, dataset?.numbers, uses, isOn]),
      JSON.stringify([dataset?.stamp, extent?.start, extent?.stop]),
      x,
    ],
  )
  const [xScale, yScale] = [settings.xScale.value, settings.scale.value]
  return useMemo(() => {
    if (cloud === undefined || extent === undefined || sight === undefined) return undefined
    const density = densityOf(cloud, sight, { x: xScale, y: yScale })
    const { domain } = domainsOf(boundsOfDensity(density), 'log', undefined)
    const colours = { domain, scale: 'log', gamma: 1, map: 'Viridis', isInverted: false } as const
    return { layer: densityLayer(density, colours), colours, note: lineDensityNote(extent) }
  }, [cloud, extent, sight, xScale, yScale])
}
