// The rows of a folder, drawn: only those in sight, so that a hundred thousand stay usable. The arrow keys go from
// entry to entry, and Space selects.

import type { Api, Hyperslab } from '@hyperslab/client'
import { type KeyboardEvent, type UIEvent, useState } from 'react'
import { Age } from '../common/Age.tsx'
import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { Menu, type MenuItem } from '../common/Menu.tsx'
import { Star, usePlaceLists } from '../kept/KeptLists.tsx'
import type { KeptPlaces } from '../kept/kept-places.ts'
import type { Place } from '../shell/address.ts'
import { pathOf } from '../shell/model.ts'
import { COLUMNS, columnsFor, type Order } from './arrange.ts'
import {
  allToggled,
  areAllSelected,
  columnOrder,
  linkForKey,
  rowHeight,
  rowsInSight,
  rowText,
  toggled,
} from './rows.ts'
import { Thumbnail } from './Thumbnail.tsx'
import { useNarrow } from './use-narrow.ts'

type Row = Api.ListedDomain

export interface RowsProps {
  readonly client: Hyperslab
  readonly kept: KeptPlaces | undefined
  readonly rows: readonly Row[]
  readonly isLoading: boolean
  readonly hasPictures: boolean
  readonly order: Order
  readonly onOrder: (order: Order) => void
  /** Undefined: the user can do nothing with several. */
  readonly selection: ReadonlySet<string> | undefined
  readonly onSelect: (paths: ReadonlySet<string>) => void
  readonly menuOf: (row: Row) => readonly MenuItem[]
  readonly go: (place: Place) => void
}

const LOADING_ROWS = 8

export function Rows(props: RowsProps) {
  const { rows, selection, isLoading, hasPictures } = props
  const height = rowHeight(hasPictures, useNarrow())
  const [sight, setSight] = useState({ top: 0, height: 1000 })
  const { first, last } = rowsInSight(sight, height, rows.length)
  const look = ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLElement>) =>
    setSight({ top: scrollTop, height: clientHeight })
  const now = Date.now() / 1000
  const columns = columnsFor(rows)
  const { favourites } = usePlaceLists(props.kept)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <section className="rows" onScroll={look} tabIndex={0} aria-label="Entries" onKeyDown={moveFocus}>
      <table aria-rowcount={rows.length + 1}>
        <Head {...props} />
        <tbody>
          {isLoading ? (
            <LoadingRows height={height} columns={columns.length + (selection === undefined ? 1 : 2)} />
          ) : null}
          <Spacer height={first * height} />
          {rows.slice(first, last).map((row, i) => (
            <Entry
              key={row.name}
              {...props}
              row={row}
              index={first + i + 2}
              height={height}
              now={now}
              favourites={favourites}
              hasOwners={columns.length === COLUMNS.length}
            />
          ))}
          <Spacer height={(rows.length - last) * height} />
        </tbody>
      </table>
    </section>
  )
}

function Head({ rows, selection, onSelect, order, onOrder }: RowsProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection === undefined ? null : (
          <th className="check">
            <input
              type="checkbox"
              aria-label="Select all that are listed"
              checked={areAllSelected(selection, rows)}
              onChange={() => onSelect(allToggled(selection, rows))}
            />
          </th>
        )}
        {columnsFor(rows).map(column => {
          const { sort, mark, next } = columnOrder(column, order)
          return (
            <th key={column.title} className={column.className ?? 'name'} aria-sort={sort}>
              <button type="button" onClick={() => onOrder(next)}>
                {column.title}
                <span aria-hidden="true">{mark}</span>
              </button>
            </th>
          )
        })}
        <th>
          <span className="hidden">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

interface EntryProps extends RowsProps {
  readonly row: Row
  readonly index: number
  readonly height: number
  readonly now: number
  readonly favourites: readonly string[]
  readonly hasOwners: boolean
}

function Entry(props: EntryProps) {
  const { row, index, height, now, hasOwners, selection, onSelect, menuOf, kept, favourites } = props
  const { name, size, place } = rowText(row, now)
  const isSelected = selection?.has(row.name) ?? false
  const toggle = selection && (() => onSelect(toggled(selection, row.name)))
  return (
    <tr aria-rowindex={index} className={isSelected ? 'selected' : undefined} style={{ height }}>
      {toggle === undefined ? null : (
        <td className="check">
          <input type="checkbox" aria-label={`Select ${name}`} checked={isSelected} onChange={toggle} />
        </td>
      )}
      <NameCell {...props} toggle={toggle} />
      {hasOwners ? <td className="wide">{row.owner}</td> : null}
      <td className="number wide">{size}</td>
      <td className="wide">
        <Age time={row.lastModified} now={now} />
      </td>
      <td className="actions">
        {kept ? (
          <Star kept={kept} path={pathOf(place)} isMarked={favourites.includes(pathOf(place))} />
        ) : null}
        <Menu label={`Actions for ${name}`} className="quiet" items={menuOf(row)}>
          <Icon name="more" />
        </Menu>
      </td>
    </tr>
  )
}

interface NameCellProps extends Pick<EntryProps, 'client' | 'row' | 'now' | 'hasPictures' | 'go'> {
  readonly toggle: (() => void) | undefined
}

function NameCell({ client, row, now, hasPictures, go, toggle }: NameCellProps) {
  const { name, place, small, madeOf, damage } = rowText(row, now)
  return (
    <td className="name">
      <div>
        {hasPictures && row.class === 'domain' ? (
          <Thumbnail client={client} path={row.name} />
        ) : (
          <span className={hasPictures ? 'thumbnail' : 'kind'}>
            <Icon name={row.class} />
          </span>
        )}
        <span className="entry">
          <Link to={place} go={go} onSpace={toggle}>
            {name}
          </Link>
          {madeOf === undefined ? null : <small>{madeOf}</small>}
          {damage === undefined ? null : (
            <small className="damage" title={damage.reason}>
              {damage.word}
            </small>
          )}
          <small className="narrow">{small}</small>
        </span>
      </div>
    </td>
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

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { activeElement } = document
  if (activeElement?.closest('[role=menu]')) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.entry a')]
  const at = links.findIndex(link => link.closest('tr')?.contains(activeElement))
  const next = linkForKey(event.key, at, links.length)
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}
