// The search for objects by a part of their path: group after group from the root, so that the first are found while
// the others are still requested.

import { type Api, type Domain, RequestError } from '@hyperslab/client'
import { childPath } from '../data/contents.ts'

/** Groups of one request: so few that the first paths are found soon. */
const GROUPS_PER_REQUEST = 25
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
  const groups = ['/']
  /** Paths of soft and external links. */
  const linked: string[] = []
  /** The ids of groups that were looked into, or will be. */
  const seen = new Set<string>()
  let count = 0
  while (groups.length + linked.length > 0 && count < MOST_LINKS) {
    const isBelowLinks = groups.length === 0
    const paths = (isBelowLinks ? linked : groups).splice(0, GROUPS_PER_REQUEST)
    const objects = await domain.objects(paths, { links: !isBelowLinks, signal })
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
    count += found.length + (isBelowLinks ? paths.length : 0)
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
