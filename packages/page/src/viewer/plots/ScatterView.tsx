// The elements of a signal as coloured points at their places: NXdata with two axes for one dimension.

import {
  COLOR_SCALE_TYPES,
  ColorMapSelector,
  type ColorScaleType,
  type Domain,
  extendDomain,
  getBounds,
  getDomain,
  getSafeDomain,
  getValidDomainForScale,
  getVisDomain,
  ScaleSelector,
  ScatterPoints,
  Separator,
  ToggleBtn,
  TooltipMesh,
} from '@h5web/lib'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Choice } from '../Choice.tsx'
import { useExports } from '../data/exports.ts'
import type { Curve, LabelledQuantity, Places, Plot } from '../data/plot.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views.ts'
import { ColourBar, isColorMap } from './ColourBar.tsx'
import { formatValue } from './numbers.ts'
import { PlotCanvas, type Sight, type Zoom } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { RangeTool } from './RangeTool.tsx'
import { nearestPoint, type Points, pointsNote, readPoints, stepOf } from './scatter.ts'

const NO_DOMAIN: Domain = [0.1, 1]

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
  const curves: readonly Curve[] = [plot, ...plot.auxiliaries.filter(other => hasLengthOf(other, plot))]
  const curve = curves.find(({ signal }) => signal.name === view.signal) ?? plot
  const { signal } = curve
  const { dataset } = signal
  if (dataset === undefined) throw new Error(`${signal.path} has no elements`)
  const [count = 0] = dataset.shape ?? []
  useEffect(() => onShow(signal.path, undefined), [onShow, signal.path])
  const quantities = [places.x, places.y, curve] as const
  const subject = JSON.stringify(
    quantities.map(({ signal: { dataset }, meaningKey }) => [meaningKey, dataset?.stamp]),
  )
  const { value: points, error } = useLoaded(
    abort => readPoints(contents.domain, quantities, stepOf(count), abort),
    [subject],
  )
  const [sight, setSight] = useState<Sight>()
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom }), [change])
  const x = useMemo(() => points && domainOf(points.x), [points])
  const y = useMemo(() => points && domainOf(points.y), [points])
  const scale = (view.scale === 'gamma' ? 'linear' : (view.scale ?? plot.scale ?? 'linear')) as ColorScaleType
  const bounds = useMemo(() => points && getBounds(points.values), [points])
  const dataDomain = getValidDomainForScale(bounds, scale) ?? NO_DOMAIN
  const [min, max] = view.range ?? [null, null]
  const [domain] = getSafeDomain(getVisDomain([min, max], dataDomain), dataDomain, scale)
  const colorMap = view.colours !== undefined && isColorMap(view.colours) ? view.colours : 'Viridis'
  const isInverted = view.isInverted ?? false
  const hasGrid = view.hasGrid ?? true
  const ratio = view.ratio ?? 'auto'
  const exports = useExports(dataset, undefined, ['csv', 'json', 'npy'])
  const tools = [
    curves.length > 1 ? (
      <Choice
        key="signal"
        label="Signal"
        value={curve.signal.name}
        options={curves.map(({ signal: { name }, label }) => [name, label] as const)}
        choose={name => change({ signal: name === plot.signal.name ? undefined : name })}
      />
    ) : null,
    <RangeTool
      key="range"
      dataDomain={dataDomain}
      range={view.range}
      scale={scale}
      change={range => change({ range })}
    />,
    <ColorMapSelector
      key="colours"
      value={colorMap}
      onValueChange={colours => change({ colours: colours === 'Viridis' ? undefined : colours })}
      invert={isInverted}
      onInversionChange={() => change({ isInverted: isInverted ? undefined : true })}
    />,
    <Separator key="after-colours" />,
    <ScaleSelector
      key="scale"
      value={scale}
      onScaleChange={next => change({ scale: next === 'linear' ? undefined : next })}
      options={COLOR_SCALE_TYPES}
    />,
    <ToggleBtn
      key="ratio"
      label="Keep ratio"
      small
      value={ratio === 'equal'}
      onToggle={() => change({ ratio: ratio === 'equal' ? undefined : 'equal' })}
    />,
    <ToggleBtn
      key="grid"
      label="Grid"
      small
      value={hasGrid}
      onToggle={() => change({ hasGrid: hasGrid ? false : undefined })}
    />,
  ]
  return (
    <PlotFrame
      tools={tools}
      exports={exports}
      isSlice={false}
      dimensions={null}
      note={points && pointsNote(count, points.x.length)}
      error={error}
    >
      {points && x && y ? (
        <>
          <PlotCanvas
            title={plot.title}
            aspect={ratio}
            x={{ ...axisOf(places.x), visDomain: x, showGrid: hasGrid }}
            y={{ ...axisOf(places.y), visDomain: y, showGrid: hasGrid }}
            zoom={view.zoom}
            isLine={false}
            onSight={setSight}
            onZoom={onZoom}
          >
            <ScatterPoints
              // The geometry is made for a number of points.
              key={points.x.length}
              abscissas={points.x}
              ordinates={points.y}
              data={points.values}
              domain={domain}
              scaleType={scale}
              colorMap={colorMap}
              invertColorMap={isInverted}
              size={points.x.length > MANY ? 4 : 8}
            />
            <TooltipMesh
              guides="both"
              renderTooltip={(atX, atY) => {
                const found = sight && nearestPoint(points, [atX, atY], pixelsOf(sight), REACH)
                return found === undefined ? undefined : (
                  <Tip points={points} index={found} places={places} label={curve.label} />
                )
              }}
            />
          </PlotCanvas>
          <ColourBar
            domain={domain}
            scale={scale}
            gamma={1}
            colorMap={colorMap}
            isInverted={isInverted}
            label={curve.label}
          />
        </>
      ) : points ? (
        <p className="note">No point has three numbers.</p>
      ) : error === undefined ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

/** Points are smaller where there are more. */
const MANY = 10_000
/** Pixels between the pointer and a point that it means. */
const REACH = 10

function hasLengthOf({ signal }: Curve, plot: Plot): boolean {
  const { shape = [] } = signal.dataset ?? {}
  return shape.length === 1 && shape[0] === plot.signal.dataset?.shape?.[0]
}

/** The part of an axis that has all points. */
function domainOf(coordinates: Float64Array): Domain | undefined {
  const domain = getDomain(coordinates)
  return domain && extendDomain(domain, 0.03)
}

function axisOf({ label, meaning }: LabelledQuantity) {
  return { label, ...(meaning.kind !== 'number' && { formatTick: meaning.formatUnpacked }) }
}

function pixelsOf({ x, y, width, height }: Sight): readonly [number, number] {
  return [width / Math.abs(x[1] - x[0]), height / Math.abs(y[1] - y[0])]
}

interface TipProps {
  readonly points: Points
  readonly index: number
  readonly places: Places
  readonly label: string
}

function Tip({ points, index, places, label }: TipProps) {
  const text = ({ meaning }: LabelledQuantity, value = 0) =>
    meaning.kind === 'number' ? formatValue(value) : meaning.formatUnpacked(value)
  return (
    <>
      {places.x.label} = {text(places.x, points.x[index])}, {places.y.label} ={' '}
      {text(places.y, points.y[index])}
      <div>
        {label} = <strong>{formatValue(points.values[index])}</strong>
      </div>
    </>
  )
}
