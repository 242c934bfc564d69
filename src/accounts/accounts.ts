// The users that the service knows: the accounts of the data folder, and those of HSDS's password and groups files if
// there are any. A name in both has the password of the data folder; groups of both count.

import { HyperslabError } from '../errors.ts'
import type { Account, Accounts } from '../service/accounts.ts'
import { AccountsFile, groupsOfUsers } from './accounts-file.ts'
import { FollowedFile } from './followed-file.ts'
import { parseGroupsFile, parsePasswordFile } from './password-file.ts'

export interface AccountSettings {
  readonly dataFolder: string
  /** Paths of files; empty: there is none. */
  readonly passwordFile: string
  readonly groupsFile: string
  /** The user, and the group, that are administrators by name; empty: none. */
  readonly adminUser: string
  readonly adminGroup: string
  /** Not empty: tokens are accepted, and bring users that no file knows. */
  readonly tokenKeys: string
}

/** Where failures of the files go, and warnings about lines that are left out. */
export interface AccountReports {
  readonly report: (error: unknown) => void
  readonly warn: (message: string) => void
}

/** Groups by their members, and their names. */
interface Groups {
  readonly names: ReadonlySet<string>
  readonly ofUser: ReadonlyMap<string, readonly string[]>
}

/** Fails when a file cannot be read. Later such a file is reported, and its accounts are unavailable until it can be read. */
export function openAccounts(settings: AccountSettings, { report, warn }: AccountReports): Accounts {
  const { dataFolder, passwordFile, groupsFile, adminUser, adminGroup, tokenKeys } = settings
  const own = new AccountsFile(dataFolder, report)
  const passwords = followed(passwordFile, text => parsePasswordFile(text, warn), report)
  const groups = followed(groupsFile, text => groupsBy(parseGroupsFile(text, warn)), report)
  // Says at the start what is wrong with a file, not at the first request.
  for (const file of [own, passwords, groups]) file?.read()
  const acceptsTokens = tokenKeys !== ''
  // A group of tokens is not known before one comes.
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

/** What `look` finds in the files. The message does not say what is wrong with them: that is for the log. */
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
    if (text === undefined) throw new HyperslabError('file-not-found', `there is no file ${path}`)
    return parse(text)
  }
  return new FollowedFile(path, read, report)
}

function groupsBy(groups: ReadonlyMap<string, readonly string[]>): Groups {
  return { names: new Set(groups.keys()), ofUser: groupsOfUsers(groups) }
}
