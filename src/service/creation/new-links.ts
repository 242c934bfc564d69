// Links to the objects that one request creates: they are stored many at a time, which shares the work for each group
// (docs/decisions/057). A read of the links of a group first stores those that wait.

import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Link } from '../../storage/store.ts'
import type { WriteContext } from '../context.ts'

/** Links that wait; more are stored. */
const MOST_WAITING = 128

export class NewLinks {
  readonly #writer: WriteContext['writer']
  readonly #groups = new Set<ObjectId>()
  readonly #waiting = new Map<ObjectId, Map<string, Link>>()
  #count = 0

  constructor({ writer }: WriteContext) {
    this.#writer = writer
  }

  /** Whether this has had links for the group: it is there, and the caller may create links in it. */
  hasGroup(group: ObjectId): boolean {
    return this.#groups.has(group)
  }

  /** Whether a link with the title waits for the group. */
  has(group: ObjectId, title: string): boolean {
    return this.#waiting.get(group)?.has(title) ?? false
  }

  /** Adds a link whose title is free, in a group where the caller may create links. */
  async add(group: ObjectId, link: Link): Promise<void> {
    this.#groups.add(group)
    const links = this.#waiting.get(group) ?? new Map<string, Link>()
    this.#waiting.set(group, links.set(link.title, link))
    if (++this.#count >= MOST_WAITING) await this.store()
  }

  /** Stores the links that wait. */
  async store(): Promise<void> {
    for (const [group, links] of this.#waiting) await this.#writer.putLinks(group, ...links.values())
    this.#waiting.clear()
    this.#count = 0
  }
}
