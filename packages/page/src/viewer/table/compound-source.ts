// The rows of a dataset of compounds: the service finds them, and sends some of their members.

import type { DatasetShape, Elements, Selection } from '@hyperslab/client'
import { decodeElements, type Field, formatSelection } from '@hyperslab/client/elements'
import type { Contents, StoredShape } from '../data/contents.ts'
import type { DomainSource } from '../meaning/attributes.ts'
import { bytesAt, type Column, canName, partOf, placeOf, valueIn } from './columns.ts'
import type { CompoundType } from './model.ts'
import { type ColumnPart, MAX_ROWS, type Row, type RowRange, type TableSource } from './rows.ts'

export interface CompoundTable extends DomainSource {
  readonly dataset: DatasetShape
  /** The members of the compound. */
  readonly fields: readonly Field[]
  /** An index for each dimension, and undefined for that of the rows. */
  readonly slice: Selection
}

export function sourceOf(
  { client, domain }: Pick<Contents, 'client' | 'domain'>,
  dataset: StoredShape,
  { fields }: CompoundType,
  select: Selection | undefined,
): CompoundTable & TableSource {
  const table = { client, domain, dataset, fields, slice: (dataset.shape ?? []).map((_, d) => select?.[d]) }
  return {
    ...table,
    count: rowCount(table),
    find: (filter, signal) => matches(table, filter, signal),
    column: (...given) => columnValues(table, ...given),
    select: position => selectRow(table, position),
    rows: (...given) => readRows(table, ...given),
  }
}

const OCTETS = { accept: 'application/octet-stream' }

/** The dimension of the rows. */
function rowDimension({ slice }: Pick<CompoundTable, 'slice'>): number {
  return slice.findIndex(part => typeof part !== 'number')
}

function rowCount({ dataset, slice }: Pick<CompoundTable, 'dataset' | 'slice'>): number {
  if (dataset.shape === undefined) return 0
  const dimension = rowDimension({ slice })
  return dimension < 0 ? 1 : (dataset.shape[dimension] ?? 0)
}

function selectRow(table: CompoundTable, position: number): string | undefined {
  const dimension = rowDimension(table)
  const { slice } = table
  return slice.length === 0
    ? undefined
    : formatSelection(slice.map((part, d) => (d === dimension ? position : part)))
}

/** Positions along the dimension of the rows: one more than MAX_ROWS at most. */
async function matches(
  source: CompoundTable,
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

/** The values of one column. */
async function columnValues(
  source: CompoundTable,
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

function addressOf({ domain, dataset: { id, shape = [] }, slice }: CompoundTable, step = 1) {
  const address = { id, domain: domain.pathOf(id) }
  if (shape.length === 0) return address
  const select = slice.map(part => (typeof part === 'number' ? part : { step }))
  return { ...address, select: formatSelection(select) }
}

/** Rows as lists of the values of `members`, in the order of the type. */
async function readRows(
  source: CompoundTable,
  { first, count: rows, positions }: RowRange,
  members: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const { client, domain, dataset, fields, slice } = source
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
    const points = Array.from(positions, position =>
      slice.length === 1 ? position : slice.map((part, d) => (d === dimension ? position : Number(part))),
    )
    response = await client.open('POST /datasets/{id}/value', address, { ...options, body: { points } })
  }
  const found = decodeElements(type, rows, new Uint8Array(await response.arrayBuffer())) as readonly Row[]
  if (!isPart) return found
  // Members that were not read stay undefined.
  const places = fields.flatMap(({ name }, i) => (members.has(name) ? [i] : []))
  return found.map(row => {
    const whole: unknown[] = []
    for (const [i, place] of places.entries()) whole[place] = row[i]
    return whole
  })
}

/** The service makes the files: of the rows that the filter finds, and the members of the shown columns. */
export function fileAddress(
  source: CompoundTable,
  filter: string,
  shown: readonly Column[],
  format: 'csv' | 'arrow',
): string {
  const { client, domain, dataset, fields, slice } = source
  const members = [...new Set(shown.map(({ member }) => member.name))]
  const isPart = members.length > 0 && members.length < fields.length && canName(members)
  return client.url('GET /datasets/{id}/value', {
    id: dataset.id,
    domain: domain.pathOf(dataset.id),
    format,
    ...(rowDimension(source) >= 0 && { select: formatSelection(slice) }),
    ...(isPart && { fields: members.join(':') }),
    ...(filter !== '' && { query: filter }),
  })
}
