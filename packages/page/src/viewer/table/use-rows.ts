// The rows of a table that are in sight, read in pages and kept while the order stays.

import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { useViewer } from '../viewer-context.ts'
import type { Column } from './columns.ts'
import { PAGE_ROWS, type Row, type RowOrder, readRows, type TableSource } from './rows.ts'

/** Pages of 200 rows that a table keeps. @limit memory, pages */
const MAX_PAGES = 50

export interface SeenRows {
  /** The members of a row; undefined: they are not there yet. */
  readonly row: (row: number) => Row | undefined
  /** The rows from `first` on are in sight. */
  readonly see: (first: number, count: number) => void
  readonly error: unknown
}

/** Columns that are read together. */
const COLUMN_BLOCK = 16

/** The columns in sight and some beside them, and the function that says which are in sight. */
export function useColumnsInSight(
  shown: readonly Column[],
): readonly [readonly Column[], (first: number, count: number) => void] {
  const [blocks, setBlocks] = useState<readonly [from: number, to: number]>([0, 1])
  const see = useCallback((first: number, count: number) => {
    const from = Math.floor(first / COLUMN_BLOCK)
    const to = Math.ceil((first + count) / COLUMN_BLOCK)
    setBlocks(before => (before[0] === from && before[1] === to ? before : [from, to]))
  }, [])
  const [from, to] = blocks
  const seen = useMemo(() => shown.slice(from * COLUMN_BLOCK, to * COLUMN_BLOCK), [shown, from, to])
  return [seen, see]
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
