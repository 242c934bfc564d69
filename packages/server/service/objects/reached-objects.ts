// Which objects hard links reach from the root group, found from the objects upwards: a page of a list costs what its
// objects and the groups above them cost, whatever the size of the domain.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ObjectId } from '@hyperslab/model/names'
import { hasPermission } from '../access/access.ts'
import type { Context, OpenDomain } from '../context.ts'
import { LinksAbove } from './path-to.ts'

export class ReachedObjects {
  readonly #context: Context
  readonly #domain: OpenDomain
  /** Groups whose links are followed: they are reached, and the caller may read them. */
  readonly #open: Set<ObjectId>
  /** Groups whose links are not followed. */
  readonly #closed = new Set<ObjectId>()
  /** The links that were read for the last objects. */
  #links: LinksAbove

  constructor(context: Context, domain: OpenDomain) {
    this.#context = context
    this.#domain = domain
    this.#open = new Set([domain.root.id])
    this.#links = new LinksAbove(context.reader)
  }

  /** The reached objects, in their order. Links of groups that the caller may not read do not count. */
  async among(ids: readonly ObjectId[]): Promise<ObjectId[]> {
    this.#links = new LinksAbove(this.#context.reader)
    await this.#links.readAbove(ids)
    const reached: ObjectId[] = []
    for (const id of ids) {
      if (this.#links.isKnownIn(this.#open, id) || (await this.#isReached(id))) reached.push(id)
    }
    return reached
  }

  async #isReached(id: ObjectId): Promise<boolean> {
    const seen = new Set([id])
    const steps = [{ id, groups: this.#groupsAbove(id) }]
    for (let step = steps.at(-1); step; step = steps.at(-1)) {
      if (isTurnOver()) await nextTurn()
      this.#context.signal.throwIfAborted()
      const { value: group } = await step.groups.next()
      if (group === undefined) {
        steps.pop()
      } else if (this.#open.has(group)) {
        for (const { id: below } of steps.slice(1)) this.#open.add(below)
        return true
      } else if (!seen.has(group) && !this.#closed.has(group)) {
        seen.add(group)
        if (await this.#isReadable(group)) steps.push({ id: group, groups: this.#groupsAbove(group) })
      }
    }
    for (const each of seen) this.#closed.add(each)
    return false
  }

  async *#groupsAbove(id: ObjectId): AsyncGenerator<ObjectId, undefined> {
    for await (const { group } of this.#links.linksTo(id)) yield group
  }

  async #isReadable(group: ObjectId): Promise<boolean> {
    const object = await this.#links.object(group)
    return object !== undefined && hasPermission(this.#context, 'read', this.#domain, object)
  }
}
