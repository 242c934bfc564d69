// The chunks that writers of Zarr send. They are in the form in which the view sends them: bytes that the filters of
// the dataset would make are stored as they came, others are decoded.

import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { excerpt } from '@hyperslab/model/json'
import { type Elements, isFixedString, singlePiece } from '@hyperslab/model/values'
import {
  type ChunkForm,
  decodeByCodec,
  insideOf,
  isOfFilters,
  itemsFrom,
  MAX_WRITTEN_CHUNK,
  type ZarrFormat,
} from '@hyperslab/views/zarr'
import { requireWritable } from '../access/access.ts'
import type { Context, WriteContext } from '../context.ts'
import { openObject } from '../objects/objects.ts'
import { requireWritableValues } from '../values/values.ts'
import { boxAt, type LocatedChunk, locateChunk } from './chunk.ts'
import { locateNode, notFound } from './locate.ts'
import { type ArrayNode, chunkBytes, chunkDimsOf, fillOf, formOf, isArray, requireShown } from './nodes.ts'

/** A chunk to be written, and the part of it that is inside the extents. */
interface WrittenChunk {
  readonly node: ArrayNode
  readonly located: LocatedChunk
  readonly chunkDims: readonly number[]
  readonly start: readonly number[]
  readonly inside: readonly number[]
}

/** Throws `malformed-value` for bytes that are not a chunk of the array. */
export async function putChunk(
  context: WriteContext,
  path: string,
  bytes: Uint8Array,
  format: ZarrFormat,
): Promise<void> {
  const chunk = await writtenChunk(context, path, format)
  const { node, located, start, inside } = chunk
  const { dataset, type } = node
  const form = formOf(node, format)
  const { writer, signal } = context
  const isOfFilter = typeof form === 'object' && isOfFilters(form, dataset.creationProperties.filters)
  if (isOfFilter && type.encoding === 'stored') {
    await writer.writeEncodedChunk(dataset, { coordinates: located.coordinates, bytes })
    return
  }
  let elements: Elements
  try {
    elements = await elementsIn(chunk, bytes, form)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HyperslabError('malformed-value', `the chunk ${excerpt(path)}: ${reason}`, { cause })
  }
  await writer.writeValues(dataset, boxAt(start, inside), singlePiece(elements), { signal })
}

/** Gives the elements of a chunk the fill value. Throws `object-not-found` if the chunk is not stored. */
export async function deleteChunk(context: WriteContext, path: string, format: ZarrFormat): Promise<void> {
  const { node, located, start, inside } = await writtenChunk(context, path, format)
  const { dataset } = node
  const { writer, signal } = context
  if (!(await writer.chunkOnDisk(dataset, located.coordinates))) {
    throw notFound(`the chunk ${excerpt(path)} is not stored`)
  }
  const zeros = { data: new Uint8Array(elementSize(dataset.type)), heap: new Uint8Array(0) }
  const fill = fillOf(node) ?? zeros
  const elements = repeated(product(inside), { ...fill, count: 1 })
  await writer.writeValues(dataset, boxAt(start, inside), elements, { signal })
}

/** Strings of fixed length, and those in arrays, are stored in another form. */
function isVariableText(type: Datatype): boolean {
  return type.class === 'H5T_STRING' && !isFixedString(type)
}

async function* repeated(count: number, element: Elements) {
  yield { count, element }
}

async function writtenChunk(context: Context, path: string, format: ZarrFormat): Promise<WrittenChunk> {
  const { node, remainder, isPinned } = await locateNode(context, path, format)
  if (isPinned) throw new HyperslabError('malformed-path', 'a state of a domain cannot be changed')
  if (node.kind === 'group') throw notFound(`there is no array at ${excerpt(path)}: put its document first`)
  requireWritable(node.domain)
  await openObject(context, node.domain, 'dataset', node.dataset.id, 'update')
  requireShown(node)
  requireWritableValues(node.dataset)
  if (!isArray(node) || node.members.length > 0) {
    const problem = 'chunks of compounds are written as whole elements, by PUT of values or as Zarr 2'
    throw new HyperslabError('type-unsupported', problem)
  }
  const isText = node.type.encoding === 'text' && isVariableText(node.dataset.type)
  if (node.type.encoding !== 'stored' && !isText) {
    throw new HyperslabError(
      'type-unsupported',
      `the view converts the elements of the dataset ${node.dataset.id}: write them by PUT of values`,
    )
  }
  const dims = extentsOf(node.dataset.space)
  const located = await locateChunk(node, remainder, format, {
    dims: async () => dims,
    isFillMissing: async () => false,
  })
  if (chunkBytes(node) > MAX_WRITTEN_CHUNK) {
    throw new HyperslabError(
      'write-too-large',
      `a chunk of the dataset ${node.dataset.id} has ${chunkBytes(node)} bytes: at most ${MAX_WRITTEN_CHUNK} are ` +
        'written so, write parts of it by PUT of values',
    )
  }
  const chunkDims = chunkDimsOf(node)
  const start = located.coordinates.map((index, d) => index * chunkDims[d])
  const inside = start.map((first, d) => Math.min(chunkDims[d], dims[d] - first))
  return { node, located, chunkDims, start, inside }
}

/** The elements inside the extents. Throws an Error for damaged bytes. */
async function elementsIn(
  { node, chunkDims, inside }: WrittenChunk,
  bytes: Uint8Array,
  form: ChunkForm,
): Promise<Elements> {
  const codec = form === 'frame' ? ({ id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 0 } as const) : form
  const isText = node.type.encoding === 'text'
  const size = elementSize(node.dataset.type)
  const length = product(chunkDims) * size
  const plain =
    codec === 'plain' ? bytes : await decodeByCodec(codec, bytes, isText ? MAX_WRITTEN_CHUNK : length)
  if (isText) return itemsFrom(plain, chunkDims, inside)
  if (plain.length !== length) throw new Error(`it has ${plain.length} bytes instead of ${length}`)
  const data = insideOf(plain, chunkDims, inside, size)
  return { count: product(inside), data, heap: NO_HEAP }
}

const NO_HEAP = new Uint8Array(0)
