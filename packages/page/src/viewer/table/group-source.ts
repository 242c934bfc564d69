// The rows of a table whose columns are datasets of their own: one request reads a part of all of them that are needed.

import type { Domain, Elements, SelectedElements } from '@hyperslab/client'
import { type Column, columnsOf } from './columns.ts'
import { parseCondition } from './condition.ts'
import type { GroupColumn, GroupTable } from './group-table.ts'
import { type ColumnPart, MAX_ROWS, type Row, type RowRange, type TableSource } from './rows.ts'

export function groupSource(domain: Domain, { count, columns }: GroupTable): TableSource {
  const fields = columns.map(({ field }) => field)
  const table = { count, columns }
  const find = lastResult((filter, signal) => matches(domain, table, columnsOf(fields), filter, signal))
  return {
    fields,
    count,
    find,
    column: async (column, filter, part, signal) => {
      if (filter.trim() === '') return columnValues(domain, table, column, part, signal)
      const [values, positions] = await Promise.all([
        columnValues(domain, table, column, { limit: count }, signal),
        find(filter, signal),
      ])
      return Array.from(
        positions.subarray(0, part.limit),
        at => (values as ArrayLike<unknown>)[at],
      ) as Elements
    },
    rows: (range, members, signal) => readRows(domain, columns, range, members, signal),
  }
}

type Find = TableSource['find']

/** The rows, sorted and drawn, are of one condition: it is tested once. */
function lastResult(find: Find): Find {
  let last: { readonly filter: string; readonly found: ReturnType<Find> } | undefined
  return (filter, signal) => {
    if (last?.filter === filter) return last.found
    const found = find(filter, signal)
    last = { filter, found }
    found.catch(() => {
      if (last?.found === found) last = undefined
    })
    return found
  }
}

/** The positions of the rows for which a condition holds: the columns that it names are read whole. */
async function matches(
  domain: Domain,
  table: Pick<GroupTable, 'count' | 'columns'>,
  columns: readonly Column[],
  filter: string,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const { count } = table
  const condition = parseCondition(filter, columns)
  if (count > MAX_ROWS)
    throw new Error(`The page searches tables of at most ${MAX_ROWS.toLocaleString('en')} rows.`)
  const values = await Promise.all(
    condition.columns.map(async column => {
      const found = await columnValues(domain, table, column, { limit: count }, signal)
      return [column, found as ArrayLike<unknown>] as const
    }),
  )
  const holds = condition.compile(new Map(values))
  const positions = new Float64Array(count)
  let found = 0
  for (let row = 0; row < count; row++) if (holds(row)) positions[found++] = row
  return positions.slice(0, found)
}

/** Elements of datasets, which one request reads for each domain that has some of them. */
async function readAll(
  domain: Domain,
  parts: readonly SelectedElements[],
  signal: AbortSignal | undefined,
): Promise<readonly Elements[]> {
  const places = new Map<string, number[]>()
  for (const [i, { dataset }] of parts.entries()) {
    const path = domain.pathOf(dataset.id)
    const some = places.get(path)
    if (some) some.push(i)
    else places.set(path, [i])
  }
  const found: Elements[] = []
  await Promise.all(
    Array.from(places.values(), async places => {
      const some = places.flatMap(i => parts[i] ?? [])
      const values = await domain.readSeveral(some, { signal })
      for (const [i, place] of places.entries()) found[place] = values[i]?.data ?? []
    }),
  )
  return found
}

async function readRows(
  domain: Domain,
  columns: readonly GroupColumn[],
  range: RowRange,
  members: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const needed = columns.filter(({ field }) => members.has(field.name))
  const parts = needed.map(column => partsOf(column, range))
  const found = await readAll(domain, parts.flat(), signal)
  let next = 0
  const values = new Map(
    needed.map((column, i) => {
      const own = found.slice(next, next + (parts[i]?.length ?? 0))
      next += own.length
      return [column, valuesOf(column, range, own)] as const
    }),
  )
  return Array.from({ length: range.count }, (_, row) => columns.map(column => values.get(column)?.[row]))
}

