// Domains and folders: finding, creating, deleting and listing them. `/` is the folder of the top level, of each bucket
// its own; it has no entry and no list, and is always there. A folder without a list of its own is under that of the nearest folder
// above it that has one, so that folders made in passing are as open as the place they are made in.

import { HyperslabError } from '../errors.ts'
import { type Acl, DEFAULT_USER } from '../hdf5/acl.ts'
import { type DomainPath, isTopLevel, parentOf } from '../hdf5/domain-path.ts'
import type { JsonValue } from '../hdf5/json.ts'
import { newRootId, type ObjectId } from '../hdf5/object-id.ts'
import type { DomainEntry, Group, ObjectStatus, Reader } from '../storage/store.ts'
import {
  ALL_PERMISSIONS,
  denied,
  grantsNothing,
  READ_ONLY_PERMISSIONS,
  requireFolderPermission,
  requirePermission,
  requireWritable,
} from './access.ts'
import type { Context, OpenDomain, ServiceSettings, WriteContext } from './context.ts'

export interface NewDomain {
  readonly folder?: boolean
  /** Gets all permissions. Somebody else's name only from an administrator. */
  readonly owner?: string
  /** The first list; absent: the owner's item and what the folder above hands down. */
  readonly acl?: Acl
  /** Who is listed nowhere may do nothing; always so where a folder above has a list. */
  readonly closed?: boolean
  /** Missing folders on the way are made. */
  readonly createParents: boolean
  /** Of the root group, chosen by the caller. */
  readonly rootId?: ObjectId
  /** Of the root group, kept word for word. */
  readonly creationProperties?: JsonValue
  /** Another domain, whose root group the new one has too: a second name of the same contents. */
  readonly linked?: DomainPath
}

/** The domain at `path` or, if there is none, at the first of the other paths that holds one. */
export async function openDomain(
  context: Context,
  path: DomainPath,
  otherPaths?: OtherPaths,
): Promise<OpenDomain> {
  const entry = await context.reader.domain(path)
  const found = entry?.root === undefined ? await firstDomain(context, otherPaths) : entry
  const domain = found && (await withRoot(context, found))
  if (domain) return domain
  await requireEntry(context, path)
  throw isFolder(path)
}

/** Paths that a name may mean besides the one it spells, in the order in which they are tried. */
export type OtherPaths = () => Iterable<DomainPath>

/** The path that a name means: `path`, or the first of the other paths that is a domain while `path` is none. */
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

/** A domain with the status of its root group, or a folder. */
export async function getDomain(
  context: Context,
  path: DomainPath,
): Promise<{ entry: DomainEntry; status?: ObjectStatus }> {
  const entry = await requireEntry(context, path)
  const domain = await withRoot(context, entry)
  if (!domain) {
    requireFolderPermission(context, 'read', path, await folderAcl(context, path))
    return { entry }
  }
  requirePermission(context, 'read', domain)
  return { entry, status: await context.reader.status(domain.root.id) }
}

export async function createDomain(
  context: WriteContext,
  path: DomainPath,
  input: NewDomain,
): Promise<{ entry: DomainEntry; acl: Acl }> {
  const { folder = false } = input
  if (isTopLevel(path)) throw exists(path)
  const parent = parentOf(path)
  const above = await listedFolder(context.reader, parent)
  requireNewDomain(context, parent, above?.acl)
  requireOwner(context, input.owner)
  if (await context.reader.domain(path)) throw exists(path)
  await requireParents(context, parent, input.createParents)

  const { writer, now, caller, settings } = context
  // What is made where a list counts belongs to whoever made it, in both dialects.
  const owner = input.owner ?? (above && caller.name)
  const acl = input.acl ?? firstAcl(above, { owner, folder, isAdmin: settings.isAdmin })
  const closed = input.closed || above !== undefined
  const base = {
    path,
    ...(owner !== undefined && { owner }),
    created: now,
    lastModified: now,
    readOnly: false,
    closed,
  }
  if (folder) {
    // A folder of nobody has no list: it is under that of the folder above.
    const entry = { ...base, ...((input.acl || owner !== undefined) && { acl }) }
    await writer.putDomain(entry)
    return { entry, acl }
  }
  if (input.linked !== undefined) return linkDomain(context, base, input.linked)
  const root = await newRootGroup(context, acl, input)
  const entry = { ...base, root: root.id }
  await writer.putDomain(entry)
  await writer.createObject(root)
  return { entry, acl }
}

