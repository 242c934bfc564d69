// The dataset that a NeXus file shows by default, by the rules of NeXus and of h5web, with which the page shows
// domains: the signal of the NXdata group that attributes `default` lead to; where a group has no such attribute, of
// the first NXdata in it, else the first NXentry, else the first NXprocess, that leads to a signal.

import { nextTurn } from '../../bounded/turns.ts'
import { HyperslabError } from '../../errors.ts'
import { elementSize } from '../../hdf5/datatype/layout.ts'
import { slotLength, slotStart } from '../../hdf5/values/slots.ts'
import { decodeText, endOfFixedText, isFixedString } from '../../hdf5/values/text.ts'
import type { Attribute, ListedLink } from '../../storage/store.ts'
import type { Context, OpenDomain } from '../context.ts'
import { type LocatedObject, locate, resultOrError, titlesOf } from '../links/paths.ts'

/** Signals are often links to the data of a detector, also in another file. */
const FOLLOWED = { soft: true, external: true }
/**
 * The most links that are read. A symbolic one counts for ten, because a file may have to be opened for it, and so does
 * a listed group, because a mounted file returns all links or none.
 */
const MAX_LINKS = 1000
const SYMBOLIC_LINK_COST = 10
const LISTING_COST = 10

/** Groups in which to look for a signal, the class that leads there first before the others. */
const CLASSES = ['NXdata', 'NXentry', 'NXprocess']

/** The default plot; undefined: the domain is not a NeXus file, or none of its signals can be read. */
export async function findDefaultPlot(
  context: Context,
  domain: OpenDomain,
): Promise<LocatedObject | undefined> {
  const found = await resultOrError(new Search(context).from({ domain, object: domain.root }))
  return found instanceof HyperslabError ? undefined : found
}

class Search {
  readonly #context: Context
  readonly #visited = new Set<string>()
  #linksLeft = MAX_LINKS

  constructor(context: Context) {
    this.#context = context
  }

  async from(location: LocatedObject): Promise<LocatedObject | undefined> {
    const { object } = location
    this.#context.signal.throwIfAborted()
    if (object.kind === 'dataset') return location
    if (object.kind !== 'group' || this.#visited.has(object.id)) return undefined
    this.#visited.add(object.id)
    if ((await this.#text(location, 'NX_class')) === 'NXdata') {
      const signal = await this.#signalOf(location)
      if (signal) return signal
    }
    const path = await this.#text(location, 'default')
    if (path !== undefined) {
      // It may lead into another file.
      this.#linksLeft -= SYMBOLIC_LINK_COST
      if (this.#linksLeft < 0) return undefined
      const next = await this.#at(location, path)
      return next && this.from(next)
    }
    for (const group of await this.#candidatesIn(location)) {
      const found = await this.from(group)
      if (found) return found
    }
    return undefined
  }

  /** The dataset that the attribute `signal` names, or that has such an attribute itself, as older files have it. */
  async #signalOf(group: LocatedObject): Promise<LocatedObject | undefined> {
    const name = await this.#text(group, 'signal')
    if (name !== undefined) return datasetOnly(await this.#at(group, name))
    for await (const child of this.#children(group)) {
      const { object } = child
      if (object.kind === 'dataset' && (await this.#context.reader.attribute(object.id, 'signal')))
        return child
    }
    return undefined
  }

  async #candidatesIn(group: LocatedObject): Promise<readonly LocatedObject[]> {
    const groups = CLASSES.map((): LocatedObject[] => [])
    for await (const child of this.#children(group)) {
      if (child.object.kind !== 'group') continue
      const position = CLASSES.indexOf((await this.#text(child, 'NX_class')) ?? '')
      if (position >= 0) groups[position].push(child)
    }
    return groups.flat()
  }

  /** Objects that the caller may read, in the order of their links. */
  async *#children(group: LocatedObject): AsyncGenerator<LocatedObject> {
    this.#linksLeft -= LISTING_COST
    if (this.#linksLeft < 0) return
    const page = { limit: this.#linksLeft + 1 }
    for await (const { target, title } of this.#context.reader.links(group.object.id, page)) {
      this.#context.signal.throwIfAborted()
      this.#linksLeft -= costOf(target)
      if (this.#linksLeft < 0) return
      const child = await this.#at(group, [title])
      if (child) yield child
    }
  }

  /**
   * The object at a path; undefined: there is none that the caller may read. A path with a slash at its beginning is
   * one from the root group.
   */
  async #at(
    { domain, object }: LocatedObject,
    path: string | readonly string[],
  ): Promise<LocatedObject | undefined> {
    await nextTurn()
    const resolve = async () => {
      const titles = typeof path === 'string' ? titlesOf(path) : path
      const isAbsolute = typeof path === 'string' && path.startsWith('/')
      return locate(this.#context, domain, isAbsolute ? { titles } : { start: object.id, titles }, FOLLOWED)
    }
    const found = await resultOrError(resolve())
    return found instanceof HyperslabError ? undefined : found
  }

  async #text({ object }: LocatedObject, name: string): Promise<string | undefined> {
    return textOf(await this.#context.reader.attribute(object.id, name))
  }
}

function costOf({ class: kind }: ListedLink['target']): number {
  return kind === 'H5L_TYPE_HARD' ? 1 : SYMBOLIC_LINK_COST
}

function datasetOnly(found: LocatedObject | undefined): LocatedObject | undefined {
  return found?.object.kind === 'dataset' ? found : undefined
}

/** The text of an attribute that is one string. */
function textOf(attribute: Attribute | undefined): string | undefined {
  return attribute?.space.class === 'H5S_SCALAR' ? stringsOf(attribute)[0] : undefined
}

/** The strings of an attribute. */
export function stringsOf(attribute: Attribute | undefined): readonly string[] {
  if (attribute?.type.class !== 'H5T_STRING') return []
  const { type, value } = attribute
  if (value === undefined || !('data' in value)) return []
  const { count, data, heap } = value
  const size = elementSize(type)
  return Array.from({ length: count }, (_, i) => {
    const offset = i * size
    if (isFixedString(type)) return decodeText(data, offset, endOfFixedText(type, data, offset))
    const start = slotStart(data, offset)
    return decodeText(heap, start, start + slotLength(data, offset))
  })
}
