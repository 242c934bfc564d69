// The elements of a signal as coloured points at their places: NXdata with two axes for one dimension, or rows of two
// or three numbers.

import type { ColourMap } from '@hyperslab/meaning/colour-maps'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useExports } from '../data/exports.ts'
import type { Places, Plot } from '../data/plot.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import type { Bounds } from '../drawing/bounds.ts'
import type { Domain } from '../drawing/scales.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { ColourBar } from './ColourBar.tsx'
import { NOT_CUT } from './models/colour-range.ts'
import { domainsOf } from './models/domains.ts'
import {
  boundsOfPoints,
  type Points,
  placesOfPoints,
  pointsLayer,
  pointsNote,
  pointsText,
  readPoints,
  type ScatterSettings,
  type ScatterSubject,
  scatterAxis,
  scatterOf,
  scatterSettings,
  scatterTip,
  scatterTools,
} from './models/scatter.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { boundsOfDensity, type Density, densityLayer, densityOf } from './special/density.ts'
import { Tip } from './Tip.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'

export function ScatterView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.places === undefined) return null
  return <ScatterPlot plot={plot} places={plot.places} view={view} change={change} onShow={onShow} />
}

interface ScatterPlotProps extends Pick<ViewProps, 'view' | 'change' | 'onShow'> {
  readonly plot: Plot
  readonly places: Places
}

function ScatterPlot({ plot, places, view, change, onShow }: ScatterPlotProps) {
  const { contents } = useViewer()
  const subject = scatterOf(plot, places, view)
  const { curve, dataset, isDensity } = subject
  const { path } = curve.signal
  useEffect(() => onShow(path, undefined), [onShow, path])
  const { value: points, error } = useLoaded(
    abort => readPoints(contents.domain, subject, abort),
    [subject.wanted],
  )
  const settings = scatterSettings(subject, view)
  const [sight, setSight] = useState<Sight>()
  const density = useMemo(
    () => (isDensity && points && sight ? densityOf(points, sight) : undefined),
    [isDensity, points, sight],
  )
  const bounds = isDensity ? density && boundsOfDensity(density) : points && boundsOfPoints(points)
  const { domain, dataDomain } = domainsOf(bounds, settings.scale.value, view.range)
  const exports = useExports(dataset, undefined, ['csv', 'json', 'npy'])
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom }), [change])
  return (
    <PlotFrame
      tools={toolNodes(scatterTools(subject, settings, view, dataDomain), change)}
      exports={exports}
      isSlice={false}
      dimensions={null}
      note={points && pointsNote(subject, points.x.length)}
      error={error}
    >
      {points && placesOfPoints(points) ? (
        <ScatterDrawing
          title={plot.title}
          zoom={view.zoom}
          {...{ subject, points, density, places, settings, domain, bounds, sight, setSight, onZoom }}
        />
      ) : points ? (
        <p className="note">No point has three numbers.</p>
      ) : error === undefined ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

interface ScatterDrawingProps {
  readonly title: string
  readonly subject: ScatterSubject
  readonly points: Points
  /** Undefined: each point is drawn, or the size of the drawing is not known yet. */
  readonly density: Density | undefined
  readonly places: Places
  readonly zoom: Zoom | undefined
  readonly settings: ScatterSettings
  readonly domain: Domain
  readonly bounds: Bounds | undefined
  readonly sight: Sight | undefined
  readonly setSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

/** The canvas, and the bar of its colours. */
function ScatterDrawing(props: ScatterDrawingProps) {
  const { title, subject, points, density, places, zoom, settings, domain, bounds, sight } = props
  const { label, isDensity } = subject
  const colours = {
    domain,
    scale: settings.scale.value,
    gamma: 1,
    // The setting is one of the maps.
    map: settings.colours.value as ColourMap,
    isInverted: settings.isInverted.value,
  }
  const text = JSON.stringify(colours)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the colours
  const layers = useMemo(
    () => (isDensity ? (density ? [densityLayer(density, colours)] : []) : [pointsLayer(points, colours)]),
    [isDensity, points, density, text],
  )
  const ends = placesOfPoints(points)
  if (ends === undefined) return null
  const { hasGrid } = settings
  const axisOf = (axis: 'x' | 'y') => ({
    ...scatterAxis(places[axis]),
    domain: ends[axis],
    hasGrid: hasGrid.value,
  })
  return (
    <>
      <PlotCanvas
        title={title}
        aspect={settings.ratio.value}
        x={axisOf('x')}
        y={axisOf('y')}
        layers={layers}
        values={pointsText(points, label, bounds)}
        zoom={zoom}
        isLine={false}
        onSight={props.setSight}
        onZoom={props.onZoom}
        guides="both"
        tipAt={(x, y) => {
          const tip = sight && !isDensity && scatterTip(points, [x, y], sight, places)
          return tip && <Tip {...tip} label={label} />
        }}
      />
      <ColourBar {...colours} label={label} isCut={NOT_CUT} isEmpty={bounds === undefined} />
    </>
  )
}
