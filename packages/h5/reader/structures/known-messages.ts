// Messages that objects of one file share, and the creation properties that follow from them. A file may have a million
// datasets that differ only in their addresses; their common parts are decoded once, and once in memory.

import type { CreationProperties, Dataspace } from '@hyperslab/model/dataset'
import { decodeDatatype } from '../../format/datatype.ts'
import type { FileType } from '../../format/file-type.ts'
import { decodeDataspace } from '../../format/messages/dataspace.ts'
import {
  decodeFillValue,
  decodeOldFillValue,
  type FillValueMessage,
} from '../../format/messages/fill-value.ts'
import { decodeFilters, type FilterDescription } from '../../format/messages/filters.ts'
import type { Layout } from '../../format/messages/layout.ts'
import { MessageCache } from './message-cache.ts'

/** The parts from which creation properties follow. */
export interface PropertyParts {
  readonly type: FileType
  readonly space: Dataspace
  readonly filters: readonly FilterDescription[]
  readonly fill: FillValueMessage
  readonly layout: Layout
}

/**
 * Creation properties of datasets that are alike: kinds of datasets follow each other in turn.
 * @limit speed, characters, bench/results.md#022-reader
 */
const MAX_PROPERTIES = 16
/** Larger fill values are not kept. @limit memory, bytes */
const MAX_FILL_BYTES = 2 ** 16
const NO_VALUE = { data: [], heap: [] }

export class KnownMessages {
  readonly datatypes = new MessageCache('the datatype', decodeDatatype)
  readonly dataspaces = new MessageCache('the dataspace', decodeDataspace)
  readonly filters = new MessageCache('the filter pipeline', decodeFilters)
  readonly fillValues = new MessageCache('the fill value', decodeFillValue)
  readonly oldFillValues = new MessageCache('the fill value', decodeOldFillValue)
  /** The newest last. */
  readonly #properties: { readonly parts: PropertyParts; readonly properties: CreationProperties }[] = []

  /** The properties of an earlier dataset with the same parts; undefined: none of the last ones had them. */
  properties(parts: PropertyParts): CreationProperties | undefined {
    return this.#properties.find(known => haveSameProperties(known.parts, parts))?.properties
  }

  addProperties(parts: PropertyParts, properties: CreationProperties): void {
    const { data, heap } = properties.fillValue ?? NO_VALUE
    if (data.length + heap.length > MAX_FILL_BYTES) return
    this.#properties.push({ parts, properties })
    if (this.#properties.length > MAX_PROPERTIES) this.#properties.shift()
  }
}

/** Equal messages are one object in memory, but for layouts, which have addresses. */
function haveSameProperties(a: PropertyParts, b: PropertyParts): boolean {
  if (a.type !== b.type || a.space !== b.space || a.filters !== b.filters || a.fill !== b.fill) return false
  if (a.layout.class !== b.layout.class) return false
  if (a.layout.class !== 'chunked' || b.layout.class !== 'chunked') return true
  const { chunkDims } = b.layout
  return (
    a.layout.chunkDims.length === chunkDims.length &&
    a.layout.chunkDims.every((extent, d) => extent === chunkDims[d])
  )
}
