// One chunk of an array by its key: the stored bytes as a frame if possible, else the elements.

import { plainHead, repeatedFrame } from '@hyperslab/h5/filters'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { chunkCounts, type Hyperslab } from '@hyperslab/model/selection'
import { type Elements, widenComplex } from '@hyperslab/model/values'
import {
  type ChunkCodec,
  type ChunkForm,
  encodeByCodec,
  encodeItems,
  isOfFilters,
  padChunk,
  unpadSpaces,
  type ZarrFormat,
} from '@hyperslab/views/zarr'
import type { Context } from '../context.ts'
import { notFound } from './locate.ts'
import {
  type ArrayNode,
  chunkBytes,
  chunkDimsOf,
  fillOf,
  formOf,
  isOfOneSize,
  projectMembers,
  shownSize,
} from './nodes.ts'

/** A chunk as bytes, which are read when they are requested. */
export interface ZarrChunk {
  /** A name that is the same only for the same bytes; absent: there is no such name. */
  readonly name?: string
  /** The length; absent: it is unknown before they are read. */
  readonly length?: number
  /** The pieces. If the length is known, a piece is valid until the next one is requested. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** A part of the bytes, from a position on; absent: the bytes before it must be read. */
  readonly piecesOf?: (position: number, length: number) => AsyncIterable<Uint8Array>
}

/**
 * A chunk of the Zarr view that nothing names is held up to this length, until its tag is known.
 * @limit memory, bytes
 */
const MAX_UNNAMED = 4 * 2 ** 20

/** Properties of an array that its attributes decide, which only some chunks need. */
export interface DeclaredArray {
  /** The declared extents, which can be beyond those of the dataset. */
  readonly dims: () => Promise<readonly number[]>
  /** Whether the fill value means missing data. */
  readonly isFillMissing: () => Promise<boolean>
}

/** The chunk that the rest of a path names; throws `object-not-found` if there is none. */
export async function readChunk(
  context: Context,
  node: ArrayNode,
  remainder: readonly string[],
  format: ZarrFormat,
  declared: DeclaredArray,
): Promise<ZarrChunk> {
  const located = await locateChunk(node, remainder, format, declared)
  const { coordinates, isBeyond, isFilledUp } = located
  const stored = isBeyond ? undefined : await context.reader.chunkOnDisk(node.dataset, coordinates)
  const form = formOf(node, format)
  const fill = stored ? undefined : await fillChunk(node, located, form, format, declared)
  if (fill) return fill
  const bytes = node.type.encoding === 'stored' && !isFilledUp ? bytesInForm(node, form, stored) : undefined
  if (stored && bytes) return storedChunk(bytes, form, stored.name)
  return chunkOfElements(context, node, located, form, stored?.name)
}

/** A chunk of the grid of an array. */
export interface LocatedChunk {
  /** The numbers in its key, those of the dimensions within an element too. */
  readonly key: readonly number[]
  readonly coordinates: readonly number[]
  /** All of it is beyond the extents of the dataset. */
  readonly isBeyond: boolean
  /** Elements beyond the extents of the dataset have the fill value: stored bytes there may be anything. */
  readonly isFilledUp: boolean
}

export async function locateChunk(
  node: ArrayNode,
  remainder: readonly string[],
  format: ZarrFormat,
  declared: DeclaredArray,
): Promise<LocatedChunk> {
  const own = extentsOf(node.dataset.space)
  const chunkDims = chunkDimsOf(node)
  const rank = own.length
  const key = parseKey(remainder, rank + node.type.dims.length, format)
  if (!key)
    throw notFound(`${JSON.stringify(remainder.join('/'))} is neither a document nor a chunk of the array`)
  const coordinates = key.slice(0, rank)
  const isWhole = coordinates.every((index, d) => (index + 1) * chunkDims[d] <= own[d])
  const dims = isWhole ? own : await declared.dims()
  const counts = chunkCounts({ dims, chunkDims })
  const isInside =
    coordinates.every((index, d) => index < counts[d]) && key.slice(rank).every(index => index === 0)
  if (!isInside)
    throw notFound(`the array has no chunk [${key.join(', ')}]: it has [${counts.join(', ')}] chunks`)
  return {
    key,
    coordinates,
    isBeyond: coordinates.some((index, d) => index * chunkDims[d] >= own[d]),
    isFilledUp: !isWhole && dims.some((extent, d) => extent > own[d]),
  }
}

