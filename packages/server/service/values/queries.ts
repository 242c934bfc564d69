// Searching the elements of a dataset by a query, and changing the matching ones. The elements are read in pieces and
// tested in blocks of them; between blocks other requests run.

import { type AbortCheck, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf } from '@hyperslab/model/dataset'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { type Selection, splitSelection } from '@hyperslab/model/selection'
import {
  chooseFields,
  copyElements,
  type Elements,
  type Piece,
  project,
  type ReferenceSyntax,
  repeatElement,
} from '@hyperslab/model/values'
import type { Dataset, ObjectStatus, Reader } from '@hyperslab/store/store'
import { requireWritable } from '../access/access.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'
import { openObject } from '../objects/objects.ts'
import { BLOCK_LENGTH } from '../query/block.ts'
import { compileQuery, type ElementTest } from '../query/compile.ts'
import { fieldsOf } from '../query/fields.ts'
import type { Query } from '../query/query.ts'
import { elementsAt } from '../query/rows.ts'
import { locator, rankOf } from '../selection/coordinates.ts'
import type { SelectionRequest } from '../selection/request.ts'
import { resolveSelection } from '../selection/resolve.ts'
import { repeatable, requireReadable, requireWritableValues } from './values.ts'

export interface QueryRequest {
  readonly query: Query
  /** The elements to search. */
  readonly selection: SelectionRequest
  /** The most matches: the first in the order of the selection; absent: all. */
  readonly limit: number | undefined
}

export interface QueryRules {
  /** The spelling of references in queries. */
  readonly references: ReferenceSyntax
  /** The datasets that can be searched: one-dimensional ones of a compound type, or all except scalars. */
  readonly searches: 'tables' | 'all'
}

/** Matching elements, in the order of the selection. */
export interface FoundElements {
  /** The coordinates of the matches: for each, one number for each dimension of the dataset. */
  readonly coordinates: Float64Array
  readonly elements: Elements
}

export interface FoundValues {
  readonly dataset: Dataset
  readonly status: ObjectStatus
  /** The type of the elements: the dataset's, or a compound of the requested members. */
  readonly type: Datatype
  readonly rank: number
  /** Iterating it searches. */
  readonly found: AsyncIterable<FoundElements>
  /** The coordinates of the same elements; iterating them searches again. */
  readonly coordinates: AsyncIterable<Float64Array>
}

/** The elements that match the query; with `fields` only these members of them. */
export async function queryValues(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  request: QueryRequest & { readonly fields: readonly string[] | undefined },
  rules: QueryRules,
): Promise<FoundValues> {
  const dataset = await openObject(context, domain, 'dataset', id, 'read')
  const status = await context.reader.status(id)
  const search = openSearch(context, dataset, request, rules)
  const projection = request.fields && chooseFields(dataset.type, request.fields)
  async function* found(): AsyncGenerator<FoundElements> {
    for await (const { coordinates, takeElements } of matches(search)) {
      const elements = takeElements()
      yield { coordinates, elements: projection ? project(projection, elements) : elements }
    }
  }
  return {
    dataset,
    status,
    type: projection?.type ?? dataset.type,
    rank: search.rank,
    found: repeatable(found),
    coordinates: coordinatesOf(search),
  }
}

export interface FoundIndexes {
  readonly dataset: Dataset
  readonly status: ObjectStatus
  readonly rank: number
  /** The coordinates of the matches; each iteration searches. */
  readonly found: AsyncIterable<Float64Array>
}

/** The coordinates of the elements that match the query. */
export async function queryIndexes(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  request: QueryRequest,
  rules: QueryRules,
): Promise<FoundIndexes> {
  const dataset = await openObject(context, domain, 'dataset', id, 'read')
  const status = await context.reader.status(id)
  const search = openSearch(context, dataset, request, rules)
  return { dataset, status, rank: search.rank, found: coordinatesOf(search) }
}

function coordinatesOf(search: Search): AsyncIterable<Float64Array> {
  return repeatable(async function* () {
    for await (const { coordinates } of matches(search)) yield coordinates
  })
}

interface Search {
  readonly reader: Reader
  readonly signal: AbortCheck
  readonly dataset: Dataset
  readonly selection: Selection
  readonly rank: number
  readonly test: ElementTest
  /** Infinity for all. */
  readonly limit: number
}

