// An image whose last dimension is that of its colours: red, green and blue, perhaps with an opacity.

import { Separator, ToggleBtn } from '@h5web/lib'
import type { Datatype } from '@hyperslab/client'
import { numberForm, productOf } from '@hyperslab/client/elements'
import { useCallback, useEffect } from 'react'
import { Choice } from '../Choice.tsx'
import { Dimensions } from '../Dimensions.tsx'
import { numbersOf, useAxis } from '../data/axis.ts'
import { useExports } from '../data/exports.ts'
import type { Plot } from '../data/plot.ts'
import { sliceChange, slicedBy } from '../data/slice.ts'
import { type Picture, useImage } from '../data/use-image.ts'
import { useSelection } from '../data/use-selection.ts'
import { useSight } from '../data/use-sight.ts'
import { Follow } from '../Follow.tsx'
import type { ViewProps } from '../views.ts'
import { isNarrow, positionsIn, useGeometry } from './geometry.ts'
import { PlotCanvas, type Zoom } from './PlotCanvas.tsx'
import { PlotFrame } from './PlotFrame.tsx'
import { TextureMesh } from './TextureMesh.tsx'

export function RgbView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <RgbPlot plot={plot} view={view} change={change} onShow={onShow} />
}

type RgbPlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function RgbPlot({ plot, view, change, onShow }: RgbPlotProps) {
  const { signal, axes, title } = plot
  const dataset = signal.dataset
  if (dataset?.shape === undefined) throw new Error(`${signal.path} has no elements`)
  const { shape, type } = dataset
  const uses = slicedBy(plot, view, { axes: ['y', 'x'], hasColours: true })
  const [yDimension, xDimension] = [uses.indexOf('y'), uses.indexOf('x')]
  const [rows, columns] = [shape[yDimension] ?? 0, shape[xDimension] ?? 0]
  const y = useAxis(axes[yDimension], true)
  const x = useAxis(axes[xDimension], true)
  const select = useSelection(uses)
  useEffect(() => onShow(signal.path, select), [onShow, signal.path, select])
  const { sight, setSight, setArea } = useSight(view.zoom, false)
  const hasElements = productOf(shape) > 0
  const geometry = useGeometry(y, x)
  const image = useImage({
    dataset,
    uses,
    reduction: 'mean',
    convert: numbersOf,
    sight: geometry && view.zoom && sight ? positionsIn(sight, geometry) : undefined,
    size: hasElements ? geometry && sight : undefined,
  })
  const { picture, overview } = image
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom }), [change])
  const exports = useExports(dataset, select, ['json', 'npy'])
  // Pictures begin at the top.
  const flip = view.flip ?? 'y'
  const [isFlippedX, isFlippedY] = [flip.includes('x'), flip.includes('y')]
  const flipped = (isX: boolean, isY: boolean) =>
    change({ flip: isX ? (isY ? 'xy' : 'x') : isY ? undefined : 'none' })
  const ratio = view.ratio ?? (isNarrow(rows, columns) ? 'auto' : 'equal')
  const grid = view.hasGrid ?? false
  const isBgr = view.order === 'bgr'
  const coloursOfPicture = useCallback((part: Picture) => coloursOf(part, type, isBgr), [type, isBgr])
  const drawn = overview === picture ? [picture] : [overview, picture]
  return (
    <PlotFrame
      tools={[
        <Choice
          key="order"
          label="Colours"
          value={view.order ?? 'rgb'}
          options={[
            ['rgb', 'RGB'],
            ['bgr', 'BGR'],
          ]}
          choose={order => change({ order: order === 'rgb' ? undefined : order })}
        />,
        <Separator key="after-order" />,
        <ToggleBtn
          key="ratio"
          label="Keep ratio"
          small
          value={ratio === 'equal'}
          onToggle={() => change({ ratio: ratio === 'equal' ? 'auto' : 'equal' })}
        />,
        <ToggleBtn
          key="x"
          label="Flip X"
          small
          value={isFlippedX}
          onToggle={() => flipped(!isFlippedX, isFlippedY)}
        />,
        <ToggleBtn
          key="y"
          label="Flip Y"
          small
          value={isFlippedY}
          onToggle={() => flipped(isFlippedX, !isFlippedY)}
        />,
        <ToggleBtn
          key="grid"
          label="Grid"
          small
          value={grid}
          onToggle={() => change({ hasGrid: grid ? undefined : true })}
        />,
      ]}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={
        <Dimensions
          dimensions={axes.slice(0, -1)}
          uses={uses.slice(0, -1)}
          axes={['y', 'x']}
          change={slice => change(sliceChange(uses, [...slice, ':']))}
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} change={change} />}
      note={
        picture && (picture.y.block * picture.x.block > 1 ? blockNote(picture) : 'Each point is an element.')
      }
      error={image.error}
      onArea={setArea}
    >
      {geometry && hasElements ? (
        <PlotCanvas
          title={title}
          aspect={ratio}
          x={{ ...geometry.x.config, flip: isFlippedX, showGrid: grid }}
          y={{ ...geometry.y.config, flip: isFlippedY, showGrid: grid }}
          zoom={view.zoom}
          isLine={false}
          onSight={setSight}
          onZoom={onZoom}
        >
          {drawn.map((part, i) =>
            part ? (
              <TextureMesh
                // biome-ignore lint/suspicious/noArrayIndexKey: below and above
                key={i}
                picture={part}
                coloursOf={coloursOfPicture}
                toX={geometry.x.toCoordinate}
                toY={geometry.y.toCoordinate}
                depth={i}
              />
            ) : null,
          )}
        </PlotCanvas>
      ) : (
        <p className="note">The image has no elements: an extent is 0.</p>
      )}
    </PlotFrame>
  )
}

function blockNote({ y, x }: Picture): string {
  return `Each point is the mean of ${y.block} × ${x.block} elements.`
}

/** Four bytes of each point. The greatest number is that of the type, or of the elements if they use less of it. */
export function coloursOf(
  { data, rows, columns, depth }: Picture,
  type: Datatype,
  isBgr: boolean,
): Uint8Array {
  const colours = new Uint8Array(rows * columns * 4)
  const factor = 255 / greatest(type, data)
  const [red, blue] = isBgr ? [2, 0] : [0, 2]
  const byte = (value: number | undefined) => Math.min(255, Math.max(0, Math.round((value ?? 0) * factor)))
  for (let i = 0; i < rows * columns; i++) {
    const at = i * depth
    colours[4 * i] = byte(data[at + red])
    colours[4 * i + 1] = byte(data[at + 1])
    colours[4 * i + 2] = byte(data[at + blue])
    colours[4 * i + 3] = depth > 3 ? byte(data[at + 3]) : 255
  }
  return colours
}

/** The number of the brightest colour. */
function greatest(type: Datatype, data: Float64Array): number {
  const form = numberForm(type)
  const most = greatestOf(data)
  if (form?.kind === 'float') return most <= 1 ? 1 : Math.max(most, 255)
  if (form?.size === 1 || most <= 255) return 255
  return 2 ** (8 * (form?.size ?? 1)) - 1
}

/** NaN is none of them. */
function greatestOf(data: Float64Array): number {
  let most = 0
  for (const value of data) if (value > most) most = value
  return most
}
