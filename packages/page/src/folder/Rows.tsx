// The rows of a folder. Only those in sight are drawn, so that a hundred thousand stay usable. The arrow keys go from
// entry to entry, and Space selects.

import type { Api, Hyperslab } from '@hyperslab/client'
import { type KeyboardEvent, type UIEvent, useState } from 'react'
import { Age } from '../common/Age.tsx'
import { formatAge, formatSize } from '../common/format.ts'
import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { Menu, type MenuItem } from '../common/Menu.tsx'
import { useNarrow } from '../common/use-narrow.ts'
import { nameOf, type Place } from '../shell/address.ts'
import { COLUMNS, columnsFor, type Order } from './arrange.ts'
import { sizeOf } from './contents.ts'
import { Thumbnail } from './Thumbnail.tsx'

type Row = Api.ListedDomain

export interface RowsProps {
  readonly client: Hyperslab
  readonly rows: readonly Row[]
  readonly isLoading: boolean
  readonly hasPictures: boolean
  readonly order: Order
  readonly onOrder: (order: Order) => void
  /** Undefined: the user can do nothing with several. */
  readonly selection: ReadonlySet<string> | undefined
  readonly onSelect: (paths: ReadonlySet<string>) => void
  readonly actionsFor: (row: Row) => readonly MenuItem[]
  readonly go: (place: Place) => void
}

const HEIGHTS = { wide: 40, narrow: 56, picture: 76 }
/** Rows that are drawn above and below the visible ones. */
const MARGIN = 20
const LOADING_ROWS = 8

export function Rows({ rows, selection, onSelect, order, onOrder, ...props }: RowsProps) {
  const { client, isLoading, hasPictures, actionsFor, go } = props
  const isNarrow = useNarrow()
  const height = hasPictures ? HEIGHTS.picture : isNarrow ? HEIGHTS.narrow : HEIGHTS.wide
  const [view, setView] = useState({ top: 0, height: 1000 })
  const first = Math.max(0, Math.min(Math.floor(view.top / height), rows.length) - MARGIN)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + MARGIN)
  const look = ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLElement>) =>
    setView({ top: scrollTop, height: clientHeight })
  const now = Date.now() / 1000
  const columns = columnsFor(rows)
  const hasOwners = columns.length === COLUMNS.length
  const areAllSelected = rows.length > 0 && rows.every(({ name }) => selection?.has(name))
  const toggle = (path: string) => {
    const next = new Set(selection)
    if (!next.delete(path)) next.add(path)
    onSelect(next)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <section className="rows" onScroll={look} tabIndex={0} aria-label="Entries" onKeyDown={moveFocus}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {selection === undefined ? null : (
              <th className="check">
                <input
                  type="checkbox"
                  aria-label="Select all that are listed"
                  checked={areAllSelected}
                  onChange={() => onSelect(new Set(areAllSelected ? [] : rows.map(({ name }) => name)))}
                />
              </th>
            )}
            {columns.map(column => {
              const isSorted = order.column === column
              const direction = order.isDescending ? 'descending' : 'ascending'
              return (
                <th
                  key={column.title}
                  className={column.className ?? 'name'}
                  aria-sort={isSorted ? direction : 'none'}
                >
                  <button
                    type="button"
                    onClick={() => onOrder({ column, isDescending: isSorted && !order.isDescending })}
                  >
                    {column.title}
                    <span aria-hidden="true">{isSorted ? (order.isDescending ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                </th>
              )
            })}
            <th>
              <span className="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {isLoading ? (
            <LoadingRows height={height} columns={columns.length + (selection === undefined ? 1 : 2)} />
          ) : null}
          <Spacer height={first * height} />
          {rows.slice(first, last).map((row, i) => {
            const { name: path } = row
            const name = nameOf(path)
            const size = sizeOf(row)
            const isSelected = selection?.has(path) ?? false
            return (
              <tr
                key={path}
                aria-rowindex={first + i + 2}
                className={isSelected ? 'selected' : undefined}
                style={{ height }}
              >
                {selection === undefined ? null : (
                  <td className="check">
                    <input
                      type="checkbox"
                      aria-label={`Select ${name}`}
                      checked={isSelected}
                      onChange={() => toggle(path)}
                    />
                  </td>
                )}
                <td className="name">
                  <div>
                    {hasPictures && row.class === 'domain' ? (
                      <Thumbnail client={client} path={path} />
                    ) : (
                      <span className={hasPictures ? 'thumbnail' : 'kind'}>
                        <Icon name={row.class} />
                      </span>
                    )}
                    <span className="entry">
                      <Link to={placeOf(row)} go={go} onSpace={selection && (() => toggle(path))}>
                        {name}
                      </Link>
                      {'damage' in row && row.damage !== undefined ? (
                        <small className="damage" title={row.damage}>
                          damaged
                        </small>
                      ) : null}
                      <small className="narrow">
                        {size === undefined ? '' : `${formatSize(size)} · `}
                        {formatAge(row.lastModified, now)}
                      </small>
                    </span>
                  </div>
                </td>
                {hasOwners ? <td className="wide">{row.owner}</td> : null}
                <td className="number wide">{size === undefined ? '' : formatSize(size)}</td>
                <td className="wide">
                  <Age time={row.lastModified} now={now} />
                </td>
                <td>
                  <Menu label={`Actions for ${name}`} className="quiet" items={actionsFor(row)}>
                    <Icon name="more" />
                  </Menu>
                </td>
              </tr>
            )
          })}
          <Spacer height={(rows.length - last) * height} />
        </tbody>
      </table>
    </section>
  )
}

/** A space that replaces rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null
}

function LoadingRows({ height, columns }: { readonly height: number; readonly columns: number }) {
  return Array.from({ length: LOADING_ROWS }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
    <tr key={i} className="loading" style={{ height }}>
      <td colSpan={columns}>
        <div className="line" />
      </td>
    </tr>
  ))
}

function placeOf({ class: kind, name }: Row): Place {
  return kind === 'folder'
    ? { kind: 'folder', path: `${name}/` }
    : { kind: 'domain', path: name, object: '/' }
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const { activeElement } = document
  if (step === undefined || activeElement?.closest('[role=menu]')) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.entry a')]
  const at = links.findIndex(link => link.closest('tr')?.contains(activeElement))
  const next = at === -1 ? links[0] : links[at + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