/** Throws every error of a query, before the search begins. */
function openSearch(
  { reader, signal }: Context,
  dataset: Dataset,
  { query, selection: request, limit = Infinity }: QueryRequest,
  rules: QueryRules,
): Search {
  requireSearchable(dataset, rules)
  requireReadable(dataset)
  const selection = resolveSelection(request, dataset.space)
  const test = compileQuery(query, fieldsOf(dataset.type), rules.references)
  return { reader, signal, dataset, selection, rank: rankOf(selection), test, limit }
}

function requireSearchable({ id, space, type }: Dataset, { searches }: QueryRules): void {
  const rank = extentsOf(space).length
  if (searches === 'tables' && (rank !== 1 || type.class !== 'H5T_COMPOUND')) {
    throw new HyperslabError(
      'not-queryable',
      `queries are for datasets of rank 1 and a compound type; this one has rank ${rank} and ${type.class}`,
      { subject: id },
    )
  }
  if (rank === 0) {
    throw new HyperslabError('not-queryable', 'a scalar or null dataset has no elements to search', {
      subject: id,
    })
  }
}

/** Elements of a piece that match a query. */
interface Matches {
  readonly coordinates: Float64Array
  /** Copies them. */
  readonly takeElements: () => Elements
}

/** The most elements of one batch of matches, and the most bytes of them. */
const BATCH_LENGTH = 8192
const BATCH_BYTES = 1 << 18
/** Comparisons between two readings of the clock: a millisecond or two. @limit safety, comparisons */
const COMPARISONS_AT_ONCE = 100_000

async function* matches(search: Search): AsyncGenerator<Matches> {
  const { signal, dataset, selection, rank, test, limit } = search
  const size = elementSize(dataset.type)
  const locate = locator(selection)
  const batchLength = Math.max(1, Math.min(BATCH_LENGTH, Math.floor(BATCH_BYTES / size)))
  const blockLength = Math.min(BLOCK_LENGTH, Math.floor(COMPARISONS_AT_ONCE / test.comparisons))
  const room = new Uint32Array(batchLength + blockLength)
  const { type } = dataset
  let left = limit
  let searched = 0
  for await (const { start, piece } of piecesToSearch(search)) {
    if ('element' in piece) {
      // One mask is reused for all blocks.
      const end = start + piece.count
      if (test.test(piece.element, 0, 1)[0] === 1) {
        for (let at = Math.max(start, searched); at < end && left > 0; at += batchLength) {
          const count = Math.min(batchLength, end - at, left)
          const coordinates = new Float64Array(count * rank)
          for (let i = 0; i < count; i++) locate(at + i, coordinates, i * rank)
          yield { coordinates, takeElements: () => repeatElement(type, piece.element, count) }
          left -= count
          await nextTurn()
          signal.throwIfAborted()
        }
      }
      if (left <= 0) return
      searched = Math.max(searched, end)
      continue
    }
    let found = 0
    for (let first = Math.max(0, searched - start); first < piece.count && left > 0; first += blockLength) {
      const count = Math.min(blockLength, piece.count - first)
      found = collect(test.test(piece, first, count), first, count, room, found)
      const isLast = first + count === piece.count
      if (found > 0 && (isLast || found >= Math.min(batchLength, left))) {
        const positions = room.slice(0, Math.min(found, left))
        const coordinates = new Float64Array(positions.length * rank)
        for (let i = 0; i < positions.length; i++) locate(start + positions[i], coordinates, i * rank)
        yield { coordinates, takeElements: () => elementsAt(type, piece, positions) }
        left -= positions.length
        found = 0
      }
      await nextTurn()
      signal.throwIfAborted()
    }
    if (left <= 0) return
    searched = Math.max(searched, start + piece.count)
  }
}

/** Bytes of the first elements, which are searched alone first when the number of matches is limited. */
const HEAD_BYTES = 1 << 16

/**
 * All elements of the selection, each piece with its position in it. When the number of matches is limited, the first
 * elements come in a short piece before, and again with the others: they often contain enough matches, and reading them
 * is cheap.
 */
