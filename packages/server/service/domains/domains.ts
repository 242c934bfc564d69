// Domains and folders: finding, deleting and flushing them. `/` is the folder of the top level, of each bucket its own;
// it has no entry and no list, and is always there.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Acl, type DomainPath, isTopLevel } from '@hyperslab/model/names'
import type { DomainEntry, DomainState, ObjectStatus } from '@hyperslab/store/store'
import {
  requireDeletable,
  requireFolderPermission,
  requirePermission,
  requireStored,
} from '../access/access.ts'
import { folderAcl } from '../access/folder-access.ts'
import { requireInScope } from '../access/scope.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'

/** The domain at `path` or, if there is none, at the first of the other paths that holds one. */
export async function openDomain(
  context: Context,
  path: DomainPath,
  otherPaths?: OtherPaths,
): Promise<OpenDomain> {
  const entry = await context.reader.domain(path)
  const found = entry?.root === undefined ? await firstDomain(context, otherPaths) : entry
  if (found?.join !== undefined && !found.fileLists)
    throw new HyperslabError('domain-unreadable', `${found.path}: ${found.damage}`, { subject: found.path })
  const domain = found && (await withRoot(context, found))
  if (domain) return domain
  // A caller does not learn what is beyond the scope of its token or share.
  requireInScope(context.caller, path)
  await requireEntry(context, path)
  throw notDomain(path)
}

/** Other paths that a name may represent, in the order in which they are tried. */
export type OtherPaths = () => Iterable<DomainPath>

/** The path that a name represents: `path` or, if that is no domain, the first of the other paths that is one. */
export async function resolveDomain(
  context: Context,
  path: DomainPath,
  otherPaths?: OtherPaths,
): Promise<DomainPath> {
  if (otherPaths === undefined || isTopLevel(path)) return path
  const entry = await context.reader.domain(path)
  if (entry?.root !== undefined) return path
  return (await firstDomain(context, otherPaths))?.path ?? path
}

async function firstDomain(context: Context, paths: OtherPaths = () => []): Promise<DomainEntry | undefined> {
  for (const path of paths()) {
    const entry = await context.reader.domain(path)
    if (entry?.root !== undefined) return entry
  }
  return undefined
}

/** A domain with the status of its root group and its state, or a folder. */
export interface ShownDomain {
  readonly entry: DomainEntry
  readonly status?: ObjectStatus
  readonly state?: DomainState
}

export async function getDomain(context: Context, path: DomainPath): Promise<ShownDomain> {
  const entry = await requireEntry(context, path)
  const domain = await withRoot(context, entry)
  if (!domain) {
    requireFolderPermission(context, 'read', path, await folderAcl(context.reader, path))
    return { entry }
  }
  requirePermission(context, 'read', domain)
  const { id } = domain.root
  const state = await context.reader.state(id)
  try {
    return { entry, status: await context.reader.status(id), state }
  } catch (error) {
    // The definition of a joined domain is shown, too, while its files cannot be joined.
    if (entry.join === undefined || !(error instanceof HyperslabError)) throw error
    return { entry: { ...entry, damage: error.message }, state }
  }
}

/**
 * Acknowledged writes are durable already, so a flush only checks the permission. Undefined for a folder, which has
 * nothing to flush.
 */
export async function flushDomain(context: Context, path: DomainPath): Promise<OpenDomain | undefined> {
  const entry = await requireEntry(context, path)
  requireStored(entry)
  const domain = await withRoot(context, entry)
  if (domain) requirePermission(context, 'update', domain)
  return domain
}

/** Statistics are kept with each write, so a rescan only checks the permission of the caller. */
export async function rescanDomain(context: Context, path: DomainPath): Promise<void> {
  if (!(await flushDomain(context, path))) throw notDomain(path)
}

export interface Deletion {
  /**
   * True: keeps the contents, which have another name; an error for the last name, because no path would lead to them.
   */
  readonly keepsContents?: boolean
  /** True: only checks whether the caller may delete. */
  readonly changesNothing?: boolean
}

