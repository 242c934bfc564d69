// Creating domains and folders: the permission for it, their owner, and their first access control list.

import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonValue } from '@hyperslab/model/json'
import { type Acl, type DomainPath, isTopLevel, type ObjectId, parentOf } from '@hyperslab/model/names'
import type { DomainEntry, Group, JoinConflict, JoinReview } from '@hyperslab/store/store'
import {
  denied,
  hasFolderPermission,
  hasPermission,
  requireAdmin,
  requireDeletable,
  requirePermission,
  requireStored,
} from '../access/access.ts'
import { firstAcl, folderAcl, type ListedFolder, listedFolder } from '../access/folder-access.ts'
import type { Context, WriteContext } from '../context.ts'
import { openDomain, requireUnmounted } from './domains.ts'

export interface NewDomain {
  readonly folder?: boolean
  /** Gets all permissions. Only an administrator may name another user. */
  readonly owner?: string
  /** The first list; absent: the owner's item and the items inherited from the folder above. */
  readonly acl?: Acl
  /** Users without an item have no permission; always so where a folder above has a list. */
  readonly closed?: boolean
  /** Missing parent folders are created. */
  readonly createParents: boolean
  /** The new domain may be below another domain, which is then its folder too (classic 12.3). */
  readonly belowDomains?: boolean
  /** The id of the root group, chosen by the caller. */
  readonly rootId?: ObjectId
  /** The creation properties of the root group, stored as sent. */
  readonly creationProperties?: JsonValue
  /** Another domain, whose root group the new one shares: a second name of the same contents. */
  readonly linked?: DomainPath
  /** The root group of existing contents that no domain has: the new domain gets them. */
  readonly contents?: ObjectId
  /** The definition of a joined domain, as JSON. */
  readonly join?: string
}

export interface CreatedDomain {
  readonly entry: DomainEntry
  readonly acl: Acl
  /** Warnings about the sources of a joined domain. */
  readonly warnings?: JoinReview['warnings']
}

/** The place of a new domain, and what may be there. */
export type NewPlace = Pick<NewDomain, 'owner' | 'createParents' | 'belowDomains'>

export async function createDomain(
  context: WriteContext,
  path: DomainPath,
  input: NewDomain,
): Promise<CreatedDomain> {
  const { folder = false } = input
  const above = await requireCreatable(context, path, input)
  if (await context.reader.domain(path)) throw domainExists(path)
  await makeParents(context, parentOf(path))

  const { writer, now, caller, settings } = context
  // If a folder above has a list, the caller becomes the owner, in both dialects.
  const owner = input.owner ?? (above && caller.name)
  const closed = input.closed || above !== undefined
  // In a domain that is not closed, the setting default_acl decides; an item of `default` would replace it.
  const isPublic = folder || (closed && (settings.defaultPublic ?? false))
  const acl = input.acl ?? firstAcl(above, { owner, isPublic }, settings)
  const base = {
    path,
    ...(owner !== undefined && { owner }),
    created: now,
    lastModified: now,
    readOnly: false,
    closed,
  }
  if (folder) {
    // A folder without an owner has no list: that of the folder above applies.
    const entry = { ...base, ...((input.acl || owner !== undefined) && { acl }) }
    await writer.putDomain(entry)
    return { entry, acl }
  }
  if (input.linked !== undefined) return linkDomain(context, base, input.linked)
  if (input.contents !== undefined) {
    const entry = { ...base, root: input.contents }
    await writer.setAcl(input.contents, acl)
    await writer.putDomain(entry)
    return { entry, acl }
  }
  const review = input.join === undefined ? undefined : await requireJoined(context, path, input.join)
  const root = await newRootGroup(context, acl, input)
  const entry = { ...base, root: root.id, ...(input.join !== undefined && { join: input.join }) }
  await writer.putDomain(entry)
  await writer.createObject(root)
  if (review) writer.knowFiles(root.id, review.places, review.progress)
  return { entry, acl, ...(review && { warnings: review.warnings }) }
}

/**
 * The files of a definition as they would be together at the path, for a caller that may read all of them, and may
 * create a domain there.
 */
export async function reviewJoin(context: Context, path: DomainPath, join: string): Promise<JoinReview> {
  await requireCreatable(context, path, { createParents: false })
  if (await context.reader.domain(path)) throw domainExists(path)
  return joinedFiles(context, path, join, false)
}

