// A slice as an image of coloured points, at the resolution of the screen.

import type { ColourMap } from '@hyperslab/meaning/colour-maps'
import { useCallback, useEffect, useMemo } from 'react'
import { useShortcut } from '../../common/shortcut.ts'
import { Dimensions } from '../Dimensions.tsx'
import { useExports } from '../data/exports.ts'
import type { Picture } from '../data/image.ts'
import type { Plot } from '../data/plot.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import { sliceChange } from '../data/slice.ts'
import { useFrames, useLikelyFrame } from '../data/use-frames.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { type Bounds, boundsOfNumbers } from '../drawing/bounds.ts'
import type { ColourScale } from '../drawing/colours.ts'
import type { Domain } from '../drawing/scales.ts'
import { Follow } from '../Follow.tsx'
import type { View } from '../view-address.ts'
import type { ViewProps } from '../views/view.ts'
import { ColourBar } from './ColourBar.tsx'
import { BesideTool } from './compare/BesideTool.tsx'
import { type DrawnImage, drawnImage, useImageAxes, usePair } from './compare/use-pair.ts'
import { FigurePlaceContext } from './figure/figure.ts'
import { ImagePanel } from './measure/ImagePanel.tsx'
import { type MarkState, useImageMark, useMarkedLayers } from './measure/use-mark.ts'
import { axisMenus } from './models/axis-menus.ts'
import { channelOf, shadeOf } from './models/channels.ts'
import type { ColourRange } from './models/colour-range.ts'
import { domainsOf } from './models/domains.ts'
import { imageAxis } from './models/geometry.ts'
import {
  drawnPictures,
  type ImageSettings,
  type ImageSubject,
  imageNote,
  imageOf,
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
import { useOutlined } from './special/outlines.ts'
import { useGoodPixels } from './special/use-good-pixels.ts'
import { Tip } from './Tip.tsx'
import type { AxisMenuProps } from './tools/AxisButtons.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useColourRange } from './use-colour-range.ts'
import { useGeometry } from './use-parts.ts'

export function ImageView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <ImagePlot plot={plot} view={view} change={change} onShow={onShow} />
}

type ImagePlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function ImagePlot({ plot: whole, view, change, onShow }: ImagePlotProps) {
  const subject = imageOf(whole, view)
  const { plot, dataset, uses, hasElements } = subject
  const { path } = plot.signal
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const images = useImages(subject, view, change)
  const { zoom, image, changeSlice, playing, paired, main, setSight, setArea } = images
  const { range } = paired
  const settings = imageSettings(subject, view, main?.axes.y)
  const domains = domainsOf(range.bounds, settings.scale.value, view.range)
  const [brightest, shade] = useShade(subject.hasBrightness ? (image.overview ?? image.picture) : undefined)
  const paint = usePaint(subject.palette)
  const exports = useExports(dataset, select, subject.exports)
  useShortcut('r', () => change(nextSpan(settings)))
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom, last: undefined }), [change])
  const { mark, drawn, marking, buttons } = useImageMark({ subject, view, change, ...images })
  const note = imageNote(image, { ...range, text: rangeText(range, view, domains) }, subject, brightest)
  const tools = imageTools(subject, settings, view, range, domains, buttons)
  return (
    <PlotFrame
      tools={
        <>
          {toolNodes(tools, change)}
          <BesideTool {...{ view, change }} blink={paired.blink} />
        </>
      }
      exports={exports}
      isSlice={select !== undefined}
      dimensions={<Dimensions dimensions={plot.axes} axes={[]} change={changeSlice} {...{ uses, playing }} />}
      follow={<Follow plot={plot} uses={uses} view={view} zoom={zoom} change={change} />}
      note={note && [note, ...paired.notes].join(' ')}
      reading={image.reading}
      error={image.error}
      measured={<ImagePanel {...{ mark, change }} measured={main && { ...main, subject }} />}
      onArea={setArea}
    >
      {hasElements ? (
        <ImageDrawings
          title={plot.title}
          images={paired.drawn}
          domain={domains.domain}
          bounds={range.bounds}
          isCut={isCutBy(range, view)}
          {...{ uses, zoom, settings, shade, paint, onZoom, drawn, marking }}
          onSight={setSight}
          mapping={{ menus: axisMenus(plot.axes, uses, ['y', 'x']), change: changeSlice }}
        />
      ) : (
        <p className="note">The slice has no elements: an extent is 0.</p>
      )}
      {image.picture === undefined && image.error === undefined && hasElements ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

/** The image and the one that is compared with it, as far as they are in sight. */
function useImages(subject: ImageSubject, view: View, change: ViewProps['change']) {
  const { dataset, uses } = subject
  const axes = useImageAxes(subject)
  const geometry = useGeometry(axes.y, axes.x)
  const zoom = imageZoom(subject, view, geometry)
  const { sight, setSight, setArea } = useSight(zoom, true)
  const likely = useLikelyFrame(uses, dataset.shape ?? [])
  const ahead = likely && { ...subject, uses: likely }
  const image = useGoodPixels(subject, { geometry, zoom, sight }, { ahead })
  const changeSlice = (slice: typeof uses) => change(sliceChange(uses, slice))
  const playing = useFrames(uses, dataset.shape ?? [], image.isComplete, changeSlice)
  const isHeld = playing?.isOn === true
  const range = useColourRange(rangeSubject(subject, view, image), isHeld)
  const main = drawnImage(subject, image, geometry, axes)
  const seen = { geometry, zoom, sight }
  const paired = usePair({ subject, view, change, seen, range, isHeld, main })
  return { geometry, zoom, image, changeSlice, playing, main, paired, setSight, setArea }
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

interface ImageDrawingsProps {
  readonly title: string
  /** At most two, beside each other. */
  readonly images: readonly DrawnImage[]
  readonly uses: ImageSubject['uses']
  readonly zoom: Zoom | undefined
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
  readonly mapping: AxisMenuProps
}

/** The canvas, or two, and the bar of their colours. */
function ImageDrawings({ images, ...props }: ImageDrawingsProps) {
  const { settings, domain, isCut, bounds, paint } = props
  const [first, second] = images
  if (first === undefined) return null
  const { scale, gamma, isInverted } = settings
  const colours = {
    domain,
    scale: scale.value,
    gamma: gamma.value,
    // The setting is one of the maps.
    map: settings.colours.value as ColourMap,
    isInverted: isInverted.value,
  }
  return (
    <>
      <ImageDrawing {...props} {...first} colours={colours} isNamed={second !== undefined} />
      {second ? (
        // What is in sight is what the first one shows.
        <FigurePlaceContext.Provider value="second">
          <ImageDrawing {...props} {...second} colours={colours} isNamed onSight={ignoreSight} />
        </FigurePlaceContext.Provider>
      ) : null}
      {paint ? null : (
        <ColourBar {...colours} label={first.label} isCut={isCut} isEmpty={bounds === undefined} />
      )}
    </>
  )
}

const ignoreSight = () => {}

interface ImageDrawingProps extends Omit<ImageDrawingsProps, 'images'>, DrawnImage {
  readonly colours: ColourScale
  readonly isNamed: boolean
}

function ImageDrawing(props: ImageDrawingProps) {
  const { title, label, axes, geometry, zoom, image, settings, onSight, onZoom } = props
  const pictures = useLayers(props, props.colours)
  const outlined = useOutlined(pictures, props.uses, geometry)
  const layers = useMarkedLayers(outlined, props.drawn, geometry.y.config.domain)
  const tipAt = (x: number, y: number) => {
    const element = [geometry.x.toPosition(x), geometry.y.toPosition(y)].map(Math.floor)
    return <Tip {...imageTip(element as [number, number], axes, image)} />
  }
  return (
    <div className="plot-image">
      {props.isNamed ? <p>{props.name}</p> : null}
      <PlotCanvas
        title={props.isNamed ? props.name : title}
        aspect={settings.ratio.value}
        x={imageAxis(geometry, 'x', settings)}
        y={imageAxis(geometry, 'y', settings)}
        layers={layers}
        values={imageText(props.bounds, label)}
        {...{ zoom, onSight, onZoom, tipAt, marking: props.marking, mapping: props.mapping }}
        guides="both"
        isLine={false}
      />
    </div>
  )
}

/** The pictures in sight, in colours of their own or in those of their numbers. */
function useLayers(props: ImageDrawingProps, colours: ColourScale) {
  const { image, zoom, geometry, settings, shade, paint } = props
  const text = JSON.stringify(colours)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the colours
  const coloursOf = useMemo(() => paint ?? colouredBy(colours, shade), [text, paint, shade])
  const { picture, overview } = image
  const isPart = zoom !== undefined
  const isGreatest = settings.reduction?.value === 'max'
  return useMemo(
    () =>
      drawnPictures({ picture, overview }, isPart).map(one =>
        pictureLayer(one, geometry, coloursOf, isGreatest),
      ),
    [picture, overview, isPart, geometry, coloursOf, isGreatest],
  )
}
