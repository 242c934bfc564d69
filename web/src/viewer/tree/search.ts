// The search for objects by a part of their path: group after group from the root, so that the first are found while
// the others are still requested.

import type { Api, Domain } from '../../../../client/index.ts'
import { RequestError } from '../../../../client/index.ts'
import { childPath } from '../contents.ts'

/** Groups of one request. */
const GROUPS_PER_REQUEST = 100
/** The most links that a search looks at. */
const MOST_LINKS = 200_000

export interface FoundPath {
  readonly path: string
  readonly kind: 'group' | 'dataset' | 'datatype' | 'link'
}

/** A group to look into. */
interface Group {
  readonly path: string
  /** The ids of groups that were found by hard links, or below the link on the way to this group. */
  readonly seen: Set<string>
  readonly isLinked: boolean
}

/**
 * All paths below the root, as they come: those of hard links first, then those below soft and external links. A group
 * that has two paths is looked into once, and once more below each link; links below a link are only named.
 */
export async function* allPaths(domain: Domain, signal: AbortSignal): AsyncGenerator<readonly FoundPath[]> {
  const seen = new Set<string>()
  const groups: Group[] = [{ path: '/', seen, isLinked: false }]
  const linked: Group[] = []
  let count = 0
  while (groups.length + linked.length > 0 && count < MOST_LINKS) {
    const some = (groups.length > 0 ? groups : linked).splice(0, GROUPS_PER_REQUEST)
    const byPath = new Map(some.map(group => [group.path, group]))
    const found: FoundPath[] = []
    for (const [path, object] of await domain.objects([...byPath.keys()], { links: true, signal })) {
      const group = byPath.get(path)
      if (group === undefined || object instanceof RequestError || object.class !== 'group') continue
      group.seen.add(object.id)
      for (const [title, link] of Object.entries(object.links ?? {})) {
        const child = { path: childPath(path, title), kind: kindOf(link) }
        found.push(child)
        if (link.class === 'H5L_TYPE_SOFT' || link.class === 'H5L_TYPE_EXTERNAL') {
          if (!group.isLinked) linked.push({ path: child.path, seen: new Set(), isLinked: true })
        } else if (link.class === 'H5L_TYPE_HARD' && child.kind === 'group' && !group.seen.has(link.id)) {
          group.seen.add(link.id)
          const next = { path: child.path, seen: group.seen, isLinked: group.isLinked }
          ;(group.isLinked ? linked : groups).push(next)
        }
      }
    }
    count += found.length
    yield found
  }
}

/** Ids begin with the letter of their class. */
function kindOf(link: Api.StoredLink): FoundPath['kind'] {
  if (link.class !== 'H5L_TYPE_HARD') return 'link'
  return link.id.startsWith('g-') ? 'group' : link.id.startsWith('d-') ? 'dataset' : 'datatype'
}

/** Whether a path has all words of the text, in any case. */
export function matches(path: string, text: string): boolean {
  const lower = path.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every(word => lower.includes(word))
}
