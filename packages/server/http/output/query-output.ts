// The answers to queries: the elements that are found, or their indexes, sent during the search. Where the JSON lists
// many elements in two members, the search runs twice in the same snapshot, so that memory never holds all of them.

import { type Datatype, isVariableSize } from '@hyperslab/model/datatype'
import { JsonValueWriter, stringifyJson } from '@hyperslab/model/json'
import { type Elements, toNullPadded, type ValueStyle } from '@hyperslab/model/values'
import { coordinateBytes, prependCoordinates, withCoordinates } from '../../service/query/rows.ts'
import type { FoundElements, FoundIndexes, FoundValues, UpdatedValues } from '../../service/values/queries.ts'
import type { Body } from '../dialect/dialect.ts'
import { OCTETS } from '../message/content-types.ts'
import type { ByteStream, Reply } from '../message/message.ts'
import { joined } from '../message/pieces.ts'
import type { Answer } from '../route/route.ts'
import { type Batches, PassedIndexes } from './passed-indexes.ts'
import { valuesTag } from './value-output.ts'

type Bytes = AsyncGenerator<Uint8Array>

/**
 * The elements that a query found; as bytes when the request accepts them and the type has a fixed size, unless it asks
 * for JSON; else as JSON.
 */
export function foundReply(
  { dataset, status, type, rank, found, coordinates }: FoundValues,
  answer: Answer,
  form?: 'json',
): Reply {
  const { place, dialect, target, acceptsBytes } = answer
  const { rules, present, jsonContentType } = dialect
  const isIndexed = rules.queries.rows === 'index-first'
  const rowType = isIndexed ? withCoordinates(type, rank) : type
  const rows = isIndexed ? rowsOf(type, rank, found) : found
  const asBytes = form === undefined && acceptsBytes
  if (asBytes && rules.queries.binary && !isVariableSize(type)) {
    return streamed(valuesTag({ dataset, status }, answer, OCTETS), OCTETS, bytesOf(rowType, rows))
  }
  async function* json(): Bytes {
    const indexes = isIndexed || rank !== 1 ? undefined : new PassedIndexes()
    yield* member('{"value"', elementsJson(rowType, rows, dialect.valueStyle(place, 'dataset'), indexes))
    if (indexes) yield* member(',"index"', numbersJson(indexes.all(coordinates)))
    yield rest(present.values.read(place, dataset.id, target.rawQuery))
  }
  return streamed(valuesTag({ dataset, status }, answer, jsonContentType), jsonContentType, json())
}

/** The indexes of the elements that a query found. */
export function indexesReply({ dataset, status, rank, found }: FoundIndexes, answer: Answer): Reply {
  const { place, dialect, acceptsBytes } = answer
  if (acceptsBytes) {
    return streamed(valuesTag({ dataset, status }, answer, OCTETS), OCTETS, indexBytes(found))
  }
  const { present, jsonContentType } = dialect
  async function* json(): Bytes {
    yield* indexesJson(found, rank)
    yield rest(present.values.queried(place, dataset.id))
  }
  return streamed(valuesTag({ dataset, status }, answer, jsonContentType), jsonContentType, json())
}

/** The indexes of the elements that a query changed and, where the dialect sends them, these elements. */
export function updatedReply(updated: UpdatedValues, answer: Answer): Reply {
  const { dataset, rank, coordinates } = updated
  const { place, dialect, target, acceptsBytes } = answer
  const { rules, present, jsonContentType } = dialect
  const batches = { [Symbol.iterator]: () => inBatches(coordinates, rank * BATCH_LENGTH) }
  const type = withCoordinates(dataset.type, rank)
  const sendsElements = rules.queries.updated === 'elements'
  const rows = sendsElements ? rowsOf(dataset.type, rank, withCoordinatesOf(updated)) : undefined
  if (acceptsBytes && rows === undefined) {
    return streamed({}, OCTETS, indexBytes(batches))
  }
  if (acceptsBytes && rows !== undefined && !isVariableSize(type)) {
    return streamed({}, OCTETS, bytesOf(type, rows))
  }
  async function* json(): Bytes {
    yield* indexesJson(batches, rank)
    if (rows) yield* member(',"value"', elementsJson(type, rows, dialect.valueStyle(place, 'dataset')))
    yield rest(present.values.read(place, dataset.id, target.rawQuery))
  }
  return streamed({}, jsonContentType, json())
}

