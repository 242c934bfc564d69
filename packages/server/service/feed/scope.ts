// The part of the store that a listener listens to: a domain, one object of it, or a folder with all below it.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isSameDomain, isTopLevel, type ObjectId } from '@hyperslab/model/names'
import { requirePermission } from '../access/access.ts'
import { requireWholeDomain } from '../access/scope.ts'
import type { Context, OpenDomain } from '../context.ts'
import { openDomain, requireEntry, requireFolder } from '../domains/domains.ts'
import { locateAll } from '../links/paths.ts'

/** The domain, object or folder that a listener listens to. */
export interface Scope {
  readonly path: DomainPath
  /** True: the folder with all below it. */
  readonly isFolder: boolean
  /** One object of the domain. */
  readonly object?: ObjectId
}

/** The scope that the request names, which its caller must be allowed to read. */
export async function findScope(
  context: Context,
  named: DomainPath,
  object: ObjectId | undefined,
  objectPath: string | undefined,
): Promise<Scope> {
  requireWholeDomain(context.caller, 'the feed of events')
  const contents = await context.meanings?.openContents?.(context)
  const path = contents?.entry.path ?? named
  if (object === undefined && objectPath === undefined) {
    const isFolder = isTopLevel(path) || (await requireEntry(context, path)).root === undefined
    if (isFolder) await requireFolder(context, path)
    else requirePermission(context, 'read', await openDomain(context, path))
    return { path, isFolder }
  }
  if (object !== undefined && objectPath !== undefined) {
    const message = 'object and h5path both name an object: send one of them'
    throw new HyperslabError('malformed-parameter', message)
  }
  const domain = await openDomain(context, path)
  requirePermission(context, 'read', domain)
  if (object === undefined)
    return { path, isFolder: false, object: await objectAt(context, domain, objectPath ?? '') }
  await requireObject(context, domain, object)
  return { path, isFolder: false, object }
}

/** The id of the object at a path of the domain, which the caller may read. */
async function objectAt(context: Context, domain: OpenDomain, path: string): Promise<ObjectId> {
  const following = { soft: true, external: false }
  const found = await locateAll(context, domain, [path], { following })
  const [{ object }] = found.values()
  return object.id
}

async function requireObject(context: Context, domain: OpenDomain, id: ObjectId): Promise<void> {
  const object = isSameDomain(id, domain.root.id) ? await context.reader.object(id) : undefined
  if (object) return requirePermission(context, 'read', domain, object)
  const message = `the domain ${domain.entry.path} has no object with the id ${id}`
  throw new HyperslabError('object-not-found', message, { subject: id })
}
