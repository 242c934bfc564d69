// The objects that one request creates: their fresh ids, and the links to them, which are stored many at a time
// (docs/decisions/057). A read of the links of a group first stores those that wait.

import type { ObjectId } from '@hyperslab/model/names'
import type { Link } from '@hyperslab/store/store'
import type { WriteContext } from '../context.ts'

/** Links that wait; more are stored. */
const MOST_WAITING = 128

export class ObjectBatch {
  readonly #context: WriteContext
  readonly #size: number
  #ids: readonly ObjectId[] = []
  #idsTaken = 0
  readonly #groups = new Set<ObjectId>()
  readonly #waiting = new Map<ObjectId, Map<string, Link>>()
  #count = 0

  /** `size`: the number of objects of the request. */
  constructor(context: WriteContext, size: number) {
    this.#context = context
    this.#size = size
  }

  /** A fresh id in the domain of `root`, for an object of the request; the commit expects all of them to be free. */
  takeId(root: ObjectId): ObjectId {
    const { ids, writer } = this.#context
    if (this.#ids.length === 0) {
      this.#ids = ids.newObjects(root, this.#size)
      writer.expectFreeIds(this.#ids)
    }
    return this.#ids[this.#idsTaken++]
  }

  /** Whether this has had links for the group: it is there, and the caller may create links in it. */
  hasGroup(group: ObjectId): boolean {
    return this.#groups.has(group)
  }

  /** Whether a link with the title waits for the group. */
  hasLink(group: ObjectId, title: string): boolean {
    return this.#waiting.get(group)?.has(title) ?? false
  }

  /** Adds a link whose title is free, in a group where the caller may create links. */
  async addLink(group: ObjectId, link: Link): Promise<void> {
    this.#groups.add(group)
    const links = this.#waiting.get(group) ?? new Map<string, Link>()
    this.#waiting.set(group, links.set(link.title, link))
    if (++this.#count >= MOST_WAITING) await this.storeLinks()
  }

  /** Stores the links that wait. */
  async storeLinks(): Promise<void> {
    const { writer } = this.#context
    for (const [group, links] of this.#waiting) await writer.putLinks(group, ...links.values())
    this.#waiting.clear()
    this.#count = 0
  }
}
