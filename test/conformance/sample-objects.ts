// Small objects and values for the tests of the store: what a test says about one is only what matters to it.

import { isDeepStrictEqual } from 'node:util'
import type { CreationProperties, Filter } from '@hyperslab/model/dataset'
import { type Dataspace, elementCount, type MaximumExtent } from '@hyperslab/model/dataset'
import type { CompoundType, Datatype, IntegerType } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { elementsFromJson, elementsToJson } from '@hyperslab/model/json'
import { type ObjectId, ObjectIds, type ObjectKind, parseDomainPath } from '@hyperslab/model/names'
import type { Elements, Piece } from '@hyperslab/model/values'
import { chooseFields, ElementsBuilder, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { Attribute, Dataset, DomainEntry, Group, Link, Reader } from '@hyperslab/store/store'
import { expect } from 'vitest'
import type { Hyperslab, Points, Selection } from '../../packages/model/selection/selection.ts'
import { seededRandom } from '../engines/clock.ts'

export const INT32: IntegerType = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
export const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

const random = seededRandom(7)

/** Always applied to types of fixed size; to others, as deflate alone, when there is something to gain. */
export const SHUFFLE_DEFLATE: readonly Filter[] = [
  { id: 2, json: new Map([['id', 2]]) },
  { id: 1, json: new Map([['id', 1]]) },
]

export const newRoot = (): ObjectId => new ObjectIds(random).newRoot()
export const newId = (root: ObjectId): ObjectId => new ObjectIds(random).newObject(root)
export const newIds = (root: ObjectId, count: number): ObjectId[] =>
  new ObjectIds(random).newObjects(root, count)

export function simple(dims: readonly number[], maxdims?: readonly MaximumExtent[]): Dataspace {
  return { class: 'H5S_SIMPLE', dims, ...(maxdims && { maxdims }) }
}

export function group(id: ObjectId, created = 1): Group {
  return { kind: 'group', id, created, acl: [] }
}

export function domain(path: string, root?: ObjectId): DomainEntry {
  const times = { created: 1, lastModified: 1 }
  return {
    path: parseDomainPath(path),
    ...(root && { root }),
    ...times,
    readOnly: false,
    closed: false,
  }
}

export interface DatasetShape {
  readonly type?: Datatype
  readonly dims: readonly number[]
  readonly chunkDims: readonly number[]
  readonly maxdims?: readonly MaximumExtent[]
  readonly fillValue?: Elements
  readonly filters?: readonly Filter[]
}

/** Rank 0 is a scalar. */
export function dataset(id: ObjectId, shape: DatasetShape): Dataset {
  const { type = INT32, dims, chunkDims, maxdims, fillValue, filters = [] } = shape
  const creationProperties: CreationProperties = {
    json: new Map(),
    given: false,
    layout: 'H5D_CHUNKED',
    chunkDims,
    filters,
    ...(fillValue && { fillValue }),
  }
  const space: Dataspace = dims.length === 0 ? { class: 'H5S_SCALAR' } : simple(dims, maxdims)
  return { kind: 'dataset', id, created: 1, acl: [], type, space, creationProperties }
}

export function hardLink(title: string, id: ObjectId, created = 1, kind: ObjectKind = 'group'): Link {
  return { title, created, target: { class: 'H5L_TYPE_HARD', kind, id } }
}

export function softLink(title: string, created = 1, h5path = '/somewhere'): Link {
  return { title, created, target: { class: 'H5L_TYPE_SOFT', h5path } }
}

/** An attribute whose value is here. */
export type WholeAttribute = Omit<Attribute, 'value'> & { readonly value?: Elements }

export function attribute(
  name: string,
  numbers: readonly number[] = [1],
  created = 1,
): WholeAttribute & { readonly value: Elements } {
  return {
    name,
    type: INT32,
    space: simple([numbers.length]),
    value: int32s(numbers),
    created,
    lastModified: created,
  }
}

/** The value of an attribute, read as a whole. */
export async function wholeValue(type: Datatype, value: Attribute['value']): Promise<Elements | undefined> {
  if (value === undefined || 'data' in value) return value
  const pieces: Elements[] = []
  for await (const { count, data, heap } of value.pieces) {
    pieces.push({ count, data: data.slice(), heap: heap.slice() })
  }
  const builder = new ElementsBuilder(
    type,
    pieces.reduce((sum, { count }) => sum + count, 0),
  )
  let at = 0
  for (const piece of pieces) {
    builder.copy(piece, 0, at, piece.count)
    at += piece.count
  }
  return builder.finish()
}

export function int32s(numbers: readonly number[]): Elements {
  return { count: numbers.length, data: bytesOf(Int32Array.from(numbers)), heap: new Uint8Array(0) }
}

export function numbersOf({ data, count }: Elements): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const numbers = new Array<number>(count)
  for (let i = 0; i < count; i++) numbers[i] = view.getInt32(i * 4, true)
  return numbers
}

