// A grid of cells of any size, of which only those in sight are in the page. It scrolls by whole rows and columns; a
// grid that is longer than a browser can scroll moves in larger steps with the bar, and row by row with wheel and keys.

import './grid.css'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import {
  type CellPlace,
  type CellsInSight,
  cellsInSight,
  firstFor,
  type GridMeasures,
  HEAD_HEIGHT,
  isForRows,
  measured,
  moved,
  placeAt,
  ROW_HEIGHT,
  rowForKey,
  rowForWheel,
} from './grid-model.ts'
import { type CellFocus, useCellFocus } from './use-cell-focus.ts'

interface CellProps {
  readonly rowCount: number
  readonly columnCount: number
  readonly columnWidth: number
  readonly columnHead: (column: number) => ReactNode
  readonly sortOf?: (column: number) => 'ascending' | 'descending' | undefined
  readonly rowHead: (row: number) => ReactNode
  readonly headWidth?: number
  /** The string of a cell; undefined: it is loading. */
  readonly cell: (row: number, column: number) => string | undefined
  /** Changes a cell; undefined: it cannot be changed. */
  readonly edit?: ((row: number, column: number) => ((near: Element) => void) | undefined) | undefined
  /** Whether the cells of a column are numbers, whose digits stand below each other. */
  readonly isNumeric?: (column: number) => boolean
}

export interface GridProps extends CellProps {
  readonly label: string
  /** The rows in sight have changed. */
  readonly onSight?: (first: number, count: number) => void
  /** The columns in sight have changed. */
  readonly onColumns?: (first: number, count: number) => void
  /** Goes to this row; another object for each time. */
  readonly target?: { readonly row: number } | undefined
}

const HEAD_WIDTH = 88

export function Grid(props: GridProps) {
  const {
    label,
    rowCount,
    columnCount,
    columnWidth,
    headWidth = HEAD_WIDTH,
    onSight,
    onColumns,
    target,
  } = props
  const scroller = useRef<HTMLElement>(null)
  const size = useSize(scroller)
  const measures = measured({ rowCount, columnCount, columnWidth, headWidth, ...size })
  const { at, onScroll, moveTo, moveToColumn } = useScroll(scroller, measures)
  useEffect(() => {
    if (target) moveTo(target.row)
  }, [target, moveTo])
  const cells = cellsInSight(measures, { rowCount, columnCount }, at)
  const first = Math.min(at.row, measures.lastRow)
  const count = cells.rows.length
  useEffect(() => onSight?.(first, count), [onSight, first, count])
  const { length: columns } = cells.columns
  const [firstColumn = 0] = cells.columns
  useEffect(() => onColumns?.(firstColumn, columns), [onColumns, firstColumn, columns])
  useWheel(scroller, measures.isLong)
  const show = ({ row, column }: CellPlace) => {
    if (!cells.rows.includes(row)) moveTo(firstFor(row, first, measures.rows))
    const left = firstFor(column, firstColumn, measures.columns)
    if (left !== firstColumn) moveToColumn(left)
  }
  const focus = useCellFocus(scroller, { rowCount, columnCount, cells, show })
  return (
    <section
      ref={scroller}
      className="grid"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
      tabIndex={0}
      onScroll={onScroll}
      onWheel={event => {
        if (measures.isLong && isForRows(event)) moveTo(rowForWheel(event, first, measures.rows))
      }}
      onKeyDown={event => {
        if (event.target !== event.currentTarget) return
        const row = rowForKey(event.key, first, measures.rows, rowCount)
        if (row === undefined) return
        event.preventDefault()
        moveTo(row)
      }}
    >
      <div style={measures.spacer}>
        <div className="grid-sight" style={size}>
          <Cells {...props} headWidth={headWidth} cells={cells} focus={focus} />
        </div>
      </div>
    </section>
  )
}

