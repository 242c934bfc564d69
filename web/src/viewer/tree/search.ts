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

/** All paths below the root, as they come, by way of hard links. A group that has two is looked into once. */
export async function* allPaths(domain: Domain, signal: AbortSignal): AsyncGenerator<readonly FoundPath[]> {
  const groups = ['/']
  const seen = new Set<string>()
  let count = 0
  while (groups.length > 0 && count < MOST_LINKS) {
    const paths = groups.splice(0, GROUPS_PER_REQUEST)
    const found: FoundPath[] = []
    for (const [path, object] of await domain.objects(paths, { links: true, signal })) {
      if (object instanceof RequestError || object.class !== 'group') continue
      seen.add(object.id)
      for (const [title, link] of Object.entries(object.links ?? {})) {
        const child = { path: childPath(path, title), kind: kindOf(link) }
        found.push(child)
        if (link.class !== 'H5L_TYPE_HARD' || child.kind !== 'group' || seen.has(link.id)) continue
        seen.add(link.id)
        groups.push(child.path)
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
