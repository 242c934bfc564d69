// Links and attributes of several objects in one request: the links of groups, the attributes of any objects, of those
// that are named or of all that hard links reach. Links and attributes follow one rule: which members of each object
// are read, which caller may read them, and one limit over all objects.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId, ObjectKind, ObjectReference } from '@hyperslab/model/names'
import type { HdfObject } from '@hyperslab/store/store'
import { requirePermission, requireWritable } from '../access/access.ts'
import { type Context, CreationTimes, type OpenDomain, type WriteContext } from '../context.ts'
import type { Listing } from '../listing.ts'
import { openObject } from './objects.ts'
import { reachableFrom } from './reachable.ts'
import { FEW_MEMBERS, inSlices, READS_AT_ONCE, readTogether } from './read-together.ts'

/**
 * Items that are put into an object, or found there by name, at once: this many take about a millisecond.
 * @limit safety, items
 */
const ITEMS_AT_ONCE = 128

/** The members of an object to read: those of these names, in this order, or all. */
export interface MemberQuery {
  readonly owner: ObjectReference
  readonly names?: readonly string[]
}

/** Items to put into an object, by their names. */
export interface NewMembers<Item> {
  readonly owner: ObjectReference
  readonly items: ReadonlyMap<string, Item>
}

/** The members of an object, or the error that keeps the caller from reading them. */
export interface ObjectMembers<Member> {
  readonly owner: ObjectReference
  readonly members: readonly Member[] | HyperslabError
}

/** The functions that read the members of an object. */
export interface MemberReads<Member> {
  page(context: Context, domain: OpenDomain, owner: ObjectId, listing: Listing): Promise<readonly Member[]>
  /** The member of a name; throws if there is none. */
  named(context: Context, domain: OpenDomain, owner: ObjectReference, name: string): Promise<Member>
}

/**
 * Members of the objects that are named; the caller needs `read` on each. `limit` counts the members of all objects.
 * Members with names have been found when this resolves, the others are read while the result is iterated.
 */
export async function readSeveral<Member>(
  context: Context,
  domain: OpenDomain,
  queries: readonly MemberQuery[],
  listing: Listing,
  reads: MemberReads<Member>,
): Promise<AsyncIterable<ObjectMembers<Member>>> {
  const readNamed = async ({ owner, names = [] }: MemberQuery): Promise<FoundOwner<Member>> => {
    context.signal.throwIfAborted()
    await openObject(context, domain, owner.kind, owner.id, 'read')
    if (names.length === 0) return { owner }
    const named: Member[] = []
    for (let at = 0; at < names.length; at += ITEMS_AT_ONCE) {
      context.signal.throwIfAborted()
      // Reads in the same turn of the event loop become one statement of PostgreSQL.
      const some = names.slice(at, at + ITEMS_AT_ONCE)
      const members = await Promise.all(some.map(name => reads.named(context, domain, owner, name)))
      named.push(...members.filter((_, i) => listing.pattern?.matches(some[i]) ?? true))
      await nextTurn()
    }
    return { owner, named }
  }
  const mostNames = queries.reduce((most, { names = [] }) => Math.max(most, names.length), 1)
  const atOnce = Math.ceil(ITEMS_AT_ONCE / mostNames)
  const results: FoundOwner<Member>[] = []
  for await (const result of readTogether(queries, readNamed, atOnce)) results.push(result)
  return foundMembers(context, domain, results, listing, reads)
}

/** Absent `named`: its members are read later. */
interface FoundOwner<Member> {
  readonly owner: ObjectReference
  readonly named?: readonly Member[]
}

async function* foundMembers<Member>(
  context: Context,
  domain: OpenDomain,
  results: readonly FoundOwner<Member>[],
  listing: Listing,
  reads: MemberReads<Member>,
): AsyncGenerator<ObjectMembers<Member>> {
  const pages = new Pages(context, domain, listing, reads)
  for (const [i, { owner, named }] of results.entries()) {
    context.signal.throwIfAborted()
    const following = () => results.slice(i + 1, i + READS_AT_ONCE).filter(result => !result.named)
    yield { owner, members: named ?? (await pages.next(owner.id, () => following().map(idOf))) }
  }
}

function idOf({ owner }: { readonly owner: ObjectReference }): ObjectId {
  return owner.id
}

/** Objects that are named, and all that hard links reach from them; `kind`: only objects of that kind. */
interface ReachableObjects {
  readonly starts: readonly ObjectReference[]
  readonly kind?: ObjectKind | undefined
}

/**
 * Members of the objects that are named and of all that hard links reach from them, breadth first, read while the
 * result is iterated. The caller needs `read` on each named object. An object below
 * them that the caller may not read comes with an error instead of members, and links are not followed further from it.
 */
