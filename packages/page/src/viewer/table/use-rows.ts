// The rows of a table that are in sight, read in pages and kept while the order stays.

import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import { PAGE_ROWS, type RowOrder, readRows, type TableSource } from './rows.ts'

/** Pages of 200 rows that a table keeps. @limit memory, pages */
const MAX_PAGES = 50

type Row = readonly unknown[]

export interface SeenRows {
  /** The members of a row; undefined: they are not there yet. */
  readonly row: (row: number) => Row | undefined
  /** The rows from `first` on are in sight. */
  readonly see: (first: number, count: number) => void
  readonly error: unknown
}

export function useRows(
  source: TableSource,
  order: RowOrder | undefined,
  members: ReadonlySet<string>,
): SeenRows {
  const { attempt, fail } = useViewer().retry
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [error, setError] = useState<unknown>()
  const kept = useRef(newPages(undefined))
  const sight = useRef({ first: 0, count: 0 })
  const load = useCallback(() => {
    const { order, pages, abort } = kept.current
    if (order === undefined) return
    const { first, count } = sight.current
    for (let start = first - (first % PAGE_ROWS); start < first + count; start += PAGE_ROWS) {
      if (pages.has(start)) continue
      pages.set(start, undefined)
      const [oldest] = pages.keys()
      if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest)
      readRows(source, order, start, members, abort.signal).then(
        rows => {
          pages.set(start, rows)
          redraw()
        },
        (reason: unknown) => {
          pages.delete(start)
          if (abort.signal.aborted) return
          setError(reason)
          fail(reason)
        },
      )
    }
  }, [source, members, fail])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    kept.current = newPages(order)
    setError(undefined)
    load()
    redraw()
    const { abort } = kept.current
    return () => abort.abort()
  }, [order, load, attempt])
  const see = useCallback(
    (first: number, count: number) => {
      sight.current = { first, count }
      load()
    },
    [load],
  )
  return {
    row: row => {
      const { order: current, pages } = kept.current
      return current === order ? pages.get(row - (row % PAGE_ROWS))?.[row % PAGE_ROWS] : undefined
    },
    see,
    error,
  }
}

function newPages(order: RowOrder | undefined) {
  return { order, abort: new AbortController(), pages: new Map<number, readonly Row[] | undefined>() }
}
