// The first path to an object, found from the object upwards: only the links to it and to the groups above it are read.

import { nextTurn } from '@hyperslab/base/bounded'
import { compareUtf8, type ObjectId } from '@hyperslab/model/names'
import type { HdfObject, LinkKey, Reader } from '@hyperslab/store/store'
import { hasPermission } from '../access/access.ts'
import type { Context, OpenDomain } from '../context.ts'

/**
 * Objects whose links are read together to find paths: in PostgreSQL that is one statement or two.
 * @limit memory, objects
 */
const OBJECTS_AT_ONCE = 500
/** An object with this number of links to it or more is not kept, and read by each walk for itself. */
const MANY_LINKS = 8
/** Objects whose links are read ahead of walks, with all groups above them. @limit memory, objects */
const MAX_AHEAD = 2000

/** Objects and the hard links to them, in one state of the store: those of several walks are read once and together. */
export class LinksAbove {
  readonly #reader: Pick<Reader, 'object' | 'linksTo'>
  readonly #objects = new Map<ObjectId, Promise<HdfObject | undefined>>()
  /** The links to an object; undefined: there are many. */
  readonly #links = new Map<ObjectId, readonly LinkKey[] | undefined>()

  constructor(reader: Pick<Reader, 'object' | 'linksTo'>) {
    this.#reader = reader
  }

  object(id: ObjectId): Promise<HdfObject | undefined> {
    const known = this.#objects.get(id) ?? this.#reader.object(id)
    this.#objects.set(id, known)
    return known
  }

  linksTo(id: ObjectId): Iterable<LinkKey> | AsyncIterable<LinkKey> {
    return this.#links.get(id) ?? this.#reader.linksTo(id)
  }

  /** Whether one of the groups has a link to the object; false too if that was not read, or if there are many links. */
  isKnownIn(groups: ReadonlySet<ObjectId>, id: ObjectId): boolean {
    return this.#links.get(id)?.some(({ group }) => groups.has(group)) ?? false
  }

  /** Reads the objects, the links to them, and the same of the groups above them. */
  async readAhead(ids: Iterable<ObjectId>): Promise<void> {
    let level = new Set(ids)
    while (level.size > 0 && this.#links.size < MAX_AHEAD) {
      const read = [...level]
      await Promise.all([this.readObjects(read), this.readLinks(read)])
      const above = read.flatMap(id => this.#links.get(id) ?? []).map(({ group }) => group)
      level = new Set(above.filter(id => !this.#links.has(id)))
    }
  }

  /** Reads the links to the objects, the groups above them, and the links to these. */
  async readAbove(ids: readonly ObjectId[]): Promise<void> {
    await this.readLinks(ids)
    await this.readAhead(ids.flatMap(id => this.#links.get(id) ?? []).map(({ group }) => group))
  }

  readObjects(ids: readonly ObjectId[]): Promise<void> {
    return inSlices(
      ids.filter(id => !this.#objects.has(id)),
      id => this.object(id),
    )
  }

  /** Reads the links to the objects. */
  readLinks(ids: readonly ObjectId[]): Promise<void> {
    return inSlices(
      ids.filter(id => !this.#links.has(id)),
      id => this.#readLinks(id),
    )
  }

  async #readLinks(id: ObjectId): Promise<void> {
    const links: LinkKey[] = []
    for await (const link of this.#reader.linksTo(id)) if (links.push(link) === MANY_LINKS) break
    this.#links.set(id, links.length < MANY_LINKS ? links : undefined)
  }
}

async function inSlices(ids: readonly ObjectId[], read: (id: ObjectId) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += OBJECTS_AT_ONCE) {
    await Promise.all(ids.slice(from, from + OBJECTS_AT_ONCE).map(read))
    await nextTurn()
  }
}

/**
 * The first path to an object in depth-first order, titles in the order of their names, through groups that the caller
 * may read; empty when no path leads to it (hsds-objects 10.2). Groups that do not lead to the object do not change the
 * order of those that do, so only the groups above it are read; the links to each of them name those.
 */
export async function pathTo(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  known = new LinksAbove(context.reader),
): Promise<readonly string[]> {
  const root = domain.root.id
  if (id === root) return ['/']
  const leading = await linksLeadingTo(context, domain, id, known)
  const seen = new Set<ObjectId>([root])
  const stack = [{ path: '', links: (leading.get(root) ?? []).values() }]
  for (let group = stack.at(-1); group; group = stack.at(-1)) {
    await nextTurn()
    const next = group.links.next()
    if (next.done) {
      stack.pop()
      continue
    }
    const { title, target } = next.value
    const path = `${group.path}/${title}`
    if (target === id) return [path]
    if (seen.has(target)) continue
    seen.add(target)
    stack.push({ path, links: (leading.get(target) ?? []).values() })
  }
  return []
}

interface Step {
  readonly title: string
  readonly target: ObjectId
}

/** The links of each group above an object that lead to it or to another group above it, ordered by title. */
async function linksLeadingTo(
  context: Context,
  domain: OpenDomain,
  id: ObjectId,
  known: LinksAbove,
): Promise<ReadonlyMap<ObjectId, readonly Step[]>> {
  const steps = new Map<ObjectId, Step[]>()
  for (let level = [id]; level.length > 0; ) {
    await known.readLinks(level)
    const above = new Set<ObjectId>()
    for (const target of level) {
      for await (const { group, title } of known.linksTo(target)) {
        await nextTurn()
        context.signal.throwIfAborted()
        if (group === id) continue
        const before = steps.get(group)
        if (before) before.push({ title, target })
        else {
          steps.set(group, [{ title, target }])
          above.add(group)
        }
      }
    }
    await known.readObjects([...above])
    level = []
    for (const group of above) {
      const object = await known.object(group)
      if (object && hasPermission(context, 'read', domain, object)) level.push(group)
      else steps.delete(group)
    }
  }
  for (const links of steps.values()) links.sort((a, b) => compareUtf8(a.title, b.title))
  return steps
}