async function* piecesToSearch({
  reader,
  signal,
  dataset,
  selection,
  limit,
}: Search): AsyncGenerator<{ start: number; piece: Piece }> {
  if (limit < Infinity) {
    const dims = extentsOf(dataset.space)
    const most = HEAD_BYTES / elementSize(dataset.type)
    const [head] = splitSelection(selection, { dims, chunkDims: dims }, most)
    if (head === undefined) return
    for await (const piece of reader.readPieces(dataset, head, signal)) yield { start: 0, piece }
    if (head === selection) return
  }
  let start = 0
  for await (const piece of reader.readPieces(dataset, selection, signal)) {
    yield { start, piece }
    start += piece.count
  }
}

/** Appends the positions of the matches in the mask; returns the new number of positions. */
function collect(
  mask: Uint8Array,
  first: number,
  count: number,
  positions: Uint32Array,
  found: number,
): number {
  let next = found
  for (let i = 0; i < count; i++) {
    // Always written and kept only for a match: no branch to predict.
    positions[next] = first + i
    next += mask[i]
  }
  return next
}

/** The change of a query-update. */
export interface Update extends QueryRequest {
  /** The members of a compound to set; absent: the whole element. */
  readonly fields: readonly string[] | undefined
  /** The new value: one element, of the dataset's type or with these members only. */
  readonly value: Elements
}

/** The new value can be decoded once the type is known. */
export type UpdateOf = (type: Datatype) => Update

export interface UpdatedValues {
  readonly dataset: Dataset
  readonly rank: number
  /** The indexes of the changed elements. */
  readonly coordinates: Float64Array
  /** The matched elements after the change, if `elementsWanted`. */
  readonly elements: readonly Elements[]
}

/**
 * Points that are sorted into chunks together: more would take much memory, and block the event loop.
 * @limit memory, points
 */
const WRITTEN_AT_ONCE = 1 << 17

/** The most coordinates of a query-update; memory holds them until it is done. @limit memory, coordinates */
const MAX_COORDINATES = 2 ** 24
/** Bytes of the answer of a query-update, which memory holds until it is done. @limit memory, bytes */
const MAX_BYTES = 2 ** 27

function tooManyMatches(rank: number): HyperslabError {
  return new HyperslabError(
    'write-too-large',
    `the query changes more elements than one request can (${Math.floor(MAX_COORDINATES / rank)}, or ` +
      `${MAX_BYTES} bytes of them): set Limit or select a part`,
  )
}

/**
 * Writes a new value to the elements that match a query. Until the change is done, memory holds 8 bytes for each
 * coordinate and, with `elementsWanted`, the elements after the change.
 */
export async function updateWhere(
  context: WriteContext,
  domain: OpenDomain,
  id: ObjectId,
  updateOf: UpdateOf,
  rules: QueryRules & { readonly elementsWanted: boolean },
): Promise<UpdatedValues> {
  requireWritable(domain)
  const { writer, signal } = context
  const dataset = await openObject(context, domain, 'dataset', id, 'update')
  requireWritableValues(dataset)
  requireSearchable(dataset, rules)
  const update = updateOf(dataset.type)
  const search = openSearch(context, dataset, update, rules)
  const { rank } = search
  const batches: Float64Array[] = []
  let numbers = 0
  for await (const batch of matches(search)) {
    batches.push(batch.coordinates)
    numbers += batch.coordinates.length
    if (numbers > MAX_COORDINATES) throw tooManyMatches(rank)
  }
  const coordinates = concatenate(batches)
  const elements: Elements[] = []
  let bytes = 0
  for (let at = 0; at < coordinates.length; at += WRITTEN_AT_ONCE * rank) {
    const points = coordinates.subarray(at, at + WRITTEN_AT_ONCE * rank)
    const selection: Selection = { kind: 'points', rank, coordinates: points }
    const { fields } = update
    await writer.writeValues(dataset, selection, repeated(points.length / rank, update.value), {
      fields,
      signal,
    })
    if (!rules.elementsWanted) continue
    for await (const piece of writer.readValues(dataset, selection, signal)) {
      elements.push(copyElements(piece))
      bytes += piece.data.length + piece.heap.length
      if (bytes > MAX_BYTES) throw tooManyMatches(rank)
    }
  }
  return { dataset, rank, coordinates, elements }
}

async function* repeated(count: number, element: Elements): AsyncGenerator<Piece> {
  yield { count, element }
}

function concatenate(parts: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
