// The objects that hard links reach from a group: each once, also if links form cycles. Soft and external links are not
// followed, and links to objects that were deleted lead nowhere.

import { BoundedMap, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { isJsonObject, type JsonValue } from '@hyperslab/model/json'
import type { ObjectId, ObjectKind } from '@hyperslab/model/names'
import type { HdfObject, ListedLink, ObjectDetails } from '@hyperslab/store/store'
import { hasPermission } from '../access/access.ts'
import type { Context, OpenDomain } from '../context.ts'
import { LinksAhead, READS_AT_ONCE, readTogether } from './read-together.ts'

/**
 * The reachable objects without the start, breadth first, titles in the order of their names; `kind`: only objects of
 * that kind. Links of groups that the caller may not read are not followed.
 */
export async function* reachableFrom(
  context: Context,
  domain: OpenDomain,
  starts: readonly ObjectId[],
  kind?: ObjectKind,
): AsyncGenerator<HdfObject> {
  const { reader, signal } = context
  const seen = new Set<ObjectId>(starts)
  const links = new LinksAhead(reader)
  /** The targets that the links of groups name first. */
  async function* newTargets(groups: readonly ObjectId[]): AsyncGenerator<ObjectId> {
    for (const [i, id] of groups.entries()) {
      // Groups without links take time too.
      await nextTurn()
      signal.throwIfAborted()
      for await (const { target } of links.of(id, groups.slice(i + 1, i + READS_AT_ONCE))) {
        await nextTurn()
        if (target.class !== 'H5L_TYPE_HARD' || seen.has(target.id)) continue
        if (kind !== undefined && target.kind !== kind && target.kind !== 'group') continue
        seen.add(target.id)
        yield target.id
      }
    }
  }
  for (let level = starts; level.length > 0; ) {
    const below: ObjectId[] = []
    for await (const object of readTogether(newTargets(level), id => reader.object(id))) {
      if (!object) continue
      if (object.kind === 'group' && hasPermission(context, 'read', domain, object)) below.push(object.id)
      if (kind === undefined || object.kind === kind) yield object
    }
    level = below
  }
}

/** An object with the details that a walk has read. */
export interface WalkedObject extends ObjectDetails {
  /** The links in the order of the walk. Absent: the object is not a group, or has more than `MAX_HELD_LINKS`. */
  readonly links?: readonly ListedLink[]
}

/** Objects whose details are read together: the next ones of the walk, as far as they are known. */
const AHEAD = 64
/**
 * The most bytes of details of objects that are still ahead in the walk. Dropped ones are read again.
 * @limit memory, bytes
 */
const MAX_AHEAD_BYTES = 4 * 2 ** 20
/** Links of a group that a walk gives with the group. @limit memory, links */
const MAX_HELD_LINKS = 500

/**
 * The objects of a domain that the caller may read, the root group first: depth first, links in the order that
 * `orderOf` gives for their group. Links of groups that the caller may not read are not followed.
 */
export async function* readableObjects(
  context: Context,
  domain: OpenDomain,
  orderOf: (group: HdfObject) => 'name' | 'created',
): AsyncGenerator<WalkedObject> {
  const { reader, signal } = context
  const seen = new Set<ObjectId>()
  const waiting = [domain.root.id]
  /**
   * Details of objects that are read together, ahead of the walk.
   * @limit speed, bytes, bench/results.md#062-limits-of-speed
   */
  const ahead = new BoundedMap<ObjectId, ObjectDetails>(MAX_AHEAD_BYTES, { weightOf: bytesOf })
  let walked: HdfObject = domain.root
  const linksAhead = new LinksAhead(reader, id =>
    orderOf(id === walked.id ? walked : (ahead.get(id)?.object ?? walked)),
  )
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (isTurnOver()) await nextTurn()
    signal.throwIfAborted()
    if (seen.has(id)) continue
    seen.add(id)
    let details = ahead.get(id)
    ahead.forget(id)
    if (!details) {
      const isNew = (other: ObjectId) => !seen.has(other) && !ahead.get(other)
      const next = [...waiting.slice(-AHEAD).reverse(), ...linksAhead.targets()].filter(isNew).slice(0, AHEAD)
      const [first, ...others] = await reader.details([id, ...next])
      for (const other of others) if (other) ahead.set(other.object.id, other)
      details = first
    }
    if (!details || !hasPermission(context, 'read', domain, details.object)) continue
    if (details.object.kind !== 'group') {
      yield details
      continue
    }
    walked = details.object
    const targets: ObjectId[] = []
    const links: ListedLink[] = []
    const isGroup = (other: ObjectId) => ahead.get(other)?.object.kind === 'group'
    const next = waiting.slice(-AHEAD).reverse().filter(isGroup)
    for await (const link of linksAhead.of(id, next)) {
      if (isTurnOver()) await nextTurn()
      if (links.length <= MAX_HELD_LINKS) links.push(link)
      const { target } = link
      if (target.class === 'H5L_TYPE_HARD' && !seen.has(target.id)) targets.push(target.id)
    }
    yield links.length > MAX_HELD_LINKS ? details : { ...details, links }
    for (const target of targets.reverse()) waiting.push(target)
  }
}

/** The approximate bytes of an object or an attribute beside its value. */
const OVERHEAD = 500

function bytesOf({ attributes = [] }: ObjectDetails): number {
  let bytes = OVERHEAD
  for (const { value } of attributes) {
    bytes += OVERHEAD + (value && 'data' in value ? value.data.length + value.heap.length : 0)
  }
  return bytes
}

/** Values of `CreateOrder` without which the creation order is not tracked (hsds-objects 10.1). */
const UNTRACKED: readonly (JsonValue | undefined)[] = [undefined, null, false, 0, '', '0']

/** The order of an object's links and attributes: by creation if its properties say so (clients 3.4). */
export function listingOrder(object: HdfObject): 'name' | 'created' {
  const properties =
    object.kind === 'dataset' ? object.creationProperties.json : (object.creationProperties ?? null)
  const order = isJsonObject(properties) ? properties.get('CreateOrder') : undefined
  return UNTRACKED.includes(order) ? 'name' : 'created'
}
