// A slice on a map of the earth, with coasts.

import type { ColourMap } from '@hyperslab/meaning/colour-maps'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useShortcut } from '../../../common/shortcut.ts'
import { Dimensions } from '../../Dimensions.tsx'
import { useExports } from '../../data/exports.ts'
import type { Plot } from '../../data/plot.ts'
import type { Sight, Zoom } from '../../data/sight.ts'
import { sliceChange } from '../../data/slice.ts'
import { useFrames } from '../../data/use-frames.ts'
import { useImage } from '../../data/use-image.ts'
import { useSelection } from '../../data/use-selection.ts'
import { useSight } from '../../data/use-sight.ts'
import type { Bounds } from '../../drawing/bounds.ts'
import type { ColourScale } from '../../drawing/colours.ts'
import type { Geography } from '../../meaning/places/geography.ts'
import type { View } from '../../view-address.ts'
import { useLoaded } from '../../viewer-context.ts'
import type { ViewProps } from '../../views/view.ts'
import { ColourBar } from '../ColourBar.tsx'
import { seenOf } from '../measure/marks.ts'
import { type MarkState, useMark, useMarkedLayers } from '../measure/use-mark.ts'
import type { ColourRange } from '../models/colour-range.ts'
import { domainsOf } from '../models/domains.ts'
import {
  imageNote,
  imageSettings,
  imageText,
  imageTools,
  isCutBy,
  nextSpan,
  rangeSubject,
} from '../models/image.ts'
import { colouredBy } from '../models/picture.ts'
import { PlotCanvas } from '../PlotCanvas.tsx'
import { PlotFrame } from '../PlotFrame.tsx'
import { Tip } from '../Tip.tsx'
import { toolNodes } from '../tools/tool-nodes.tsx'
import { useColourRange } from '../use-colour-range.ts'
import { useConverters } from '../use-parts.ts'
import { MapPanel } from './MapPanel.tsx'
import {
  type MapPicture,
  mapOf,
  mapRequest,
  mapTip,
  type PlacedPicture,
  picturesOf,
  windowAt,
} from './model.ts'
import { PROJECTIONS, type Projection } from './projection.ts'
import { cellLayer, graticuleStep, lineLayers, MAP_TOOLS, mapAxes } from './scene.ts'
import { useMapPicture, usePlaced } from './use-map.ts'
import { type MapWindow, windowOf } from './window.ts'

export function MapView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.geography === undefined) return null
  return <MapPlot plot={plot} geography={plot.geography} view={view} change={change} onShow={onShow} />
}

type MapPlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & {
  readonly plot: Plot
  readonly geography: Geography
}

function MapPlot({ plot: all, geography, view, change, onShow }: MapPlotProps) {
  const subject = mapOf(all, view, geography)
  const { plot, dataset, uses, hasElements } = subject
  const { projection: name = 'plane', zoom } = view
  const projection = PROJECTIONS[name]
  const select = useSelection(uses)
  useEffect(() => onShow(plot.signal.path, select), [onShow, plot.signal.path, select])
  const { sight, setSight, setArea } = useSight(zoom, true)
  const map = useMapOf(subject, { geography, projection, zoom, sight })
  const { image, window } = map
  const changeSlice = (slice: typeof uses) => change(sliceChange(uses, slice))
  const playing = useFrames(uses, dataset.shape ?? [], image.isComplete, changeSlice)
  const range = useColourRange(rangeSubject(subject, view, image), playing?.isOn === true)
  const settings = {
    ...imageSettings(subject, view, undefined),
    projection: { value: name, usual: 'plane' },
  } as const
  const domains = domainsOf(range.bounds, settings.scale.value, view.range)
  const exports = useExports(dataset, select, subject.exports)
  useShortcut('r', () => change(nextSpan(settings)))
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom }), [change])
  const { mark, drawn, marking, buttons } = useMapMark(view, change, window)
  return (
    <PlotFrame
      tools={toolNodes(imageTools(subject, settings, view, range, domains, buttons, MAP_TOOLS), change)}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={<Dimensions dimensions={plot.axes} axes={[]} change={changeSlice} {...{ uses, playing }} />}
      note={imageNote(image, range, subject, undefined)}
      reading={image.reading}
      error={image.error ?? map.error}
      measured={<MapPanel {...{ mark, change, subject, projection }} pictures={map.pictures} />}
      onArea={setArea}
    >
      {window ? (
        <MapDrawing
          title={plot.title}
          label={subject.label}
          window={window}
          pictures={map.pictures}
          colours={{
            domain: domains.domain,
            scale: settings.scale.value,
            gamma: settings.gamma.value,
            // The setting is one of the maps.
            map: settings.colours.value as ColourMap,
            isInverted: settings.isInverted.value,
          }}
          bounds={range.bounds}
          isCut={isCutBy(range, view)}
          {...{ projection, zoom, onZoom, drawn, marking, onSight: setSight }}
        />
      ) : null}
      {hasElements ? null : <p className="note">The slice has no elements: an extent is 0.</p>}
      {window === undefined && image.error === undefined && map.error === undefined && hasElements ? (
        <p className="plot-loading">Loading …</p>
      ) : null}
    </PlotFrame>
  )
}