/** Elements of TEXT. */
export function texts(strings: readonly string[]): Elements {
  const slots: number[] = []
  const parts: Uint8Array[] = []
  let offset = 0
  for (const string of strings) {
    const bytes = Buffer.from(string)
    slots.push(offset, bytes.length)
    parts.push(bytes)
    offset += bytes.length
  }
  return {
    count: strings.length,
    data: bytesOf(Uint32Array.from(slots)),
    heap: Uint8Array.from(Buffer.concat(parts)),
  }
}

export function stringsOf({ data, heap, count }: Elements): string[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  return Array.from({ length: count }, (_, i) => {
    const start = view.getUint32(i * 8, true)
    return Buffer.from(heap.slice(start, start + view.getUint32(i * 8 + 4, true))).toString()
  })
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** One block per dimension. */
export function box(start: readonly number[], extents: readonly number[]): Hyperslab {
  const ones = start.map(() => 1)
  return { kind: 'hyperslab', start, stride: ones, count: extents, block: ones }
}

export function all(dataset: Dataset): Selection {
  const dims = dataset.space.class === 'H5S_SIMPLE' ? dataset.space.dims : []
  return box(
    dims.map(() => 0),
    dims,
  )
}

export function points(...coordinates: readonly (readonly number[])[]): Points {
  const rank = coordinates[0]?.length ?? 1
  return { kind: 'points', rank, coordinates: Float64Array.from(coordinates.flat()) }
}

/** Numbers from 0, as many as the dataset has elements. */
export function count(dataset: Dataset, from = 0): number[] {
  return numbered(elementCount(dataset.space), from)
}

/** A number of numbers. A loop, because tests ask for millions: `Array.from` takes ten times as long. */
export function numbered(count: number, first = 0): number[] {
  const numbers = new Array<number>(count)
  for (let i = 0; i < count; i++) numbers[i] = first + i
  return numbers
}

/** For many numbers or rows: `toEqual` takes long, and says more only when they differ. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}

/** The elements in pieces of a number of elements; each piece is spoiled once the next one is asked for. */
export async function* inPieces(
  elements: Elements,
  length = Math.max(1, elements.count),
): AsyncGenerator<Elements> {
  const size = elements.count === 0 ? 0 : elements.data.length / elements.count
  for (let from = 0; from < elements.count; from += length) {
    const to = Math.min(elements.count, from + length)
    const data = elements.data.slice(from * size, to * size)
    const heap = elements.heap.slice()
    yield { count: to - from, data, heap }
    data.fill(0xee)
    heap.fill(0xee)
  }
}

/** One element for all of a selection of a number of elements. */
export async function* oneFor(count: number, element: Elements): AsyncGenerator<Piece> {
  yield { count, element }
}

export async function readNumbers(
  reader: Reader,
  dataset: Dataset,
  selection = all(dataset),
): Promise<number[]> {
  const numbers: number[] = []
  for await (const piece of reader.readValues(dataset, selection)) numbers.push(...numbersOf(piece))
  return numbers
}

export async function readTexts(
  reader: Reader,
  dataset: Dataset,
  selection = all(dataset),
): Promise<string[]> {
  const strings: string[] = []
  for await (const piece of reader.readValues(dataset, selection)) strings.push(...stringsOf(piece))
  return strings
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** A compound with a part of variable size between two numbers. */
export const ROW: CompoundType = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: INT32 },
    { name: 'text', type: TEXT },
    { name: 'c', type: INT32 },
  ],
}

/** Elements of some fields of ROW, each given as the list of its members. */
export function fieldsOfRows(names: readonly string[], lists: readonly (readonly JsonValue[])[]): Elements {
  return elementsFromJson(chooseFields(ROW, names).type, [lists.length], lists, PREFIXED_REFERENCES)
}

/** All elements of a dataset of ROW as lists of their members. */
export async function readRows(reader: Reader, dataset: Dataset): Promise<JsonValue[]> {
  const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
  const rows: JsonValue[] = []
  for await (const piece of reader.readValues(dataset, all(dataset))) {
    const lists = elementsToJson(ROW, [piece.count], piece, style)
    if (Array.isArray(lists)) rows.push(...lists)
  }
  return rows
}
