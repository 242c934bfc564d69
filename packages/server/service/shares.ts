// Shares: addresses that show a domain, one dataset of it, or a folder, read only, to people without an account
// (docs/decisions/083). A user that may change the access control list of the domain or folder may share it: the list
// could let everybody read it.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { type DomainPath, isTopLevel, type ObjectId, type Permission } from '@hyperslab/model/names'
import type { Reader } from '@hyperslab/store/store'
import { requireFolderPermission, requirePermission, shareNotFound } from './access/access.ts'
import type { Caller, Context, OpenDomain } from './context.ts'
import { DatasetView } from './dataset-view.ts'
import { openDomainOrFolder } from './domains/domains.ts'
import { titlesOf } from './links/paths.ts'
import { openObject } from './objects/objects.ts'

/** The object that is shared. */
export interface Sharing {
  readonly kind: 'domain' | 'folder'
  /** The path of a dataset through hard links, whatever links the request has named. */
  readonly h5path?: string
}

/** Throws unless the caller may share the domain or folder, or the dataset of the domain. */
export async function requireSharing(
  context: Context,
  path: DomainPath,
  h5path: string | undefined,
): Promise<Sharing> {
  const domain = await requireOn(context, path, ['read', 'updateACL'])
  if (h5path === undefined) return { kind: domain ? 'domain' : 'folder' }
  if (domain) return { kind: 'domain', h5path: await hardPathOf(context, domain, h5path) }
  throw new HyperslabError('domain-is-folder', `${path} is a folder, which has no dataset ${excerpt(h5path)}`)
}

/** The part of the domain that the caller's share shows. */
export function sharedPart({ scope, login }: Caller, reader: Reader): Reader {
  if (scope?.within === undefined || scope.h5path === undefined || login === undefined) return reader
  return new DatasetView(reader, scope.within, scope.h5path, login.id)
}

/** Throws unless what the share of the caller is for is there, and its user may still read it. */
export async function requireShown(context: Context): Promise<void> {
  const path = context.caller.scope?.within
  if (path === undefined) throw shareNotFound()
  try {
    const domain = await requireOn(context, path, ['read'])
    const { reader } = context
    if (!(reader instanceof DatasetView)) return
    const dataset = await reader.dataset()
    if (!domain || !dataset) throw shareNotFound()
    requirePermission(context, 'read', domain, dataset)
  } catch (error) {
    const isAway = error instanceof HyperslabError && (error.kind === 'missing' || error.kind === 'gone')
    throw isAway ? shareNotFound() : error
  }
}

/** The domain at the path; undefined: a folder. Throws unless the caller has all the permissions on it. */
async function requireOn(
  context: Context,
  path: DomainPath,
  all: readonly Permission[],
): Promise<OpenDomain | undefined> {
  // The top level has no entry and no list.
  const opened = isTopLevel(path) ? { acl: undefined } : await openDomainOrFolder(context, path)
  for (const needed of all) {
    if ('root' in opened) requirePermission(context, needed, opened)
    else requireFolderPermission(context, needed, path, opened.acl)
  }
  return 'root' in opened ? opened : undefined
}

/** Soft links on the way to a dataset that is shared; more count as a cycle. @limit safety, links */
const MAX_SOFT_LINKS = 100

/** The path through hard links to the dataset to which the path leads through hard and soft ones. */
async function hardPathOf(context: Context, domain: OpenDomain, h5path: string): Promise<string> {
  const { id: root } = domain.root
  let way: { readonly title: string; readonly id: ObjectId }[] = []
  let softLinks = 0
  const titles = [...titlesOf(h5path)]
  for (let title = titles.shift(); title !== undefined; title = titles.shift()) {
    const link = await context.reader.link(way.at(-1)?.id ?? root, title)
    if (link?.target.class === 'H5L_TYPE_HARD') {
      const { id } = link.target
      // Hard links may lead back to a group on the way.
      const before = way.findIndex(step => step.id === id)
      way = id === root ? [] : before < 0 ? [...way, { title, id }] : way.slice(0, before + 1)
    } else if (link?.target.class === 'H5L_TYPE_SOFT' && ++softLinks <= MAX_SOFT_LINKS) {
      if (link.target.h5path.startsWith('/')) way = []
      titles.unshift(...titlesOf(link.target.h5path))
    } else throw noDataset(domain, h5path)
  }
  const id = way.at(-1)?.id
  const object = id && (await context.reader.object(id))
  if (object?.kind !== 'dataset') throw noDataset(domain, h5path)
  await openObject(context, domain, 'dataset', object.id, 'read')
  return way.map(({ title }) => `/${title}`).join('')
}

function noDataset({ entry }: OpenDomain, h5path: string): HyperslabError {
  const problem = `${excerpt(h5path)} must lead to a dataset of the domain ${entry.path}, through hard and soft links`
  return new HyperslabError('object-not-found', problem, { subject: h5path })
}
