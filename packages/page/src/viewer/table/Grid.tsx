// A grid of cells of any size, of which only those in sight are in the page. It scrolls by whole rows and columns; a
// grid that is longer than a browser can scroll moves in larger steps with the bar, and row by row with wheel and keys.

import './grid.css'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type WheelEvent,
} from 'react'

export interface GridProps {
  readonly label: string
  readonly rowCount: number
  readonly columnCount: number
  readonly columnWidth: number
  readonly columnHead: (column: number) => ReactNode
  readonly sortOf?: (column: number) => 'ascending' | 'descending' | undefined
  readonly rowHead: (row: number) => ReactNode
  readonly headWidth?: number
  /** The string of a cell; undefined: it is loading. */
  readonly cell: (row: number, column: number) => string | undefined
  /** Whether the cells of a column are numbers, whose digits stand below each other. */
  readonly isNumeric?: (column: number) => boolean
  /** The rows in sight have changed. */
  readonly onSight?: (first: number, count: number) => void
  /** Goes to this row; another object for each time. */
  readonly target?: { readonly row: number } | undefined
}

const ROW_HEIGHT = 26
const HEAD_HEIGHT = 44
/** Browsers scroll no longer elements. */
const LONGEST = 8_000_000

export function Grid(props: GridProps) {
  const { label, rowCount, columnCount, columnWidth, columnHead, sortOf, rowHead, headWidth = 88 } = props
  const { cell, isNumeric, onSight, target } = props
  const scroller = useRef<HTMLElement>(null)
  const [size, setSize] = useState({ width: 800, height: 400 })
  const [at, setAt] = useState({ row: 0, column: 0 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const rows = Math.max(1, Math.floor((size.height - HEAD_HEIGHT) / ROW_HEIGHT))
  const columns = Math.max(1, Math.floor((size.width - headWidth) / columnWidth))
  const lastRow = Math.max(0, rowCount - rows)
  const lastColumn = Math.max(0, columnCount - columns)
  const spacer = {
    width: Math.min(LONGEST, headWidth + columnCount * columnWidth),
    height: Math.min(LONGEST, HEAD_HEIGHT + rowCount * ROW_HEIGHT),
  }
  /** The row that the wheel or a key went to, and the place of the bar for it. */
  const wanted = useRef<{ readonly top: number; readonly row: number }>()
  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const part = (offset: number, length: number, seen: number, last: number) =>
      length <= seen ? 0 : Math.min(last, Math.round((offset / (length - seen)) * last))
    const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = element
    const isWanted = wanted.current && Math.abs(wanted.current.top - scrollTop) < 2
    if (!isWanted) wanted.current = undefined
    const row = wanted.current?.row ?? part(scrollTop, scrollHeight, clientHeight, lastRow)
    const column = part(scrollLeft, scrollWidth, clientWidth, lastColumn)
    setAt(before => (before.row === row && before.column === column ? before : { row, column }))
  }, [lastRow, lastColumn])
  const moveTo = useCallback(
    (row: number) => {
      const element = scroller.current
      if (element === null) return
      const next = Math.max(0, Math.min(lastRow, Math.round(row)))
      const height = element.scrollHeight - element.clientHeight
      const top = lastRow === 0 ? 0 : (next / lastRow) * height
      wanted.current = { top, row: next }
      element.scrollTop = top
      onScroll()
    },
    [lastRow, onScroll],
  )
  useEffect(() => {
    if (target) moveTo(target.row)
  }, [target, moveTo])
  const first = Math.min(at.row, lastRow)
  const shown = Math.min(rows, rowCount - first)
  useEffect(() => onSight?.(first, shown), [onSight, first, shown])
  const isLong = spacer.height === LONGEST
  const onWheel = (event: WheelEvent) => {
    if (!isLong || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return
    const lines =
      event.deltaMode === 0
        ? event.deltaY / ROW_HEIGHT
        : event.deltaMode === 1
          ? event.deltaY
          : event.deltaY * rows
    moveTo(first + (Math.abs(lines) < 1 ? Math.sign(lines) : lines))
  }
  // The events of React for wheels are passive: the browser would scroll, too.
  useEffect(() => {
    const element = scroller.current
    if (element === null || !isLong) return
    const keep = (event: Event) => {
      if (event instanceof globalThis.WheelEvent && event.deltaY !== 0 && !event.ctrlKey && !event.shiftKey)
        event.preventDefault()
    }
    element.addEventListener('wheel', keep, { passive: false })
    return () => element.removeEventListener('wheel', keep)
  }, [isLong])
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: rows,
    PageUp: -rows,
    Home: -rowCount,
    End: rowCount,
  }
  const firstColumn = Math.min(at.column, lastColumn)
  const shownColumns = Array.from(
    { length: Math.min(columns + 1, columnCount - firstColumn) },
    (_, i) => firstColumn + i,
  )
  return (
    <section
      ref={scroller}
      className="grid"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
      tabIndex={0}
      onScroll={onScroll}
      onWheel={onWheel}
      onKeyDown={event => {
        const step = event.target === event.currentTarget ? steps[event.key] : undefined
        if (step === undefined) return
        event.preventDefault()
        moveTo(first + step)
      }}
    >
      <div style={spacer}>
        <div className="grid-sight" style={{ width: size.width, height: size.height }}>
          <table
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: screen readers move in a grid by cells
            role="grid"
            style={{ width: headWidth + shownColumns.length * columnWidth }}
            aria-rowcount={rowCount + 1}
            aria-colcount={columnCount + 1}
          >
            <colgroup>
              <col style={{ width: headWidth }} />
              {shownColumns.map(column => (
                <col key={column} style={{ width: columnWidth }} />
              ))}
            </colgroup>
            <thead>
              <tr style={{ height: HEAD_HEIGHT }} aria-rowindex={1}>
                <th scope="col" aria-label="Row" />
                {shownColumns.map(column => (
                  <th key={column} scope="col" aria-colindex={column + 2} aria-sort={sortOf?.(column)}>
                    {columnHead(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: shown }, (_, i) => first + i).map(row => (
                <tr key={row} style={{ height: ROW_HEIGHT }} aria-rowindex={row + 2}>
                  <th scope="row">{rowHead(row)}</th>
                  {shownColumns.map(column => {
                    const text = cell(row, column)
                    return (
                      <td key={column} className={isNumeric?.(column) ? 'number' : undefined} title={text}>
                        {text ?? '…'}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  )
}
