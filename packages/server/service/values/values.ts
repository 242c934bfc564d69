// Reading and writing the elements of a dataset. Elements are streamed in pieces: memory never holds a whole selection.

import { type AbortCheck, inTurns, isTurnOver, nextTurn, runInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, isReferenceLayout, product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { type Selection, selectionCount, selectionShape } from '@hyperslab/model/selection'
import {
  chooseFields,
  type Elements,
  expandPieces,
  type Piece,
  type Projection,
  project,
  type RegionReference,
  referencesIn,
  requireHeldElements,
} from '@hyperslab/model/values'
import type { Dataset, HdfObject, ObjectStatus } from '@hyperslab/store/store'
import { requireWritable } from '../access/access.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'
import { memberOf } from '../objects/members.ts'
import { openObject } from '../objects/objects.ts'
import { SELECT_ALL, type SelectionRequest } from '../selection/request.ts'
import { resolveSelection } from '../selection/resolve.ts'
import { selectionParts } from '../selection/selection-parts.ts'
import { changeExtents } from './extents.ts'
import { repeatElements } from './repeat.ts'
import { hasText, isAllUtf8InSteps } from './text-check.ts'

/** The part of a dataset to read. */
export interface ReadRequest {
  readonly selection: SelectionRequest
  /** The members of a compound to read, in this order; absent: whole elements. */
  readonly fields?: readonly string[] | undefined
}

export interface SelectedValues {
  readonly dataset: Dataset
  readonly status: ObjectStatus
  /** The type of the elements: the dataset's, or a compound of the requested members. */
  readonly type: Datatype
  readonly request: SelectionRequest
  /** The shape of the selection. Undefined: the dataspace is null. */
  readonly shape: readonly number[] | undefined
  /**
   * The elements, in order, of which many equal ones may come as one that is repeated; the bytes of a piece are valid
   * until the next one is requested. Each iteration reads them again.
   */
  readonly pieces: AsyncIterable<Piece>
  /** The elements, each written out. */
  readonly elements: AsyncIterable<Elements>
  /**
   * The elements from `first` up to `end`, not included, without those before them. Undefined: they are not found
   * without them.
   */
  readonly partOf: PartOf | undefined
  /** The selection of the dataset that `pieces` reads; undefined: they are made of others. */
  readonly source: ValuesSource | undefined
}

export interface ValuesSource {
  readonly selection: Selection
  readonly fields: readonly string[] | undefined
  /** Reads another selection, with the same fields. */
  readonly read: (selection: Selection) => AsyncIterable<Piece>
}

/** Reads elements from one up to another one, not included. */
export type PartOf = (first: number, end: number) => AsyncIterable<Elements>

export async function readValues(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  { selection: request, fields }: ReadRequest,
): Promise<SelectedValues> {
  const { reader, signal } = context
  const dataset = await openObject(context, domain, 'dataset', id, 'read')
  const status = await reader.status(id)
  // Points and bounds are errors for it; `select` is ignored, as for a scalar (classic 7.8 and 7.9).
  const isLenient = request.kind === 'all' || request.kind === 'select'
  if (dataset.space.class === 'H5S_NULL' && isLenient) {
    return {
      dataset,
      status,
      type: dataset.type,
      request,
      shape: undefined,
      ...givenAs(dataset.type, noElements, signal),
    }
  }
  requireReadable(dataset)
  const selection = resolveSelection(request, dataset.space)
  const projection = fields && chooseFields(dataset.type, fields)
  const type = projection?.type ?? dataset.type
  const readSelected = (selected: Selection) => {
    const pieces = reader.readPieces(dataset, selected, signal)
    return projection ? projected(projection, pieces) : pieces
  }
  async function* partOf(first: number, end: number): AsyncGenerator<Elements> {
    for (const part of selectionParts(selection, first, end) ?? []) {
      yield* expandPieces(type, readSelected(part), signal)
    }
  }
  const hasParts = selectionParts(selection, 0, 0) !== undefined
  return {
    dataset,
    status,
    type,
    request,
    shape: selectionShape(selection),
    ...givenAs(type, () => readSelected(selection), signal),
    partOf: hasParts ? partOf : undefined,
    source: { selection, fields, read: readSelected },
  }
}

/** Both forms of elements that can be read several times. */
export function givenAs(
  type: Datatype,
  read: () => AsyncIterable<Piece>,
  signal: AbortCheck,
): Pick<SelectedValues, 'pieces' | 'elements' | 'partOf' | 'source'> {
  const elements = repeatable(() => expandPieces(type, read(), signal))
  return { pieces: repeatable(read), elements, partOf: undefined, source: undefined }
}

export function repeatable<T>(begin: () => AsyncIterable<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => begin()[Symbol.asyncIterator]() }
}

