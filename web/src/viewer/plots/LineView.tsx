// A row of a dataset as a line, at the resolution of the screen, with errors and other signals of NeXus.

import {
  AXIS_SCALE_TYPES,
  type AxisScaleType,
  CurveType,
  DataCurve,
  extendDomain,
  getAxisDomain,
  getBounds,
  getSafeDomain,
  getValidDomainForScale,
  getVisDomain,
  ScaleSelector,
  Separator,
  ToggleBtn,
  TooltipMesh,
} from '@h5web/lib'
import { useCallback, useEffect, useMemo } from 'react'
import { numbersOf, type PlotAxis, useAxis } from '../axis.ts'
import { Choice } from '../Choice.tsx'
import { Dimensions } from '../Dimensions.tsx'
import { useExports } from '../exports.ts'
import { Follow } from '../Follow.tsx'
import type { ValueMeaning } from '../meaning/values.ts'
import { PlotCanvas, type Zoom } from '../PlotCanvas.tsx'
import { PlotFrame } from '../PlotFrame.tsx'
import { type Curve, isComplex, type Plot, type Quantity } from '../plot.ts'
import { slicedBy } from '../slice.ts'
import { type CurvePoints, type LoadedCurve, useCurves, withSurroundings } from '../use-curve.ts'
import { useSelection } from '../use-selection.ts'
import { useSight } from '../use-sight.ts'
import type { DimensionUse, Span, View } from '../view-address.ts'
import type { ViewProps } from '../views.ts'
import { ComplexPartChoice } from './ComplexPartChoice.tsx'
import { isOtherDrawn } from './ImageView.tsx'
import { lineNote } from './notes.ts'
import { type Convert, formatValue, partFor, partLabel, unwrapped, useConverters } from './numbers.ts'
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
  const length = shape[xDimension] ?? 0
  const x = useAxis(axes[xDimension], false)
  const select = useSelection(uses)
  useEffect(() => onShow(signal.path, select), [onShow, signal.path, select])

  const part = partFor('line', view)
  const curves = useMemo(() => curvesOf(plot), [plot])
  const hidden = new Set(view.hidden ?? [])
  const zoom = x && view.isFollowed && uses[0] === 'x' ? atEnd(view, x) : view.zoom
  const { sight, setSight, setArea } = useSight(zoom, false)
  const inSight = x && zoom && sight ? positionsIn(sight.x, x) : undefined
  const width = x && sight?.width
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
          change={slice =>
            change({ slice, isFollowed: undefined, ...(isOtherDrawn(uses, slice) && { zoom: undefined }) })
          }
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={
        main?.points &&
        lineNote(main.points, {
          hasExtremes: requests[0]?.hasExtremes ?? true,
          isUnwrapped,
          isOfSight: view.span === 'seen',
        })
      }
      error={loaded.find(({ error }) => error !== undefined)?.error}
      onArea={setArea}
    >
      {length === 0 ? <p className="note">The line has no elements: an extent is 0.</p> : null}
      {x && xDomain && length > 0 ? (
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
              <Tip position={x.toPosition(at)} axis={x} curves={curves} loaded={loaded} hidden={hidden} />
            )}
          />
        </PlotCanvas>
      ) : null}
      {length > 0 && main?.points === undefined && main?.error === undefined ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

interface DrawnQuantity extends Quantity {
  readonly dataset: NonNullable<Quantity['signal']['dataset']>
  /** Its slice for that of the signal: a signal of one dimension has only that. */
  readonly uses: (uses: readonly DimensionUse[]) => readonly DimensionUse[]
}

interface DrawnCurve extends DrawnQuantity {
  readonly label: string
  readonly errors: DrawnQuantity | undefined
}

/** The signal and the others that have the same shape, or that of its line. */
function curvesOf(plot: Plot): readonly DrawnCurve[] {
  const shape = plot.signal.dataset?.shape ?? []
  const drawn = <Q extends Quantity>(quantity: Q): (Q & DrawnQuantity) | undefined => {
    const { dataset } = quantity.signal
    const own = dataset?.shape
    if (dataset === undefined || own === undefined) return undefined
    if (own.length === shape.length && own.every((extent, d) => extent === shape[d]))
      return { ...quantity, dataset, uses: uses => uses }
    if (own.length === 1 && own[0] === shape.at(-1)) return { ...quantity, dataset, uses: () => ['x'] }
    return undefined
  }
  return [plot, ...plot.auxiliaries].flatMap((curve: Curve) => {
    const found = drawn(curve)
    return found ? [{ ...found, errors: curve.errors && drawn(curve.errors) }] : []
  })
}

function xDomainOf({ length, toCoordinate }: PlotAxis, scale: AxisScaleType): [number, number] {
  const ends = [toCoordinate(0), toCoordinate(Math.max(length - 1, 0))]
  // A scale of logarithms begins at the first coordinate that it has a place for.
  const values =
    scale === 'log' && Math.min(...ends) <= 0 ? [toCoordinate(1), ...ends].filter(end => end > 0) : ends
  return getAxisDomain(values, { scaleType: scale, extensionFactor: 0.01 }) ?? [0, 1]
}

/**
 * The part of the axis that the canvas has. Graphics cards count with 24 bits: of 50 million points they cannot draw
 * twenty, unless the others are not there.
 */
export function domainAround(zoom: Span | undefined, whole: [number, number]): [number, number] {
  if (zoom === undefined) return whole
  const length = 2 ** Math.ceil(Math.log2(MOST_ZOOM * Math.abs(zoom[1] - zoom[0])))
  if (length >= (whole[1] - whole[0]) / 2) return whole
  const middle = Math.round((zoom[0] + zoom[1]) / length) * (length / 2)
  return [Math.max(whole[0], middle - length / 2), Math.min(whole[1], middle + length / 2)]
}

/** The canvas has so many times the part in sight. */
const MOST_ZOOM = 1024

/** The zoom as wide as before, or so many elements, at the end of the axis. */
function atEnd({ zoom, last }: View, { length, toCoordinate }: PlotAxis): View['zoom'] {
  if (last !== undefined)
    return last < length ? { x: [toCoordinate(length - last), toCoordinate(length - 1)] } : undefined
  if (zoom === undefined) return undefined
  const [from, to] = zoom.x
  const end = toCoordinate(length - 1)
  return { ...zoom, x: [end - (to - from), end] }
}

function positionsIn([from, to]: Span, { toPosition, isMonotonic, length }: PlotAxis): Span {
  return isMonotonic ? [toPosition(from), toPosition(to) + 1] : [0, length]
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

interface CurveMeshProps {
  readonly curve: LoadedCurve
  readonly errors: LoadedCurve | undefined
  readonly axis: PlotAxis
  readonly colour: string
  readonly type: CurveType
  readonly isVisible: boolean
}

function CurveMesh({ curve, errors, axis, colour, type, isVisible }: CurveMeshProps) {
  const { points, overview } = curve
  const drawn = useMemo(() => points && withSurroundings(points, overview), [points, overview])
  const abscissas = useMemo(() => drawn?.positions.map(axis.toCoordinate), [drawn, axis])
  if (drawn === undefined || abscissas === undefined) return null
  const hasErrors = errors?.points?.values.length === drawn.values.length
  return (
    <DataCurve
      // The geometry is made for a number of points.
      key={`${abscissas.length} ${hasErrors}`}
      abscissas={abscissas}
      ordinates={drawn.values}
      {...(hasErrors && errors?.points && { errors: errors.points.values })}
      color={colour}
      curveType={type}
      visible={isVisible}
    />
  )
}

interface TipProps {
  readonly position: number
  readonly axis: PlotAxis
  readonly curves: readonly DrawnCurve[]
  readonly loaded: readonly LoadedCurve[]
  readonly hidden: ReadonlySet<string>
}

function Tip({ position, axis, curves, loaded, hidden }: TipProps) {
  const [first] = loaded
  const block = first?.points?.extent.block ?? 1
  const index = Math.min(
    Math.max(block === 1 ? Math.round(position) : Math.floor(position), 0),
    axis.length - 1,
  )
  const coordinate = axis.toCoordinate(index)
  return (
    <>
      {axis.label ?? 'x'} = {axis.format?.(coordinate) ?? formatValue(coordinate)}
      {curves.map(({ label, meaning }, i) =>
        hidden.has(label) ? null : (
          <div key={label}>
            {curves.length > 1 ? `${label} = ` : ''}
            <strong>{textAt(loaded[i]?.points, index, meaning)}</strong>
          </div>
        ),
      )}
    </>
  )
}

/** The element, or the extremes of its block. */
function textAt(points: CurvePoints | undefined, index: number, meaning: ValueMeaning): string {
  if (points === undefined || points.progress) return '–'
  const { extent, values, positions } = points
  const text = (value: number | undefined) =>
    value !== undefined && meaning.kind === 'time' ? meaning.formatUnpacked(value) : formatValue(value)
  const at = Math.floor((index - extent.start) / extent.block)
  if (at < 0) return '–'
  const isDouble = positions.length > 1 && (positions[1] ?? 0) - (positions[0] ?? 0) < extent.block
  if (!isDouble) return text(values[at])
  return `${text(values[2 * at])} to ${text(values[2 * at + 1])}`
}