/**
 * A chunk that is not stored, as a frame of fill values. Throws `object-not-found` where readers know the fill value;
 * undefined: its elements have to be read.
 */
async function fillChunk(
  node: ArrayNode,
  { key }: LocatedChunk,
  form: ChunkForm,
  format: ZarrFormat,
  declared: DeclaredArray,
): Promise<ZarrChunk | undefined> {
  // A fill value whose items differ has no form in Zarr.
  const isUniform = node.type.dims.length === 0 || !node.dataset.creationProperties.fillValue
  if ((format === 3 && isUniform) || (await declared.isFillMissing())) {
    throw notFound(`the chunk [${key.join(', ')}] is not stored: it has the fill value`)
  }
  if (form !== 'frame') return undefined
  const length = chunkBytes(node)
  const element = plainFill(node) ?? new Uint8Array(shownSize(node))
  const frame = await repeatedFrame(element, length)
  const name = `fill ${Buffer.from(element).toString('hex')} ${length}`
  return { name, length: frame.length, pieces: single(frame) }
}

/** A chunk whose stored bytes have the form that readers expect. */
function storedChunk(
  { length, pieces, piecesOf }: ChunkBytes,
  form: ChunkForm,
  storedName: string | undefined,
): ZarrChunk {
  const name = storedName === undefined ? undefined : `${nameOf(form)} ${storedName}`
  return {
    ...(name && { name }),
    ...(length !== undefined && { length }),
    ...(piecesOf && { piecesOf }),
    pieces: again(pieces),
  }
}

type StoredChunk = NonNullable<Awaited<ReturnType<Context['reader']['chunkOnDisk']>>>

/** A chunk that is made of its elements. */
async function chunkOfElements(
  context: Context,
  node: ArrayNode,
  { coordinates, isFilledUp }: LocatedChunk,
  chunkForm: ChunkForm,
  storedName: string | undefined,
): Promise<ZarrChunk> {
  const { dataset, type, members } = node
  const framed = chunkForm === 'frame'
  const length = chunkBytes(node)
  const filledTo = isFilledUp ? ` of ${extentsOf(dataset.space).join()}` : ''
  const form = `${type.encoding} ${nameOf(chunkForm)} ${members.join('/')}${filledTo}`
  const version = storedName ?? (await context.reader.status(dataset.id)).version
  const plain = elementsOf(context, node, coordinates, framed)
  const chunk = typeof chunkForm === 'string' ? plain : () => encoded(plain(), node, chunkForm)
  const isMeasured = isOfOneSize(node) && chunk === plain && (version !== undefined || length > MAX_UNNAMED)
  return {
    ...(version !== undefined && { name: `${form} ${coordinates.join()} ${version}` }),
    ...(isMeasured && { length: framed ? length + FRAME_HEAD : length }),
    pieces: again(isMeasured ? chunk : () => copies(chunk())),
  }
}

type ChunkBytes = NonNullable<StoredChunk['frame']>

/** The stored bytes that have the form of the chunks of the array; undefined: there are none. */
function bytesInForm(node: ArrayNode, form: ChunkForm, stored?: StoredChunk): ChunkBytes | undefined {
  const { filters } = node.dataset.creationProperties
  if (typeof form === 'object') return isOfFilters(form, filters) ? stored?.encoded : undefined
  const { frame } = stored ?? {}
  const isPlain = node.members.length === 0 && filters.length === 0
  return (frame?.isPlain ? isPlain : form === 'frame') ? frame : undefined
}

function nameOf(form: ChunkForm): string {
  return typeof form === 'string' ? form : JSON.stringify(form)
}

