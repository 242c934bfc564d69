// An image one of whose dimensions is that of its colours: red, green and blue, perhaps with an opacity.

import type { Datatype } from '@hyperslab/client'
import { useCallback, useEffect, useMemo } from 'react'
import { Dimensions } from '../Dimensions.tsx'
import { useExports } from '../data/exports.ts'
import type { Image, Picture } from '../data/image.ts'
import type { Plot } from '../data/plot.ts'
import type { Sight, Zoom } from '../data/sight.ts'
import { sliceChange } from '../data/slice.ts'
import { useAxis } from '../data/use-axis.ts'
import { useImage } from '../data/use-image.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views/view.ts'
import { ImagePanel } from './measure/ImagePanel.tsx'
import type { ProfileAxes } from './measure/profile.ts'
import { type MarkState, useImageMark, useMarkedLayers } from './measure/use-mark.ts'
import { axisMenus } from './models/axis-menus.ts'
import { type ImageGeometry, imageAxis } from './models/geometry.ts'
import { drawnPictures, imageTip } from './models/image.ts'
import { pictureLayer } from './models/picture.ts'
import { remembered } from './models/remembered.ts'
import {
  coloursOf,
  type RgbSettings,
  rgbNote,
  rgbOf,
  rgbRequest,
  rgbSettings,
  rgbTools,
} from './models/rgb.ts'
import { PlotCanvas } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { Tip } from './Tip.tsx'
import type { AxisMenuProps } from './tools/AxisButtons.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'
import { useGeometry } from './use-parts.ts'

export function RgbView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <RgbPlot plot={plot} view={view} change={change} onShow={onShow} />
}

type RgbPlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function RgbPlot({ plot, view, change, onShow }: RgbPlotProps) {
  const subject = rgbOf(plot, view)
  const { dataset, uses, hasElements } = subject
  const { path } = plot.signal
  const y = useAxis(subject.yAxis, true)
  const x = useAxis(subject.xAxis, true)
  const axes = useMemo(() => x && y && { x, y }, [x, y])
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const { zoom } = view
  const { sight, setSight, setArea } = useSight(zoom, false)
  const geometry = useGeometry(y, x)
  const image = useImage(rgbRequest(subject, geometry, sight, view))
  const exports = useExports(dataset, select, ['json', 'npy'])
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom }), [change])
  const settings = rgbSettings(subject, view)
  const { mark, drawn, marking, buttons } = useImageMark({ subject, view, change, zoom, geometry })
  const changeSlice = (slice: typeof uses) => change(sliceChange(uses, slice))
  return (
    <PlotFrame
      tools={toolNodes(rgbTools(settings, buttons), change)}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={<Dimensions dimensions={plot.axes} uses={uses} axes={[]} change={changeSlice} />}
      follow={<Follow plot={plot} uses={uses} view={view} change={change} />}
      note={rgbNote(image)}
      reading={image.reading}
      error={image.error}
      measured={
        <ImagePanel {...{ mark, change }} measured={axes && geometry && { subject, geometry, axes, image }} />
      }
      onArea={setArea}
    >
      {geometry && axes && hasElements ? (
        <RgbDrawing
          title={plot.title}
          type={dataset.type}
          {...{ zoom, geometry, axes, image, settings, onZoom, drawn, marking }}
          onSight={setSight}
          mapping={{ menus: axisMenus(plot.axes, uses, ['y', 'x']), change: changeSlice }}
        />
      ) : (
        <p className="note">The image has no elements: an extent is 0.</p>
      )}
    </PlotFrame>
  )
}

interface RgbDrawingProps {
  readonly title: string
  readonly type: Datatype
  readonly geometry: ImageGeometry
  readonly axes: ProfileAxes
  readonly image: Image
  readonly settings: RgbSettings
  readonly zoom: Zoom | undefined
  readonly mapping: AxisMenuProps
  readonly drawn: MarkState['drawn']
  readonly marking: MarkState['marking']
  readonly onSight: (sight: Sight) => void
  readonly onZoom: (zoom: Zoom | undefined) => void
}

function RgbDrawing({ title, type, geometry, axes, image, settings, drawn, ...canvas }: RgbDrawingProps) {
  const { picture, overview } = image
  const isBgr = settings.order.value === 'bgr'
  const coloured = useMemo(() => remembered((part: Picture) => coloursOf(part, type, isBgr)), [type, isBgr])
  const pictures = useMemo(
    () => drawnPictures({ picture, overview }, true).map(part => pictureLayer(part, geometry, coloured)),
    [picture, overview, geometry, coloured],
  )
  const layers = useMarkedLayers(pictures, drawn, geometry.y.config.domain)
  return (
    <PlotCanvas
      title={title}
      aspect={settings.ratio.value}
      x={imageAxis(geometry, 'x', settings)}
      y={imageAxis(geometry, 'y', settings)}
      layers={layers}
      values="An image in colours."
      isLine={false}
      guides="both"
      tipAt={(x, y) => {
        const element = [geometry.x.toPosition(x), geometry.y.toPosition(y)].map(Math.floor)
        return <Tip {...imageTip(element as [number, number], axes, image, ', ')} />
      }}
      {...canvas}
    />
  )
}
