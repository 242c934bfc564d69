// The rows of the tree: the domain, and below each open group its members, as far as they are known.

import { type Contents, type Member, pathsTo } from '../data/contents.ts'

export interface Row {
  readonly path: string
  readonly title: string
  readonly depth: number
  /** Absent: the domain itself. */
  readonly member?: Member
  /** The place among its siblings, from 1 on, and their number. */
  readonly position: number
  readonly siblings: number
  /** A row that says something of the group above it, instead of a member. */
  readonly note?: 'loading' | 'failed' | 'empty'
}

export function rowsOf(contents: Contents, open: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = [
    { path: '/', title: titleOf(contents.domain.path), depth: 0, position: 1, siblings: 1 },
  ]
  const visit = (group: string, depth: number) => {
    if (!open.has(group)) return
    const { members, isComplete, error } = contents.members(group)
    members.forEach((member, i) => {
      const { path, title } = member
      rows.push({ path, title, depth, member, position: i + 1, siblings: members.length })
      visit(path, depth + 1)
    })
    const note =
      error !== undefined ? 'failed' : !isComplete ? 'loading' : members.length === 0 ? 'empty' : undefined
    if (note) rows.push({ path: `${group}/`, title: '', depth, position: 1, siblings: 1, note })
  }
  visit('/', 1)
  return rows
}

/** The open groups with those on the way to a path. */
export function opened(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const groups = pathsTo(path)
  return groups.every(group => open.has(group)) ? open : new Set([...open, ...groups])
}

function titleOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('/') + 1)
}
