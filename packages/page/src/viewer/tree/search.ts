// The search for objects by a part of their path: the service lists what hard links lead to, and the page looks, group
// after group, into what only soft and external links lead to. The first are found while the others are still to come.

import { type Api, type Domain, RequestError } from '@hyperslab/client'
import { childPath } from '../data/contents.ts'

/** Groups of one request: so few that the first paths are found soon. */
const GROUPS_PER_REQUEST = 25
/** Requests that run at once: the service answers while the page compares paths. @limit safety, requests */
const REQUESTS_AT_ONCE = 3
/** The most links that a search looks at. */
const MOST_LINKS = 200_000

export interface FoundPath {
  readonly path: string
  readonly kind: 'group' | 'dataset' | 'datatype' | 'link'
}

/**
 * All paths below the root, as they come: those of hard links first, then those of groups that only soft and external
 * links lead to. A group that has several paths is looked into once, so circles end, and many links to one group cost
 * little.
 */
export async function* allPaths(domain: Domain, signal: AbortSignal): AsyncGenerator<readonly FoundPath[]> {
  const groups: string[] = []
  /** Paths of soft and external links. */
  const linked: string[] = []
  /** The ids of groups that were looked into, or will be. */
  const seen = new Set<string>()
  const running: Promise<Answer>[] = []
  let count = 0
  const ask = async (paths: readonly string[], isBelowLinks: boolean): Promise<Answer> => ({
    isBelowLinks,
    objects: await domain.objects(paths, { links: !isBelowLinks, signal }),
  })
  const start = (paths: string[], isBelowLinks: boolean) => {
    const answer = ask(paths.splice(0, GROUPS_PER_REQUEST), isBelowLinks)
    // One that fails while another is awaited.
    answer.catch(() => undefined)
    running.push(answer)
  }
  for await (const listed of domain.paths({ signal })) {
    const found = listed.filter(({ path }) => path !== '/')
    for (const { path, kind, id } of listed) {
      if (id !== undefined) seen.add(id)
      if (kind === 'link') linked.push(path)
    }
    count += found.length
    yield found
  }
  while (count < MOST_LINKS) {
    while (groups.length > 0 && running.length < REQUESTS_AT_ONCE) start(groups, false)
    if (running.length === 0 && linked.length > 0) start(linked, true)
    const next = running.shift()
    if (next === undefined) return
    const { isBelowLinks, objects } = await next
    const found: FoundPath[] = []
    for (const [path, object] of objects) {
      if (object instanceof RequestError || object.class !== 'group') continue
      if (isBelowLinks) {
        if (!seen.has(object.id)) groups.push(path)
        seen.add(object.id)
        continue
      }
      seen.add(object.id)
      for (const [title, link] of Object.entries(object.links ?? {})) {
        const child = { path: childPath(path, title), kind: kindOf(link) }
        found.push(child)
        if (link.class === 'H5L_TYPE_SOFT' || link.class === 'H5L_TYPE_EXTERNAL') linked.push(child.path)
        else if (link.class === 'H5L_TYPE_HARD' && child.kind === 'group' && !seen.has(link.id)) {
          seen.add(link.id)
          groups.push(child.path)
        }
      }
    }
    count += found.length + (isBelowLinks ? objects.size : 0)
    yield found
  }
}

interface Answer {
  readonly isBelowLinks: boolean
  readonly objects: Awaited<ReturnType<Domain['objects']>>
}

/** Ids begin with the letter of their class. */
function kindOf(link: Api.StoredLink): FoundPath['kind'] {
  if (link.class !== 'H5L_TYPE_HARD') return 'link'
  return link.id.startsWith('g-') ? 'group' : link.id.startsWith('d-') ? 'dataset' : 'datatype'
}

/** The paths of a growing list that have all words of a text, in any case. Each path is compared once. */
export class Matches {
  readonly #words: readonly string[]
  readonly #paths: readonly FoundPath[]
  readonly #found: FoundPath[] = []
  #compared = 0

  constructor(text: string, paths: readonly FoundPath[]) {
    this.#words = text.toLowerCase().split(/\s+/)
    this.#paths = paths
  }

  /** Those among the first `count` paths, which are more each time. */
  among(count: number): readonly FoundPath[] {
    for (const one of this.#paths.slice(this.#compared, count)) {
      const lower = one.path.toLowerCase()
      if (this.#words.every(word => lower.includes(word))) this.#found.push(one)
    }
    this.#compared = Math.max(this.#compared, count)
    return this.#found
  }
}
