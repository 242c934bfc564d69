// Whole domains as HDF5 files, and HDF5 files as domains: the permissions to download and upload them. `DomainFiles`
// reads and writes the files.

import type { DomainFile, DomainFiles, FileForm } from '@hyperslab/files/export'
import type { Acl, DomainPath, ObjectId } from '@hyperslab/model/names'
import type { DomainEntry, HdfObject } from '@hyperslab/store/store'
import { requirePermission, requireWritable } from '../access/access.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'
import { requireRoom } from '../quotas.ts'
import { createDomain, domainExists, type NewDomain, requireCreatable } from './domain-creation.ts'
import { deleteDomain, openDomain, withRoot } from './domains.ts'
import { requireState } from './pinned.ts'
import { requireRequiredState } from './required-state.ts'

/**
 * The file of a domain, for a caller that may read each object that hard links reach from its root group. Throws
 * `domain-changed` unless the file is of the `state`, if one is given.
 */
export async function downloadDomain(
  context: Context,
  files: Pick<DomainFiles, 'open'>,
  path: DomainPath,
  form: FileForm,
  state?: string,
): Promise<DomainFile> {
  const { reader, signal } = context
  const domain = await openDomain(context, path)
  requirePermission(context, 'read', domain)
  if (state !== undefined) await requireState(context, domain, state, 'form')
  await requireRequiredState(context, domain)
  // Objects without a list of their own are checked once: one answer holds for all.
  let arePlainAllowed = false
  const visit = (object: HdfObject): void => {
    const isPlain = object.acl.length === 0
    if (isPlain && arePlainAllowed) return
    requirePermission(context, 'read', domain, object)
    arePlainAllowed ||= isPlain
  }
  return files.open(reader, domain.root.id, { ...form, signal, visit })
}

export interface UploadOptions extends Pick<NewDomain, 'owner' | 'createParents' | 'closed'> {
  /** True: a domain of that name is replaced, in one step. Its owner and its access control list stay. */
  readonly replace: boolean
}

/** Throws unless the caller may make a file of that length the domain at `path`, without reading its bytes. */
export async function requireUpload(
  context: Context,
  path: DomainPath,
  length: number | undefined,
  options: UploadOptions,
): Promise<void> {
  await requireCreatable(context, path, options)
  const replaced = await replacedDomain(context, path, options)
  const owner = replaced ? replaced.entry.owner : (options.owner ?? context.caller.name)
  const statistics = replaced && (await context.reader.statistics(path))
  const bytes = statistics ? statistics.allocatedBytes + statistics.metadataBytes : 0
  await requireRoom(context.reader, { path, owner, length, replaced: bytes })
}

/** Makes the contents, which no domain has yet, the domain at `path`. */
export async function publishUpload(
  context: WriteContext,
  path: DomainPath,
  contents: ObjectId,
  { replace, ...options }: UploadOptions,
): Promise<{ entry: DomainEntry; acl: Acl }> {
  const { writer, now } = context
  await requireCreatable(context, path, options)
  const replaced = await replacedDomain(context, path, { replace })
  if (!replaced) return createDomain(context, path, { ...options, contents })
  const { acl } = replaced.root
  await deleteDomain(context, path)
  await writer.setAcl(contents, acl)
  const { importedFrom: _, ...kept } = replaced.entry
  const entry = { ...kept, root: contents, created: now, lastModified: now }
  await writer.putDomain(entry)
  return { entry, acl }
}

/** The domain that is to be replaced: the caller must have the permission to delete it. Undefined: the path is free. */
async function replacedDomain(
  context: Context,
  path: DomainPath,
  { replace }: Pick<UploadOptions, 'replace'>,
): Promise<OpenDomain | undefined> {
  const entry = await context.reader.domain(path)
  if (!entry) return undefined
  const domain = replace ? await withRoot(context, entry) : undefined
  if (!domain) throw domainExists(path)
  requireWritable(domain)
  requirePermission(context, 'delete', domain)
  return domain
}
