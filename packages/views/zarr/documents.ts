// The documents of Zarr: of an array, of a group, and the consolidated ones of a group and all nodes below it.

import type { Filter } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { isJsonList, type JsonOutput, stringifyJson } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'
import type { ArrayType } from './array-types.ts'
import { type Attributes, type ShownAttribute, showAttributes } from './attributes.ts'
import { BLOSC_NAMES, BLOSC_SHUFFLES, type ChunkCodec, codecDocument } from './codecs.ts'
import { dimensionNames } from './dimensions.ts'
import { fillValue, missingValue } from './fill-values.ts'
import type { ZarrFormat } from './names.ts'

/** The form of the chunks of an array: as they are, as frames of Blosc, or by the codec that it was made with. */
export type ChunkForm = 'plain' | 'frame' | ChunkCodec

/** The properties of an array that its documents show. */
export interface ShownArray {
  readonly type: ArrayType
  /** The type of the elements of the dataset, or of the member. */
  readonly elementType: Datatype
  /** Bytes of an element of one size as readers get it. */
  readonly elementSize: number
  readonly dims: readonly number[]
  readonly chunkDims: readonly number[]
  readonly attributes: readonly ShownAttribute[]
  /** Names of dimensions; undefined: a dimension has none. */
  readonly dimensionNames: readonly (string | undefined)[]
  readonly fill?: Elements
  /** Chunks are encoded so; 'frame': as frames of Blosc. */
  readonly form: ChunkForm
  readonly filters: readonly Filter[]
}

/** The documents of one node. Zarr 2 has the attributes in a document of their own. */
export interface NodeDocuments {
  readonly kind: 'group' | 'array'
  /** The contents of `zarr.json`, `.zgroup` or `.zarray`. */
  readonly metadata: Readonly<Record<string, JsonOutput>>
  readonly attributes: Attributes
  /** The declared extents of an array, without those of its elements. */
  readonly dims?: readonly number[]
  /** Zarr 2: whether readers take the fill value for missing data, so chunks that are not stored are not sent. */
  readonly isFillMissing?: boolean
}

/** The names of the documents of a node, the one of its attributes last. */
export const DOCUMENTS = {
  2: { group: '.zgroup', array: '.zarray', attributes: '.zattrs', consolidated: '.zmetadata' },
  3: { group: 'zarr.json', array: 'zarr.json' },
} as const

export function arrayDocuments(array: ShownArray, format: ZarrFormat): NodeDocuments {
  const { type, elementType, fill } = array
  const attributes = showAttributes(array.attributes, format, elementType)
  const shape = [...array.dims, ...type.dims]
  const chunkShape = [...array.chunkDims, ...type.dims]
  const names = dimensionNames(shape, array.dimensionNames)
  const codec = codecOf(array, format)
  if (format === 2) {
    const missing = missingValue(type, fill, attributes)
    if (missing.value !== null) attributes.delete('_FillValue')
    attributes.set('_ARRAY_DIMENSIONS', names)
    const metadata = {
      zarr_format: 2,
      shape,
      chunks: chunkShape,
      dtype: type.name,
      compressor: codec ?? null,
      fill_value: missing.value,
      order: 'C',
      filters: objectFilters(type),
      dimension_separator: '.',
    }
    return { kind: 'array', metadata, attributes, dims: array.dims, isFillMissing: missing.isFill }
  }
  const endian = type.order === 'LE' ? 'little' : 'big'
  const first =
    type.encoding === 'text'
      ? { name: 'vlen-utf8', configuration: {} }
      : { name: 'bytes', configuration: { endian } }
  const metadata = {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type.name,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunkShape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: fillValue(type, fill),
    codecs: codec === undefined ? [first] : [first, codec],
    attributes,
    dimension_names: names,
    storage_transformers: [],
  }
  return { kind: 'array', metadata, attributes, dims: array.dims }
}

