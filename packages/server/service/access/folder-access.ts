// The access control lists of folders. A folder without a list of its own has that of the nearest folder above it that
// has one, so that folders created implicitly grant the same as the folder they are in. New domains and folders below a
// list inherit items from it.

import type { DomainAccess } from '@hyperslab/files/import'
import { type Acl, DEFAULT_USER, type DomainPath, isTopLevel, parentOf } from '@hyperslab/model/names'
import type { Reader } from '@hyperslab/store/store'
import type { ServiceSettings } from '../context.ts'
import { ALL_PERMISSIONS, grantsNothing, READ_ONLY_PERMISSIONS } from './access.ts'

/** A folder that has a list of its own. */
export interface ListedFolder {
  readonly acl: Acl
  readonly owner?: string
}

/** The folder whose list applies to a folder: itself, or the nearest folder above it that has one. */
export async function listedFolder(
  reader: Pick<Reader, 'domain'>,
  folder: DomainPath,
): Promise<ListedFolder | undefined> {
  for (let path = folder; !isTopLevel(path); path = parentOf(path)) {
    const { acl, owner } = (await reader.domain(path)) ?? {}
    if (acl) return { acl, ...(owner !== undefined && { owner }) }
  }
  return undefined
}

/** The list that applies to a folder. */
export async function folderAcl(
  reader: Pick<Reader, 'domain'>,
  folder: DomainPath,
): Promise<Acl | undefined> {
  return (await listedFolder(reader, folder))?.acl
}

/**
 * The access of a domain that is created without a caller, such as by an import into the data folder: the owner of the
 * folder owns it.
 */
export async function accessWithin(
  reader: Pick<Reader, 'domain'>,
  folder: DomainPath,
  settings: FirstAclSettings,
): Promise<DomainAccess> {
  const above = await listedFolder(reader, folder)
  if (!above) return { acl: [], closed: false }
  const { owner } = above
  const acl = firstAcl(above, { owner, isPublic: settings.defaultPublic ?? false }, settings)
  return { ...(owner !== undefined && { owner }), acl, closed: true }
}

/** A new domain or folder. */
interface NewEntry {
  readonly owner: string | undefined
  /** Everybody may read it if everybody may read the folder that it is in. */
  readonly isPublic: boolean
}

/** The settings that first lists depend on. */
export type FirstAclSettings = Pick<ServiceSettings, 'defaultAcl' | 'defaultPublic' | 'isAdmin'>

/**
 * hsds-objects 4: the owner gets all permissions; everybody may read folders and, by the setting, domains; the items of
 * the folder above are inherited except those of `default`, of the new owner, of administrators, and those that grant
 * nothing. Without an owner the item of `default` is inherited too, because no user could use the entry otherwise. It
 * is never more public than the folder above: everybody may read only domains in a folder that everybody may read.
 */
export function firstAcl(
  above: ListedFolder | undefined,
  { owner, isPublic }: NewEntry,
  { defaultAcl, isAdmin }: FirstAclSettings,
): Acl {
  const inherited = (above?.acl ?? []).filter(
    item =>
      (item.userName !== DEFAULT_USER || owner === undefined) &&
      item.userName !== owner &&
      !isAdmin?.(item.userName) &&
      !grantsNothing(item),
  )
  if (owner === undefined) return inherited
  const everybody = above ? above.acl.find(item => item.userName === DEFAULT_USER) : defaultAcl
  return [
    { userName: owner, ...ALL_PERMISSIONS },
    ...(isPublic && everybody?.read ? [{ userName: DEFAULT_USER, ...READ_ONLY_PERMISSIONS }] : []),
    ...inherited,
  ]
}
