// The rights that a service may give when other machines reach it.

import { isTopLevel, type Permission } from '@hyperslab/model/names'
import { isLoopbackHost } from '../../http/auth/hosts.ts'
import { permissionsOf } from '../../service/access/access.ts'
import type { Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'

/** Rejects settings with which every client of the network could change data, unless --open-to-network allows that. */
export function refuseOpenNetwork(settings: Settings): void {
  const { defaultAcl, newDomains } = settings
  if (!isUnguarded(settings)) return
  const { create, update, delete: remove, updateACL } = defaultAcl
  const holes = [
    ...(create || update || remove || updateACL
      ? [{ danger: 'change stored data', remedy: '--default-acl read' }]
      : []),
    ...(newDomains === 'anyone' ? [{ danger: 'create domains', remedy: '--new-domains authenticated' }] : []),
  ]
  if (holes.length === 0) return
  throw new UsageError(
    `every client that reaches ${settings.host} could ${holes.map(({ danger }) => danger).join(' and ')}: ` +
      `give ${holes.map(({ remedy }) => remedy).join(' ')}, or --open-to-network to allow it`,
  )
}

/** Whether other machines reach the service, and the settings do not say that this is meant for open data. */
function isUnguarded({ host, openToNetwork }: Settings): boolean {
  return !isLoopbackHost(host) && !openToNetwork
}

/** Whether the service shows files that it never changes, at the top level: it needs no accounts then. */
export function isOnlyFiles({ mount: mounts }: Settings): boolean {
  return mounts.some(({ path }) => isTopLevel(path))
}

/** On a network, callers without an item of their own read files, and create nothing beside them. */
export function closedToNetwork(settings: Settings): Settings {
  if (!isUnguarded(settings)) return settings
  const { defaultAcl, newDomains } = settings
  return {
    ...settings,
    defaultAcl: permissionsOf(permission => READING.has(permission) && defaultAcl[permission]),
    newDomains: newDomains === 'anyone' ? 'nobody' : newDomains,
  }
}

const READING: ReadonlySet<Permission> = new Set(['read', 'readACL'])
