// Links or attributes of an object, as they are planned: few and small ones are in the object's header, others are
// dense.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { MemberInfo } from '../format/messages/member-info.ts'
import { type Steps, waitFor } from '../steps.ts'
import { DenseMembers, type Member, type MemberKind } from './dense-members.ts'
import { MAX_MESSAGE } from './messages.ts'

/** The limit of libhdf5, which reads no more members from a header. @limit format, members */
export const MAX_COMPACT = 8

export class PlannedMembers {
  readonly count: number
  readonly tracksOrder: boolean
  readonly dense: DenseMembers | undefined
  readonly #members: readonly Member[]

  constructor(kind: MemberKind, members: readonly Member[], tracksOrder: boolean) {
    this.#members = members
    this.count = members.length
    this.tracksOrder = tracksOrder
    const isCompact = members.length <= MAX_COMPACT && members.every(({ length }) => length <= MAX_MESSAGE)
    this.dense = isCompact ? undefined : new DenseMembers(kind, members, tracksOrder)
  }

  /** Bytes of the dense members. */
  get length(): number {
    return this.dense?.length ?? 0
  }

  /** The messages of the header, as long as they will be. */
  get placeholders(): readonly Uint8Array[] {
    return this.dense ? [] : this.#members.map(({ length }) => new Uint8Array(length))
  }

  /** `address`: of the dense members. */
  info(address: number): MemberInfo {
    const order = this.tracksOrder ? { tracksOrder: true, nextOrder: this.count } : { tracksOrder: false }
    if (this.dense) return { ...order, ...this.dense.addresses(address) }
    return { ...order, ...(this.tracksOrder && { indexesOrder: true }) }
  }
}

/** Calls `visit` for each member, and awaits its result; there is no other wait if all members are in memory. */
export function* visitAll<M>(
  members: Iterable<M> | AsyncIterable<M>,
  visit: (member: M) => Promise<void> | undefined,
): Steps<void> {
  if (Symbol.asyncIterator in members) return yield* waitFor(visitEach(members, visit))
  for (const member of members) {
    if (isTurnOver()) yield nextTurn()
    const visiting = visit(member)
    if (visiting) yield visiting
  }
}

async function visitEach<M>(
  members: AsyncIterable<M>,
  visit: (member: M) => Promise<void> | undefined,
): Promise<void> {
  for await (const member of members) {
    if (isTurnOver()) await nextTurn()
    const visiting = visit(member)
    if (visiting) await visiting
  }
}
