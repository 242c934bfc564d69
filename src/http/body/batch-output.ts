// The answers to reads of several objects at once: a map from their ids to the lists of their members, sent while it is
// made.

import { HyperslabError } from '../../errors.ts'
import { type LazyList, lazyList } from '../../hdf5/json.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import type { Told } from '../../service/objects/several.ts'
import type { Body } from '../dialect/dialect.ts'
import type { Reply } from '../message.ts'
import type { Answer } from '../route.ts'
import { type StreamedMembers, streamJson } from './json-stream.ts'

/** How an answer calls the members, and what it tells of each. */
export interface PresentMembers<Member> {
  readonly name: 'links' | 'attributes'
  readonly item: (owner: ObjectReference, member: Member) => Body
  /** Whether the items are too long to be written in one go. */
  readonly areLong?: (members: readonly Member[]) => boolean
}

/** A map, between the other members of the answer. */
export function mapReply<Member>(
  { place, request: { dialect } }: Answer,
  told: AsyncIterable<Told<Member>>,
  present: PresentMembers<Member>,
  others: Body = {},
): Reply {
  async function* lists(): StreamedMembers {
    for await (const { owner, members } of told) {
      const value =
        members instanceof HyperslabError
          ? // An object that the caller may not read (hsds-objects 12.6).
            { status: dialect.statusOf(members, undefined) }
          : itemsOf(owner, members, present)
      yield [dialect.formatId(owner), value]
    }
  }
  const pieces = streamJson({ [present.name]: lists(), ...others }, place.nonFinite)
  return { status: 200, stream: { contentType: dialect.jsonContentType, pieces } }
}

/** What is told of one object alone, or of each of several. */
export type ListOrMap<Member> =
  | { readonly list: Told<Member>; readonly map?: never }
  | { readonly list?: never; readonly map: AsyncIterable<Told<Member>> }

/** Of one object the list alone, of more a map (hsds-objects 11.6). */
export async function listOrMap<Member>(
  told: AsyncIterable<Told<Member>>,
  objects: number,
): Promise<ListOrMap<Member>> {
  if (objects === 1) for await (const list of told) return { list }
  return { map: told }
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
