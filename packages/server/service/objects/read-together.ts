// Reads of many objects that go to the store together: in PostgreSQL those of one turn of the event loop are one
// statement, so that a request needs as many statements for a thousand objects as for a few.

import { nextTurn } from '@hyperslab/base/bounded'
import type { ObjectId } from '@hyperslab/model/names'
import type { ListedLink, Reader } from '@hyperslab/store/store'

/** Reads of one round, each of one object or a few links. @limit memory, reads */
export const READS_AT_ONCE = 64
/**
 * Links or attributes of an object that are read together with those of other objects; an object with this number or
 * more is read alone. Those of a round are one statement.
 * @limit memory, members
 */
export const FEW_MEMBERS = 15

/** The items, some at a time. */
export async function* inSlices<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  length = READS_AT_ONCE,
): AsyncGenerator<readonly Item[]> {
  let some: Item[] = []
  for await (const item of items) {
    if (some.push(item) < length) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/**
 * The results of `read` for the items, in their order. When a read fails, the iteration fails at its position, like
 * that of reads one after another.
 */
export async function* readTogether<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  read: (item: Item) => Promise<Result>,
  atOnce = READS_AT_ONCE,
): AsyncGenerator<Result> {
  for await (const some of inSlices(items, atOnce)) {
    for (const result of await Promise.allSettled(some.map(read))) {
      await nextTurn()
      if (result.status === 'rejected') throw result.reason
      yield result.value
    }
  }
}

/** The order in which the links of a group are read. */
export type OrderOfLinks = (group: ObjectId) => 'name' | 'created'

/** Links of groups. The first ones of groups that come next are read together. */
export class LinksAhead {
  readonly #reader: Pick<Reader, 'links'>
  readonly #orderOf: OrderOfLinks
  readonly #first = new Map<ObjectId, readonly ListedLink[]>()

  constructor(reader: Pick<Reader, 'links'>, orderOf: OrderOfLinks = () => 'name') {
    this.#reader = reader
    this.#orderOf = orderOf
  }

  /** Targets of the links that were read, and not asked for yet. */
  *targets(): Generator<ObjectId> {
    for (const links of this.#first.values())
      for (const { target } of links) if (target.class === 'H5L_TYPE_HARD') yield target.id
  }

  /** All links of a group; `next` are groups whose links are asked for after it. */
  async *of(group: ObjectId, next: readonly ObjectId[]): AsyncGenerator<ListedLink> {
    if (!this.#first.has(group)) await this.#readFirst([group, ...next])
    const order = this.#orderOf(group)
    const first = this.#first.get(group)
    this.#first.delete(group)
    yield* first ?? []
    const marker = first?.at(-1)?.title
    if (first === undefined || first.length === FEW_MEMBERS)
      yield* this.#reader.links(group, { order, ...(marker !== undefined && { marker }) })
  }

  /** Links that cannot be read fail when they are asked for. */
  async #readFirst(groups: readonly ObjectId[]): Promise<void> {
    const ids = groups.filter(id => !this.#first.has(id)).slice(0, READS_AT_ONCE)
    const read = await Promise.allSettled(ids.map(id => this.#firstOf(id)))
    for (const [i, result] of read.entries())
      if (result.status === 'fulfilled') this.#first.set(ids[i], result.value)
  }

  async #firstOf(group: ObjectId): Promise<ListedLink[]> {
    const links: ListedLink[] = []
    const page = { limit: FEW_MEMBERS, order: this.#orderOf(group) }
    for await (const link of this.#reader.links(group, page)) links.push(link)
    return links
  }
}