/** `ofFirst`: of very many files the first are enough. */
async function joinedFiles(
  context: Context,
  path: DomainPath,
  join: string,
  ofFirst: boolean,
): Promise<JoinReview> {
  const mayRead = (list: Acl | undefined) => hasFolderPermission(context, 'read', list)
  const refused = () => denied(context, 'read', `files that ${path} would be made of`)
  const permit = (lists: readonly Acl[]) => {
    if (!lists.every(mayRead)) throw refused()
  }
  const review = await context.reader.reviewJoin(path, join, permit, { signal: context.signal, ofFirst })
  let isAllowed = true
  for (const folder of review.searched) isAllowed &&= mayRead(await folderAcl(context.reader, folder))
  for (const source of review.storedDomains)
    isAllowed &&= hasPermission(context, 'read', await openDomain(context, source))
  if (!isAllowed) throw refused()
  return review
}

/** The place of a file that a joined domain was made of is closed. Throws unless the domain knows the file. */
export async function forgetFile(context: WriteContext, path: DomainPath, file: DomainPath): Promise<void> {
  const { entry, root } = await openDomain(context, path)
  requireDeletable(entry)
  for (const needed of ['read', 'update'] as const) requirePermission(context, needed, { entry, root })
  if (entry.join === undefined || !(await context.writer.forgetFile(root.id, file))) {
    const rule = entry.join === undefined ? 'is not a joined domain' : `keeps no place of ${file}`
    throw new HyperslabError('file-not-found', `${path} ${rule}`, { subject: file })
  }
  if (!entry.unwell?.some(one => one.path === file)) {
    const message = `${file} can be read: ${path} forgets only files that are gone, or cannot be read`
    throw new HyperslabError('malformed-body', message, { subject: file })
  }
  await context.writer.putDomain({ ...entry, lastModified: context.now })
}

/** The files of a new domain, or the first of them; throws if these cannot be joined. */
async function requireJoined(context: Context, path: DomainPath, join: string): Promise<JoinReview> {
  const review = await joinedFiles(context, path, join, true)
  const [conflict] = review.conflicts
  if (!conflict) return review
  const { reason, option } = conflict
  const remedy = option === undefined ? '' : REMEDIES[option]
  throw new HyperslabError('files-differ', reason + remedy, { subject: path })
}

const REMEDIES: Readonly<Record<NonNullable<JoinConflict['option']>, string>> = {
  keep: '; with "keep" of join, "first" or "last", the elements of one of the files are taken',
  unpack: '; with "unpack": true of join, packed numbers become the values that they stand for',
}

/**
 * Throws unless the caller may create a domain or folder at `path`, and the folders above it exist or can be created.
 * Returns the folder whose list applies. Does not check whether the path is free.
 */
export async function requireCreatable(
  context: Context,
  path: DomainPath,
  { owner, createParents, belowDomains = false }: NewPlace,
): Promise<ListedFolder | undefined> {
  if (isTopLevel(path)) {
    const message = 'the request names no domain, and the top level already exists: name a new domain'
    throw new HyperslabError('domain-exists', message, { subject: path })
  }
  await requireStoredPath(context, path)
  const parent = parentOf(path)
  const above = await listedFolder(context.reader, parent)
  // To a caller that may read the folder above, a missing folder is an error before a missing permission is.
  if (!createParents && hasFolderPermission(context, 'read', above?.acl)) {
    await requireParents(context, parent, { createParents, belowDomains })
  }
  requireNewDomain(context, parent, above?.acl)
  requireOwner(context, owner)
  // A path that is taken is reported before a missing folder is.
  if (!(await context.reader.domain(path))) {
    await requireParents(context, parent, { createParents, belowDomains })
  }
  return above
}

/**
 * A second name of the contents of a domain. The access control list is that of the root group, so both names share it;
 * the new name is closed or read-only if the other one is.
 */
async function linkDomain(
  context: WriteContext,
  base: DomainEntry,
  path: DomainPath,
): Promise<{ entry: DomainEntry; acl: Acl }> {
  const linked = await openDomain(context, path)
  requireStored(linked.entry)
  requirePermission(context, 'read', linked)
  requirePermission(context, 'delete', linked)
  const { closed, readOnly, join } = linked.entry
  const entry = { ...base, root: linked.root.id, closed, readOnly, ...(join !== undefined && { join }) }
  await context.writer.putDomain(entry)
  return { entry, acl: linked.root.acl }
}

