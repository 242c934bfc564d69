// A row of a dataset as a line, at the resolution of the screen, with errors and other signals of NeXus.

import {
  AXIS_SCALE_TYPES,
  type AxisScaleType,
  CurveType,
  extendDomain,
  getBounds,
  getSafeDomain,
  getValidDomainForScale,
  getVisDomain,
  ScaleSelector,
  Separator,
  ToggleBtn,
  TooltipMesh,
} from '@h5web/lib'
import { isComplex, productOf } from '@hyperslab/client/elements'
import { useCallback, useEffect, useMemo } from 'react'
import { Choice } from '../Choice.tsx'
import { Dimensions } from '../Dimensions.tsx'
import { numbersOf, useAxis } from '../data/axis.ts'
import { useExports } from '../data/exports.ts'
import type { Plot } from '../data/plot.ts'
import { sliceChange, slicedBy } from '../data/slice.ts'
import { type CurvePoints, type LoadedCurve, useCurves } from '../data/use-curve.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views.ts'
import { ComplexPartChoice } from './ComplexPartChoice.tsx'
import { CurveMesh, CurveTip } from './CurveMesh.tsx'
import { curvesOf, type DrawnQuantity } from './curves.ts'
import { atEnd, domainAround, positionsIn, xDomainOf } from './line-axis.ts'
import { lineNote } from './notes.ts'
import { type Convert, partFor, partLabel, unwrapped, useConverters } from './numbers.ts'
import { PlotCanvas, type Zoom } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { RangeTool } from './RangeTool.tsx'

const NO_DOMAIN: [number, number] = [0.1, 1]

