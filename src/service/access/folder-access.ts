// What folders say of access. A folder without a list of its own is under that of the nearest folder above it that has one, so
// that folders made in passing are as open as the place they are made in; what is made under a list begins with what it
// hands down.

import { type Acl, DEFAULT_USER } from '../../hdf5/acl.ts'
import { type DomainPath, isTopLevel, parentOf } from '../../hdf5/domain-path.ts'
import type { Reader } from '../../storage/store.ts'
import type { ServiceSettings } from '../context.ts'
import { ALL_PERMISSIONS, grantsNothing, READ_ONLY_PERMISSIONS } from './access.ts'

/** A folder that has a list of its own. */
export interface ListedFolder {
  readonly acl: Acl
  readonly owner?: string
}

/** The folder whose list a folder is under: itself, or the nearest above that has one. */
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

/** The list that a folder is under. */
export async function folderAcl(
  reader: Pick<Reader, 'domain'>,
  folder: DomainPath,
): Promise<Acl | undefined> {
  return (await listedFolder(reader, folder))?.acl
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
  settings: FirstAclSettings,
): Promise<DomainAccess> {
  const above = await listedFolder(reader, folder)
  if (!above) return { acl: [], closed: false }
  const { owner } = above
  const acl = firstAcl(above, { owner, isPublic: settings.defaultPublic ?? false }, settings)
  return { ...(owner !== undefined && { owner }), acl, closed: true }
}

interface Newcomer {
  readonly owner: string | undefined
  /** Everybody may read it where everybody may read the folder that it is in. */
  readonly isPublic: boolean
}

/** The settings that first lists depend on. */
export type FirstAclSettings = Pick<ServiceSettings, 'defaultAcl' | 'defaultPublic' | 'isAdmin'>

/**
 * hsds-objects 4: the owner may do everything, everybody may read folders and, by the setting, domains, and the
 * folder above hands down its items except those of `default`, of the new owner, of administrators, and those that
 * grant nothing. What has no owner gets the item of `default` too, or nobody could use it. Nothing is more open than
 * the folder above: everybody may read only what is in a folder that everybody may read.
 */
export function firstAcl(
  above: ListedFolder | undefined,
  { owner, isPublic }: Newcomer,
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
