// Where a key of Zarr is written: the object at the path of its document, or the place where one is made. Writers send
// an array before the groups above it, so all that is missing is made: the domain too, which is the first part of the
// path that is no folder.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { type DomainPath, parseDomainPath } from '@hyperslab/model/names'
import type { Dataset } from '@hyperslab/store/store'
import { requireInScope } from '../access/scope.ts'
import type { Context } from '../context.ts'
import { requireBelowTop, requireCreation } from '../domains/domain-creation.ts'
import { withRoot } from '../domains/domains.ts'
import { parsePinned } from '../domains/pinned.ts'
import { ALL_LINKS, type LocatedObject, locateMember, titlesOf } from '../links/paths.ts'
import { memberOf } from '../objects/members.ts'
import { isDimensionOnly } from './dimension-scales.ts'
import { reachError } from './locate.ts'

/** The domain of a path, and the titles behind it. */
export interface DomainPlace {
  readonly path: DomainPath
  /** The root group; absent: the domain is to be made. */
  readonly root?: LocatedObject
  readonly titles: readonly string[]
}

/** The last object of a path that is there. */
export interface WritePlace {
  readonly found: LocatedObject
  /** The group and the title of the link to it; absent: it is the root group. */
  readonly link?: { readonly group: LocatedObject; readonly title: string }
  /** The titles that lead to nothing; empty: the object is that of the whole path. */
  readonly missing: readonly string[]
  /** The dimension without coordinates at the first of them: it gives way to any node. */
  readonly hidden?: Dataset
}

/** Endings of names of files: such a part is the domain, so a part before it is a missing folder. */
const FILE = /\.(h5|hdf5?|he5|nc4?|cdf|nxs?|nx5|zarr)$/i

export async function domainPlace(context: Context, path: string): Promise<DomainPlace> {
  const { state, parts } = parsePinned(titlesOf(path))
  if (state !== undefined) {
    throw new HyperslabError('malformed-path', `~${state} is a state of a domain, which cannot be changed`)
  }
  for (let count = 1; count <= parts.length; count++) {
    context.signal.throwIfAborted()
    const path = parseDomainPath(`/${parts.slice(0, count).join('/')}`)
    const entry = await context.reader.domain(path)
    const domain = entry && (await withRoot(context, entry))
    const titles = parts.slice(count)
    if (!entry || domain) requireInScope(context.caller, path)
    if (domain) return { path, root: { domain, object: domain.root }, titles }
    if (entry) continue
    if (titles.some(title => FILE.test(title))) {
      throw new HyperslabError('folder-not-found', `there is no folder ${path}`, { subject: path })
    }
    return { path, titles }
  }
  throw new HyperslabError('domain-not-found', `${excerpt(`/${parts.join('/')}`)} is a folder, not a domain`)
}

/** Throws unless the caller may create a domain there; at the top level only administrators may. */
export async function requireNewPlace(context: Context, path: DomainPath): Promise<void> {
  await requireBelowTop(context, path, 'create')
  await requireCreation(context, path)
}

export async function writePlace(
  context: Context,
  root: LocatedObject,
  titles: readonly string[],
): Promise<WritePlace> {
  let found = root
  let link: WritePlace['link']
  for (const [i, title] of titles.entries()) {
    if (found.object.kind !== 'group') {
      const path = excerpt(`/${titles.slice(0, i).join('/')}`)
      throw new HyperslabError('malformed-path', `${path} is not a group: nothing can be below it`)
    }
    const next = await memberOrNone(context, found, title)
    const place = { found, missing: titles.slice(i), ...(link && { link }) }
    if (!next) return place
    const { object } = next
    if (isDimensionOnly(object)) return { ...place, hidden: object }
    link = { group: found, title }
    found = next
  }
  return { found, missing: [], ...(link && { link }) }
}

/** Hard links are followed without the permission to read: the operation requires its own. */
async function memberOrNone(
  context: Context,
  group: LocatedObject,
  title: string,
): Promise<LocatedObject | undefined> {
  const { domain, object } = group
  const link = await context.reader.link(object.id, title)
  if (!link) return undefined
  if (link.target.class === 'H5L_TYPE_HARD') {
    const member = await memberOf(context, domain, link.target.id)
    return member && { domain, object: member }
  }
  try {
    return await locateMember(context, group, title, ALL_LINKS)
  } catch (error) {
    const reason = reachError(error)
    if (reason instanceof HyperslabError && reason.kind === 'missing') return undefined
    throw reason
  }
}
