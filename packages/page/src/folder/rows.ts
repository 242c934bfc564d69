// What the rows of a folder do, without the page: rows in sight, their texts, the order, the selection and the keys.

import type { Api } from '@hyperslab/client'
import { formatAge, formatMadeOf, formatSize } from '../common/format.ts'
import { nameOf, type Place } from '../shell/address.ts'
import type { Column, Order } from './arrange.ts'
import { sizeOf } from './contents.ts'

type Row = Api.ListedDomain

/** Pixels. */
const HEIGHTS = { wide: 40, narrow: 56, picture: 76 }
/** Rows that are drawn above and below the visible ones. */
const MARGIN = 20

export function rowHeight(hasPictures: boolean, isNarrow: boolean): number {
  return hasPictures ? HEIGHTS.picture : isNarrow ? HEIGHTS.narrow : HEIGHTS.wide
}

export interface Sight {
  readonly top: number
  readonly height: number
}

/** The rows to draw: from `first` on, before `last`. */
export function rowsInSight(sight: Sight, height: number, count: number) {
  const first = Math.max(0, Math.min(Math.floor(sight.top / height), count) - MARGIN)
  return { first, last: Math.min(count, Math.ceil((sight.top + sight.height) / height) + MARGIN) }
}

export interface RowText {
  readonly name: string
  readonly place: Place
  /** Empty: not known, or not of a folder. */
  readonly size: string
  /** The second line in a narrow window. */
  readonly small: string
  /** The number of files that it is made of, in words. */
  readonly madeOf: string | undefined
  /** A word about what cannot be read, and the reason. */
  readonly damage: { readonly word: string; readonly reason: string } | undefined
}

/** `now` is in seconds. */
export function rowText(row: Row, now: number): RowText {
  const { class: kind, name: path, lastModified } = row
  const bytes = sizeOf(row)
  const size = bytes === undefined ? '' : formatSize(bytes)
  const reason = 'damage' in row ? row.damage : undefined
  // The file system of a mounted folder is away; a file is cut off.
  const word = kind === 'folder' ? 'not available' : row.joined ? 'not readable' : 'damaged'
  return {
    name: nameOf(path),
    place: kind === 'folder' ? { kind, path: `${path}/` } : { kind, path, object: '/' },
    size,
    small: `${size === '' ? '' : `${size} · `}${formatAge(lastModified, now)}`,
    madeOf: row.num_files === undefined ? undefined : formatMadeOf(row.num_files),
    damage: reason === undefined ? undefined : { word, reason },
  }
}

/** What the head of a column says of the order, and the order that a click on it leads to. */
export function columnOrder(column: Column, order: Order) {
  const isSorted = order.column === column
  return {
    sort: isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none',
    mark: isSorted ? (order.isDescending ? ' ↓' : ' ↑') : '',
    next: { column, isDescending: isSorted && !order.isDescending },
  } as const
}

export function toggled(selection: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(selection)
  if (!next.delete(path)) next.add(path)
  return next
}

export function areAllSelected(selection: ReadonlySet<string>, rows: readonly Row[]): boolean {
  return rows.length > 0 && rows.every(({ name }) => selection.has(name))
}

/** All rows that are listed, or none if they are selected. */
export function allToggled(selection: ReadonlySet<string>, rows: readonly Row[]): ReadonlySet<string> {
  return new Set(areAllSelected(selection, rows) ? [] : rows.map(({ name }) => name))
}

/** The place, among `count` links, that a key leads to from the one at `at` (-1: none); undefined: it does nothing. */
export function linkForKey(key: string, at: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined) return undefined
  const next = at === -1 ? 0 : at + step
  return next >= 0 && next < count ? next : undefined
}