async function newRootGroup(
  context: WriteContext,
  acl: Acl,
  { rootId, creationProperties }: NewDomain,
): Promise<Group> {
  // The remains of a deleted domain are dropped with it, so the id of its root group is free again (hsds-objects 17.5).
  if (rootId !== undefined && (await context.reader.object(rootId))) {
    throw new HyperslabError('domain-exists', `a domain with the root group ${rootId} already exists`, {
      subject: rootId,
    })
  }
  return {
    kind: 'group',
    id: rootId ?? context.ids.newRoot(),
    created: context.now,
    acl,
    ...(creationProperties !== undefined && { creationProperties }),
  }
}

/** Throws for a path at the top level, unless the caller is an administrator. */
export async function requireBelowTop(context: Context, path: DomainPath, verb: string): Promise<void> {
  if (!isTopLevel(parentOf(path))) return
  await requireUnmounted(context, path)
  requireAdmin(context, `${verb} ${path} at the top level`)
}

/** Throws unless the caller may create a domain or folder there. */
export async function requireCreation(context: Context, path: DomainPath): Promise<void> {
  await requireStoredPath(context, path)
  const parent = parentOf(path)
  requireNewDomain(context, parent, (await listedFolder(context.reader, parent))?.acl)
}

/** Throws when the domain or folder at the path, or the folder in which it would be created, is mounted. */
async function requireStoredPath(context: Context, path: DomainPath): Promise<void> {
  for (let ancestor = path; !isTopLevel(ancestor); ancestor = parentOf(ancestor)) {
    const entry = await context.reader.domain(ancestor)
    if (entry) return requireStored(entry)
  }
}

function requireNewDomain(context: Context, parent: DomainPath, parentAcl: Acl | undefined): void {
  if (mayCreateIn(context, parentAcl)) return
  if (!parentAcl && context.settings.newDomains === 'nobody') {
    throw new HyperslabError(
      'permission-denied',
      'only administrators may create domains here: new_domains is "nobody"',
    )
  }
  throw denied(context, 'create', `the folder ${parent}`)
}

/**
 * Whether the caller may create domains and folders in a folder with the list. If no folder has a list, the setting
 * decides (classic 5.2).
 */
export function mayCreateIn(context: Context, acl: Acl | undefined): boolean {
  const { caller, settings } = context
  if (acl) return hasFolderPermission(context, 'create', acl)
  if (caller.admin || settings.newDomains === 'anyone') return true
  return settings.newDomains === 'authenticated' && caller.name !== undefined
}

function requireOwner(context: Context, owner: string | undefined): void {
  if (owner === undefined || owner === context.caller.name) return
  requireAdmin(context, `create a domain or folder for another user ("${owner}")`)
}

/** Throws unless every folder from the top level down to `parent` exists or can be created. */
async function requireParents(
  context: Context,
  parent: DomainPath,
  options: Required<Pick<NewPlace, 'createParents' | 'belowDomains'>>,
): Promise<void> {
  if (isTopLevel(parent)) return
  const entry = await context.reader.domain(parent)
  if (entry?.root !== undefined && !options.belowDomains) {
    throw new HyperslabError('parent-is-domain', `${parent} is a domain: only a folder can hold others`, {
      subject: parent,
    })
  }
  if (entry) return
  if (!options.createParents) {
    throw new HyperslabError('folder-not-found', `there is no folder ${parent}`, { subject: parent })
  }
  await requireParents(context, parentOf(parent), options)
}

/** Creates the folders from the top level down to `parent` that are missing. */
async function makeParents(context: WriteContext, parent: DomainPath): Promise<void> {
  if (isTopLevel(parent) || (await context.reader.domain(parent))) return
  await makeParents(context, parentOf(parent))
  const { now } = context
  await context.writer.putDomain({
    path: parent,
    created: now,
    lastModified: now,
    readOnly: false,
    closed: false,
  })
}

export function domainExists(path: DomainPath): HyperslabError {
  return new HyperslabError('domain-exists', `${path} already exists`, { subject: path })
}
