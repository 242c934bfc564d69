// The access control lists of mounted files and folders, from the settings: a mount has the readers that mount_readers
// names, or else the permissions of mount_acl. A folder that leads to mounts, and is in none, is listed by the readers
// of any of them. Each list has an item of everybody, so that default_acl has no effect on it.

import { type Acl, type AclItem, DEFAULT_USER, type DomainPath, isWithin } from '@hyperslab/model/names'
import { NO_PERMISSIONS, permissionsOf } from '../../service/access/access.ts'
import type { Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'

type MountSettings = Pick<Settings, 'mount' | 'mountAcl' | 'mountReaders'>

/** Throws when readers are set for a folder that is no mount: with a misspelled path the mount would stay open. */
export function requireMounts({ mount, mountReaders }: Omit<MountSettings, 'mountAcl'>): void {
  for (const { path } of mountReaders) {
    if (mount.some(mounted => mounted.path === path)) continue
    const paths = mount.map(mounted => mounted.path).join(', ')
    const rule = paths === '' ? 'there is no --mount' : `folders are mounted at ${paths}`
    throw new UsageError(`--mount-readers: nothing is mounted at ${path}: ${rule}`)
  }
}

/** The list of the mounted folder or file at a path: that of the innermost mount that the path is in. */
export function mountLists({ mount, mountAcl, mountReaders }: MountSettings): (path: DomainPath) => Acl {
  const mounts = mount
    .map(({ path }) => {
      const readers = mountReaders.find(one => one.path === path)
      return { path, acl: readers ? readersAcl(readers.names) : [{ userName: DEFAULT_USER, ...mountAcl }] }
    })
    .toSorted((a, b) => b.path.length - a.path.length)
  return path => {
    const holder = mounts.find(one => isWithin(one.path, path))
    return holder?.acl ?? joined(mounts.filter(one => isWithin(path, one.path)).flatMap(({ acl }) => acl))
  }
}

const READER = permissionsOf(permission => permission === 'read' || permission === 'readACL')

function readersAcl(names: readonly string[]): Acl {
  const items = [...new Set(names)].map(userName => ({ userName, ...READER }))
  return names.includes(DEFAULT_USER) ? items : [...items, { userName: DEFAULT_USER, ...NO_PERMISSIONS }]
}

/** Items with one name become one, which grants what any of them does. */
function joined(items: Acl): Acl {
  const byName = new Map<string, AclItem>()
  for (const item of items) {
    const other = byName.get(item.userName)
    const granted = permissionsOf(permission => item[permission] || (other?.[permission] ?? false))
    byName.set(item.userName, { userName: item.userName, ...granted })
  }
  return [...byName.values()]
}
