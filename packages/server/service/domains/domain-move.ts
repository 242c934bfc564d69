// Another path for a domain, or for a folder and all that is in it.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type Acl, childOf, type DomainPath, isTopLevel, isWithin, namesBelow } from '@hyperslab/model/names'
import type { DomainEntry } from '@hyperslab/store/store'
import { requireFolderPermission, requirePermission, requireStored } from '../access/access.ts'
import { folderAcl } from '../access/folder-access.ts'
import type { WriteContext } from '../context.ts'
import { domainExists, requireCreatable } from './domain-creation.ts'
import { requireEntry, withRoot } from './domains.ts'

/** Domains and folders that one request moves: a transaction is in memory as a whole. @limit memory, domains */
const MAX_MOVED = 10_000

/**
 * Needs the permission to delete at `from`, and to create at `to`. Contents, owners and access control lists stay; a
 * folder without a list has that of the folder above it, as before. The old paths, also those in links, lead nowhere
 * afterwards.
 */
export async function moveDomain(
  context: WriteContext,
  from: DomainPath,
  to: DomainPath,
): Promise<{ entry: DomainEntry; acl: Acl }> {
  const above = await requireCreatable(context, to, { createParents: false })
  if (await context.reader.domain(to)) throw domainExists(to)
  if (isTopLevel(from) || isWithin(from, to)) {
    const rule = isTopLevel(from) ? 'the top level has no other place' : 'it cannot be moved into itself'
    throw new HyperslabError('malformed-domain', `${from} cannot become ${to}: ${rule}`, { subject: from })
  }
  const entry = await requireEntry(context, from)
  requireStored(entry)
  const domain = await withRoot(context, entry)
  if (domain) requirePermission(context, 'delete', domain)
  else requireFolderPermission(context, 'delete', from, await folderAcl(context.reader, from))
  // All entries are read first, because reading a range takes time in proportion to earlier changes.
  const entries: DomainEntry[] = []
  await collect(context, entry, entries)
  // Domains below a domain stay where they are, and keep its path as their folder.
  const isFolder = entry.root === undefined
  for (const { path, closed, ...rest } of entries) {
    if (isTurnOver()) await nextTurn()
    const names = namesBelow(from, path) ?? []
    // Domains that move below a folder are closed like those that are created there: users without an entry in a list
    // have no access. The new path comes first: contents without a path are dropped.
    await context.writer.putDomain({
      ...rest,
      path: names.reduce(childOf, to),
      closed: closed || above !== undefined,
    })
  }
  for (const { path, root } of entries.reverse()) {
    if (isTurnOver()) await nextTurn()
    await context.writer.deleteDomain(path)
    if (isFolder && root !== undefined && (await context.reader.domain(path)))
      await context.writer.deleteDomain(path)
  }
  const acl = domain ? domain.root.acl : await folderAcl(context.reader, to)
  return { entry: { ...entry, path: to }, acl: acl ?? [] }
}

/** Adds the entry and, unless it is the domain that is moved, those below it. */
async function collect(context: WriteContext, entry: DomainEntry, entries: DomainEntry[]): Promise<void> {
  requireStored(entry)
  if (entries.length === MAX_MOVED) {
    throw new HyperslabError(
      'write-too-large',
      `one request moves at most ${MAX_MOVED} domains and folders: move the folders above ${entry.path} one by one`,
      { subject: entry.path },
    )
  }
  const isMoved = entries.push(entry) === 1
  if (entry.root !== undefined && (isMoved || !(await context.reader.hasHeldDomains(entry.path)))) return
  for await (const child of context.reader.children(entry.path)) {
    if (isTurnOver()) await nextTurn()
    await collect(context, child, entries)
  }
}
