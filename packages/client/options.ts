// Options of requests, and the selections, values and shapes that they take and give.

import type { Datatype } from './datatype.ts'
import type { Elements } from './decode.ts'
import type { Selection } from './selection.ts'

export interface FolderOptions {
  readonly pageSize?: number
  /** The pattern of the listed names; `*` represents any characters. */
  readonly pattern?: string
  /** True: with the counts of the contents of each domain. */
  readonly verbose?: boolean
  readonly signal?: AbortSignal
}

/** A path of a domain, and what is there. */
export interface ListedPath {
  readonly path: string
  /** `link`: a link that is no hard link. */
  readonly kind: 'group' | 'dataset' | 'datatype' | 'link'
  /** The id of a group. */
  readonly id: string | undefined
}

/** Options of reading a dataset. */
export interface ReadOptions extends NumberOptions {
  /** The selected elements, also as text such as `3, 0:10, -5:`; absent: all. */
  readonly select?: Selection | string
  /** A reduction by the server, such as `mean:4,4`; for numbers only. */
  readonly reduce?: string
  readonly signal?: AbortSignal
}

/** Options of reading numbers, of which some may stand for no value. */
export interface NumberOptions {
  /** One float of each complex number. */
  readonly part?: 'amplitude' | 'phase' | 'real' | 'imaginary'
  /** These numbers, such as `-32767,1e20`, become NaN in the server: no reduction or statistic counts them. */
  readonly missing?: string
  /** So do all below the first and above the second number: `0,100`. Either may be left out. */
  readonly valid?: string
  /** The id of a dataset that covers the last dimensions: so do the elements where it is not 0. */
  readonly mask?: string
}

export interface StatisticsOptions extends Abortable, NumberOptions {
  /** The selected elements, also as text such as `3, 0:10, -5:`; absent: all. */
  readonly select?: Selection | string
  /** Bins of the histogram; 64 by default, 0 for none. */
  readonly bins?: number
}

export interface Values {
  /** The shape of the selection; an index in it has the extent 1. */
  readonly shape: readonly number[]
  /** Row by row. */
  readonly data: Elements
}

/** Elements of a dataset, which one request reads together with others. */
export interface SelectedElements {
  readonly dataset: DatasetShape
  /** The selected elements, also as text such as `3, 0:10, -5:`; absent: all. */
  readonly select?: Selection | string
  /** Instead of it: the coordinates of each element; the index of each in one dimension. */
  readonly points?: readonly (number | readonly number[])[]
}

/** Elements for a dataset, which one request writes together with others. */
export interface NewElements {
  /** The id of the dataset. */
  readonly id: string
  /** JSON, or bytes in the type of the dataset. */
  readonly data: Uint8Array | Json
  /** The selected elements, also as text such as `3, 0:10, -5:`; absent: all. */
  readonly select?: Selection | string
}

/** Elements as JSON: a list for each dimension. */
export type Json = readonly unknown[] | number | string | boolean

export type Collection = 'groups' | 'datasets' | 'datatypes'

/** The type and shape of a dataset, so that reading many selections requests them only once. */
export interface DatasetShape {
  readonly id: string
  readonly type: Datatype
  /** Undefined: a null dataspace, which has no elements. A scalar has no extents. */
  readonly shape: readonly number[] | undefined
}

export interface AttributeValue {
  readonly name: string
  readonly type: Datatype
  readonly shape: readonly number[] | undefined
  readonly data: Elements
}

export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

export interface ObjectOptions extends Abortable {
  /**
   * True: with their attributes, whose values are JSON; a number: values of fixed size are the Base64 of their bytes,
   * and those of more bytes than this are left out.
   */
  readonly attributes?: boolean | number
  /** True: groups with their links. */
  readonly links?: boolean
}

export interface PageOptions extends Abortable {
  readonly pageSize?: number
}

export interface UploadOptions extends Abortable {
  readonly replace?: boolean
}
