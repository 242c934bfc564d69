// A slice as an image of coloured points, at the resolution of the screen.

import type { ColourMap } from '@hyperslab/meaning/colour-maps'
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
import { type Bounds, boundsOfNumbers } from '../drawing/bounds.ts'
import type { ColourScale } from '../drawing/colours.ts'
import type { Domain } from '../drawing/scales.ts'
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views/view.ts'
import { ColourBar } from './ColourBar.tsx'
import { ImagePanel } from './measure/ImagePanel.tsx'
import { type MarkState, useImageMark, useMarkedLayers } from './measure/use-mark.ts'
import { channelOf, shadeOf } from './models/channels.ts'
import type { ColourRange } from './models/colour-range.ts'
import { domainsOf } from './models/domains.ts'
import { type ImageGeometry, imageAxis } from './models/geometry.ts'
import {
  drawnPictures,
  type ImageSettings,
  type ImageSight,
  type ImageSubject,
  imageNote,
  imageOf,
  imageRequest,
  imageSettings,
  imageText,
  imageTip,
  imageTools,
  imageZoom,
  isCutBy,
  nextSpan,
  rangeSubject,
  rangeText,
} from './models/image.ts'
import { coloursOfIndices } from './models/palette.ts'
import { type ColoursOf, colouredBy, pictureLayer } from './models/picture.ts'
import { remembered } from './models/remembered.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { Tip } from './Tip.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useColourRange } from './use-colour-range.ts'
import { useConverters, useGeometry } from './use-parts.ts'

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
  const { mark, drawn, marking, buttons } = useImageMark({ subject, view, change, zoom, geometry })
  return (
    <PlotFrame
      tools={toolNodes(imageTools(subject, settings, view, range, domains, buttons), change)}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={
        <Dimensions dimensions={plot.axes} axes={['y', 'x']} change={changeSlice} {...{ uses, playing }} />
      }
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={imageNote(image, { ...range, text: rangeText(range, view, domains) }, subject, brightest)}
      error={image.error}
      measured={
        <ImagePanel
          {...{ mark, change }}
          measured={geometry && x && y && { subject, geometry, image, axes: { x, y } }}
        />
      }
      onArea={setArea}
    >
      {geometry && x && y && hasElements ? (
        <ImageDrawing
          title={plot.title}
          label={subject.label}
          axes={{ x, y }}
          domain={domains.domain}
          bounds={range.bounds}
          isCut={isCutBy(range, view)}
          {...{ geometry, zoom, image, settings, shade, paint, onZoom, onSight: setSight, drawn, marking }}
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
  const brightest = useMemo(
    () => amplitudes && boundsOfNumbers(channelOf(amplitudes, 1).data)?.max,
    [amplitudes],
  )
  const shade = useMemo(() => (brightest ? shadeOf(brightest) : undefined), [brightest])
  return [brightest, shade] as const
}

/** The function that makes the colours of indices; undefined: they have no palette. */
function usePaint(palette: ImageSubject['palette']): ColoursOf | undefined {
  return useMemo(
    () => palette && remembered((picture: Picture) => coloursOfIndices(picture, palette)),
    [palette],
  )
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
  /** Those of the numbers. */
  readonly bounds: Bounds | undefined
  readonly isCut: ColourRange['isCut']
  /** Make the brightness of points, and the colours of indices. */
  readonly shade: ((picture: Picture) => Uint8Array) | undefined
  readonly paint: ColoursOf | undefined
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
  readonly drawn: MarkState['drawn']
  readonly marking: MarkState['marking']
}

/** The canvas, and the bar of its colours. */
function ImageDrawing(props: ImageDrawingProps) {
  const { title, label, axes, geometry, zoom, image, settings, domain, isCut, onSight, onZoom } = props
  const { scale, gamma, isInverted } = settings
  const scaled = {
    domain,
    scale: scale.value,
    gamma: gamma.value,
    // The setting is one of the maps.
    map: settings.colours.value as ColourMap,
    isInverted: isInverted.value,
  }
  const pictures = useLayers(props, scaled)
  const layers = useMarkedLayers(pictures, props.drawn, geometry.y.config.domain)
  const tipAt = (x: number, y: number) => {
    const element = [geometry.x.toPosition(x), geometry.y.toPosition(y)].map(Math.floor)
    return <Tip {...imageTip(element as [number, number], axes, image)} />
  }
  return (
    <>
      <PlotCanvas
        title={title}
        aspect={settings.ratio.value}
        x={imageAxis(geometry, 'x', settings)}
        y={imageAxis(geometry, 'y', settings)}
        layers={layers}
        values={imageText(props.bounds, label)}
        {...{ zoom, onSight, onZoom, tipAt, marking: props.marking }}
        guides="both"
        isLine={false}
      />
      {props.paint ? null : (
        <ColourBar {...scaled} {...{ label, isCut }} isEmpty={props.bounds === undefined} />
      )}
    </>
  )
}

/** The pictures in sight, in colours of their own or in those of their numbers. */
function useLayers({ image, zoom, geometry, shade, paint }: ImageDrawingProps, colours: ColourScale) {
  const text = JSON.stringify(colours)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the colours
  const coloursOf = useMemo(() => paint ?? colouredBy(colours, shade), [text, paint, shade])
  const { picture, overview } = image
  const isPart = zoom !== undefined
  return useMemo(
    () => drawnPictures({ picture, overview }, isPart).map(one => pictureLayer(one, geometry, coloursOf)),
    [picture, overview, isPart, geometry, coloursOf],
  )
}
