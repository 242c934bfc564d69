// Dataset creation properties: what was given, kept word for word, and what follows from it for storage.

import type { JsonObject } from './json.ts'
import type { Elements } from './values/elements.ts'

/** A filter of the pipeline, as the model knows it; `json` keeps every member that was given. */
export interface Filter {
  readonly id: number
  readonly json: JsonObject
}

export interface CreationProperties {
  /** The object to report: as given, with the additions of contract 10, 16.2. Empty when nothing was given. */
  readonly json: JsonObject
  /** True when the object given was not empty. */
  readonly given: boolean
  readonly layout: 'H5D_CHUNKED' | 'H5D_CONTIGUOUS' | 'H5D_COMPACT'
  /** The chunk shape that values are stored in, whatever the layout says; empty for a scalar, absent for a null dataspace. */
  readonly chunkDims?: readonly number[]
  readonly filters: readonly Filter[]
  /** One element in storage form; absent: all bytes zero. */
  readonly fillValue?: Elements
}
