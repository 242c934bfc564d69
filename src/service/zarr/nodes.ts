// The documents of nodes, made from their objects in the store.

import { nextTurn } from '../../bounded/turns.ts'
import { HyperslabError } from '../../errors.ts'
import { MAX_FRAMED } from '../../filters/frame.ts'
import { rowSlab } from '../../hdf5/chunk-shape.ts'
import { extentsOf, product } from '../../hdf5/dataspace.ts'
import { elementSize } from '../../hdf5/datatype/layout.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import { compareUtf8 } from '../../hdf5/utf8.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import { chooseFields, project } from '../../hdf5/values/project.ts'
import type { Dataset, ListedAttribute } from '../../storage/store.ts'
import type { ArrayType, ZarrFormat } from '../../zarr/array-types.ts'
import { isScale, type ShownAttribute } from '../../zarr/attributes.ts'
import { scalesOf } from '../../zarr/dimensions.ts'
import { arrayDocuments, groupDocuments, type NodeDocuments } from '../../zarr/documents.ts'
import type { Context } from '../context.ts'
import type { DatasetNode } from './locate.ts'

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
  if (!domain.entry.mounted || layout === 'H5D_CHUNKED') return chunkDims
  return rowSlab(extentsOf(space), elementSize(type))
}

/** Bytes of a chunk as it is stored. */
export function chunkBytes(node: ArrayNode): number {
  return product(chunkDimsOf(node)) * elementSize(node.elementType)
}

/** Whether chunks of the array are frames of Blosc: those of members are not. */
export function isFramed(node: ArrayNode): boolean {
  const { encoding } = node.type
  const hasFilters = node.dataset.creationProperties.filters.length > 0 && node.members.length === 0
  return hasFilters && (encoding === 'stored' || encoding === 'unpadded') && chunkBytes(node) <= MAX_FRAMED
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
  readonly #scales = new Map<ObjectId, Promise<Scale>>()

  constructor(context: Context, format: ZarrFormat) {
    this.#context = context
    this.#format = format
  }

  async attributes(id: ObjectId, known?: readonly ListedAttribute[]): Promise<readonly ShownAttribute[]> {
    if (known) return known.flatMap(shownAttribute)
    const attributes: ShownAttribute[] = []
    for await (const attribute of this.#context.reader.attributes(id)) {
      attributes.push(...shownAttribute(attribute))
      await nextTurn()
    }
    return attributes
  }

  group(attributes: readonly ShownAttribute[], leftOut: ReadonlyMap<string, string>): NodeDocuments {
    return groupDocuments(attributes, leftOut, this.#format)
  }

  /** The group as which a compound is shown. */
  members(node: DatasetNode, attributes: readonly ShownAttribute[]): NodeDocuments {
    return groupDocuments(node.members.length === 0 ? attributes : [], new Map(), this.#format)
  }

  async array(node: ArrayNode, attributes: readonly ShownAttribute[]): Promise<NodeDocuments> {
    const { dataset, members, elementType, type } = node
    const dims = extentsOf(dataset.space)
    const fill = fillOf(node)
    const shown = {
      type,
      elementType,
      dims,
      chunkDims: chunkDimsOf(node),
      attributes: members.length === 0 ? attributes : [],
      dimensionNames: await this.#dimensionNames(dataset, dims, attributes),
      isFramed: isFramed(node),
      filters: dataset.creationProperties.filters,
    }
    return arrayDocuments(fill ? { ...shown, fill } : shown, this.#format)
  }

  async #dimensionNames(
    dataset: Dataset,
    dims: readonly number[],
    attributes: readonly ShownAttribute[],
  ): Promise<readonly (string | undefined)[]> {
    if (isScale(attributes)) return [(await this.#scale(dataset.id)).title]
    const names: (string | undefined)[] = []
    for (const [d, id] of scalesOf(attributes).entries()) {
      const scale = id && (await this.#scale(id))
      // Equal names with different extents would make the group unreadable for xarray.
      names.push(scale && scale.extent === dims[d] ? scale.title : undefined)
    }
    return names
  }

  #scale(id: ObjectId): Promise<Scale> {
    const known = this.#scales.get(id) ?? this.#readScale(id)
    this.#scales.set(id, known)
    return known
  }

  async #readScale(id: ObjectId): Promise<Scale> {
    const { reader, signal } = this.#context
    const object = await reader.object(id)
    if (object?.kind !== 'dataset') return {}
    let title: string | undefined
    for await (const link of reader.linksTo(id)) {
      if (title === undefined || compareUtf8(link.title, title) < 0) title = link.title
      await nextTurn()
      signal.throwIfAborted()
    }
    return { title, extent: extentsOf(object.space)[0] }
  }
}

/** A dimension scale: the title of a link to it, and its first extent. */
interface Scale {
  readonly title?: string | undefined
  readonly extent?: number | undefined
}

/** Nothing for an attribute that cannot be read; long values are left out. */
function shownAttribute(attribute: ListedAttribute): ShownAttribute[] {
  if ('reason' in attribute) return []
  const { name, type, space, value } = attribute
  return [{ name, type, space, ...(value && 'data' in value && { value }) }]
}
