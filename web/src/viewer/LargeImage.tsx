// An image that is too large to be loaded whole: the service sends the mean of each block of elements, at about the
// size of the screen. Its colours span the elements, not the means, as soon as the service has found their extremes.

import {
  COLOR_SCALE_TYPES,
  type ColorMap,
  ColorMapSelector,
  DomainWidget,
  getBounds,
  getSafeDomain,
  getValidDomainForScale,
  getVisDomain,
  HeatmapVis,
  ScaleSelector,
  ScaleType,
  Separator,
  Toolbar,
} from '@h5web/lib'
import ndarray from 'ndarray'
import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../errors.ts'
import { boundsOf, type ElementRange, elementRange } from './colour-range.ts'
import type { DrawingProps } from './LargePlot.tsx'
import { blockSizes, drawnDimensions } from './large-part.ts'

interface Image {
  readonly rows: number
  readonly columns: number
  readonly data: Float32Array
}

/** The elements of a slice: their range comes after its image. */
interface Elements {
  readonly image: Image
  readonly range?: ElementRange | undefined
  readonly error?: string
}

type ColorScale = ComponentProps<typeof DomainWidget>['scaleType']
type CustomDomain = ComponentProps<typeof DomainWidget>['customDomain']

/** The domain of a scale without drawable values; the same as in h5web. */
const NO_DOMAIN: [number, number] = [0.1, 1]

const ROOTED: ReadonlySet<ColorScale> = new Set([ScaleType.Log, ScaleType.Sqrt])

export function LargeImage({ domain, part, title, retry, children }: DrawingProps) {
  const { attempt, fail } = retry
  const [image, setImage] = useState<Image>()
  const [elements, setElements] = useState<Elements>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the same again
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const { dataset, select } = part
    const load = async () => {
      const reduce = `mean:${blockSizes(part).join(',')}`
      const { shape, data } = await domain.read(dataset, { select, reduce, signal })
      const [rows = 0, columns = 0] = drawnDimensions(part).map(d => shape[d] ?? 0)
      const image = { rows, columns, data: Float32Array.from(data as ArrayLike<number>) }
      setImage(image)
      // It is not requested together with the means: the service would compute both at once, and the image would come
      // later.
      try {
        const range = elementRange(await domain.statistics(dataset, { select, bins: BINS, signal }))
        setElements({ image, range })
      } catch (reason) {
        if (!signal.aborted) setElements({ image, error: messageOf(reason) })
      }
    }
    load().catch((reason: unknown) => {
      if (!signal.aborted) fail(reason)
    })
    // When a slider moves on, the former slice is no longer needed.
    return () => abort.abort()
  }, [domain, part, attempt, fail])

  const blocks = blockSizes(part)
  const [rowBlock = 1, columnBlock = 1] = drawnDimensions(part).map(d => blocks[d])
  const elementsOfImage = elements?.image === image ? elements : undefined
  const note = image === undefined ? '' : noteOf(elementsOfImage)
  return (
    <>
      <p>
        Each point is the mean of {rowBlock} × {columnBlock} elements. <span role="status">{note}</span>{' '}
        {children}
      </p>
      {image === undefined ? (
        <p>Loading …</p>
      ) : (
        <Heatmap
          image={image}
          elements={elementsOfImage}
          title={title}
          rowBlock={rowBlock}
          columnBlock={columnBlock}
        />
      )}
    </>
  )
}

/** Of the histogram beside the range of colours. */
const BINS = 100

interface HeatmapProps {
  readonly image: Image
  /** The range of the elements; undefined: the service is computing their extremes. */
  readonly elements: Elements | undefined
  readonly title: string
  readonly rowBlock: number
  readonly columnBlock: number
}

function Heatmap({ image, elements, title, rowBlock, columnBlock }: HeatmapProps) {
  const [customDomain, setCustomDomain] = useState<CustomDomain>([null, null])
  const [scaleType, setScaleType] = useState<ColorScale>(ScaleType.Linear)
  const [colorMap, setColorMap] = useState<ColorMap>('Viridis')
  const [isInverted, setInverted] = useState(false)
  const means = useMemo(() => getBounds(image.data), [image])
  const range = elements?.range
  const dataDomain = getValidDomainForScale(boundsOf(means, range), scaleType) ?? NO_DOMAIN
  const [domain] = getSafeDomain(getVisDomain(customDomain, dataDomain), dataDomain, scaleType)
  // A logarithm and a root have no place for the parts below 0.
  const hasPlace = range && (range.edges.every(edge => edge > 0) || !ROOTED.has(scaleType))
  const histogram = hasPlace && { values: [...range.counts], bins: [...range.edges], colorMap }
  return (
    <>
      <div className="plot-tools">
        <Toolbar>
          <DomainWidget
            dataDomain={dataDomain}
            customDomain={customDomain}
            scaleType={scaleType}
            {...(histogram && { histogram })}
            onCustomDomainChange={setCustomDomain}
          />
          <Separator />
          <ColorMapSelector
            value={colorMap}
            onValueChange={setColorMap}
            invert={isInverted}
            onInversionChange={() => setInverted(!isInverted)}
          />
          <Separator />
          <ScaleSelector value={scaleType} onScaleChange={setScaleType} options={COLOR_SCALE_TYPES} />
        </Toolbar>
      </div>
      <div className="plot">
        <HeatmapVis
          dataArray={ndarray(image.data, [image.rows, image.columns])}
          domain={domain}
          scaleType={scaleType}
          colorMap={colorMap}
          invertColorMap={isInverted}
          title={title}
          aspect={isNarrow(image.rows * rowBlock, image.columns * columnBlock) ? 'auto' : 'equal'}
          abscissaParams={{ value: edges(image.columns, columnBlock) }}
          ordinateParams={{ value: edges(image.rows, rowBlock) }}
        />
      </div>
    </>
  )
}

function noteOf(elements: Elements | undefined): string {
  if (elements?.error !== undefined)
    return `The colours span the means, because of an error: ${elements.error}`
  return elements
    ? 'The colours span all elements.'
    : 'The colours span the means, until all elements are read.'
}

/** An image of 3 x 50,000 elements would be a line of less than a point, if they were squares. */
function isNarrow(rows: number, columns: number): boolean {
  return Math.max(rows, columns) > 8 * Math.min(rows, columns)
}

/** The index of the first element of each block, and the end of the last one. */
function edges(count: number, block: number): number[] {
  return Array.from({ length: count + 1 }, (_, i) => i * block)
}