/**
 * A second name of the contents of a domain. The access control list is that of the root group, so both names have one;
 * what the other domain is closed or read-only to, the new one is too.
 */
async function linkDomain(
  context: WriteContext,
  base: DomainEntry,
  path: DomainPath,
): Promise<{ entry: DomainEntry; acl: Acl }> {
  const linked = await openDomain(context, path)
  requirePermission(context, 'read', linked)
  requirePermission(context, 'delete', linked)
  const { closed, readOnly } = linked.entry
  const entry = { ...base, root: linked.root.id, closed, readOnly }
  await context.writer.putDomain(entry)
  return { entry, acl: linked.root.acl }
}

async function newRootGroup(
  context: WriteContext,
  acl: Acl,
  { rootId, creationProperties }: NewDomain,
): Promise<Group> {
  // What is left of a deleted domain is dropped with it, so its root is free again (contract 20, 17.1).
  if (rootId !== undefined && (await context.reader.object(rootId))) {
    throw new HyperslabError('domain-exists', `there is already a domain with the root group ${rootId}`, {
      subject: rootId,
    })
  }
  return {
    kind: 'group',
    id: rootId ?? newRootId(context.random),
    created: context.now,
    acl,
    ...(creationProperties !== undefined && { creationProperties }),
  }
}

/**
 * What was acknowledged is durable already, so a flush only sees whether the caller may ask for it. Of a folder there is
 * nothing to flush.
 */
export async function flushDomain(context: Context, path: DomainPath): Promise<OpenDomain | undefined> {
  const domain = await withRoot(context, await requireEntry(context, path))
  if (domain) requirePermission(context, 'update', domain)
  return domain
}

/** Counts what was written by a release that did not count; everything else is counted already. */
export async function rescanDomain(context: WriteContext, path: DomainPath): Promise<void> {
  const domain = await flushDomain(context, path)
  if (!domain) throw isFolder(path)
  await context.writer.countContents(domain.root.id)
}

export interface Deletion {
  /** The contents are to stay, under another name; refused for the last one, since nobody could find them again. */
  readonly keepsContents?: boolean
  /** Only whether the caller may delete is seen. */
  readonly changesNothing?: boolean
}

/** The last name of a domain goes with all its objects; a folder must be empty. */
export async function deleteDomain(
  context: WriteContext,
  path: DomainPath,
  { keepsContents = false, changesNothing = false }: Deletion = {},
): Promise<void> {
  if (isTopLevel(path)) {
    throw new HyperslabError('folder-protected', 'the top level is always there: it cannot be deleted', {
      subject: path,
    })
  }
  const domain = await withRoot(context, await requireEntry(context, path))
  if (!domain) {
    requireFolderPermission(context, 'delete', path, await folderAcl(context, path))
    if (changesNothing) return
    for await (const child of context.reader.children(path, { limit: 1 })) {
      throw new HyperslabError('folder-not-empty', `the folder ${path} holds ${child.path}`, {
        subject: path,
      })
    }
  } else {
    requireWritable(domain)
    requirePermission(context, 'delete', domain)
    if (changesNothing) return
    if (keepsContents && (await context.reader.nameCount(domain.root.id)) < 2) {
      throw new HyperslabError(
        'last-domain-name',
        `no other domain has the root group of ${path}: what it holds cannot be kept without a name`,
        { subject: path },
      )
    }
  }
  await context.writer.deleteDomain(path)
}

/** Denies unless the folder is there and its list lets the caller read; false for a domain, which holds none. */
export async function requireFolder(context: Context, folder: DomainPath): Promise<boolean> {
  // A top level is always there, and open to all.
  if (isTopLevel(folder)) return true
  requireFolderPermission(context, 'read', folder, (await listedFolder(context.reader, folder))?.acl)
  return (await requireEntry(context, folder)).root === undefined
}

