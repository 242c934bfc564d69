// Everybody whom the service knows: the accounts of the data folder, and those of HSDS's password and groups files if
// there are any. A name in both has the password of the data folder; groups of both count.

import { HyperslabError } from '../errors.ts'
import type { Account, Accounts } from '../service/accounts.ts'
import { AccountsFile, groupsOfUsers } from './accounts-file.ts'
import type { Settings } from './config.ts'
import { FollowedFile } from './followed-file.ts'
import { parseGroupsFile, parsePasswordFile } from './password-file.ts'
import { UsageError } from './usage-error.ts'

export type AccountSettings = Pick<
  Settings,
  'dataFolder' | 'passwordFile' | 'groupsFile' | 'adminUser' | 'adminGroup' | 'tokenKeys'
>

/** Groups by their members, and their names. */
interface Groups {
  readonly names: ReadonlySet<string>
  readonly ofUser: ReadonlyMap<string, readonly string[]>
}

/** Fails when a file cannot be read. Later such a file is reported, and whom it could tell of is not known until it can be read. */
export function openAccounts(settings: AccountSettings, report: (error: unknown) => void): Accounts {
  const { dataFolder, passwordFile, groupsFile, adminUser, adminGroup, tokenKeys } = settings
  const warn = (message: string) => report(new UsageError(message, 1))
  const own = new AccountsFile(dataFolder, report)
  const passwords = followed(passwordFile, text => parsePasswordFile(text, warn), report)
  const groups = followed(groupsFile, text => groupsBy(parseGroupsFile(text, warn)), report)
  // Says at the start what is wrong with a file, not at the first request.
  for (const file of [own, passwords, groups]) file?.read()
  const acceptsTokens = tokenKeys !== ''
  // A group that tokens tell cannot be known before.
  const isGroup = own.read().groups.has(adminGroup) || groups?.read().names.has(adminGroup)
  if (adminGroup !== '' && !isGroup && !acceptsTokens) {
    warn(`there is no group "${adminGroup}" yet, whose members the setting admin_group makes administrators`)
  }

  return {
    find: (name, tokenGroups = []) =>
      available((): Account => {
        const { users, groupsOf } = own.read()
        const user = users.get(name)
        const password = user ?? passwords?.read().get(name)
        const memberOf = together(
          groupsOf.get(name) ?? [],
          groups?.read().ofUser.get(name) ?? [],
          tokenGroups,
        )
        const admin =
          (user?.admin ?? false) ||
          (adminUser !== '' && name === adminUser) ||
          (adminGroup !== '' && memberOf.includes(adminGroup))
        return { ...(password && { password }), groups: memberOf, admin }
      }),

    isKnownUser: name =>
      available(() => {
        if (acceptsTokens || own.isKnownUser(name)) return true
        if (name.startsWith('g:')) return groups?.read().names.has(name.slice(2)) ?? false
        return (passwords?.read().has(name) ?? false) || (groups?.read().ofUser.has(name) ?? false)
      }),

    exist: () =>
      available(() => acceptsTokens || own.read().users.size > 0 || (passwords?.read().size ?? 0) > 0),

    areAvailable() {
      try {
        for (const file of [own, passwords, groups]) file?.read()
        return true
      } catch {
        return false
      }
    },
  }
}

/** What `look` finds in the files. The caller is not told what is wrong with them. */
function available<T>(look: () => T): T {
  try {
    return look()
  } catch (cause) {
    const message = 'the accounts of this server cannot be read at present; its log tells why'
    throw new HyperslabError('accounts-unavailable', message, { cause, retryAfter: 5 })
  }
}

/** Each once. */
function together(...lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists.filter(list => list.length > 0)
  return others.length === 0 ? first : [...new Set([...first, ...others.flat()])]
}

function followed<T>(
  path: string,
  parse: (text: string) => T,
  report: (error: unknown) => void,
): FollowedFile<T> | undefined {
  if (path === '') return undefined
  const read = (text: string | undefined) => {
    if (text === undefined) throw new UsageError(`there is no file ${path}`, 1)
    return parse(text)
  }
  return new FollowedFile(path, read, report)
}

function groupsBy(groups: ReadonlyMap<string, readonly string[]>): Groups {
  return { names: new Set(groups.keys()), ofUser: groupsOfUsers(groups) }
}
