// The rows of a table: all, or those that a condition finds, in the order of the dataset or of one column. The service
// finds, and sends the values of one column; the page sorts these, so both are bounded. Rows themselves are read in
// pages, when they are in sight.

import type { DatasetShape, Elements, Selection } from '@hyperslab/client'
import { decodeElements, type Field, formatSelection } from '@hyperslab/client/elements'
import type { DomainSource } from '../meaning/attributes.ts'
import { bytesAt, type Column, canName, partOf, placeOf, rowBytes, valueIn } from './columns.ts'
import { orderOf } from './sort.ts'

export interface TableSource extends DomainSource {
  readonly dataset: DatasetShape
  /** The members of the compound. */
  readonly fields: readonly Field[]
  /** An index for each dimension, and undefined for that of the rows. */
  readonly slice: Selection
}

export interface RowRequest {
  /** A condition; empty: all rows. */
  readonly filter: string
  readonly sort: Column | undefined
  readonly isDescending: boolean
}

export interface RowOrder {
  readonly count: number
  /** The positions of the rows in the dataset; undefined: all in their order. */
  readonly positions: Float64Array | undefined
  /** Whether the condition holds for more rows than are counted. */
  readonly isCut: boolean
}

/** Rows that a condition finds or that are sorted. @limit memory, rows */
export const MAX_ROWS = 4_000_000
/** Bytes of the values of the column that rows are sorted by. @limit memory, bytes */
const MAX_COLUMN_BYTES = 268_435_456
/** Rows of one request. */
export const PAGE_ROWS = 200

const OCTETS = { accept: 'application/octet-stream' }

/** The dimension of the rows. */
export function rowDimension({ slice }: Pick<TableSource, 'slice'>): number {
  return slice.findIndex(part => typeof part !== 'number')
}

export function rowCount({ dataset, slice }: Pick<TableSource, 'dataset' | 'slice'>): number {
  if (dataset.shape === undefined) return 0
  const dimension = rowDimension({ slice })
  return dimension < 0 ? 1 : (dataset.shape[dimension] ?? 0)
}

export async function findRows(
  source: TableSource,
  request: RowRequest,
  signal?: AbortSignal,
): Promise<RowOrder> {
  const { filter, sort, isDescending } = request
  const found = filter.trim() === '' ? undefined : await matches(source, filter, signal)
  const count = found?.length ?? rowCount(source)
  const isCut = count > MAX_ROWS
  const matched = isCut ? found?.subarray(0, MAX_ROWS) : found
  if (sort === undefined)
    return { count: matched?.length ?? count, positions: matched, isCut: isCut && matched !== undefined }
  if (isCut || rowBytes(sort.member.type) * count > MAX_COLUMN_BYTES) {
    const rows = MAX_ROWS.toLocaleString('en')
    throw new Error(`The page sorts at most ${rows} rows and 256 MiB of one column: filter the rows first.`)
  }
  const values = await columnValues(source, sort, filter, { limit: count }, signal)
  if (values.length !== count) throw new Error('The rows have changed while they were sorted: try again.')
  const order = orderOf(values, isDescending)
  const positions = Float64Array.from(order, at => matched?.[at] ?? at)
  return { count, positions, isCut: false }
}

/** Positions along the dimension of the rows: one more than MAX_ROWS at most. */
async function matches(
  source: TableSource,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const { client, dataset } = source
  const parameters = { ...addressOf(source), query, Limit: MAX_ROWS + 1 }
  const response = await client.open('GET /datasets/{id}/query', parameters, { headers: OCTETS, signal })
  const view = new DataView(await response.arrayBuffer())
  const rank = dataset.shape?.length ?? 1
  const dimension = rowDimension(source)
  const positions = new Float64Array(view.byteLength / 8 / rank)
  for (let i = 0; i < positions.length; i++)
    positions[i] = Number(view.getBigUint64((i * rank + dimension) * 8, true))
  return positions
}

/** Rows of a column that are read: each `step`th, or the first `limit` that a condition finds. */
interface ColumnPart {
  readonly limit: number
  readonly step?: number
}

/** The values of one column. */
export async function columnValues(
  source: TableSource,
  column: Column,
  filter: string,
  { limit, step = 1 }: ColumnPart,
  signal?: AbortSignal,
): Promise<Elements> {
  const { client, dataset, fields } = source
  const { member } = column
  const isNamed = canName([member.name])
  const parameters = {
    ...addressOf(source, step),
    ...(isNamed && { fields: member.name }),
    ...(filter.trim() !== '' && { query: filter, Limit: limit }),
  }
  const response = await client.open('GET /datasets/{id}/value', parameters, { headers: OCTETS, signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  // Compounds of one member have the bytes of the member.
  const place = isNamed ? placeOf(column) : undefined
  if (place) {
    const count = Math.min(limit, bytes.length / place.stride)
    return decodeElements(column.type, count, bytesAt(bytes, place, count))
  }
  // The rows are of variable size, and only their end says how many there are: there are as many as were counted.
  const type = isNamed ? member.type : dataset.type
  const values = bytes.length === 0 ? [] : decodeElements(type, limit, bytes)
  const position = fields.indexOf(member)
  return Array.from(values as ArrayLike<unknown>, value =>
    valueIn(column, isNamed ? value : (value as readonly unknown[])[position]),
  )
}

function addressOf({ domain, dataset: { id, shape = [] }, slice }: TableSource, step = 1) {
  const address = { id, domain: domain.pathOf(id) }
  if (shape.length === 0) return address
  const select = slice.map(part => (typeof part === 'number' ? part : { step }))
  return { ...address, select: formatSelection(select) }
}

/** Rows from a position in the order on, as lists of the values of `members`, in the order of the type. */
export async function readRows(
  source: TableSource,
  { count, positions }: RowOrder,
  first: number,
  members: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const { client, domain, dataset, fields, slice } = source
  const rows = Math.min(PAGE_ROWS, count - first)
  if (rows <= 0) return []
  const isPart = members.size < fields.length && members.size > 0 && canName(members)
  const type = isPart ? partOf(fields, members) : dataset.type
  const names =
    isPart && type.class === 'H5T_COMPOUND' ? { fields: type.fields.map(({ name }) => name).join(':') } : {}
  const address = { id: dataset.id, domain: domain.pathOf(dataset.id), ...names }
  const dimension = rowDimension(source)
  const options = { headers: OCTETS, signal }
  let response: Response
  if (positions === undefined) {
    const select = slice.map((part, d) => (d === dimension ? { start: first, stop: first + rows } : part))
    const parameters = slice.length === 0 ? address : { ...address, select: formatSelection(select) }
    response = await client.open('GET /datasets/{id}/value', parameters, options)
  } else {
    const points = Array.from(positions.subarray(first, first + rows), position =>
      slice.length === 1 ? position : slice.map((part, d) => (d === dimension ? position : Number(part))),
    )
    response = await client.open('POST /datasets/{id}/value', address, { ...options, body: { points } })
  }
  const found = decodeElements(
    type,
    rows,
    new Uint8Array(await response.arrayBuffer()),
  ) as readonly (readonly unknown[])[]
  if (!isPart) return found
  // Members that were not read stay undefined.
  const places = fields.flatMap(({ name }, i) => (members.has(name) ? [i] : []))
  return found.map(row => {
    const whole: unknown[] = []
    for (const [i, place] of places.entries()) whole[place] = row[i]
    return whole
  })
}