/** A line on the map. Cells differ in area: a box of them has no mean. */
function useMapMark(view: View, change: ViewProps['change'], window: MapWindow | undefined) {
  const all = window && { x: window.x, y: window.y }
  const seen = all && seenOf(view.zoom, [...all.x], [...all.y])
  return useMark({ kinds: ['profile'], view, change, seen, all })
}

interface Seen {
  readonly geography: Geography
  readonly projection: Projection
  readonly zoom: Zoom | undefined
  readonly sight: Sight | undefined
}

/** The pictures of what is in sight, with the pixels of their cells: that of the part first. */
function useMapOf(subject: ReturnType<typeof mapOf>, { geography, projection, zoom, sight }: Seen) {
  const { plot, dataset, uses, part } = subject
  const [convert] = useConverters([plot], part)
  const places = { id: dataset.id, geography, uses }
  // The places of all say which elements are in sight of a part.
  const [known, setKnown] = useState<PlacedPicture>()
  const image = useImage(mapRequest(subject, convert, { sight, zoom }, { projection, whole: known }))
  const { whole, part: piece } = picturesOf(image, zoom)
  const all = usePlaced(places, whole)
  const one = usePlaced(places, piece)
  useEffect(() => setKnown(all.placed), [all.placed])
  const corners = all.placed?.corners
  const window = useMemo(() => corners && windowOf(corners, projection), [corners, projection])
  const wholePicture = useMapPicture(all.placed, projection, window, sight)
  const piecePicture = useMapPicture(one.placed, projection, windowAt(zoom), sight)
  const pictures = useMemo(
    () => [piecePicture, wholePicture].filter(picture => picture !== undefined),
    [piecePicture, wholePicture],
  )
  return { image, window, pictures, error: all.error ?? one.error }
}

interface MapDrawingProps {
  readonly title: string
  readonly label: string
  readonly projection: Projection
  /** All of the map. */
  readonly window: MapWindow
  readonly zoom: Zoom | undefined
  readonly pictures: readonly MapPicture[]
  readonly colours: ColourScale
  /** Those of the numbers. */
  readonly bounds: Bounds | undefined
  readonly isCut: ColourRange['isCut']
  readonly drawn: MarkState['drawn']
  readonly marking: MarkState['marking']
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

/** The canvas, and the bar of its colours. */
function MapDrawing(props: MapDrawingProps) {
  const { title, label, projection, window, pictures, colours, bounds, isCut, drawn, ...camera } = props
  const cells = useCellLayers(pictures, colours)
  const lines = useLines(projection, window, camera.zoom)
  const both = useMemo(() => [...cells, ...lines], [cells, lines])
  const layers = useMarkedLayers(both, drawn, [...window.y])
  return (
    <>
      <PlotCanvas
        title={title}
        aspect="equal"
        {...mapAxes(window, projection)}
        layers={layers}
        values={imageText(bounds, label)}
        {...camera}
        tipAt={(x, y) => <Tip {...mapTip([x, y], pictures, projection)} />}
        guides="both"
        isLine={false}
      />
      <ColourBar {...colours} {...{ label, isCut }} />
    </>
  )
}

/** The pictures in their colours, that of all below. */
function useCellLayers(pictures: readonly MapPicture[], colours: ColourScale) {
  const text = JSON.stringify(colours)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the colours
  const coloursOf = useMemo(() => colouredBy(colours, undefined), [text])
  return useMemo(
    () =>
      pictures.map(({ picture, cells, raster }) => cellLayer(coloursOf(picture), cells, raster)).toReversed(),
    [pictures, coloursOf],
  )
}

/** Coasts, which are loaded when a map is shown first, and lines of degrees. A map without them is a map, too. */
function useLines(projection: Projection, window: MapWindow, zoom: Zoom | undefined) {
  const { value: coasts } = useLoaded(async () => import('./coasts.ts'), ['coasts'])
  const seen = windowAt(zoom) ?? window
  const text = JSON.stringify(seen)
  const lines = useMemo(() => coasts?.coastsOn(projection), [coasts, projection])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the window
  const degrees = useMemo(
    () =>
      projection.period === undefined ? coasts?.graticuleOn(projection, graticuleStep(seen)) : undefined,
    [coasts, projection, text],
  )
  return useMemo(() => lineLayers(lines, degrees, projection, window), [lines, degrees, projection, window])
}
