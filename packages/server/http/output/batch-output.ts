// The answers to reads of several objects at once: a map from their ids to the lists of their members, which is sent
// while the members are read.

import { HyperslabError } from '@hyperslab/base/errors'
import type { LazyList } from '@hyperslab/model/json'
import type { ObjectReference } from '@hyperslab/model/names'
import type { ObjectMembers } from '../../service/objects/several.ts'
import type { Body } from '../dialect/dialect.ts'
import { type StreamedMembers, streamJson } from '../message/json-stream.ts'
import { lazyList } from '../message/lazy-json.ts'
import type { Reply } from '../message/message.ts'
import type { Answer } from '../route/route.ts'

/** The name of the members in an answer, and the JSON of each. */
export interface PresentMembers<Member> {
  readonly name: 'links' | 'attributes'
  readonly item: (owner: ObjectReference, member: Member) => Body
  /** Whether the items are too long to be written as one string. */
  readonly areLong?: (members: readonly Member[]) => boolean
}

/** A map by id, before the other members of the answer. */
export function mapReply<Member>(
  { place, dialect }: Answer,
  objects: AsyncIterable<ObjectMembers<Member>>,
  present: PresentMembers<Member>,
  otherMembers: Body = {},
): Reply {
  async function* lists(): StreamedMembers {
    for await (const { owner, members } of objects) {
      const value =
        members instanceof HyperslabError
          ? // The caller may not read the object (hsds-objects 12.6).
            { status: dialect.statusOf(members, undefined) }
          : itemsOf(owner, members, present)
      yield [dialect.formatId(owner), value]
    }
  }
  const pieces = streamJson({ [present.name]: lists(), ...otherMembers }, place.nonFinite)
  return { status: 200, stream: { contentType: dialect.jsonContentType, pieces } }
}

/** The members of one object, or those of several as they are read. */
export type ListOrMap<Member> =
  | { readonly list: ObjectMembers<Member>; readonly map?: never }
  | { readonly list?: never; readonly map: AsyncIterable<ObjectMembers<Member>> }

/** The answer is a list for one object, a map for more (hsds-objects 11.6). */
export async function listOrMap<Member>(
  objects: AsyncIterable<ObjectMembers<Member>>,
  count: number,
): Promise<ListOrMap<Member>> {
  if (count === 1) for await (const list of objects) return { list }
  return { map: objects }
}

export function listOrMapReply<Member>(
  answer: Answer,
  { list, map }: ListOrMap<Member>,
  present: PresentMembers<Member>,
): Reply {
  if (map !== undefined) return mapReply(answer, map, present)
  if (list.members instanceof HyperslabError) throw list.members
  const items = itemsOf(list.owner, list.members, present)
  return { status: 200, body: { [present.name]: items } }
}

function itemsOf<Member>(
  owner: ObjectReference,
  members: readonly Member[],
  { item, areLong }: PresentMembers<Member>,
): LazyList {
  return lazyList(members, member => item(owner, member), areLong?.(members) ?? false)
}
