// All users that the service knows: the accounts of the store, and those of HSDS's password and groups files if the
// settings name such files. A name in both has the password of the store and the groups of both.

import { HyperslabError } from '../errors.ts'
import type { Account, Accounts, StoredPassword } from '../service/accounts.ts'
import { AccountRecords, type AccountRecordsParts, groupsOfUsers } from './account-records.ts'
import { FollowedFile } from './followed-file.ts'
import { parseGroupsFile, parsePasswordFile } from './password-file.ts'

export interface AccountSettings {
  /** Paths of files; empty: none. */
  readonly passwordFile: string
  readonly groupsFile: string
  /** The name of a user, and of a group of users, that are administrators; empty: none. */
  readonly adminUser: string
  readonly adminGroup: string
  /** Tokens are accepted if this is not empty; they name users that no file contains. */
  readonly tokenKeys: string
}

/** Receives errors of the accounts, and warnings about lines that are skipped. */
export interface AccountReports {
  readonly report: (error: unknown) => void
  readonly warn: (message: string) => void
}

/** The names of the groups, and the groups of each user. */
interface Groups {
  readonly names: ReadonlySet<string>
  readonly ofUser: ReadonlyMap<string, readonly string[]>
}

/** The files that the settings name, read again when they change. */
export interface AccountFiles {
  readonly passwords: FollowedFile<ReadonlyMap<string, StoredPassword>> | undefined
  readonly groups: FollowedFile<Groups> | undefined
}

/**
 * Throws when a file cannot be read. Later that is reported, and the accounts are unavailable until it can be read
 * again.
 */
export function openAccountFiles(
  { passwordFile, groupsFile }: Pick<AccountSettings, 'passwordFile' | 'groupsFile'>,
  { report, warn }: AccountReports,
): AccountFiles {
  const passwords = followed(passwordFile, text => parsePasswordFile(text, warn), report)
  const groups = followed(groupsFile, text => groupsBy(parseGroupsFile(text, warn)), report)
  // An error of a file ends the start, and does not wait for the first request.
  for (const file of [passwords, groups]) file?.read()
  return { passwords, groups }
}

/**
 * Opens the accounts; rejects when those of the store cannot be read. A later failure is treated like that of a file.
 */
export async function openAccounts(
  { adminUser, adminGroup, tokenKeys }: Pick<AccountSettings, 'adminUser' | 'adminGroup' | 'tokenKeys'>,
  { passwords, groups }: AccountFiles,
  stored: Omit<AccountRecordsParts, 'report'>,
  { report, warn }: AccountReports,
): Promise<Accounts> {
  const own = await AccountRecords.open({ ...stored, report })
  const acceptsTokens = tokenKeys !== ''
  // Groups in tokens are not known in advance.
  const isGroup = own.read().groups.has(adminGroup) || groups?.read().names.has(adminGroup)
  if (adminGroup !== '' && !isGroup && !acceptsTokens) {
    warn(`the setting admin_group names the group "${adminGroup}", which does not exist yet`)
  }

  return {
    refresh: () => own.refresh(),

    find: (name, tokenGroups = []) =>
      lookUp((): Account => {
        const { users, groupsOf } = own.read()
        const user = users.get(name)
        const password = user ?? passwords?.read().get(name)
        const memberOf = union(groupsOf.get(name) ?? [], groups?.read().ofUser.get(name) ?? [], tokenGroups)
        const admin =
          (user?.admin ?? false) ||
          (adminUser !== '' && name === adminUser) ||
          (adminGroup !== '' && memberOf.includes(adminGroup))
        return { ...(password && { password }), groups: memberOf, admin }
      }),

    isKnownUser: name =>
      lookUp(() => {
        if (acceptsTokens) return true
        const state = own.read()
        if (name.startsWith('g:')) {
          const group = name.slice(2)
          return state.groups.has(group) || (groups?.read().names.has(group) ?? false)
        }
        const isUser = state.users.has(name) || passwords?.read().has(name) || groups?.read().ofUser.has(name)
        return isUser ?? false
      }),

    exist: () =>
      lookUp(() => acceptsTokens || own.read().users.size > 0 || (passwords?.read().size ?? 0) > 0),

    async areAvailable() {
      await own.refresh()
      try {
        for (const file of [own, passwords, groups]) file?.read()
        return true
      } catch {
        return false
      }
    },
  }
}

/** Looks up something in the files. The error for the caller does not describe their fault, which is in the log. */
function lookUp<T>(look: () => T): T {
  try {
    return look()
  } catch (cause) {
    const message = 'the server cannot read its accounts: try again later; its log has the reason'
    throw new HyperslabError('accounts-unavailable', message, { cause, retryAfter: 5 })
  }
}

/** The items of all lists, each once. */
function union(...lists: readonly (readonly string[])[]): readonly string[] {
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