/** The size of the part in sight. */
function useSize(scroller: RefObject<HTMLElement>) {
  const [size, setSize] = useState({ width: 800, height: 400 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return size
}

/** The first row and column in sight, and what moves there. */
function useScroll(scroller: RefObject<HTMLElement>, { lastRow, lastColumn }: GridMeasures) {
  const [at, setAt] = useState({ row: 0, column: 0 })
  /** The row that the wheel or a key went to, and the place of the bar for it. */
  const wanted = useRef<{ readonly top: number; readonly row: number }>()
  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = element
    const isWanted = wanted.current && Math.abs(wanted.current.top - scrollTop) < 2
    if (!isWanted) wanted.current = undefined
    const row = wanted.current?.row ?? placeAt(scrollTop, scrollHeight, clientHeight, lastRow)
    const column = placeAt(scrollLeft, scrollWidth, clientWidth, lastColumn)
    setAt(before => (before.row === row && before.column === column ? before : { row, column }))
  }, [scroller, lastRow, lastColumn])
  const moveTo = useCallback(
    (row: number) => {
      const element = scroller.current
      if (element === null) return
      wanted.current = moved(row, lastRow, element.scrollHeight - element.clientHeight)
      element.scrollTop = wanted.current.top
      onScroll()
    },
    [scroller, lastRow, onScroll],
  )
  const moveToColumn = (column: number) => {
    const element = scroller.current
    if (element === null) return
    element.scrollLeft = moved(column, lastColumn, element.scrollWidth - element.clientWidth).top
    onScroll()
  }
  return { at, onScroll, moveTo, moveToColumn }
}

/** The events of React for wheels are passive: the browser would scroll a long grid, too. */
function useWheel(scroller: RefObject<HTMLElement>, isLong: boolean) {
  useEffect(() => {
    const element = scroller.current
    if (element === null || !isLong) return
    const keep = (event: WheelEvent) => {
      if (isForRows(event)) event.preventDefault()
    }
    element.addEventListener('wheel', keep, { passive: false })
    return () => element.removeEventListener('wheel', keep)
  }, [scroller, isLong])
}

interface CellsProps extends CellProps {
  readonly headWidth: number
  readonly cells: CellsInSight
  readonly focus: CellFocus
}

function Cells(props: CellsProps) {
  const { rowCount, columnCount, columnWidth, columnHead, sortOf, rowHead, headWidth } = props
  const { cell, edit, isNumeric, cells, focus } = props
  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: screen readers move in a grid by cells
      role="grid"
      style={{ width: headWidth + cells.columns.length * columnWidth }}
      aria-rowcount={rowCount + 1}
      aria-colcount={columnCount + 1}
    >
      <colgroup>
        <col style={{ width: headWidth }} />
        {cells.columns.map(column => (
          <col key={column} style={{ width: columnWidth }} />
        ))}
      </colgroup>
      <thead>
        <tr style={{ height: HEAD_HEIGHT }} aria-rowindex={1}>
          <th scope="col" aria-label="Row" />
          {cells.columns.map(column => (
            <th key={column} scope="col" aria-colindex={column + 2} aria-sort={sortOf?.(column)}>
              {columnHead(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cells.rows.map(row => (
          <tr key={row} style={{ height: ROW_HEIGHT }} aria-rowindex={row + 2}>
            <th scope="row">{rowHead(row)}</th>
            {cells.columns.map(column => {
              const text = cell(row, column)
              return (
                <td key={column} className={isNumeric?.(column) ? 'number' : undefined} title={text}>
                  <CellContent
                    text={text}
                    change={edit?.(row, column)}
                    place={{ row, column }}
                    focus={focus}
                  />
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellContentProps {
  readonly text: string | undefined
  readonly change: ((near: Element) => void) | undefined
  readonly place: CellPlace
  readonly focus: CellFocus
}

/** A cell that can be changed is a button, also while its text is loaded: it keeps the focus. */
function CellContent({ text = '…', change, place, focus }: CellContentProps) {
  if (change === undefined) return text
  const { row, column } = place
  const isCurrent = focus.current.row === row && focus.current.column === column
  return (
    <button
      type="button"
      className="cell-edit"
      data-cell={`${row} ${column}`}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => focus.onFocus(place)}
      onKeyDown={event => focus.onKey(event, place)}
      onClick={({ currentTarget }) => change(currentTarget)}
    >
      {text === '' ? <span className="target">empty</span> : text}
    </button>
  )
}