export async function readReachable<Member>(
  context: Context,
  domain: OpenDomain,
  { starts, kind }: ReachableObjects,
  listing: Listing,
  reads: MemberReads<Member>,
): Promise<AsyncIterable<ObjectMembers<Member>>> {
  for (const start of starts) await openObject(context, domain, start.kind, start.id, 'read')
  return reachableMembers(context, domain, { starts, kind }, listing, reads)
}

async function* reachableMembers<Member>(
  context: Context,
  domain: OpenDomain,
  { starts, kind }: ReachableObjects,
  listing: Listing,
  reads: MemberReads<Member>,
): AsyncGenerator<ObjectMembers<Member>> {
  const pages = new Pages(context, domain, listing, reads)
  for (const owner of starts) yield { owner, members: await pages.next(owner.id) }
  const ids = starts.map(({ id }) => id)
  for await (const some of inSlices(reachableFrom(context, domain, ids, kind))) {
    for (const [i, object] of some.entries()) {
      const following = () => some.slice(i + 1).map(({ id }) => id)
      const members = refusal(context, domain, object) ?? (await pages.next(object.id, following))
      yield { owner: object, members }
    }
  }
}

/**
 * Puts items into several objects, all or none; the caller needs `create` on each. True when `put`, which gets some
 * items at a time, changed anything. The items of one object get increasing times. `lookUp` reads the members of an
 * object that have such names.
 */
export async function putSeveral<Item>(
  context: WriteContext,
  domain: OpenDomain,
  batch: readonly NewMembers<Item>[],
  put: (
    owner: ObjectReference,
    items: readonly (readonly [name: string, item: Item])[],
    times: CreationTimes,
  ) => Promise<boolean>,
  lookUp: (owner: ObjectId, names: readonly string[]) => Promise<unknown>,
): Promise<boolean> {
  requireWritable(domain)
  let changed = false
  const open = async (one: NewMembers<Item>) => {
    await openObject(context, domain, one.owner.kind, one.owner.id, 'create')
    // A write remembers the records that it has read.
    if (batch.length > 1 && one.items.size < FEW_MEMBERS) await lookUp(one.owner.id, [...one.items.keys()])
    return one
  }
  for await (const { owner, items } of readTogether(batch, open)) {
    const times = new CreationTimes(context.now)
    const all = [...items]
    for (let at = 0; at < all.length; at += ITEMS_AT_ONCE) {
      if (at > 0) await nextTurn()
      context.signal.throwIfAborted()
      changed = (await put(owner, all.slice(at, at + ITEMS_AT_ONCE), times)) || changed
    }
  }
  return changed
}

/** Reads a page of each object in turn, until the limit is reached. Short ones are read together. */
class Pages<Member> {
  readonly #read: (owner: ObjectId, limit: number | undefined) => Promise<readonly Member[]>
  readonly #first = new Map<ObjectId, readonly Member[]>()
  #left: number | undefined

  constructor(
    context: Context,
    domain: OpenDomain,
    { limit, marker: _, ...listing }: Listing,
    reads: MemberReads<Member>,
  ) {
    this.#left = limit
    this.#read = (owner, left) => reads.page(context, domain, owner, { ...listing, limit: left })
  }

  /** `following` are objects whose pages are asked for after it. */
  async next(owner: ObjectId, following: () => readonly ObjectId[] = () => []): Promise<readonly Member[]> {
    const left = this.#left ?? Number.POSITIVE_INFINITY
    if (left > 0 && !this.#first.has(owner)) await this.#readFirst([owner, ...following()])
    const first = this.#first.get(owner)
    this.#first.delete(owner)
    const isPage = first !== undefined && (first.length < FEW_MEMBERS || first.length >= left)
    const members = isPage ? first.slice(0, left) : await this.#read(owner, this.#left)
    if (this.#left !== undefined) this.#left -= members.length
    return members
  }

  /** Pages that cannot be read fail when they are asked for. */
  async #readFirst(owners: readonly ObjectId[]): Promise<void> {
    const ids = owners.filter(id => !this.#first.has(id)).slice(0, READS_AT_ONCE)
    const read = await Promise.allSettled(ids.map(id => this.#read(id, FEW_MEMBERS)))
    for (const [i, result] of read.entries())
      if (result.status === 'fulfilled') this.#first.set(ids[i], result.value)
  }
}

/** The error if the caller may not read the object. */
function refusal(context: Context, domain: OpenDomain, object: HdfObject): HyperslabError | undefined {
  try {
    requirePermission(context, 'read', domain, object)
    return undefined
  } catch (error) {
    if (error instanceof HyperslabError) return error
    throw error
  }
}
