// The answers to reads of several objects at once: a map from their ids to the lists of their members.

import { HyperslabError } from '../../errors.ts'
import type { JsonOutput } from '../../hdf5/json.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import type { Told } from '../../service/several.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'

type PresentMember<Member> = (owner: ObjectReference, member: Member) => Body

/** An object that the caller may not read has a status in the place of its list (contract 35, 6.2). */
export function mapOfTold<Member>(
  dialect: Dialect,
  told: readonly Told<Member>[],
  present: PresentMember<Member>,
): ReadonlyMap<string, JsonOutput> {
  return new Map(
    told.map(({ owner, members }) => [
      dialect.formatId(owner),
      members instanceof HyperslabError
        ? { status: dialect.statusOf(members, undefined) }
        : members.map(member => present(owner, member)),
    ]),
  )
}

/** Of one object, its list alone (contract 20, section 20, 10). */
export function listOrMapOfTold<Member>(
  dialect: Dialect,
  told: readonly Told<Member>[],
  present: PresentMember<Member>,
): JsonOutput {
  const map = mapOfTold(dialect, told, present)
  const [only] = map.values()
  return only !== undefined && map.size === 1 ? only : map
}
