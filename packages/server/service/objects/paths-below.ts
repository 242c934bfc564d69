// The paths of all that is below a group, for searches.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { hasPermission } from '../access/access.ts'
import type { Context } from '../context.ts'
import type { LocatedObject } from '../links/paths.ts'

/** Paths in an answer of `/h5grove/paths`; the others are left out. @limit safety, paths */
const MAX_PATHS = 200_000
/** Groups within each other along these paths. @limit safety, groups */
const MAX_DEPTH = 500

/**
 * The path of the object itself, and those of the links below it if it is a group: groups near it first, each once, as
 * far as the caller may read them. At most 200,000.
 */
export async function* pathsBelow(
  context: Context,
  { domain, object }: LocatedObject,
  path: string,
): AsyncGenerator<string> {
  const { reader, signal } = context
  yield path
  if (object.kind !== 'group') return
  const groups = new Map([[object.id, { path, depth: 0 }]])
  let count = 1
  for (const [id, group] of groups) {
    signal.throwIfAborted()
    const prefix = group.path === '/' ? '' : group.path
    for await (const { title, target } of reader.links(id)) {
      if (isTurnOver()) await nextTurn()
      if (++count > MAX_PATHS) return
      const below = `${prefix}/${title}`
      yield below
      if (target.class !== 'H5L_TYPE_HARD' || target.kind !== 'group') continue
      if (groups.has(target.id) || group.depth === MAX_DEPTH) continue
      const found = await reader.object(target.id)
      if (found && hasPermission(context, 'read', domain, found))
        groups.set(target.id, { path: below, depth: group.depth + 1 })
    }
  }
}