/** Colours of curves that both a light and a dark page show. */
const COLOURS = ['#2f6fb3', '#d9660a', '#2f9440', '#cf3434', '#9a5fc4', '#8a7a1a'] as const

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
  const { signal, axes, title } = plot
  const dataset = signal.dataset
  if (dataset?.shape === undefined) throw new Error(`${signal.path} has no elements`)
  const { shape } = dataset
  const uses = slicedBy(plot, view, { axes: ['x'] })
  const xDimension = uses.indexOf('x')
  const x = useAxis(axes[xDimension], false)
  const select = useSelection(uses)
  useEffect(() => onShow(signal.path, select), [onShow, signal.path, select])

  const part = partFor('line', view)
  const curves = useMemo(() => curvesOf(plot), [plot])
  const hidden = new Set(view.hidden ?? [])
  const zoom = x && view.isFollowed && uses[0] === 'x' ? atEnd(view, x) : view.zoom
  const { sight, setSight, setArea } = useSight(zoom, false)
  const inSight = x && zoom && sight ? positionsIn(sight.x, x) : undefined
  const hasElements = productOf(shape) > 0
  const width = x && hasElements ? sight?.width : undefined
  const errorCurves = curves.flatMap(curve => (curve.errors ? [curve.errors] : []))
  const converters = useConverters([...curves, ...errorCurves], part)
  const requestOf = ({ dataset: own, meaning, uses: usesOf }: DrawnQuantity, convert: Convert) => ({
    dataset: { ...own, absent: meaning.absent },
    uses: usesOf(uses),
    convert,
    hasExtremes: !isComplex(own.type) && meaning.canReduce,
    sight: inSight,
    width,
  })
  const requests = [...curves, ...errorCurves].map((curve, i) => requestOf(curve, converters[i] ?? numbersOf))
  const read = useCurves(requests.slice(0, curves.length))
  const isOfComplex = isComplex(dataset.type)
  const isUnwrapped = isOfComplex && part === 'unwrapped'
  const loaded = read.map((curve, i) =>
    part === 'unwrapped' && isComplex(curves[i]?.dataset.type ?? dataset.type) ? withoutJumps(curve) : curve,
  )
  const isDetailed = loaded[0]?.points?.extent.block === 1
  const hasErrors = errorCurves.length > 0 && (view.hasErrors ?? true)
  const errors = useCurves(hasErrors && isDetailed ? requests.slice(curves.length) : [])

  const errorOf = (i: number) => {
    const own = curves[i]?.errors
    return own && errors[errorCurves.indexOf(own)]
  }
  const scale = (
    view.scale === 'log' || view.scale === 'symlog' || view.scale === 'linear'
      ? view.scale
      : plot.scale === 'log' || plot.scale === 'symlog'
        ? plot.scale
        : 'linear'
  ) as AxisScaleType
  const xScale = (view.xScale ?? plot.axisScales.at(-1) ?? 'linear') as AxisScaleType
  const spanned = loaded.filter((_, i) => i === 0 || !hidden.has(curves[i]?.label ?? ''))
  const bounds = boundsOf(spanned, view.span === 'seen')
  const dataDomain = getValidDomainForScale(bounds, scale) ?? NO_DOMAIN
  const customDomain = [...(view.range ?? [null, null])] as [number | null, number | null]
  const [domain] = getSafeDomain(getVisDomain(customDomain, dataDomain), dataDomain, scale)
  const exports = useExports(dataset, select, isOfComplex ? ['json', 'npy'] : ['csv', 'json', 'npy'])
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom, last: undefined }), [change])

  const [main] = loaded
  const label = isOfComplex ? partLabel(plot, part) : plot.label
  const hasLabel = label !== title || plot.auxiliaries.length > 0
  const wholeDomain = x && xDomainOf(x, xScale)
  const xDomain = wholeDomain && xScale === 'linear' ? domainAround(zoom?.x, wholeDomain) : wholeDomain
  const tools = [
    isOfComplex ? <ComplexPartChoice key="part" part={part} change={change} isLine /> : null,
    <RangeTool
      key="range"
      dataDomain={dataDomain}
      range={view.range}
      scale={scale}
      change={range => change({ range })}
    />,
    <Choice
      key="span"
      label="Y spans"
      value={view.span ?? 'all'}
      options={[
        ['all', 'the slice'],
        ['seen', 'what is in sight'],
      ]}
      choose={span => change({ span: span === 'all' ? undefined : span })}
    />,
    <Separator key="after-range" />,
    <ScaleSelector
      key="x-scale"
      label="X"
      value={xScale}
      onScaleChange={next => change({ xScale: next === 'linear' ? undefined : next, zoom: undefined })}
      options={AXIS_SCALE_TYPES}
    />,
    <ScaleSelector
      key="y-scale"
      label="Y"
      value={scale}
      onScaleChange={next => change({ scale: next === 'linear' ? undefined : next })}
      options={AXIS_SCALE_TYPES}
    />,
    <Separator key="after-scales" />,
    errorCurves.length > 0 ? (
      <ToggleBtn
        key="errors"
        label="Errors"
        small
        value={hasErrors}
        onToggle={() => change({ hasErrors: hasErrors ? false : undefined })}
      />
    ) : null,
    ...(curves.length > 1
      ? curves.map(({ label }, i) => (
          <label className="tool curve-name" key={`curve ${label}`}>
            <input
              type="checkbox"
              checked={!hidden.has(label)}
              onChange={() => {
                const names = hidden.has(label)
                  ? [...hidden].filter(name => name !== label)
                  : [...hidden, label]
                change({ hidden: names.length === 0 ? undefined : names })
              }}
            />{' '}
            <span style={{ color: COLOURS[i % COLOURS.length] }}>■</span> {label}
          </label>
        ))
      : []),
    <Choice
      key="curve"
      label="Curve"
      value={view.curve ?? 'line'}
      options={[
        ['line', 'Line'],
        ['points', 'Points'],
        ['both', 'Both'],
      ]}
      choose={curve => change({ curve: curve === 'line' ? undefined : curve })}
    />,
    <ToggleBtn
      key="grid"
      label="Grid"
      small
      value={view.hasGrid ?? true}
      onToggle={() => change({ hasGrid: (view.hasGrid ?? true) ? false : undefined })}
    />,
  ]
  return (
    <PlotFrame
      tools={tools}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={
        <Dimensions
          dimensions={axes}
          uses={uses}
          axes={['x']}
          change={slice => change(sliceChange(uses, slice))}
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={
        main?.points &&
        lineNote(main.points, {
          hasExtremes: requests[0]?.hasExtremes ?? true,
          isUnwrapped,
          isOfSight: view.span === 'seen',
          isDrawn: main.points.values.some(Number.isFinite),
        })
      }
      error={loaded.find(({ error }) => error !== undefined)?.error}
      onArea={setArea}
    >
      {!hasElements ? <p className="note">The line has no elements: an extent is 0.</p> : null}
      {x && xDomain && hasElements ? (
        <PlotCanvas
          title={title}
          aspect="auto"
          x={{
            visDomain: xDomain,
            scaleType: xScale,
            showGrid: view.hasGrid ?? true,
            isIndexAxis: x.isIndex,
            ...(x.label !== undefined && { label: x.label }),
            ...(x.format && { formatTick: x.format }),
          }}
          y={{
            visDomain: extendDomain(domain, 0.05, scale),
            scaleType: scale,
            showGrid: view.hasGrid ?? true,
            ...(hasLabel && { label }),
            ...(plot.meaning.kind === 'time' && { formatTick: plot.meaning.formatUnpacked }),
          }}
          zoom={zoom}
          isLine
          onSight={setSight}
          onZoom={onZoom}
        >
          {loaded.map((curve, i) =>
            curve.points ? (
              <CurveMesh
                // biome-ignore lint/suspicious/noArrayIndexKey: curves keep their places
                key={i}
                curve={curve}
                errors={errorOf(i)}
                axis={x}
                colour={COLOURS[i % COLOURS.length] ?? COLOURS[0]}
                type={CURVE_TYPES[view.curve ?? 'line']}
                isVisible={!hidden.has(curves[i]?.label ?? '')}
              />
            ) : null,
          )}
          <TooltipMesh
            guides="vertical"
            renderTooltip={at => (
              <CurveTip
                position={x.toPosition(at)}
                axis={x}
                curves={curves}
                loaded={loaded}
                hidden={hidden}
              />
            )}
          />
        </PlotCanvas>
      ) : null}
      {hasElements && main?.points === undefined && main?.error === undefined ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

const knownBounds = new WeakMap<CurvePoints, ReturnType<typeof getBounds>>()

function boundsOfPoints(points: CurvePoints): ReturnType<typeof getBounds> {
  if (!knownBounds.has(points)) knownBounds.set(points, getBounds(points.values))
  return knownBounds.get(points)
}

function boundsOf(curves: readonly LoadedCurve[], isOfSight: boolean) {
  const all = curves
    .map(({ points, overview }) => (isOfSight ? points : (overview ?? points)))
    .flatMap(points => (points ? [boundsOfPoints(points)] : []))
    .filter(bounds => bounds !== undefined)
  const [first] = all
  if (first === undefined) return undefined
  return {
    min: Math.min(...all.map(({ min }) => min)),
    max: Math.max(...all.map(({ max }) => max)),
    positiveMin: Math.min(...all.map(({ positiveMin }) => positiveMin)),
    strictPositiveMin: Math.min(...all.map(({ strictPositiveMin }) => strictPositiveMin)),
  }
}

const knownPhases = new WeakMap<CurvePoints, CurvePoints>()

/** Phases that go on where they would jump by a whole turn. */
function withoutJumps(curve: LoadedCurve): LoadedCurve {
  const of = (points: CurvePoints | undefined) => {
    if (points === undefined) return undefined
    const known = knownPhases.get(points) ?? { ...points, values: unwrapped(points.values) }
    knownPhases.set(points, known)
    return known
  }
  return { ...curve, points: of(curve.points), overview: of(curve.overview) }
}
