// A row of a dataset as a line, at the resolution of the screen, with errors and other signals of NeXus.

import { useCallback, useEffect, useMemo } from 'react'
import { Dimensions } from '../Dimensions.tsx'
import type { PlotAxis } from '../data/axis.ts'
import type { LoadedCurve } from '../data/curves.ts'
import { useExports } from '../data/exports.ts'
import type { Plot } from '../data/plot.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import { sliceChange } from '../data/slice.ts'
import { useAxis } from '../data/use-axis.ts'
import { useCurves } from '../data/use-curves.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { type Bounds, extendDomain } from '../drawing/bounds.ts'
import type { Domain } from '../drawing/scales.ts'
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views/view.ts'
import { CurveTip } from './CurveTip.tsx'
import { curveLayers } from './models/curve-layers.ts'
import { domainsOf } from './models/domains.ts'
import {
  areErrorsDrawn,
  type LineSettings,
  type LineSubject,
  lineBounds,
  lineFormat,
  lineOf,
  lineRequests,
  lineSettings,
  lineText,
  lineTools,
  lineZoom,
  noteOfLine,
  shownCurves,
} from './models/line.ts'
import { xDomainOf } from './models/line-axis.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useConverters, useSame } from './use-parts.ts'

export function LineView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <LinePlot plot={plot} view={view} change={change} onShow={onShow} />
}

type LinePlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function LinePlot({ plot, view, change, onShow }: LinePlotProps) {
  const subject = lineOf(plot, view)
  const { uses, curves, errors, hasElements } = subject
  const { path } = plot.signal
  const x = useAxis(subject.axis, false)
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const settings = lineSettings(subject, view)
  const zoom = lineZoom(subject, view, x)
  const { sight, setSight, setArea } = useSight(zoom, false)
  const seen = { x, zoom, sight }
  const converters = useConverters(curves, subject.part)
  const shown = shownCurves(subject, useCurves(lineRequests(subject, curves, seen, converters)))
  const errorConverters = useConverters(errors, subject.part)
  const errorRequests = lineRequests(subject, errors, seen, errorConverters)
  const shownErrors = useCurves(areErrorsDrawn(settings, shown) ? errorRequests : [])
  const bounds = lineBounds(subject, settings, shown)
  const { domain, dataDomain } = domainsOf(bounds, settings.scale.value, view.range)
  const exports = useExports(subject.dataset, select, subject.exports)
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom, last: undefined }), [change])
  const [main] = shown
  return (
    <PlotFrame
      tools={toolNodes(lineTools(subject, settings, view, dataDomain), change)}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={
        <Dimensions
          dimensions={plot.axes}
          uses={uses}
          axes={['x']}
          change={slice => change(sliceChange(uses, slice))}
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={noteOfLine(subject, settings, shown)}
      error={shown.find(({ error }) => error !== undefined)?.error}
      onArea={setArea}
    >
      {hasElements ? null : <p className="note">The line has no elements: an extent is 0.</p>}
      {x && hasElements ? (
        <LineDrawing
          {...{ subject, settings, x, zoom, domain, bounds, shown, errors: shownErrors, onZoom }}
          onSight={setSight}
        />
      ) : null}
      {hasElements && main?.points === undefined && main?.error === undefined ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

interface LineDrawingProps {
  readonly subject: LineSubject
  readonly settings: LineSettings
  readonly x: PlotAxis
  readonly zoom: Zoom | undefined
  readonly domain: Domain
  readonly bounds: Bounds | undefined
  readonly shown: readonly LoadedCurve[]
  readonly errors: readonly LoadedCurve[]
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

function LineDrawing(props: LineDrawingProps) {
  const { subject, settings, x, zoom, domain, bounds, shown, onSight, onZoom } = props
  const { curves, plot, label } = subject
  const hidden = new Set(settings.hidden.value)
  const hasGrid = settings.hasGrid.value
  const [scale, xScale] = [settings.scale.value, settings.xScale.value]
  const layers = useLayers(props)
  return (
    <PlotCanvas
      title={plot.title}
      aspect="auto"
      x={{
        domain: xDomainOf(x, xScale),
        scale: xScale,
        hasGrid,
        isIndex: x.isIndex,
        label: x.label,
        format: x.format,
      }}
      y={{
        domain: extendDomain(domain, 0.05, scale),
        scale,
        hasGrid,
        isEmpty: bounds === undefined,
        label,
        format: lineFormat(subject),
      }}
      layers={layers}
      values={lineText(subject, bounds)}
      {...{ zoom, onSight, onZoom }}
      isLine
      guides="vertical"
      tipAt={at => (
        <CurveTip position={x.toPosition(at)} axis={x} curves={curves} loaded={shown} hidden={hidden} />
      )}
    />
  )
}

function useLayers({ subject, settings, x, shown, errors }: LineDrawingProps) {
  const drawn = useSame([...shown, ...errors].flatMap(({ points, overview }) => [points, overview]))
  const type = settings.curve.value
  const hidden = useSame(settings.hidden.value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the points are all that changes of the curves
  return useMemo(
    () => curveLayers({ subject, shown, errors, axis: x, type, hidden }),
    [drawn, x, type, hidden],
  )
}