/**
 * With the last name of a domain all its objects are deleted, so a read-only domain keeps it; a folder must be empty. A
 * domain that others are below, or were, becomes their folder.
 */
export async function deleteDomain(
  context: WriteContext,
  path: DomainPath,
  { keepsContents = false, changesNothing = false }: Deletion = {},
): Promise<void> {
  if (isTopLevel(path)) {
    throw new HyperslabError(
      'folder-protected',
      'the request names no domain, and the top level cannot be deleted',
      {
        subject: path,
      },
    )
  }
  const entry = await requireEntry(context, path)
  requireStored(entry)
  const domain = await withRoot(context, entry)
  if (!domain) {
    requireFolderPermission(context, 'delete', path, await folderAcl(context.reader, path))
    if (changesNothing) return
    for await (const child of context.reader.children(path, { limit: 1 })) {
      throw new HyperslabError('folder-not-empty', `the folder ${path} holds ${child.path}`, {
        subject: path,
      })
    }
  } else {
    const isLastName = (await context.reader.nameCount(domain.root.id)) < 2
    if (isLastName) requireDeletable(entry)
    requirePermission(context, 'delete', domain)
    if (changesNothing) return
    if (keepsContents && isLastName) {
      throw new HyperslabError(
        'last-domain-name',
        `${path} is the last name of its contents, which cannot be kept without one: give them another name first`,
        { subject: path },
      )
    }
  }
  await context.writer.deleteDomain(path)
}

/** Throws unless the folder exists and the caller may read it; false for a domain without children. */
export async function requireFolder(context: Context, folder: DomainPath): Promise<boolean> {
  // A top level always exists, and every caller may read it.
  if (isTopLevel(folder)) return true
  requireFolderPermission(context, 'read', folder, await folderAcl(context.reader, folder))
  const isDomain = (await requireEntry(context, folder)).root !== undefined
  return !isDomain || context.reader.hasHeldDomains(folder)
}

/** Throws when the domain or folder at the path is mounted. */
export async function requireUnmounted(context: Context, path: DomainPath): Promise<void> {
  const entry = await context.reader.domain(path)
  if (entry) requireStored(entry)
}

export async function requireEntry(context: Context, path: DomainPath): Promise<DomainEntry> {
  if (isTopLevel(path)) throw notDomain(path)
  const entry = await context.reader.domain(path)
  if (entry) return entry
  const deleted = await context.reader.wasDomainDeleted(path)
  throw new HyperslabError(
    deleted ? 'domain-deleted' : 'domain-not-found',
    deleted ? `the domain ${path} was deleted` : `there is no domain ${path}`,
    { subject: path },
  )
}

/** The domain of an entry; undefined for a folder. */
export async function withRoot(context: Context, entry: DomainEntry): Promise<OpenDomain | undefined> {
  if (entry.root === undefined) return undefined
  const root = await context.reader.object(entry.root)
  if (root?.kind !== 'group') throw new Error(`the root group of the domain ${entry.path} is missing`)
  return { entry, root }
}

/** The folder of a request. */
export interface OpenFolder {
  readonly entry: DomainEntry
  /** The list that applies to it; undefined if no folder has one. */
  readonly acl: Acl | undefined
}

/** The domain or folder at `path`, or the table of contents that the request names. */
export async function openDomainOrFolder(
  context: Context,
  path: DomainPath,
): Promise<OpenDomain | OpenFolder> {
  const contents = await context.meanings?.openContents?.(context)
  if (contents) return contents
  const entry = await requireEntry(context, path)
  return (await withRoot(context, entry)) ?? { entry, acl: await folderAcl(context.reader, path) }
}

function notDomain(path: DomainPath): HyperslabError {
  return new HyperslabError('domain-is-folder', `${path} is a folder: it has no root group`, {
    subject: path,
  })
}
