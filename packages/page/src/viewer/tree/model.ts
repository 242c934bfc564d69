// What the tree of a domain does, without the page: the rows in sight, what a click or a key does to them, and what a
// row says of its object.

import { formatShape } from '@hyperslab/client/elements'
import { type Kind, type Member, parentPath, textOf } from '../data/contents.ts'
import type { Found } from '../use-entity.ts'
import { type ObjectWord, wordOf, wordOfKind } from './object-icon.ts'
import type { Row } from './rows.ts'

/** Pixels. */
export const ROW_HEIGHT = 26
/** Rows above and below those in sight. */
const SPARE_ROWS = 10

export interface Sight {
  readonly top: number
  readonly height: number
}

/** The rows to draw: from `first` on, before `last`. */
export function rowsInSight({ top, height }: Sight): { readonly first: number; readonly last: number } {
  return {
    first: Math.max(0, Math.floor(top / ROW_HEIGHT) - SPARE_ROWS),
    last: Math.ceil((top + height) / ROW_HEIGHT) + SPARE_ROWS,
  }
}

/** Where the tree scrolls to so that a row is in sight. */
export function topFor(row: number, { top, height }: Sight): number {
  const place = row * ROW_HEIGHT
  if (row < 0) return top
  if (place < top) return place
  return place + ROW_HEIGHT > top + height ? place + ROW_HEIGHT - height : top
}

/** The row of a path, not a note below it; -1: it is not there. */
export function placeOf(rows: readonly Row[], path: string): number {
  return rows.findIndex(row => row.path === path && row.note === undefined)
}

export interface TreeState {
  readonly rows: readonly Row[]
  readonly open: ReadonlySet<string>
  /** The path of the chosen object. */
  readonly object: string
  /** The height of the part in sight. */
  readonly height: number
}

/** What a click or a key leads to. */
export interface TreeStep {
  /** The groups that are open then. */
  readonly open?: ReadonlySet<string>
  /** The path of the object that is shown then. */
  readonly chosen?: string
  /** The row that has the focus then. */
  readonly focused?: Row
}

export function toggled({ open }: Pick<TreeState, 'open'>, path: string): TreeStep {
  const groups = new Set(open)
  if (!groups.delete(path)) groups.add(path)
  return { open: groups }
}

/** A click: it opens a group, and closes one that was chosen already. */
export function picked({ open, object }: TreeState, path: string, isGroup: boolean): TreeStep {
  if (!isGroup || (open.has(path) && path !== object)) return { chosen: path }
  return { ...toggled({ open }, path), chosen: path }
}

/** What a key does in the row of a path; undefined: nothing. */
export function pressed(key: string, tree: TreeState, path: string, isGroup: boolean): TreeStep | undefined {
  const { rows, open, height } = tree
  const at = placeOf(rows, path)
  const page = Math.max(1, Math.floor(height / ROW_HEIGHT) - 1)
  const isOpen = open.has(path)
  switch (key) {
    case 'ArrowDown':
      return focusAt(rows, at + 1)
    case 'ArrowUp':
      return focusAt(rows, at - 1)
    case 'PageDown':
      return focusAt(rows, at + page)
    case 'PageUp':
      return focusAt(rows, at - page)
    case 'Home':
      return focusAt(rows, 0)
    case 'End':
      return focusAt(
        rows,
        rows.findLastIndex(({ note }) => note === undefined),
      )
    case 'ArrowRight':
      return isGroup && !isOpen ? toggled(tree, path) : focusAt(rows, at + 1)
    case 'ArrowLeft':
      if (isGroup && isOpen && path !== '/') return toggled(tree, path)
      return focusAt(rows, placeOf(rows, parentPath(path)))
    case 'Enter':
    case ' ':
      return picked(tree, path, isGroup)
    default:
      return undefined
  }
}

function focusAt(rows: readonly Row[], index: number): TreeStep {
  const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
  return row === undefined || row.note !== undefined ? {} : { focused: row }
}

export interface RowText {
  readonly kind: Kind | undefined
  /** What its icon stands for. */
  readonly word: ObjectWord
  readonly isLost: boolean
  /** Undefined: a hard link. */
  readonly link: string | undefined
  readonly nxClass: string | undefined
  /** The extents of a dataset. */
  readonly shape: string | undefined
  readonly hint: string
}

/** `siblings`: the members of the group that the row is in. */
export function rowText(
  { path, member }: Row,
  { entity, error }: Found,
  siblings: readonly Member[] = [],
): RowText {
  const kind = entity?.kind ?? member?.kind ?? (path === '/' ? 'group' : undefined)
  const word = entity ? wordOf(entity, siblings) : error === undefined ? wordOfKind(kind) : 'not found'
  return {
    kind,
    word,
    isLost: error !== undefined,
    link: member && member.link !== 'hard' ? LINK_NAMES[member.link] : undefined,
    nxClass: entity && textOf(entity, 'NX_class'),
    shape: entity?.kind === 'dataset' ? formatShape(entity.dataset?.shape) : undefined,
    hint: [path, member?.target && `→ ${member.target}`, error].filter(Boolean).join('\n'),
  }
}

const LINK_NAMES = { soft: 'soft link', external: 'external link', other: 'link' }