/** A chunk is whole in memory while it is encoded: `formOf` gives larger ones another form. */
async function* encoded(
  pieces: AsyncIterable<Uint8Array>,
  node: ArrayNode,
  codec: ChunkCodec,
): AsyncGenerator<Uint8Array> {
  const plain: Uint8Array[] = []
  for await (const piece of pieces) plain.push(piece.slice())
  yield await encodeByCodec(codec, Buffer.concat(plain), shownSize(node))
}

/** Copies of pieces, which stay valid. */
async function* copies(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield piece.slice()
}

const FRAME_HEAD = plainHead(0).length

/** The bytes of a chunk, made of its elements. */
function elementsOf(
  { reader, signal }: Context,
  node: ArrayNode,
  coordinates: readonly number[],
  isFramed: boolean,
): () => AsyncGenerator<Uint8Array> {
  const { dataset, members, type } = node
  const chunkDims = chunkDimsOf(node)
  const dims = extentsOf(dataset.space)
  const start = coordinates.map((index, d) => index * chunkDims[d])
  const inside = start.map((first, d) => Math.max(0, Math.min(chunkDims[d], dims[d] - first)))
  const read = () =>
    inside.includes(0) ? NO_ELEMENTS : reader.readValues(dataset, boxAt(start, inside), signal)
  const elements = () => projected(read())
  async function* projected(pieces: AsyncIterable<Elements>): AsyncGenerator<Elements> {
    for await (const piece of pieces)
      yield members.length === 0 ? piece : projectMembers(dataset, members, piece)
  }
  if (type.encoding === 'text' || type.encoding === 'sequences') {
    const subject = `the chunk [${coordinates.join()}] of the dataset ${dataset.id}`
    const perElement = product(type.dims)
    const element = fillOf(node)
    const fill = element && { ...element, count: perElement }
    const box = { chunkDims: [...chunkDims, perElement], inside: [...inside, perElement], fill }
    async function* items(): AsyncGenerator<Elements> {
      for await (const piece of elements()) yield { ...piece, count: piece.count * perElement }
    }
    return () => encodeItems(type.base, items(), box, subject)
  }
  const padded = { chunkDims, inside, elementSize: shownSize(node), fill: plainFill(node) }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of elements()) yield shownBytes(node, piece)
  }
  const length = chunkBytes(node)
  return async function* () {
    if (isFramed) yield plainHead(length)
    yield* padChunk(bytes(), padded)
  }
}

/** The bytes of one element that is not stored; undefined: zeros. */
function plainFill(node: ArrayNode): Uint8Array | undefined {
  const fill = fillOf(node)
  return fill && shownBytes(node, fill)
}

/** The bytes of elements of one size, as readers expect them. */
function shownBytes({ elementType, type }: ArrayNode, elements: Elements): Uint8Array {
  if (type.encoding === 'unpadded') return unpadSpaces(type.base, elements.data.slice())
  return type.encoding === 'widened' ? widenComplex(elementType, elements).data : elements.data
}

const NO_ELEMENTS: AsyncIterable<Elements> = { [Symbol.asyncIterator]: () => none() }

async function* none(): AsyncGenerator<Elements> {}

export function boxAt(start: readonly number[], count: readonly number[]): Hyperslab {
  const ones = count.map(() => 1)
  return { kind: 'hyperslab', start, stride: ones, count, block: ones }
}

const INDEX = /^(0|[1-9]\d{0,15})$/

/** The coordinates in a key; undefined: it is not a key of an array of that rank. */
function parseKey(rest: readonly string[], rank: number, format: ZarrFormat): readonly number[] | undefined {
  const [first, ...others] = rest
  if (format === 3) return first === 'c' ? indexes(others, rank) : undefined
  if (others.length > 0 || first === undefined) return undefined
  if (rank === 0) return first === '0' ? [] : undefined
  return indexes(first.split('.'), rank)
}

function indexes(texts: readonly string[], rank: number): readonly number[] | undefined {
  return texts.length === rank && texts.every(text => INDEX.test(text)) ? texts.map(Number) : undefined
}

function again(pieces: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => pieces()[Symbol.asyncIterator]() }
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
