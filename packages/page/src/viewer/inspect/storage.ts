// How a dataset is stored, in words: chunks, filters, the fill value, and the size beside that of the values.

import type { Api, DatasetShape, Datatype } from '@hyperslab/client'
import { fixedSize, productOf } from '@hyperslab/client/elements'
import { formatNumber } from '@hyperslab/meaning/meaning'
import { formatSize } from '../../common/format.ts'
import { formatElement } from '../meaning/values.ts'

export interface StorageLine {
  readonly name: string
  readonly text: string
}

export interface StorageSource {
  readonly dataset: DatasetShape
  readonly layout: { readonly class: string; readonly dims?: readonly number[] } | undefined
  readonly creationProperties: Api.CreationProperties
  readonly maxExtents: readonly (number | string)[] | undefined
  /** Undefined: they are not known. */
  readonly stored: { readonly chunks: number; readonly bytes: number } | undefined
}

export function storageLines(source: StorageSource): readonly StorageLine[] {
  const { dataset, layout, creationProperties, maxExtents, stored } = source
  const lines: (StorageLine | undefined)[] = [
    growthOf(dataset, maxExtents),
    dataset.shape && layoutOf(layout, creationProperties),
    { name: 'Filters', text: filtersText(creationProperties.filters) },
    fillLine(dataset.type, creationProperties),
    stored && storedLine(dataset, stored, isInChunks(layout, creationProperties)),
  ]
  return lines.filter(line => line !== undefined)
}

function growthOf({ shape }: DatasetShape, maxExtents: StorageSource['maxExtents']): StorageLine | undefined {
  const isUnlimited = (extent: number | string) => extent === 0 || typeof extent === 'string'
  if (!maxExtents || !shape || maxExtents.every((extent, d) => extent === shape[d] && !isUnlimited(extent)))
    return undefined
  const texts = maxExtents.map(extent => (isUnlimited(extent) ? 'unlimited' : extent.toLocaleString('en')))
  return { name: 'May grow to', text: texts.join(' × ') }
}

function layoutOf(
  layout: StorageSource['layout'],
  { layout: given }: Api.CreationProperties,
): StorageLine | undefined {
  const isElsewhere = given?.class.endsWith('_REF') || given?.class.endsWith('_INDIRECT')
  if (layout?.class === 'H5D_COMPACT') return { name: 'Layout', text: 'compact, with the description' }
  if (given?.class === 'H5D_CONTIGUOUS') return { name: 'Layout', text: 'contiguous' }
  if (layout?.dims === undefined) return undefined
  return { name: 'Chunks', text: `${layout.dims.join(' × ')}${isElsewhere ? ', in another file' : ''}` }
}

/** `shuffle, gzip (level 4)`. */
export function filtersText(filters: Api.CreationProperties['filters'] = []): string {
  if (filters.length === 0) return 'none'
  return filters
    .map(({ name, class: kind, id, level }) => {
      const text = name ?? kind.replace(/^H5Z_FILTER_/, '').toLowerCase() ?? `filter ${id}`
      return typeof level === 'number' ? `${text} (level ${level})` : text
    })
    .join(', ')
}

function fillLine(type: Datatype, properties: Api.CreationProperties): StorageLine | undefined {
  const value: unknown = properties.fillValue
  if (value === undefined || value === null || properties.fillValue_encoding === 'base64') return undefined
  const text = typeof value === 'number' ? formatNumber(value) : formatElement(type, value)
  return { name: 'Fill value', text: typeof value === 'object' ? JSON.stringify(value).slice(0, 200) : text }
}

function isInChunks(layout: StorageSource['layout'], { layout: given }: Api.CreationProperties): boolean {
  return layout?.class !== 'H5D_COMPACT' && given?.class !== 'H5D_CONTIGUOUS'
}

/** Undefined: there are no values to store. */
function storedLine(
  { type, shape }: DatasetShape,
  { chunks, bytes }: { chunks: number; bytes: number },
  isInChunks: boolean,
): StorageLine | undefined {
  if (shape === undefined || shape.includes(0)) return undefined
  const name = 'Stored'
  if (chunks === 0) return { name, text: 'nothing yet: all values are the fill value' }
  const size = fixedSize(type)
  const whole = size === undefined ? undefined : productOf(shape) * size
  const count = `${chunks.toLocaleString('en')} ${chunks === 1 ? 'chunk' : 'chunks'}`
  const place = isInChunks ? ` in ${count}` : ''
  if (whole === undefined || whole === bytes) return { name, text: `${formatSize(bytes)}${place}` }
  const ratio = bytes > 0 ? `, ${formatNumber(Number((whole / bytes).toPrecision(3)))} : 1` : ''
  return { name, text: `${formatSize(bytes)}${place}, of ${formatSize(whole)} of values${ratio}` }
}
