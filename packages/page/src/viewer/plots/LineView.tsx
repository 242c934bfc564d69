// A row of a dataset as a line, at the resolution of the screen, with errors and other signals of NeXus.

import { CurveType, extendDomain, type ScaleType, TooltipMesh } from '@h5web/lib'
import { useCallback, useEffect } from 'react'
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
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views/view.ts'
import { CurveMesh, CurveTip } from './CurveMesh.tsx'
import { type Domain, domainsOf } from './models/domains.ts'
import {
  areErrorsDrawn,
  colourOf,
  errorsOf,
  type LineSettings,
  type LineSubject,
  lineBounds,
  lineDomain,
  lineFormat,
  lineOf,
  lineRequests,
  lineSettings,
  lineTools,
  lineZoom,
  noteOfLine,
  shownCurves,
} from './models/line.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useConverters } from './use-parts.ts'

const CURVE_TYPES = {
  line: CurveType.LineOnly,
  points: CurveType.GlyphsOnly,
  both: CurveType.LineAndGlyphs,
} as const

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
          {...{ subject, settings, x, zoom, domain, shown, errors: shownErrors, onZoom }}
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
  readonly shown: readonly LoadedCurve[]
  readonly errors: readonly LoadedCurve[]
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

function LineDrawing({ subject, settings, x, zoom, domain, shown, errors, ...handlers }: LineDrawingProps) {
  const { curves, plot, label } = subject
  const formatTick = lineFormat(subject)
  const hidden = new Set(settings.hidden.value)
  const scale = settings.scale.value as ScaleType.Linear
  const showGrid = settings.hasGrid.value
  return (
    <PlotCanvas
      title={plot.title}
      aspect="auto"
      x={{
        visDomain: lineDomain(x, settings, zoom),
        scaleType: settings.xScale.value as ScaleType.Linear,
        showGrid,
        isIndexAxis: x.isIndex,
        ...(x.label !== undefined && { label: x.label }),
        ...(x.format && { formatTick: x.format }),
      }}
      y={{
        visDomain: extendDomain(domain, 0.05, scale),
        scaleType: scale,
        showGrid,
        ...(label !== undefined && { label }),
        ...(formatTick && { formatTick }),
      }}
      zoom={zoom}
      isLine
      {...handlers}
    >
      {shown.map((curve, i) =>
        curve.points ? (
          <CurveMesh
            // biome-ignore lint/suspicious/noArrayIndexKey: curves keep their places
            key={i}
            curve={curve}
            errors={errorsOf(subject, curves[i], errors)}
            axis={x}
            colour={colourOf(i)}
            type={CURVE_TYPES[settings.curve.value]}
            isVisible={!hidden.has(curves[i]?.label ?? '')}
          />
        ) : null,
      )}
      <TooltipMesh
        guides="vertical"
        renderTooltip={at => (
          <CurveTip position={x.toPosition(at)} axis={x} curves={curves} loaded={shown} hidden={hidden} />
        )}
      />
    </PlotCanvas>
  )
}
