// The order of links and attributes: that of their creation if it is tracked, else that of their names. There may be
// very many, so other work continues while they are sorted.

import { sortInTurns } from '@hyperslab/base/bounded'

/** A link or an attribute. */
export interface Member {
  readonly name: Uint8Array
  readonly creationOrder?: number
}

/** A sorted copy, at once if they are few. */
export function inMemberOrder<M extends Member>(members: readonly M[]): readonly M[] | Promise<readonly M[]> {
  return sortInTurns(members, compareMembers)
}

function compareMembers(a: Member, b: Member): number {
  if (a.creationOrder !== undefined && b.creationOrder !== undefined) return a.creationOrder - b.creationOrder
  return compareNames(a.name, b.name)
}

/** Compares the bytes of names. */
export function compareNames(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at] - b[at]
  return a.length - b.length
}
