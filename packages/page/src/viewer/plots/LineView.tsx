// A row of a dataset as a line, at the resolution of the screen, with errors and other signals of NeXus.

import { useCallback, useEffect, useMemo } from 'react'
import { Dimensions } from '../Dimensions.tsx'
import type { PlotAxis } from '../data/axis.ts'
import type { LoadedCurve } from '../data/curves.ts'
import { useExports } from '../data/exports.ts'
import type { Plot } from '../data/plot.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import { sliceChange } from '../data/slice.ts'
import { useAxis, useChosenAxis } from '../data/use-axis.ts'
import { useCurves } from '../data/use-curves.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { type Bounds, extendDomain } from '../drawing/bounds.ts'
import type { Domain } from '../drawing/scales.ts'
import type { Layer } from '../drawing/scene.ts'
import { Follow } from '../Follow.tsx'
import type { View } from '../view-address.ts'
import type { ViewProps } from '../views/view.ts'
import { ColourBar } from './ColourBar.tsx'
import { CurveTip } from './CurveTip.tsx'
import { AddCurve } from './compare/AddCurve.tsx'
import { useCompared } from './compare/use-compared.ts'
import { IntervalPanel } from './measure/IntervalPanel.tsx'
import { type MarkState, useLineMark, useMarkedLayers } from './measure/use-mark.ts'
import { axisMenus } from './models/axis-menus.ts'
import { NOT_CUT } from './models/colour-range.ts'
import { curveLayers } from './models/curve-layers.ts'
import { domainsOf } from './models/domains.ts'
import {
  areErrorsDrawn,
  type LineSettings,
  type LineSight,
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
import { axesOf, xDomainOf } from './models/line-axis.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { isBand } from './special/line-density.ts'
import { useIntervals } from './special/outlines.ts'
import { type LineDensity, useLineDensity } from './special/use-line-density.ts'
import type { AxisMenuProps } from './tools/AxisButtons.tsx'
import { AxisTool } from './tools/AxisTool.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useConverters, useSame } from './use-parts.ts'

export function LineView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <LinePlot plot={plot} view={view} change={change} onShow={onShow} />
}

type LinePlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function LinePlot({ plot, view, change, onShow }: LinePlotProps) {
  const { subject, x, problems } = useLine(plot, view)
  const { uses, hasElements } = subject
  const { path } = plot.signal
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const changeSlice = (slice: typeof uses) => change(sliceChange(uses, slice))
  const zoom = lineZoom(subject, view, x)
  const { sight, setSight, setArea } = useSight(zoom, false)
  const loaded = useCurvesOf(subject, view, { x, zoom, sight })
  const { converters, shown, errors, settings } = loaded
  const [main] = shown
  const density = useLineDensity({ ...loaded, curve: main, x, sight })
  const bounds = lineBounds(subject, settings, shown)
  const { domain, dataDomain } = domainsOf(bounds, settings.scale.value, view.range)
  const exports = useExports(subject.dataset, select, subject.exports)
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom, last: undefined }), [change])
  const { mark, drawn, marking, buttons } = useLineMark({ subject, view, change, zoom, x, y: domain })
  const hidden = settings.hidden.value
  return (
    <PlotFrame
      tools={
        <>
          {toolNodes(lineTools(subject, settings, view, dataDomain, buttons), change)}
          <AddCurve references={view.compared ?? []} change={change} />
          <AxisTool {...{ path, change }} axis={view.axis} length={subject.axis?.length ?? 0} />
        </>
      }
      exports={exports}
      isSlice={select !== undefined}
      dimensions={<Dimensions dimensions={plot.axes} uses={uses} axes={[]} change={changeSlice} />}
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={noteOfLine(subject, settings, shown, density ? [density.note, ...problems] : problems)}
      reading={loaded.reading}
      error={shown.find(({ error }) => error !== undefined)?.error}
      measured={<IntervalPanel {...{ mark, change, subject, x, converters, hidden }} />}
      onArea={setArea}
    >
      {hasElements ? null : <p className="note">The line has no elements: an extent is 0.</p>}
      {x && hasElements ? (
        <LineDrawing
          {...{ subject, settings, x, zoom, domain, bounds, shown, errors, density, drawn, marking }}
          onZoom={onZoom}
          onSight={setSight}
          mapping={{ menus: axisMenus(plot.axes, uses, ['x']), change: changeSlice }}
        />
      ) : null}
      {density ? <ColourBar {...density.colours} label="Elements" isCut={NOT_CUT} /> : null}
      {hasElements && main?.points === undefined && main?.error === undefined ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

/** What is drawn with the curves and the axis that the user has chosen; `problems` says what could not be found. */
function useLine(plot: Plot, view: View) {
  const { curves, problems } = useCompared(view.compared ?? [])
  const ofFile = lineOf(plot, view, curves)
  const { axis, isLoading, problem } = useChosenAxis(view.axis, ofFile.axis?.length ?? 0)
  const subject: LineSubject = { ...ofFile, axis: axis ?? ofFile.axis }
  const x = useAxis(isLoading ? undefined : subject.axis, false)
  return { subject, x, problems: problem === undefined ? problems : [...problems, problem] }
}

/** The curves and their errors, and the functions that make their numbers. */
function useCurvesOf(subject: LineSubject, view: View, seen: LineSight) {
  const { curves, errors, part } = subject
  const converters = useConverters(curves, part)
  const requests = lineRequests(subject, curves, seen, converters)
  const { loaded, reading } = useCurves(requests)
  const shown = shownCurves(subject, loaded)
  const [request] = requests
  const [main] = shown
  const settings = lineSettings(subject, view, main && request && isBand(main, request) ? 'density' : 'line')
  const errorConverters = useConverters(errors, part)
  const errorRequests = lineRequests(subject, errors, seen, errorConverters)
  const ofErrors = useCurves(areErrorsDrawn(settings, shown) ? errorRequests : [])
  return { converters, settings, request, shown, errors: ofErrors.loaded, reading }
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
  readonly density: LineDensity | undefined
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
  readonly drawn: MarkState['drawn']
  readonly marking: MarkState['marking']
  readonly mapping: AxisMenuProps
}

function LineDrawing(props: LineDrawingProps) {
  const { subject, settings, x, zoom, domain, bounds, shown, density, onSight, onZoom } = props
  const { curves, plot, label } = subject
  const hidden = new Set(settings.hidden.value)
  const hasGrid = settings.hasGrid.value
  const [scale, xScale] = [settings.scale.value, settings.xScale.value]
  const yDomain = extendDomain(domain, 0.05, scale)
  const lines = useLayers(props)
  const layer = density?.layer
  const isHidden = hidden.has(curves[0]?.label ?? '')
  const below = useMemo(
    (): readonly Layer[] => (layer && !isHidden ? [...lines.slice(0, 1), layer, ...lines.slice(1)] : lines),
    [layer, lines, isHidden],
  )
  const layers = useMarkedLayers(useIntervals(below, x, yDomain), props.drawn, yDomain)
  return (
    <PlotCanvas
      title={plot.title}
      aspect="auto"
      x={{
        domain: xDomainOf(axesOf(x, curves), xScale),
        scale: xScale,
        hasGrid,
        isIndex: x.isIndex,
        label: x.label,
        format: x.format,
      }}
      y={{
        domain: yDomain,
        scale,
        hasGrid,
        isEmpty: bounds === undefined,
        label,
        format: lineFormat(subject),
      }}
      layers={layers}
      values={lineText(subject, bounds)}
      {...{ zoom, onSight, onZoom, marking: props.marking, mapping: props.mapping }}
      isLine
      guides="vertical"
      tipAt={at => <CurveTip at={at} axis={x} curves={curves} loaded={shown} hidden={hidden} />}
    />
  )
}

function useLayers({ subject, settings, x, shown, errors }: LineDrawingProps) {
  const drawn = useSame([...shown, ...errors].flatMap(({ points, overview }) => [points, overview]))
  const type = settings.curve.value
  const hidden = useSame(settings.hidden.value)
  const curves = useSame(subject.curves)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the points are all that changes of the curves
  return useMemo(
    () => curveLayers({ subject, shown, errors, axis: x, type, hidden }),
    [drawn, x, type, hidden, curves],
  )
}
