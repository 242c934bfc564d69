// `hyperslab acl`: the access control list of a domain or folder.

import type { Api } from '@hyperslab/client'
import { PERMISSIONS, type Permissions } from '@hyperslab/model/names'
import { Progress, type ProgressOptions } from '../progress.ts'
import { acl as permissionsSetting } from '../settings/setting.ts'
import { UsageError } from '../usage-error.ts'
import { shownName } from './output.ts'
import { type ServiceOptions, withService } from './service.ts'

export interface ShowAclOptions extends ServiceOptions {
  readonly json: boolean
}

/** Prints a line for each item, as `acl set` takes it. */
export async function showAcl(path: string, options: ShowAclOptions): Promise<void> {
  await withService(options, false, async ({ client, signal, print }) => {
    const { acls } = await client.request('GET /acls', { domain: path }, { signal })
    for (const item of acls) {
      if (options.json) await print(JSON.stringify(item))
      else await print(`${shownName(item.userName)} ${formatPermissions(item)}`)
    }
  })
}

export interface AclOptions extends ServiceOptions, ProgressOptions {
  readonly recursive: boolean
}

/** Sets all permissions of a user: those that are not named are taken away. */
export async function setAcl(path: string, user: string, text: string, options: AclOptions): Promise<void> {
  const { parse, rule } = permissionsSetting('none', '')
  const permissions = parse(text)
  if (permissions === undefined) throw new UsageError(`the permissions "${text}" must be ${rule}`)
  if (options.recursive)
    return changeAccess(path, { acls: [{ userName: user, ...permissions }], below: true }, options)
  await withService(options, true, ({ client, signal }) =>
    client.request('PUT /acls/{user}', { user, domain: path }, { body: permissions, signal }),
  )
}

export async function removeAcl(path: string, user: string, options: AclOptions): Promise<void> {
  if (options.recursive) return changeAccess(path, { remove: [user], below: true }, options)
  await withService(options, true, ({ client, signal }) =>
    client.request('DELETE /acls/{user}', { user, domain: path }, { signal }),
  )
}

export interface OwnerOptions extends AclOptions {
  /** Only domains and folders of this user are changed. */
  readonly ownedBy?: string
}

/** Gives a domain or folder to another user. */
export function setOwner(path: string, owner: string, options: OwnerOptions): Promise<void> {
  const { recursive: below, ownedBy } = options
  return changeAccess(path, { owner, below, ...(ownedBy !== undefined && { owned_by: ownedBy }) }, options)
}

/** Changes owner or lists, in as many requests as are needed: one that was interrupted can be repeated. */
async function changeAccess(path: string, body: Api.AccessChange, options: AclOptions): Promise<void> {
  await withService(options, true, async ({ client, signal }) => {
    const progress = new Progress(options)
    let changed = 0
    let next: string | undefined
    try {
      do {
        const place = { domain: path, ...(next !== undefined && { Marker: next }) }
        const answer = await client.request('PUT /access', place, { body, signal })
        changed += answer.changed
        next = answer.next
        progress.show(() => `${changed} changed`)
      } while (next !== undefined)
    } finally {
      progress.end()
    }
    console.log(`${changed} changed`)
  })
}

function formatPermissions(item: Permissions): string {
  const granted = PERMISSIONS.filter(permission => item[permission])
  if (granted.length === PERMISSIONS.length) return 'all'
  return granted.join(',') || 'none'
}
