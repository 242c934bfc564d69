// An image of a slice that is too large to be loaded whole: the service sends the mean of each block of elements, at about the size
// of the screen.

import { getDomain, HeatmapVis } from '@h5web/lib'
import ndarray from 'ndarray'
import { useEffect, useState } from 'react'
import type { DatasetShape, Domain, Selection } from '../../../client/index.ts'
import { Alert } from '../Alert.tsx'
import { messageOf } from '../errors.ts'
import { formatSize } from '../format.ts'
import { blockSizes, sliceBytes } from './large-slices.ts'

export interface LargeImageProps {
  readonly domain: Domain
  readonly dataset: DatasetShape
  readonly title: string
  readonly loadWhole: () => void
  /** A slice is shown. */
  readonly onShow: (select: Selection) => void
}

interface Image {
  readonly rows: number
  readonly columns: number
  readonly data: Float32Array
}

export function LargeImage({ domain, dataset, title, loadWhole, onShow }: LargeImageProps) {
  const extents = dataset.shape ?? []
  const [index, setIndex] = useState<readonly number[]>(() => extents.slice(0, -2).map(() => 0))
  const [image, setImage] = useState<Image>()
  const [error, setError] = useState<string>()
  const blocks = blockSizes(extents)
  useEffect(() => {
    const abort = new AbortController()
    const select = [...index, undefined, undefined]
    onShow(select)
    const load = async () => {
      const { shape, data } = await domain.read(dataset, {
        select,
        reduce: `mean:${blockSizes(dataset.shape ?? []).join(',')}`,
        signal: abort.signal,
      })
      const [rows = 0, columns = 0] = shape.slice(-2)
      setImage({ rows, columns, data: Float32Array.from(data as ArrayLike<number>) })
      setError(undefined)
    }
    load().catch((reason: unknown) => {
      if (!abort.signal.aborted) setError(messageOf(reason))
    })
    // A slider that moves on needs the former slice no more.
    return () => abort.abort()
  }, [domain, dataset, index, onShow])

  const [rowBlock = 1, columnBlock = 1] = blocks.slice(-2)
  return (
    <section className="large" aria-label={`Image of ${title}`}>
      <p>
        Each point is the mean of {rowBlock} × {columnBlock} elements.{' '}
        <button type="button" onClick={loadWhole}>
          Load all elements ({formatSize(sliceBytes(dataset))})
        </button>
      </p>
      {index.map((value, dimension) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: dimensions have no other name
        <label key={dimension}>
          D{dimension}{' '}
          <input
            type="range"
            min={0}
            max={(extents[dimension] ?? 1) - 1}
            value={value}
            onChange={event => setIndex(index.with(dimension, Number(event.target.value)))}
          />{' '}
          {value}
        </label>
      ))}
      {error === undefined ? null : <Alert message={error} />}
      {image === undefined ? (
        <p>Loading …</p>
      ) : (
        <div className="plot">
          <HeatmapVis
            dataArray={ndarray(image.data, [image.rows, image.columns])}
            domain={getDomain(image.data)}
            title={title}
            abscissaParams={{ value: edges(image.columns, columnBlock) }}
            ordinateParams={{ value: edges(image.rows, rowBlock) }}
          />
        </div>
      )}
    </section>
  )
}

/** The index of the first element of each block, and the end of the last one. */
function edges(count: number, block: number): number[] {
  return Array.from({ length: count + 1 }, (_, i) => i * block)
}