async function requireEntry(context: Context, path: DomainPath): Promise<DomainEntry> {
  if (isTopLevel(path)) throw isFolder(path)
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

/** A folder that has a list of its own. */
interface ListedFolder {
  readonly acl: Acl
  readonly owner?: string
}

/** The folder whose list a folder is under: itself, or the nearest above that has one. */
async function listedFolder(
  reader: Pick<Reader, 'domain'>,
  folder: DomainPath,
): Promise<ListedFolder | undefined> {
  for (let path = folder; !isTopLevel(path); path = parentOf(path)) {
    const { acl, owner } = (await reader.domain(path)) ?? {}
    if (acl) return { acl, ...(owner !== undefined && { owner }) }
  }
  return undefined
}

/** A folder that a request is about. */
export interface OpenFolder {
  readonly entry: DomainEntry
  /** The list that it is under; undefined where no folder has one. */
  readonly acl: Acl | undefined
}

/** The domain or folder at `path`. */
export async function openPlace(context: Context, path: DomainPath): Promise<OpenDomain | OpenFolder> {
  const entry = await requireEntry(context, path)
  return (await withRoot(context, entry)) ?? { entry, acl: await folderAcl(context, path) }
}

/** The list that a folder is under. */
async function folderAcl(context: Context, folder: DomainPath): Promise<Acl | undefined> {
  return (await listedFolder(context.reader, folder))?.acl
}

/** Whose a domain is and who may do what in it. */
export interface DomainAccess {
  readonly owner?: string
  readonly acl: Acl
  readonly closed: boolean
}

/**
 * The access to a domain that is put into a folder without anybody asking who does it, as an import into the data
 * folder: it is the folder's owner's.
 */
export async function accessWithin(
  reader: Pick<Reader, 'domain'>,
  folder: DomainPath,
  isAdmin: (name: string) => boolean,
): Promise<DomainAccess> {
  const above = await listedFolder(reader, folder)
  if (!above) return { acl: [], closed: false }
  const { owner } = above
  const acl = firstAcl(above, { owner, folder: false, isAdmin })
  return { ...(owner !== undefined && { owner }), acl, closed: true }
}

/** Where no folder has a list, the setting says who may create (contract 10, 5.2). */
function requireNewDomain(context: Context, parent: DomainPath, parentAcl: Acl | undefined): void {
  const { caller, settings } = context
  if (parentAcl) requireFolderPermission(context, 'create', parent, parentAcl)
  else if (caller.admin || settings.newDomains === 'anyone') return
  else if (settings.newDomains === 'nobody') {
    throw new HyperslabError('permission-denied', 'the setting new_domains lets nobody create domains here')
  } else if (caller.name === undefined) throw denied(context, 'create', `the folder ${parent}`)
}

function requireOwner(context: Context, owner: string | undefined): void {
  const { caller } = context
  if (owner === undefined || caller.admin || owner === caller.name) return
  throw new HyperslabError(
    caller.name === undefined ? 'not-authenticated' : 'permission-denied',
    `only an administrator may create a domain or folder for somebody else ("${owner}")`,
    { subject: owner },
  )
}

/** Every folder on the way from the top level is there, or is made if that is wanted. */
async function requireParents(context: WriteContext, parent: DomainPath, create: boolean): Promise<void> {
  if (isTopLevel(parent)) return
  const entry = await context.reader.domain(parent)
  if (entry?.root !== undefined) {
    throw new HyperslabError('parent-is-domain', `${parent} is a domain: only a folder can hold others`, {
      subject: parent,
    })
  }
  if (entry) return
  if (!create) {
    throw new HyperslabError('folder-not-found', `there is no folder ${parent}`, { subject: parent })
  }
  await requireParents(context, parentOf(parent), create)
  const { now } = context
  await context.writer.putDomain({
    path: parent,
    created: now,
    lastModified: now,
    readOnly: false,
    closed: false,
  })
}

interface Newcomer {
  readonly owner: string | undefined
  readonly folder: boolean
  readonly isAdmin: ServiceSettings['isAdmin']
}

/**
 * Contract 20, section 4: the owner may do everything, a folder can be read by everybody, and the folder above hands
 * down its items except those of `default`, of the new owner, of administrators, and those that grant nothing. What
 * has no owner gets the item of `default` too, or nobody could use it; it is no more open than its folder.
 */
function firstAcl(above: ListedFolder | undefined, { owner, folder, isAdmin }: Newcomer): Acl {
  const inherited = (above?.acl ?? []).filter(
    item =>
      (item.userName !== DEFAULT_USER || owner === undefined) &&
      item.userName !== owner &&
      !isAdmin?.(item.userName) &&
      !grantsNothing(item),
  )
  if (owner === undefined) return inherited
  return [
    { userName: owner, ...ALL_PERMISSIONS },
    ...(folder ? [{ userName: DEFAULT_USER, ...READ_ONLY_PERMISSIONS }] : []),
    ...inherited,
  ]
}

function isFolder(path: DomainPath): HyperslabError {
  return new HyperslabError('domain-is-folder', `${path} is a folder: it has no root group`, {
    subject: path,
  })
}

function exists(path: DomainPath): HyperslabError {
  return new HyperslabError('domain-exists', `${path} already exists`, { subject: path })
}
