// The order of links and attributes: that of their creation if it is tracked, else that of their names. There may be so many that
// other work must go on while they are sorted.

import { Turns } from '../../turns.ts'

/** A link or an attribute. */
interface Member {
  readonly name: Uint8Array
  readonly creationOrder?: number
}

/** Sorted at once: less than a millisecond. */
const RUN_LENGTH = 1000

/** A sorted copy: at once if they are few. */
export function inMemberOrder<M extends Member>(members: readonly M[]): readonly M[] | Promise<readonly M[]> {
  return members.length <= RUN_LENGTH ? [...members].sort(compareMembers) : sortInTurns(members)
}

async function sortInTurns<M extends Member>(members: readonly M[]): Promise<readonly M[]> {
  const turns = new Turns()
  let runs: M[][] = []
  for (let start = 0; start < members.length; start += RUN_LENGTH) {
    runs.push(members.slice(start, start + RUN_LENGTH).sort(compareMembers))
    await turns.next()
  }
  while (runs.length > 1) {
    const merged: M[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(at + 1 < runs.length ? await merge(runs[at], runs[at + 1], turns) : runs[at])
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<M extends Member>(
  first: readonly M[],
  second: readonly M[],
  turns: Turns,
): Promise<M[]> {
  const merged: M[] = []
  let at = 0
  for (const member of second) {
    while (at < first.length && compareMembers(first[at], member) <= 0) merged.push(first[at++])
    merged.push(member)
    if (merged.length % 64 === 0 && turns.isOver) await turns.next()
  }
  while (at < first.length) merged.push(first[at++])
  return merged
}

function compareMembers(a: Member, b: Member): number {
  if (a.creationOrder !== undefined && b.creationOrder !== undefined) return a.creationOrder - b.creationOrder
  return compareNames(a.name, b.name)
}

/** As Buffer.compare, which takes longer for short names. */
function compareNames(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at] - b[at]
  return a.length - b.length
}