function streamed(tag: Pick<ByteStream, 'entityTag'>, contentType: string, pieces: Bytes): Reply {
  return { status: 200, stream: { contentType, ...tag, pieces: joined(pieces) } }
}

// Elements

/** Rows that begin with their coordinates. */
export async function* rowsOf(
  type: Datatype,
  rank: number,
  found: Batches<FoundElements>,
): AsyncGenerator<FoundElements> {
  for await (const { elements, coordinates } of found) {
    yield { elements: prependCoordinates(type, elements, coordinates, rank), coordinates }
  }
}

function* withCoordinatesOf({ rank, coordinates, elements }: UpdatedValues): Iterable<FoundElements> {
  let at = 0
  for (const piece of elements) {
    yield { elements: piece, coordinates: coordinates.subarray(at, at + piece.count * rank) }
    at += piece.count * rank
  }
}

async function* bytesOf(type: Datatype, found: Batches<FoundElements>): Bytes {
  for await (const { elements } of found) yield toNullPadded(type, elements.data)
}

/** A list of the elements; their coordinates are added to `indexes`. */
async function* elementsJson(
  type: Datatype,
  found: Batches<FoundElements>,
  style: ValueStyle,
  indexes?: PassedIndexes,
): Bytes {
  let separator = '['
  for await (const { elements, coordinates } of found) {
    indexes?.add(coordinates)
    const writer = new JsonValueWriter(type, [elements.count], style)
    // This is the list of the batch without its brackets.
    let before: Uint8Array = Buffer.from(separator)
    let skipped = 1
    for (const piece of textOf(writer, elements)) {
      if (piece.length === 0) continue
      yield before
      before = piece.subarray(skipped)
      skipped = 0
    }
    yield before.subarray(0, -1)
    separator = ','
  }
  yield Buffer.from(separator === '[' ? '[]' : ']')
}

function* textOf(writer: JsonValueWriter, elements: Elements): Iterable<Uint8Array> {
  yield* writer.write(elements)
  yield writer.finish()
}

// Indexes

/** Numbers that are written at once. */
const BATCH_LENGTH = 8192

function* inBatches(numbers: Float64Array, length: number): Generator<Float64Array> {
  for (let at = 0; at < numbers.length; at += length) yield numbers.subarray(at, at + length)
}

/** `indices`: a list of coordinates for each element; of rank 1 also `index`, a number for each (hsds-values 11.4). */
async function* indexesJson(batches: Batches<Float64Array>, rank: number): Bytes {
  const indexes = new PassedIndexes()
  async function* indices(): Bytes {
    let separator = '['
    for await (const coordinates of batches) {
      if (rank === 1) indexes.add(coordinates)
      yield Buffer.from(separator + coordinatesJson(coordinates, rank))
      separator = ','
    }
    yield Buffer.from(separator === '[' ? '[]' : ']')
  }
  yield* member('{"indices"', indices())
  if (rank === 1) yield* member(',"index"', numbersJson(indexes.all(batches)))
}

/** `[2,3],[5,1]` */
function coordinatesJson(coordinates: Float64Array, rank: number): string {
  let json = ''
  for (let at = 0; at < coordinates.length; at += rank) {
    json += `${at === 0 ? '[' : ',['}${coordinates[at]}`
    for (let i = 1; i < rank; i++) json += `,${coordinates[at + i]}`
    json += ']'
  }
  return json
}

async function* numbersJson(batches: Batches<Float64Array>): Bytes {
  let separator = '['
  for await (const numbers of batches) {
    yield Buffer.from(separator + numbers.join(','))
    separator = ','
  }
  yield Buffer.from(separator === '[' ? '[]' : ']')
}

async function* indexBytes(batches: Batches<Float64Array>): Bytes {
  for await (const coordinates of batches) yield coordinateBytes(coordinates)
}

// JSON objects

async function* member(name: string, value: Bytes): Bytes {
  yield Buffer.from(`${name}:`)
  yield* value
}

function rest(members: Body): Uint8Array {
  return Buffer.from(`,${stringifyJson(members).slice(1)}`)
}
