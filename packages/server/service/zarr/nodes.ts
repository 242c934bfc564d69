// The documents of nodes, made from their objects in the store.

import { HyperslabError } from '@hyperslab/base/errors'
import { MAX_FRAMED } from '@hyperslab/h5/filters'
import { extentsOf, product, rowSlab } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { chooseFields, type Elements, project, wideComplexType } from '@hyperslab/model/values'
import type { Dataset, ListedAttribute } from '@hyperslab/store/store'
import type { ArrayType, ChunkForm, ShownAttribute, ZarrFormat } from '@hyperslab/views/zarr'
import {
  arrayDocuments,
  codecDocument,
  groupDocuments,
  MAX_WRITTEN_CHUNK,
  madeByZarr,
  type NodeDocuments,
} from '@hyperslab/views/zarr'
import { type Context, isOfFiles } from '../context.ts'
import { ArrayDimensions, type KeptScales } from './array-dimensions.ts'
import type { DatasetNode } from './locate.ts'
import { readAttributes } from './objects.ts'

/** A dataset, or a member of it, that is an array of Zarr. */
export interface ArrayNode extends DatasetNode {
  readonly type: ArrayType
}

/** Throws `type-unsupported` for a node that is left out. */
export function requireShown(node: DatasetNode): void {
  if (node.type.kind !== 'left-out') return
  const { id } = node.dataset
  throw new HyperslabError('type-unsupported', `the dataset ${id} is not shown: ${node.type.reason}`, {
    subject: id,
  })
}

export function isArray(node: DatasetNode): node is ArrayNode {
  return node.type.kind === 'array'
}

/** The shape of the chunks: those of the dataset or, where it has none, of slabs of whole rows. */
export function chunkDimsOf({ domain, dataset }: Pick<DatasetNode, 'domain' | 'dataset'>): readonly number[] {
  const { creationProperties, space, type } = dataset
  const { layout, chunkDims = [] } = creationProperties
  const hasChunks = !isOfFiles(domain.entry) || layout === 'H5D_CHUNKED'
  const dims = hasChunks ? chunkDims : rowSlab(extentsOf(space), elementSize(type))
  return dims.map(extent => Math.max(extent, 1))
}

/** Bytes of a chunk of elements of one size. */
export function chunkBytes(node: ArrayNode): number {
  return product(chunkDimsOf(node)) * shownSize(node)
}

/** Bytes of an element of one size as readers get it. */
export function shownSize({ elementType, type }: ArrayNode): number {
  return elementSize((type.encoding === 'widened' && wideComplexType(elementType)) || elementType)
}

export function isOfOneSize({ type: { encoding } }: ArrayNode): boolean {
  return encoding !== 'text' && encoding !== 'sequences'
}

/** The form of the chunks of an array; those of members are as they are. */
export function formOf(node: ArrayNode, format: ZarrFormat): ChunkForm {
  const { creationProperties } = node.dataset
  if (node.members.length > 0) return 'plain'
  const { codec } = (!isOfFiles(node.domain.entry) && madeByZarr(creationProperties.json)) || {}
  // Any client may declare a codec for a dataset that it makes, with chunks of any length.
  if (codec && chunkBytes(node) <= MAX_WRITTEN_CHUNK && codecDocument(codec, format, 1)) return codec
  const isFramed =
    creationProperties.filters.length > 0 && isOfOneSize(node) && chunkBytes(node) <= MAX_FRAMED
  return isFramed ? 'frame' : 'plain'
}

/** One element of those that are not stored; absent: zeros. */
export function fillOf({ dataset, members }: DatasetNode): Elements | undefined {
  const { fillValue } = dataset.creationProperties
  return fillValue && projectMembers(dataset, members, fillValue)
}

/** Elements of the dataset with only the member. */
export function projectMembers(dataset: Dataset, members: readonly string[], elements: Elements): Elements {
  let type = dataset.type
  let chosen = elements
  for (const name of members) {
    const projection = chooseFields(type, [name])
    chosen = project(projection, chosen)
    type = projection.type.fields[0].type
  }
  return chosen
}

/** The documents of one request: objects that several of them need are looked up once. */
export class DocumentMaker {
  readonly #context: Context
  readonly #format: ZarrFormat
  readonly #dimensions: ArrayDimensions

  constructor(context: Context, format: ZarrFormat, scales?: KeptScales) {
    this.#context = context
    this.#format = format
    this.#dimensions = new ArrayDimensions(context, scales)
  }

  attributes(id: ObjectId, known?: readonly ListedAttribute[]): Promise<readonly ShownAttribute[]> {
    return readAttributes(this.#context, id, known)
  }

  group(attributes: readonly ShownAttribute[], leftOut: ReadonlyMap<string, string>): NodeDocuments {
    return groupDocuments(attributes, leftOut, this.#format)
  }

  /** The group as which a compound is shown. */
  members(node: DatasetNode, attributes: readonly ShownAttribute[]): NodeDocuments {
    return groupDocuments(node.members.length === 0 ? attributes : [], new Map(), this.#format)
  }

  /** The declared extents of an array, without those of its elements. */
  async dims(
    { domain, dataset }: ArrayNode,
    attributes: readonly ShownAttribute[],
  ): Promise<readonly number[]> {
    return (await this.#dimensions.of(domain, dataset, attributes)).map(({ extent }) => extent)
  }

  async array(node: ArrayNode, attributes: readonly ShownAttribute[]): Promise<NodeDocuments> {
    const { domain, dataset, members, elementType, type } = node
    const dimensions = await this.#dimensions.of(domain, dataset, attributes)
    const fill = fillOf(node)
    const shown = {
      type,
      elementType,
      elementSize: shownSize(node),
      dims: dimensions.map(({ extent }) => extent),
      chunkDims: chunkDimsOf(node),
      attributes: members.length === 0 ? attributes : [],
      dimensionNames: dimensions.map(({ name }) => name),
      form: formOf(node, this.#format),
      filters: dataset.creationProperties.filters,
    }
    return arrayDocuments(fill ? { ...shown, fill } : shown, this.#format)
  }
}
