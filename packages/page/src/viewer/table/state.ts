// The state of a table in the address of the view: the filter, the order, the columns and what is drawn. An address
// that says it wrongly means the whole table.

export interface TableState {
  /** A condition in the query language of the service; empty: all rows. */
  readonly filter: string
  /** The name of the column that rows are sorted by. */
  readonly sort: string | undefined
  readonly isDescending: boolean
  /** The names of the columns that are not shown. */
  readonly hidden: readonly string[]
  /** The columns of the drawing: abscissa and ordinate. */
  readonly plot: readonly [x: string, y: string] | undefined
}

export const WHOLE_TABLE: TableState = {
  filter: '',
  sort: undefined,
  isDescending: false,
  hidden: [],
  plot: undefined,
}

/** Undefined: all rows and columns in their order. */
export function formatTableState({
  filter,
  sort,
  isDescending,
  hidden,
  plot,
}: TableState): string | undefined {
  const parts = {
    ...(filter !== '' && { filter }),
    ...(sort !== undefined && { sort }),
    ...(sort !== undefined && isDescending && { descending: true }),
    ...(hidden.length > 0 && { hidden }),
    ...(plot && { plot }),
  }
  return Object.keys(parts).length === 0 ? undefined : JSON.stringify(parts)
}

export function parseTableState(text: string | undefined): TableState {
  if (text === undefined) return WHOLE_TABLE
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch {
    return WHOLE_TABLE
  }
  if (typeof parts !== 'object' || parts === null) return WHOLE_TABLE
  const { filter, sort, descending, hidden, plot } = parts as Record<string, unknown>
  const [x, y] = Array.isArray(plot) ? plot : []
  return {
    filter: typeof filter === 'string' ? filter : '',
    sort: typeof sort === 'string' ? sort : undefined,
    isDescending: descending === true,
    hidden: Array.isArray(hidden) ? hidden.filter(name => typeof name === 'string') : [],
    plot: typeof x === 'string' && typeof y === 'string' ? [x, y] : undefined,
  }
}