/** The documents of a group. `leftOut` has the names of its members that cannot be shown, with the reasons. */
export function groupDocuments(
  shown: readonly ShownAttribute[],
  leftOut: ReadonlyMap<string, string>,
  format: ZarrFormat,
): NodeDocuments {
  const attributes = showAttributes(shown, format)
  if (leftOut.size > 0) attributes.set('_left_out', leftOut)
  const metadata = format === 2 ? { zarr_format: 2 } : { zarr_format: 3, node_type: 'group', attributes }
  return { kind: 'group', metadata, attributes }
}

function objectFilters({ encoding, items }: ArrayType): JsonOutput {
  if (encoding === 'text') return [{ id: 'vlen-utf8' }]
  return encoding === 'sequences' ? [{ id: 'vlen-array', dtype: items ?? null }] : null
}

/** The codec behind the one of the elements; undefined: there is none. */
function codecOf({ form, filters, elementSize }: ShownArray, format: ZarrFormat): JsonOutput | undefined {
  if (form === 'plain') return undefined
  return codecDocument(form === 'frame' ? bloscOf(filters) : form, format, elementSize)
}

/** The names of the declared filters in the configuration of Blosc; readers use those in the frames. */
function bloscOf(filters: readonly Filter[]): ChunkCodec {
  const clientData = (id: number, at: number): number | undefined => {
    const parameters = filters.find(filter => filter.id === id)?.json.get('parameters')
    const value = isJsonList(parameters) ? parameters[at] : undefined
    return typeof value === 'number' ? value : undefined
  }
  const has = (...ids: readonly number[]) => filters.some(({ id }) => ids.includes(id))
  let cname = 'lz4'
  if (has(1)) cname = 'zlib'
  else if (has(32015)) cname = 'zstd'
  else if (has(32008) && (clientData(32008, 4) ?? clientData(32008, 1)) === 3) cname = 'zstd'
  else if (has(32001)) cname = BLOSC_NAMES[clientData(32001, 6) ?? 0] ?? 'blosclz'
  let shuffle = has(2) ? 1 : 0
  if (has(32008)) shuffle = 2
  else if (has(32001)) shuffle = clientData(32001, 5) ?? 1
  return { id: 'blosc', cname, clevel: 5, shuffle: shuffle in BLOSC_SHUFFLES ? shuffle : 1 }
}

/** The text of the document of a name; undefined: the node has none of that name. */
export function documentText(
  name: string,
  { kind, metadata, attributes }: NodeDocuments,
  format: ZarrFormat,
  consolidated?: ConsolidatedMetadata,
): string | undefined {
  if (format === 2 && name === DOCUMENTS[2].attributes) return text(attributes)
  if (format === 2 && name === DOCUMENTS[2].consolidated) return consolidated?.text()
  if (name !== DOCUMENTS[format][kind]) return undefined
  if (format === 2 || !consolidated) return text(metadata)
  return `${text(metadata).slice(0, -1)},"consolidated_metadata":${consolidated.text()}}`
}

/** In ASCII: zarr-python 2 reads nothing else. */
function text(json: JsonOutput): string {
  return stringifyJson(json, 'text').replaceAll(/[\u0080-\uffff]/g, escaped)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The metadata of all nodes below a group, collected one by one as text. */
export class ConsolidatedMetadata {
  readonly #format: ZarrFormat
  readonly #members: string[] = []

  constructor(format: ZarrFormat) {
    this.#format = format
  }

  /** Adds the documents of a node; `path` is relative to the group, empty for the group itself. */
  add(path: string, { kind, metadata, attributes }: NodeDocuments): void {
    if (this.#format === 3) {
      if (path !== '') this.#members.push(`${text(path)}:${text(metadata)}`)
      return
    }
    const before = path === '' ? '' : `${path}/`
    this.#members.push(`${text(before + DOCUMENTS[2][kind])}:${text(metadata)}`)
    // Readers expect it even if it is empty.
    this.#members.push(`${text(before + DOCUMENTS[2].attributes)}:${text(attributes)}`)
  }

  /** In the order of paths, which has the nodes of a group together: zarr-python 3.0 loses some of them otherwise. */
  text(): string {
    const members = `{${this.#members.toSorted().join(',')}}`
    return this.#format === 3
      ? `{"kind":"inline","must_understand":false,"metadata":${members}}`
      : `{"zarr_consolidated_format":1,"metadata":${members}}`
  }
}
