// The keys in a grid whose cells can be changed: the Tab key leads to one cell, and the arrow keys from cell to cell,
// also to those that are not in sight yet.

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type CellPlace, type CellsInSight, cellForKey } from './grid-model.ts'

interface GridCells {
  readonly rowCount: number
  readonly columnCount: number
  readonly cells: CellsInSight
  /** Brings a cell in sight. */
  readonly show: (place: CellPlace) => void
}

export interface CellFocus {
  /** The cell that the Tab key leads to. */
  readonly current: CellPlace
  readonly onKey: (event: KeyboardEvent, place: CellPlace) => void
  readonly onFocus: (place: CellPlace) => void
}

export function useCellFocus(scroller: RefObject<HTMLElement>, grid: GridCells): CellFocus {
  const { cells, rowCount, columnCount, show } = grid
  const [chosen, choose] = useState<CellPlace>({ row: 0, column: 0 })
  const wanted = useRef<CellPlace>()
  // A cell that comes in sight by a key is there after the next drawing.
  useEffect(() => {
    if (wanted.current === undefined) return
    const { row, column } = wanted.current
    const button = scroller.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)
    if (!button) return
    wanted.current = undefined
    button.focus({ preventScroll: true })
  })
  const isSeen = cells.rows.includes(chosen.row) && cells.columns.includes(chosen.column)
  return {
    current: isSeen ? chosen : { row: cells.rows[0] ?? 0, column: cells.columns[0] ?? 0 },
    onFocus: place => {
      if (place.row !== chosen.row || place.column !== chosen.column) choose(place)
    },
    onKey: (event, place) => {
      const next = cellForKey(event.key, place, { rowCount, columnCount })
      if (next === undefined) return
      event.preventDefault()
      wanted.current = next
      choose(next)
      show(next)
    },
  }
}