/** The elements that the rows of a column need. */
function partsOf(
  { stored }: GroupColumn,
  { first, count, positions }: RowRange,
): readonly SelectedElements[] {
  const { dataset } = stored
  const rows = { start: first, stop: first + count }
  const at = stored.kind === 'plain' ? stored.at : undefined
  const width = (dataset.shape?.length === 2 && dataset.shape[1]) || undefined
  if (positions === undefined) {
    const select = dataset.shape?.length === 2 ? [rows, at] : [rows]
    if (stored.kind === 'masked') return [stored.dataset, stored.mask].map(dataset => ({ dataset, select }))
    return [
      { dataset, select: stored.kind === 'ends' ? [{ ...rows, start: Math.max(0, first - 1) }] : select },
    ]
  }
  const points = Array.from(positions)
  if (stored.kind === 'masked') return [stored.dataset, stored.mask].map(dataset => ({ dataset, points }))
  // The list of a row begins where that of the former one ends.
  if (stored.kind === 'ends')
    return [
      { dataset, points },
      { dataset, points: points.map(point => Math.max(0, point - 1)) },
    ]
  if (at !== undefined) return [{ dataset, points: points.map(point => [point, at]) }]
  if (width === undefined) return [{ dataset, points }]
  return [{ dataset, points: points.flatMap(point => Array.from({ length: width }, (_, i) => [point, i])) }]
}

/** A value for each row, from the elements that `partsOf` names. */
function valuesOf(
  { stored, field }: GroupColumn,
  { first, count, positions }: RowRange,
  [elements = [], others]: readonly Elements[],
): ArrayLike<unknown> {
  const list = elements as ArrayLike<unknown>
  switch (stored.kind) {
    case 'codes':
      return Array.from(list, code => stored.names[Number(code)])
    case 'masked':
      return Array.from(list, (value, i) => (Number((others as ArrayLike<unknown>)[i]) ? undefined : value))
    case 'ends':
      return Array.from({ length: count }, (_, row) => {
        const start = positions
          ? positions[row] === 0
            ? 0
            : (others as ArrayLike<unknown>)[row]
          : first + row === 0
            ? 0
            : list[first === 0 ? row - 1 : row]
        return Number(list[positions || first === 0 ? row : row + 1]) - Number(start)
      })
    case 'plain': {
      if (field.type.class !== 'H5T_ARRAY' || stored.at !== undefined || stored.dataset.shape?.length !== 2)
        return list
      const width = list.length / count
      return Array.from({ length: count }, (_, row) =>
        Array.prototype.slice.call(list, row * width, (row + 1) * width),
      )
    }
  }
}

/** The values of one column, each `step`th of the first ones. */
async function columnValues(
  domain: Domain,
  { count, columns }: Pick<GroupTable, 'count' | 'columns'>,
  { member, path }: Column,
  { limit, step = 1 }: ColumnPart,
  signal: AbortSignal | undefined,
): Promise<Elements> {
  const column = columns.find(({ field }) => field === member)
  if (column === undefined) return []
  const range = { first: 0, count, positions: undefined }
  const [at] = path
  const isPlain = column.stored.kind === 'plain'
  // Only the values that are needed, where each row is stored alone.
  const parts =
    isPlain && count > 0
      ? partsOf(column, range).map(({ dataset, select = [] }) => ({
          dataset,
          select: [{ start: 0, stop: count, step }, ...(at === undefined ? select.slice(1) : [at])] as never,
        }))
      : partsOf(column, range)
  const found = await readAll(domain, parts, signal)
  if (isPlain) return found[0] ?? []
  const values = Array.from(valuesOf(column, range, found))
  return values.filter((_, i) => i % step === 0).slice(0, limit) as Elements
}
