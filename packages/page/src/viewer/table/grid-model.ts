// Which cells of a grid are in sight, and where the bar, the wheel and the keys lead, without the page.

export interface GridSize {
  readonly rowCount: number
  readonly columnCount: number
  readonly columnWidth: number
  /** The width of the heads of rows. */
  readonly headWidth: number
  /** Of the part of the page that has the grid. */
  readonly width: number
  readonly height: number
}

export const ROW_HEIGHT = 26
export const HEAD_HEIGHT = 44
/** Browsers scroll no longer elements. */
const LONGEST = 8_000_000

export interface GridMeasures {
  /** Rows and columns that are whole in sight. */
  readonly rows: number
  readonly columns: number
  /** The first ones in sight when the bar is at its end. */
  readonly lastRow: number
  readonly lastColumn: number
  /** What the bar scrolls. */
  readonly spacer: { readonly width: number; readonly height: number }
  /** The bar moves in larger steps than by rows. */
  readonly isLong: boolean
}

export function measured({
  rowCount,
  columnCount,
  columnWidth,
  headWidth,
  width,
  height,
}: GridSize): GridMeasures {
  const rows = Math.max(1, Math.floor((height - HEAD_HEIGHT) / ROW_HEIGHT))
  const columns = Math.max(1, Math.floor((width - headWidth) / columnWidth))
  const spacer = {
    width: Math.min(LONGEST, headWidth + columnCount * columnWidth),
    height: Math.min(LONGEST, HEAD_HEIGHT + rowCount * ROW_HEIGHT),
  }
  return {
    rows,
    columns,
    lastRow: Math.max(0, rowCount - rows),
    lastColumn: Math.max(0, columnCount - columns),
    spacer,
    isLong: spacer.height === LONGEST,
  }
}

/** The row or column that the bar leads to. */
export function placeAt(offset: number, length: number, seen: number, last: number): number {
  return length <= seen ? 0 : Math.min(last, Math.round((offset / (length - seen)) * last))
}

/** The row nearest to a wanted one that can be the first in sight, and the place of the bar for it. */
export function moved(
  row: number,
  lastRow: number,
  way: number,
): { readonly row: number; readonly top: number } {
  const next = Math.max(0, Math.min(lastRow, Math.round(row)))
  return { row: next, top: lastRow === 0 ? 0 : (next / lastRow) * way }
}

/** Where a key leads to from the first row in sight; undefined: nowhere. */
export function rowForKey(key: string, first: number, rows: number, rowCount: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: rows,
    PageUp: -rows,
    Home: -rowCount,
    End: rowCount,
  }
  const step = steps[key]
  return step === undefined ? undefined : first + step
}

type Wheel = Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey' | 'shiftKey'>

/** Whether the wheel moves a long grid by rows, not by the bar. */
export function isForRows({ deltaY, ctrlKey, shiftKey }: Wheel): boolean {
  return deltaY !== 0 && !ctrlKey && !shiftKey
}

/** Where the wheel leads to from the first row in sight: at least to the next one. */
export function rowForWheel({ deltaY, deltaMode }: Wheel, first: number, rows: number): number {
  const lines = deltaMode === 0 ? deltaY / ROW_HEIGHT : deltaMode === 1 ? deltaY : deltaY * rows
  return first + (Math.abs(lines) < 1 ? Math.sign(lines) : lines)
}

export interface CellsInSight {
  readonly rows: readonly number[]
  /** One more than are whole in sight. */
  readonly columns: readonly number[]
}

export function cellsInSight(
  { rows, columns, lastRow, lastColumn }: GridMeasures,
  { rowCount, columnCount }: Pick<GridSize, 'rowCount' | 'columnCount'>,
  at: { readonly row: number; readonly column: number },
): CellsInSight {
  const first = Math.min(at.row, lastRow)
  const firstColumn = Math.min(at.column, lastColumn)
  return {
    rows: Array.from({ length: Math.min(rows, rowCount - first) }, (_, i) => first + i),
    columns: Array.from(
      { length: Math.min(columns + 1, columnCount - firstColumn) },
      (_, i) => firstColumn + i,
    ),
  }
}

export interface CellPlace {
  readonly row: number
  readonly column: number
}

/** The cell that a key leads to; undefined: none, or the key has no meaning. */
export function cellForKey(
  key: string,
  { row, column }: CellPlace,
  { rowCount, columnCount }: Pick<GridSize, 'rowCount' | 'columnCount'>,
): CellPlace | undefined {
  const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
  }
  const [down, right] = steps[key] ?? [0, 0]
  const next = { row: row + down, column: column + right }
  const isThere = next.row >= 0 && next.row < rowCount && next.column >= 0 && next.column < columnCount
  return isThere && (down !== 0 || right !== 0) ? next : undefined
}

/** The first row or column in sight, so that one of them is in sight as a whole. */
export function firstFor(place: number, first: number, count: number): number {
  if (place < first) return place
  return place < first + count ? first : place - count + 1
}