/** True when every string of the elements is UTF-8. Other requests run meanwhile. */
export async function areUtf8(type: Datatype, pieces: AsyncIterable<Piece>): Promise<boolean> {
  if (!hasText(type)) return true
  // Elements that are not stored come without a wait.
  for await (const piece of inTurns(pieces)) {
    const elements = 'element' in piece ? piece.element : piece
    if (!(await runInTurns(isAllUtf8InSteps(type, elements)))) return false
  }
  return true
}

async function* projected(projection: Projection, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if ('element' in piece) yield { count: piece.count, element: project(projection, piece.element) }
    else yield project(projection, piece)
  }
}

/**
 * Decodes what the request contains into elements of this type while it is iterated: as many as an array of this shape
 * has.
 */
export type DecodeValues = (type: Datatype, shape: readonly number[]) => AsyncIterable<Piece>

/** Selects the elements that a dataset gains when `dimension` grows by `extend` (hsds-values 7.5). */
export interface Append {
  readonly kind: 'append'
  readonly extend: number
  readonly dimension: number
}

/** The part of a dataset to write. */
export interface WriteRequest {
  readonly selection: SelectionRequest | Append
  /** The members of a compound to write, in the order of the request; absent: whole elements. */
  readonly fields?: readonly string[] | undefined
  /** The number of elements in the request, which are repeated over the selection; absent: as many as are selected. */
  readonly elementCount?: number | undefined
  /** Called more than once if many elements are repeated. */
  readonly decode: DecodeValues
  /** Keeps the written elements, which `decode` gives from then on: those of the request can be read only once. */
  readonly keep?: (elements: AsyncIterable<Elements>) => Promise<void>
}

export interface WriteValuesRules {
  /** True: every reference among the values must name an object of the domain. */
  readonly checkReferences?: boolean
  /** True: at least one element must be selected. */
  readonly refuseNothing?: boolean
}

export async function writeValues(
  context: WriteContext,
  domain: OpenDomain,
  id: ObjectId,
  request: WriteRequest,
  rules: WriteValuesRules = {},
): Promise<void> {
  const { writer, signal } = context
  const { fields, elementCount, decode } = request
  requireWritable(domain)
  const view = await openObject(context, domain, 'dataset', id, 'update')
  requireWritableValues(view)
  const { dataset, selection } =
    request.selection.kind === 'append'
      ? await append(context, view, request.selection)
      : { dataset: view, selection: resolveSelection(request.selection, view.space) }
  if (rules.refuseNothing && selectionCount(selection) === 0) {
    throw new HyperslabError(
      'malformed-selection',
      'the selection is empty: a write needs at least one element',
    )
  }
  const type = fields ? typeOfFields(dataset.type, fields) : dataset.type
  const shape = selectionShape(selection)
  const elements =
    elementCount === undefined
      ? decode(type, shape)
      : repeatElements(
          type,
          () => decode(type, [elementCount]),
          elementCount,
          countRepetitions(elementCount, shape),
        )
  const { keep } = request
  if (keep) writer.onConflict(() => keep(readWritten(context, dataset, selection, fields)))
  const checked = rules.checkReferences ? withCheckedReferences(context, domain, type, elements) : elements
  await writer.writeValues(dataset, selection, inTurns(checked), { fields, signal })
}

/** The elements that were written to the selection, or the fields of them, from the dataset as it is now. */
async function* readWritten(
  { writer, signal }: WriteContext,
  { id }: Dataset,
  selection: Selection,
  fields: readonly string[] | undefined,
): AsyncGenerator<Elements> {
  const dataset = await writer.object(id)
  if (dataset?.kind !== 'dataset') throw new Error(`the dataset ${id} was written, and is gone`)
  const projection = fields && chooseFields(dataset.type, fields)
  for await (const elements of writer.readValues(dataset, selection, signal)) {
    yield projection ? project(projection, elements) : elements
  }
}

/** Writes the first values of a dataset that the same transaction created. */
export async function writeFirstValues(
  { writer, signal }: WriteContext,
  dataset: Dataset,
  decode: DecodeValues,
): Promise<void> {
  requireWritableValues(dataset)
  const selection = resolveSelection(SELECT_ALL, dataset.space)
  const elements = decode(dataset.type, selectionShape(selection))
  await writer.writeValues(dataset, selection, inTurns(elements), { signal })
}

