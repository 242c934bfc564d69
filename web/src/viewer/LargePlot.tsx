// The drawing of the page that replaces that of h5web for a slice that is too large: the slice that h5web shows, with a
// slider for each dimension that is not drawn.

import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Domain, Hyperslab, Selection } from '../../../client/index.ts'
import { messageOf } from '../errors.ts'
import { formatSize } from '../format.ts'
import { TryAgain } from '../TryAgain.tsx'
import { type Retry, useRetry } from '../use-retry.ts'
import { LargeImage } from './LargeImage.tsx'
import { LargeLine } from './LargeLine.tsx'
import { bytesOf, drawnDimensions, type LargePart } from './large-part.ts'

export interface LargePlotProps {
  readonly client: Hyperslab
  readonly domain: Domain
  readonly part: LargePart
  readonly title: string
  /** Loads all elements; undefined: h5web has loaded all that it can draw. */
  readonly loadWhole: (() => void) | undefined
  /** A slice is shown. */
  readonly onShow: (select: Selection) => void
}

/** Of an image or a line. */
export interface DrawingProps extends Pick<LargePlotProps, 'domain' | 'part' | 'title'> {
  readonly retry: Retry
  /** Elements beside the description of the drawing. */
  readonly children: ReactNode
}

const DRAWINGS = { image: LargeImage, line: LargeLine }

export function LargePlot({ client, domain, part, title, loadWhole, onShow }: LargePlotProps) {
  const [select, setSelect] = useState(part.select)
  const retry = useRetry(client)
  const shown = useMemo(() => ({ ...part, select }), [part, select])
  useEffect(() => onShow(select), [onShow, select])
  const move = (dimension: number, index: number) => {
    setSelect(select.with(dimension, index))
    if (retry.failure !== undefined) retry.retry()
  }
  const button = loadWhole ? (
    <button type="button" onClick={loadWhole}>
      Load all elements{part.shape ? ` (${formatSize(bytesOf(part))})` : ''}
    </button>
  ) : null
  if (part.shape === undefined) {
    // A line may be drawn all the same, if the user has time; an image beyond the limit of the card may not.
    const isLine = drawnDimensions(part).length === 1
    return (
      <section className="large-note" aria-label={`Note on ${title}`}>
        <p>
          {isLine
            ? 'These are too many points to be drawn in a moment. '
            : 'These are too many elements along a side to be drawn as an image. '}
          The matrix shows them. {isLine ? button : null}
        </p>
      </section>
    )
  }
  const Drawing = DRAWINGS[part.shape]
  return (
    <section className="large" aria-label={`${part.shape === 'image' ? 'Image' : 'Line'} of ${title}`}>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {select.map((index, dimension) =>
        typeof index === 'number' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: dimensions have no other name
          <label key={dimension}>
            D{dimension}{' '}
            <input
              type="range"
              min={0}
              max={(part.dataset.shape?.[dimension] ?? 1) - 1}
              value={index}
              onChange={event => move(dimension, Number(event.target.value))}
            />{' '}
            {index}
          </label>
        ) : null,
      )}
      <Drawing domain={domain} part={shown} title={title} retry={retry}>
        {button}
      </Drawing>
    </section>
  )
}
