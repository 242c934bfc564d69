// The answers to reads of several objects at once: a map from their ids to the lists of their members, sent while it is
// made.

import { HyperslabError } from '../../errors.ts'
import { lazyList } from '../../hdf5/json.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import type { Told } from '../../service/several.ts'
import type { Body } from '../dialect/dialect.ts'
import type { Answer, Reply } from '../route.ts'
import { type StreamedMembers, streamJson } from './json-stream.ts'

/** How an answer calls the members, and what it tells of each. */
export interface PresentMembers<Member> {
  readonly name: 'links' | 'attributes'
  readonly item: (owner: ObjectReference, member: Member) => Body
}

/** A map, between the other members of the answer. */
export function mapReply<Member>(
  { place, request: { dialect } }: Answer,
  told: AsyncIterable<Told<Member>> | Iterable<Told<Member>>,
  { name, item }: PresentMembers<Member>,
  others: Body = {},
): Reply {
  async function* lists(): StreamedMembers {
    for await (const { owner, members } of told) {
      const value =
        members instanceof HyperslabError
          ? // An object that the caller may not read (contract 35, 6.2).
            { status: dialect.statusOf(members, undefined) }
          : lazyList(members, member => item(owner, member))
      yield [dialect.formatId(owner), value]
    }
  }
  const pieces = streamJson({ [name]: lists(), ...others }, place.nonFinite)
  return { status: 200, stream: { contentType: dialect.jsonContentType, pieces } }
}

/** Of one object its list alone, of more a map (contract 20, section 20, 10). */
export function listOrMapReply<Member>(
  answer: Answer,
  told: readonly Told<Member>[],
  present: PresentMembers<Member>,
): Reply {
  const [only, ...more] = told
  if (only === undefined || more.length > 0 || only.members instanceof HyperslabError) {
    return mapReply(answer, told, present)
  }
  const { owner, members } = only
  return { status: 200, body: { [present.name]: lazyList(members, member => present.item(owner, member)) } }
}