export function requireWritableValues(dataset: Dataset): void {
  const { id } = dataset
  if (dataset.space.class === 'H5S_NULL') {
    throw new HyperslabError('null-dataspace', 'a dataset with a null dataspace cannot store values', {
      subject: id,
    })
  }
  // Written values would be mixed with missing ones.
  requireReadable(dataset)
  if (isReferenceLayout(dataset.creationProperties.layout)) {
    throw new HyperslabError(
      'values-elsewhere',
      `the values of the dataset ${id} are stored in another file and cannot be written`,
      { subject: id },
    )
  }
}

/** Extends the dataset and selects the new elements. */
async function append(
  context: WriteContext,
  dataset: Dataset,
  { extend, dimension }: Append,
): Promise<{ dataset: Dataset; selection: Selection }> {
  const grown = await changeExtents(context, dataset, { extend, dimension }, { shrink: false })
  const before = extentsOf(dataset.space)
  const count = extentsOf(grown.space).with(dimension, extend)
  if (count.includes(0)) {
    throw new HyperslabError(
      'malformed-selection',
      `nothing can be appended along dimension ${dimension}: another extent of [${before.join(', ')}] is 0`,
    )
  }
  const ones = before.map(() => 1)
  const start = before.map((extent, d) => (d === dimension ? extent : 0))
  return { dataset: grown, selection: { kind: 'hyperslab', start, stride: ones, count, block: ones } }
}

/** The values of a single member may be sent without a compound; they are packed like a compound of it. */
function typeOfFields(type: Datatype, names: readonly string[]): Datatype {
  const chosen = chooseFields(type, names).type
  return chosen.fields.length === 1 ? chosen.fields[0].type : chosen
}

/** The number of repetitions of the elements: they fill the selection, or one or more of its last dimensions. */
function countRepetitions(elementCount: number, shape: readonly number[]): number {
  const counts = shape.map((_, dimension) => product(shape.slice(dimension)))
  if (![1, ...counts].includes(elementCount)) {
    throw new HyperslabError(
      'value-count-mismatch',
      `element_count ${elementCount}: a selection of shape [${shape.join(', ')}] is filled by ` +
        `${[1, ...counts.toReversed()].join(', ')} elements`,
    )
  }
  return product(shape) / elementCount
}

/**
 * Throws when the values could not be imported, so that no client takes fill values for them, and when elements are too
 * long for memory.
 */
export function requireReadable({ id, type, unreadable }: Dataset): void {
  requireHeldElements(type)
  if (unreadable === undefined) return
  throw new HyperslabError(
    'values-unreadable',
    `the values of the dataset ${id} could not be imported from its file: ${unreadable}`,
    { subject: id },
  )
}

/** Throws unless every reference among the elements names an object of the domain. */
export async function requireReferences(
  context: Context,
  domain: OpenDomain,
  type: Datatype,
  elements: Elements,
  checked: Set<ObjectId> = new Set(),
): Promise<void> {
  for (const { kind, id, region } of referencesIn(type, elements)) {
    if (isTurnOver()) await nextTurn()
    if (region === undefined && checked.has(id)) continue
    const object = await memberOf(context, domain, id)
    if (object?.kind !== kind) {
      // An error in a region is an error of the value (classic 15.6).
      throw new HyperslabError(
        region ? 'malformed-value' : 'reference-not-found',
        `the value refers to the ${kind} ${id}, which the domain ${domain.entry.path} does not have`,
        { subject: id },
      )
    }
    if (region !== undefined) requireRank(region, object)
    checked.add(id)
  }
}

/**
 * The coordinates of a region have the rank of its dataset (classic 15.6); among themselves they have one rank already.
 */
function requireRank(region: RegionReference, object: HdfObject): void {
  const first =
    region.selectType === 'H5S_SEL_POINTS'
      ? region.points[0]
      : region.selectType === 'H5S_SEL_HYPERSLABS'
        ? region.blocks[0]?.first
        : undefined
  const rank = object.kind === 'dataset' ? extentsOf(object.space).length : 0
  if (first !== undefined && first.length !== rank) {
    throw new HyperslabError(
      'malformed-value',
      `a region reference has coordinates of rank ${first.length}, its dataset has rank ${rank}`,
    )
  }
}

export async function* withCheckedReferences<P extends Piece>(
  context: Context,
  domain: OpenDomain,
  type: Datatype,
  pieces: AsyncIterable<P>,
): AsyncGenerator<P> {
  const known = new Set<ObjectId>()
  for await (const piece of pieces) {
    const given: Piece = piece
    await requireReferences(context, domain, type, 'element' in given ? given.element : given, known)
    yield piece
  }
}

async function* noElements(): AsyncGenerator<Piece> {}
