// A slice as an image of coloured points, at the resolution of the screen.

import { type ColorMap, getBounds, HeatmapMesh, ScaleType, TooltipMesh, type VisScaleType } from '@h5web/lib'
import ndarray from 'ndarray'
import { useCallback, useEffect, useMemo } from 'react'
import { useShortcut } from '../../common/shortcut.ts'
import { Dimensions } from '../Dimensions.tsx'
import type { PlotAxis } from '../data/axis.ts'
import { useExports } from '../data/exports.ts'
import type { Image, Picture } from '../data/image.ts'
import type { Plot } from '../data/plot.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import { sliceChange } from '../data/slice.ts'
import { useAxis } from '../data/use-axis.ts'
import { useFrames, useLikelyFrame } from '../data/use-frames.ts'
import { useImage } from '../data/use-image.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views/view.ts'
import { ColourBar } from './ColourBar.tsx'
import { channelOf, shadeOf } from './models/channels.ts'
import type { ColourRange } from './models/colour-range.ts'
import { type Domain, domainsOf } from './models/domains.ts'
import { axisConfig, type ImageGeometry } from './models/geometry.ts'
import {
  drawnPictures,
  type ImageSettings,
  type ImageSight,
  type ImageSubject,
  imageNote,
  imageOf,
  imageRequest,
  imageSettings,
  imageTip,
  imageTools,
  imageZoom,
  isCutBy,
  nextSpan,
  rangeSubject,
} from './models/image.ts'
import { coloursOfIndices } from './models/palette.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { TextureMesh } from './TextureMesh.tsx'
import { Tip } from './Tip.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useColourRange } from './use-colour-range.ts'
import { useConverters, useGeometry } from './use-parts.ts'
import { usePlace } from './use-place.ts'

export function ImageView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <ImagePlot plot={plot} view={view} change={change} onShow={onShow} />
}

type ImagePlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function ImagePlot({ plot: whole, view, change, onShow }: ImagePlotProps) {
  const subject = imageOf(whole, view)
  const { plot, dataset, uses, hasElements } = subject
  const { path } = plot.signal
  const y = useAxis(subject.yAxis, true)
  const x = useAxis(subject.xAxis, true)
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const geometry = useGeometry(y, x)
  const zoom = imageZoom(subject, view, geometry)
  const { sight, setSight, setArea } = useSight(zoom, true)
  const image = useImageOf(subject, { geometry, zoom, sight })
  const changeSlice = (slice: typeof uses) => change(sliceChange(uses, slice))
  const playing = useFrames(uses, dataset.shape ?? [], image.isComplete, changeSlice)
  const range = useColourRange(rangeSubject(subject, view, image), playing?.isOn === true)
  const settings = imageSettings(subject, view, y)
  const domains = domainsOf(range.bounds, settings.scale.value, view.range)
  const [brightest, shade] = useShade(subject.hasBrightness ? (image.overview ?? image.picture) : undefined)
  const paint = usePaint(subject.palette)
  const exports = useExports(dataset, select, subject.exports)
  useShortcut('r', () => change(nextSpan(settings)))
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom, last: undefined }), [change])
  return (
    <PlotFrame
      tools={toolNodes(imageTools(subject, settings, view, range, domains), change)}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={
        <Dimensions dimensions={plot.axes} axes={['y', 'x']} change={changeSlice} {...{ uses, playing }} />
      }
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={imageNote(image, range, subject, brightest)}
      error={image.error}
      onArea={setArea}
    >
      {geometry && x && y && hasElements ? (
        <ImageDrawing
          title={plot.title}
          label={subject.label}
          axes={{ x, y }}
          domain={domains.domain}
          isCut={isCutBy(range, view)}
          {...{ geometry, zoom, image, settings, shade, paint, onZoom, onSight: setSight }}
        />
      ) : null}
      {hasElements ? null : <p className="note">The slice has no elements: an extent is 0.</p>}
      {image.picture === undefined && image.error === undefined && hasElements ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

/** The image; the one that comes next if the user steps on is read ahead. */
function useImageOf(subject: ImageSubject, seen: ImageSight): Image {
  const { plot, dataset, uses, part } = subject
  const [convert] = useConverters([plot], part)
  const likely = useLikelyFrame(uses, dataset.shape ?? [])
  return useImage(
    imageRequest(subject, seen, convert),
    likely && imageRequest({ ...subject, uses: likely }, seen, convert),
  )
}

/** The greatest amplitude, and the function that makes the brightness of points from their amplitudes. */
function useShade(amplitudes: Picture | undefined) {
  const brightest = useMemo(() => amplitudes && getBounds(channelOf(amplitudes, 1).data)?.max, [amplitudes])
  const shade = useMemo(() => (brightest ? shadeOf(brightest) : undefined), [brightest])
  return [brightest, shade] as const
}

/** The function that makes the colours of indices; undefined: they have no palette. */
function usePaint(palette: ImageSubject['palette']) {
  return useMemo(() => palette && ((picture: Picture) => coloursOfIndices(picture, palette)), [palette])
}

interface ImageDrawingProps {
  readonly title: string
  readonly label: string
  readonly axes: { readonly x: PlotAxis; readonly y: PlotAxis }
  readonly geometry: ImageGeometry
  readonly zoom: Zoom | undefined
  readonly image: Image
  readonly settings: ImageSettings
  readonly domain: Domain
  readonly isCut: ColourRange['isCut']
  /** Make the brightness of points, and the colours of indices. */
  readonly shade: ((picture: Picture) => Uint8Array) | undefined
  readonly paint: ((picture: Picture) => Uint8Array) | undefined
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

/** The canvas, and the bar of its colours. */
function ImageDrawing(props: ImageDrawingProps) {
  const { title, label, axes, geometry, zoom, image, settings, domain, isCut, onSight, onZoom } = props
  const { scale, gamma, isInverted } = settings
  // The setting is one of the maps.
  const colorMap = settings.colours.value as ColorMap
  const drawn = drawnPictures(image, zoom)
  const place = { toX: geometry.x.toCoordinate, toY: geometry.y.toCoordinate }
  const scaleType: VisScaleType =
    scale.value === 'gamma' ? [ScaleType.Gamma, gamma.value] : (scale.value as ScaleType.Linear)
  const colours = { domain, scaleType, colorMap, isInverted: isInverted.value }
  return (
    <>
      <PlotCanvas
        title={title}
        aspect={settings.ratio.value}
        x={axisConfig(geometry, 'x', settings)}
        y={axisConfig(geometry, 'y', settings)}
        {...{ zoom, onSight, onZoom }}
        isLine={false}
      >
        {drawn.map(({ picture, depth }) => (
          <PictureMeshes
            key={depth}
            {...{ picture, depth, shade: props.shade, paint: props.paint }}
            {...place}
            {...colours}
          />
        ))}
        <TooltipMesh
          guides="both"
          renderTooltip={(atX, atY) => {
            const element = [geometry.x.toPosition(atX), geometry.y.toPosition(atY)].map(Math.floor)
            return <Tip {...imageTip(element as [number, number], axes, image)} />
          }}
        />
      </PlotCanvas>
      {props.paint ? null : (
        <ColourBar
          {...{ domain, label, colorMap, isCut }}
          scale={scale.value}
          gamma={gamma.value}
          isInverted={isInverted.value}
        />
      )}
    </>
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

/** A picture in colours of its own, or in those of its numbers, perhaps with a brightness. */
function PictureMeshes({
  shade,
  paint,
  ...props
}: PictureMeshProps & Pick<ImageDrawingProps, 'shade' | 'paint'>) {
  const { picture, toX, toY, depth } = props
  if (paint) return <TextureMesh coloursOf={paint} {...{ picture, toX, toY, depth }} />
  return (
    <>
      <PictureMesh {...props} picture={channelOf(picture, 0)} />
      {shade ? <TextureMesh coloursOf={shade} {...{ picture, toX, toY }} depth={depth + 0.5} /> : null}
    </>
  )
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
