// `hyperslab acl`: the access control list of a domain or folder.

import { PERMISSIONS, type Permissions } from '@hyperslab/model/names'
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

/** Sets all permissions of a user: those that are not named are taken away. */
export async function setAcl(
  path: string,
  user: string,
  text: string,
  options: ServiceOptions,
): Promise<void> {
  const { parse, rule } = permissionsSetting('none', '')
  const permissions = parse(text)
  if (permissions === undefined) throw new UsageError(`the permissions "${text}" must be ${rule}`)
  await withService(options, true, ({ client, signal }) =>
    client.request('PUT /acls/{user}', { user, domain: path }, { body: permissions, signal }),
  )
}

export async function removeAcl(path: string, user: string, options: ServiceOptions): Promise<void> {
  await withService(options, true, ({ client, signal }) =>
    client.request('DELETE /acls/{user}', { user, domain: path }, { signal }),
  )
}

function formatPermissions(item: Permissions): string {
  const granted = PERMISSIONS.filter(permission => item[permission])
  if (granted.length === PERMISSIONS.length) return 'all'
  return granted.join(',') || 'none'
}
