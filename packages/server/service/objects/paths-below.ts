// The paths of all that is below a group, for searches.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId, ObjectKind } from '@hyperslab/model/names'
import type { ListedLink } from '@hyperslab/store/store'
import { hasPermission } from '../access/access.ts'
import type { Context } from '../context.ts'
import { isOfOneObject, type LocatedObject, resultOrError } from '../links/paths.ts'
import { LinksAhead, READS_AT_ONCE, readTogether } from './read-together.ts'

/** Paths in an answer of `/paths` and of `/h5grove/paths`; the others are left out. @limit safety, paths */
const MAX_PATHS = 200_000
/** Groups within each other along these paths. @limit safety, groups */
const MAX_DEPTH = 500

export interface PathBelow {
  readonly path: string
  /** The object there; undefined: a link that is no hard link. */
  readonly object: { readonly kind: ObjectKind; readonly id: ObjectId } | undefined
}

/**
 * The path of the object itself, and those of the links below it if it is a group: groups near it first, each once, as
 * far as the caller may read them and the file gives them. At most 200,000.
 */
export async function* pathsBelow(
  context: Context,
  { domain, object }: LocatedObject,
  path: string,
): AsyncGenerator<PathBelow> {
  const { reader, signal } = context
  yield { path, object }
  if (object.kind !== 'group') return
  const links = new LinksAhead(reader)
  const seen = new Set([object.id])
  let count = 1
  let level = [{ id: object.id, path: path === '/' ? '' : path }]
  for (let depth = 0; level.length > 0; depth++) {
    const found: { id: ObjectId; path: string }[] = []
    for (const [i, group] of level.entries()) {
      signal.throwIfAborted()
      const next = level.slice(i + 1, i + READS_AT_ONCE).map(({ id }) => id)
      for await (const { title, target } of untilUnreadable(links.of(group.id, next))) {
        if (isTurnOver()) await nextTurn()
        if (++count > MAX_PATHS) return
        const below = `${group.path}/${title}`
        const isHard = target.class === 'H5L_TYPE_HARD'
        yield { path: below, object: isHard ? target : undefined }
        if (!isHard || target.kind !== 'group') continue
        if (seen.has(target.id) || depth === MAX_DEPTH) continue
        seen.add(target.id)
        found.push({ id: target.id, path: below })
      }
    }
    level = []
    const read = async (group: (typeof level)[number]) => ({
      group,
      object: await resultOrError(reader.object(group.id)),
    })
    for await (const { group, object } of readTogether(found, read)) {
      if (object === undefined || object instanceof HyperslabError) continue
      if (hasPermission(context, 'read', domain, object)) level.push(group)
    }
  }
}

/** The links of a group until one cannot be read: this keeps no other group from being listed. */
async function* untilUnreadable(links: AsyncIterable<ListedLink>): AsyncGenerator<ListedLink> {
  try {
    yield* links
  } catch (error) {
    if (!isOfOneObject(error)) throw error
  }
}
