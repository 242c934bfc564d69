// A slice as an image of coloured points, at the resolution of the screen.

import {
  COLOR_SCALE_TYPES,
  type ColorMap,
  ColorMapSelector,
  getBounds,
  getSafeDomain,
  getValidDomainForScale,
  getVisDomain,
  HeatmapMesh,
  ScaleSelector,
  ScaleType,
  Separator,
  ToggleBtn,
  TooltipMesh,
  type VisScaleType,
} from '@h5web/lib'
import { isComplex, productOf } from '@hyperslab/client/elements'
import ndarray from 'ndarray'
import { useCallback, useEffect, useMemo } from 'react'
import { Choice } from '../Choice.tsx'
import { Dimensions } from '../Dimensions.tsx'
import { numbersOf, type PlotAxis, useAxis } from '../data/axis.ts'
import { useExports } from '../data/exports.ts'
import type { Curve, Plot } from '../data/plot.ts'
import { sliceChange, slicedBy } from '../data/slice.ts'
import { progressText } from '../data/tiles.ts'
import { type Picture, useImage } from '../data/use-image.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { Follow } from '../Follow.tsx'
import { imageDimensions } from '../meaning/roles.ts'
import type { Reduction, View } from '../view-address.ts'
import type { ViewProps } from '../views.ts'
import { ColourBar, isColorMap } from './ColourBar.tsx'
import { ComplexPartChoice } from './ComplexPartChoice.tsx'
import { channelOf, shadeOf } from './channels.ts'
import { isNarrow, isTopDown, lastOf, positionsIn, useGeometry } from './geometry.ts'
import { formatValue, partFor, partLabel, useConverters } from './numbers.ts'
import { PlotCanvas, type Zoom } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { RangeTool } from './RangeTool.tsx'
import { TextureMesh } from './TextureMesh.tsx'
import { type ColourRange, isOfElements, useColourRange } from './use-colour-range.ts'
import { usePlace } from './use-place.ts'

/** The domain of a scale without drawable values; the same as in h5web. */
const NO_DOMAIN: [number, number] = [0.1, 1]
const ROOTED: ReadonlySet<string> = new Set(['log', 'sqrt'])

const REDUCTIONS: readonly (readonly [Reduction, string])[] = [
  ['mean', 'Mean'],
  ['max', 'Maximum'],
  ['min', 'Minimum'],
  ['first', 'First'],
]

export function ImageView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <ImagePlot plot={plot} view={view} change={change} onShow={onShow} />
}

type ImagePlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function ImagePlot({ plot: whole, view, change, onShow }: ImagePlotProps) {
  const curves: readonly Curve[] = [whole, ...whole.auxiliaries]
  const curve = curves.find(({ signal }) => signal.name === view.signal) ?? whole
  const plot = curve === whole ? whole : { ...whole, ...curve, title: curve.label }
  const { signal, axes, title } = plot
  const dataset = signal.dataset
  if (dataset?.shape === undefined) throw new Error(`${signal.path} has no elements`)
  const { shape } = dataset
  const uses = slicedBy(plot, view, { axes: ['y', 'x'], usual: imageDimensions(plot.axes) })
  const [yDimension, xDimension] = [uses.indexOf('y'), uses.indexOf('x')]
  const [rows, columns] = [shape[yDimension] ?? 0, shape[xDimension] ?? 0]
  const y = useAxis(axes[yDimension], true)
  const x = useAxis(axes[xDimension], true)
  const select = useSelection(uses)
  useEffect(() => onShow(signal.path, select), [onShow, signal.path, select])

  const hasElements = productOf(shape) > 0
  const geometry = useGeometry(y, x)
  const zoom = (geometry && view.isFollowed ? lastOf(geometry, uses[0], view.last) : undefined) ?? view.zoom
  const { sight, setSight, setArea } = useSight(zoom, true)
  const part = partFor('image', view)
  const isOfComplex = isComplex(dataset.type)
  const hasBrightness = isOfComplex && part === 'phase-amplitude'
  const canReduce = !isOfComplex && plot.meaning.canReduce
  const reduction = canReduce ? (view.reduction ?? 'mean') : 'first'
  const [convert = numbersOf] = useConverters([plot], part)
  const image = useImage({
    dataset: { ...dataset, absent: plot.meaning.absent },
    uses,
    reduction,
    convert,
    channels: hasBrightness ? 2 : 1,
    sight: geometry && zoom && sight ? positionsIn(sight, geometry) : undefined,
    size: hasElements ? geometry && sight : undefined,
  })
  const [picture, overview] = [image.picture, image.overview].map(one => one && channelOf(one, 0))
  const amplitudes = hasBrightness ? (image.overview ?? image.picture) : undefined
  const brightest = useMemo(() => amplitudes && getBounds(channelOf(amplitudes, 1).data)?.max, [amplitudes])
  const shade = useMemo(() => brightest && shadeOf(brightest), [brightest])

  const scale = view.scale ?? plot.scale ?? 'linear'
  const colorMap = view.colours !== undefined && isColorMap(view.colours) ? view.colours : 'Viridis'
  const range = useColourRange(plot, uses, view, overview, picture)
  const scaleType: VisScaleType =
    scale === 'gamma' ? [ScaleType.Gamma, view.gamma ?? 0.5] : (scale as ScaleType.Linear)
  const plainScale = (scale === 'gamma' ? 'linear' : scale) as ScaleType.Linear
  const dataDomain = getValidDomainForScale(range.bounds, plainScale) ?? NO_DOMAIN
  const customDomain = [...(view.range ?? [null, null])] as [number | null, number | null]
  const [domain] = getSafeDomain(getVisDomain(customDomain, dataDomain), dataDomain, plainScale)
  const hasPlace = range.histogram && (range.histogram.bins.every(edge => edge > 0) || !ROOTED.has(scale))
  const exports = useExports(dataset, select, isOfComplex ? ['json', 'npy'] : ['csv', 'json', 'npy', 'tiff'])
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom, last: undefined }), [change])

  const ratio =
    view.ratio ??
    (isNarrow(rows, columns) || hasOtherUnits(plot, yDimension, xDimension) || view.last !== undefined
      ? 'auto'
      : 'equal')
  const flip = view.flip ?? (y && isTopDown(y) ? 'y' : 'none')
  const isFlippedX = flip.includes('x')
  const isFlippedY = flip.includes('y')
  const flipped = (isX: boolean, isY: boolean): View['flip'] =>
    isX && isY ? 'xy' : isX ? 'x' : isY ? 'y' : 'none'
  const tools = [
    curves.length > 1 ? (
      <Choice
        key="signal"
        label="Signal"
        value={curve.signal.name}
        options={curves.map(({ signal: { name }, label }) => [name, label] as const)}
        choose={name => change({ signal: name === whole.signal.name ? undefined : name })}
      />
    ) : null,
    isOfComplex ? <ComplexPartChoice key="part" part={part} change={change} /> : null,
    <RangeTool
      key="range"
      dataDomain={dataDomain}
      range={view.range}
      scale={plainScale}
      histogram={hasPlace && range.histogram ? { ...range.histogram, colorMap } : undefined}
      change={range => change({ range })}
    />,
    <Choice
      key="span"
      label="Colours span"
      value={view.span ?? 'all'}
      options={[
        ['all', 'the slice'],
        ['seen', 'what is in sight'],
      ]}
      choose={span => change({ span: span === 'all' && !range.isLong ? undefined : span })}
    />,
    <ColorMapSelector
      key="colours"
      value={colorMap}
      onValueChange={colours => change({ colours: colours === 'Viridis' ? undefined : colours })}
      invert={view.isInverted ?? false}
      onInversionChange={() => change({ isInverted: view.isInverted ? undefined : true })}
    />,
    <Separator key="after-colours" />,
    scale === 'gamma' ? (
      <label key="gamma" className="tool">
        gamma{' '}
        <input
          type="number"
          min={0.1}
          step={0.1}
          value={view.gamma ?? 0.5}
          onChange={event => {
            const gamma = event.target.valueAsNumber
            if (gamma > 0) change({ gamma })
          }}
        />
      </label>
    ) : (
      <ScaleSelector
        key="scale"
        value={plainScale}
        onScaleChange={next => change({ scale: next === 'linear' ? undefined : next })}
        options={COLOR_SCALE_TYPES}
      />
    ),
    <ToggleBtn
      key="is-gamma"
      label="Gamma"
      small
      value={scale === 'gamma'}
      onToggle={() => change({ scale: scale === 'gamma' ? undefined : 'gamma' })}
    />,
    <Separator key="after-scale" />,
    canReduce ? (
      <Choice
        key="reduction"
        label="Points are the"
        value={reduction}
        options={REDUCTIONS}
        choose={next => change({ reduction: next === 'mean' ? undefined : next })}
      />
    ) : null,
    <ToggleBtn
      key="ratio"
      label="Keep ratio"
      small
      value={ratio === 'equal'}
      onToggle={() => change({ ratio: ratio === 'equal' ? 'auto' : 'equal' })}
    />,
    <ToggleBtn
      key="flip-x"
      label="Flip X"
      small
      value={isFlippedX}
      onToggle={() => change({ flip: flipped(!isFlippedX, isFlippedY) })}
    />,
    <ToggleBtn
      key="flip-y"
      label="Flip Y"
      small
      value={isFlippedY}
      onToggle={() => change({ flip: flipped(isFlippedX, !isFlippedY) })}
    />,
    <ToggleBtn
      key="grid"
      label="Grid"
      small
      value={view.hasGrid ?? false}
      onToggle={() => change({ hasGrid: view.hasGrid ? undefined : true })}
    />,
  ]
  const below = image.overview === image.picture ? undefined : image.overview
  const drawn = zoom === undefined ? [image.picture] : [below, image.picture]
  return (
    <PlotFrame
      tools={tools}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={
        <Dimensions
          dimensions={axes}
          uses={uses}
          axes={['y', 'x']}
          change={slice => change(sliceChange(uses, slice))}
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={noteOf(picture, range, reduction, brightest)}
      error={image.error}
      onArea={setArea}
    >
      {geometry && hasElements ? (
        <>
          <PlotCanvas
            title={title}
            aspect={ratio === 'equal' ? 'equal' : 'auto'}
            x={{ ...geometry.x.config, flip: isFlippedX, showGrid: view.hasGrid ?? false }}
            y={{ ...geometry.y.config, flip: isFlippedY, showGrid: view.hasGrid ?? false }}
            zoom={zoom}
            isLine={false}
            onSight={setSight}
            onZoom={onZoom}
          >
            {drawn.map((part, i) =>
              part ? (
                <PictureMesh
                  // biome-ignore lint/suspicious/noArrayIndexKey: below and above
                  key={i}
                  picture={channelOf(part, 0)}
                  toX={geometry.x.toCoordinate}
                  toY={geometry.y.toCoordinate}
                  depth={i}
                  domain={domain}
                  scaleType={scaleType}
                  colorMap={colorMap}
                  isInverted={view.isInverted ?? false}
                />
              ) : null,
            )}
            {drawn.map((part, i) =>
              part && shade ? (
                <TextureMesh
                  // biome-ignore lint/suspicious/noArrayIndexKey: below and above
                  key={i}
                  picture={part}
                  coloursOf={shade}
                  toX={geometry.x.toCoordinate}
                  toY={geometry.y.toCoordinate}
                  depth={i + 0.5}
                />
              ) : null,
            )}
            <TooltipMesh
              guides="both"
              renderTooltip={(atX, atY) => (
                <Tip
                  x={Math.floor(geometry.x.toPosition(atX))}
                  y={Math.floor(geometry.y.toPosition(atY))}
                  axes={{ x: x as PlotAxis, y: y as PlotAxis }}
                  pictures={[image.picture, image.overview]}
                />
              )}
            />
          </PlotCanvas>
          <ColourBar
            domain={domain}
            scale={scale}
            gamma={view.gamma ?? 0.5}
            colorMap={colorMap}
            isInverted={view.isInverted ?? false}
            label={isOfComplex ? partLabel(plot, part) : plot.label}
          />
        </>
      ) : !hasElements ? (
        <p className="note">The slice has no elements: an extent is 0.</p>
      ) : null}
      {picture === undefined && image.error === undefined && hasElements ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

interface PictureMeshProps {
  readonly picture: Picture
  readonly toX: (position: number) => number
  readonly toY: (position: number) => number
  readonly depth: number
  readonly domain: [number, number]
  readonly scaleType: VisScaleType
  readonly colorMap: ColorMap
  readonly isInverted: boolean
}

/** A picture at its place on the axes. */
function PictureMesh({ picture, toX, toY, depth, isInverted, ...colours }: PictureMeshProps) {
  const values = useMemo(
    () => ndarray(Float32Array.from(picture.data), [picture.rows, picture.columns]),
    [picture],
  )
  return (
    <HeatmapMesh
      values={values}
      invertColorMap={isInverted}
      {...colours}
      {...usePlace(picture, toX, toY, depth)}
    />
  )
}

interface TipProps {
  readonly x: number
  readonly y: number
  readonly axes: { readonly x: PlotAxis; readonly y: PlotAxis }
  readonly pictures: readonly (Picture | undefined)[]
}

function Tip({ x, y, axes, pictures }: TipProps) {
  const found = pictures.map(picture => picture && valuesAt(picture, y, x)).find(value => value !== undefined)
  const name = (axis: PlotAxis, letter: string, index: number) => {
    const coordinate = axis.toCoordinate(index + (axis.isIndex ? 0 : 0.5))
    return `${axis.label ?? letter} = ${axis.format?.(coordinate) ?? formatValue(coordinate)}`
  }
  return (
    <>
      {name(axes.x, 'x', x)}, {name(axes.y, 'y', y)}
      <div>
        <strong>{found?.map(formatValue).join(', amplitude ') ?? formatValue(undefined)}</strong>
      </div>
    </>
  )
}

/** The numbers of a point. */
function valuesAt(
  { x, y, columns, rows, depth, data }: Picture,
  row: number,
  column: number,
): readonly number[] | undefined {
  const i = Math.floor((row - y.start) / y.block)
  const j = Math.floor((column - x.start) / x.block)
  if (i < 0 || i >= rows || j < 0 || j >= columns) return undefined
  const at = (i * columns + j) * depth
  return Array.from(data.subarray(at, at + depth))
}

const REDUCTION_NAMES = {
  mean: 'the mean',
  max: 'the maximum',
  min: 'the minimum',
  first: 'the first',
} as const

function noteOf(
  picture: Picture | undefined,
  range: ColourRange,
  reduction: Reduction,
  brightest: number | undefined,
): string | undefined {
  if (picture === undefined) return undefined
  const { x, y, progress } = picture
  if (range.bounds === undefined && progress === undefined) return 'No element is a finite number.'
  const block = `${y.block.toLocaleString('en')} × ${x.block.toLocaleString('en')} elements`
  const points = isOfElements(picture)
    ? 'Each point is an element.'
    : `Each point is ${REDUCTION_NAMES[reduction]} of ${block}${progressText(progress)}.`
  const light =
    brightest === undefined ? '' : ` The brightness is the amplitude, up to ${formatValue(brightest)}.`
  return `${points} ${range.text}${light}`
}

function hasOtherUnits({ axes }: Plot, y: number, x: number): boolean {
  return axes[y]?.meaning?.units !== axes[x]?.meaning?.units
}
