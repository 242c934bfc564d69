// All users that the service knows: the accounts of the store, and those of password and groups files if the settings
// name such files. A name in both has the password of the store and the groups of both.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Account, Accounts, ListedUser } from '../service/accounts.ts'
import { AccountRecords, type AccountRecordsParts, groupsOfUsers, identityKey } from './account-records.ts'
import { FollowedFile } from './followed-file.ts'
import { parseGroupsFile } from './password-file.ts'
import { FollowedPasswords } from './passwords.ts'

export interface AccountSettings {
  /** Paths of files; empty: none. */
  readonly passwordFile: string
  readonly groupsFile: string
  /** The name of a user, and of a group of users, that are administrators; empty: none. */
  readonly adminUser: string
  readonly adminGroup: string
  /** Tokens are accepted if this is not empty; they name users that no file contains. */
  readonly tokenKeys: string
  /** Not empty: people log in at identity providers, which name users, too. */
  readonly loginProviders: string
}

type AccountFileSettings = Pick<AccountSettings, 'passwordFile' | 'groupsFile'>

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
  readonly passwords: FollowedPasswords | undefined
  readonly groups: FollowedFile<Groups> | undefined
}

/**
 * Throws when a file cannot be read. Later that is reported, and the accounts are unavailable until it can be read
 * again.
 */
export function openAccountFiles(
  { passwordFile, groupsFile }: AccountFileSettings,
  { report, warn }: AccountReports,
): AccountFiles {
  const passwords = passwordFile === '' ? undefined : new FollowedPasswords(passwordFile, warn, report)
  const groups = followed(groupsFile, text => groupsBy(parseGroupsFile(text, warn)), report)
  // An error of a file ends the start, and does not wait for the first request.
  groups?.read()
  passwords?.requireFile()
  return { passwords, groups }
}

/** The places where accounts are, and the settings that say what they may do. */
interface Sources extends AccountFiles, Pick<AccountSettings, 'adminUser' | 'adminGroup'> {
  readonly own: AccountRecords
  /** True: an identity provider names users and groups that are not known in advance. */
  readonly hasProvider: boolean
}

/**
 * Opens the accounts; rejects when those of the store cannot be read. A later failure is treated like that of a file.
 */
export async function openAccounts(
  { adminUser, adminGroup, tokenKeys, loginProviders }: Omit<AccountSettings, keyof AccountFileSettings>,
  { passwords, groups }: AccountFiles,
  stored: Omit<AccountRecordsParts, 'report'>,
  { report, warn }: AccountReports,
): Promise<Accounts> {
  const own = await AccountRecords.open({ ...stored, report })
  await passwords?.refresh()
  passwords?.read()
  const hasProvider = tokenKeys !== '' || loginProviders !== ''
  const sources: Sources = { own, passwords, groups, adminUser, adminGroup, hasProvider }
  if (adminGroup !== '' && !hasProvider && !isGroup(sources, adminGroup)) {
    warn(`the setting admin_group names the group "${adminGroup}", which does not exist yet`)
  }
  return {
    refresh: () => refresh(sources),
    find: (name, tokenGroups) => lookUp(() => accountOf(sources, name, tokenGroups)),
    list: () => lookUp(() => listAccounts(sources)),
    nameOfIdentity: (issuer, subject) =>
      lookUp(() => own.read().nameOfIdentity.get(identityKey(issuer, subject))),
    isKnownUser: name => lookUp(() => hasProvider || isKnown(sources, name)),
    exist: () =>
      lookUp(() => hasProvider || own.read().users.size > 0 || (passwords?.read().passwords.size ?? 0) > 0),
    areUnused: () => lookUp(() => !hasProvider && !passwords && !groups && own.read().revision === undefined),
    async areAvailable() {
      await refresh(sources)
      try {
        for (const file of [own, passwords, groups]) file?.read()
        return true
      } catch {
        return false
      }
    },
  }
}

function refresh({ own, passwords }: Sources): Promise<void> | undefined {
  const ofRecords = own.refresh()
  const ofPasswords = passwords?.refresh()
  return ofRecords && ofPasswords ? ofRecords.then(() => ofPasswords) : (ofRecords ?? ofPasswords)
}

function accountOf(
  { own, passwords, groups, adminUser, adminGroup }: Sources,
  name: string,
  tokenGroups: readonly string[] = [],
): Account {
  const { users, groupsOf } = own.read()
  const user = users.get(name)
  const stored = user?.hash === '' ? undefined : user
  const password = stored ?? (user ? undefined : passwords?.read().passwords.get(name))
  const memberOf = union(groupsOf.get(name) ?? [], groups?.read().ofUser.get(name) ?? [], tokenGroups)
  const admin =
    (user?.admin ?? false) ||
    (adminUser !== '' && name === adminUser) ||
    (adminGroup !== '' && memberOf.includes(adminGroup))
  const { issuer, displayName } = user?.identity ?? {}
  return {
    groups: memberOf,
    admin,
    ...(user?.disabled ? { disabled: true } : password && { password }),
    ...(issuer !== undefined && { issuer }),
    ...(displayName !== undefined && { displayName }),
  }
}

function listAccounts(sources: Sources): readonly ListedUser[] {
  const { users } = sources.own.read()
  const names = new Set([...users.keys(), ...(sources.passwords?.read().passwords.keys() ?? [])])
  return [...names].sort().map(name => {
    const { admin, groups, disabled = false, displayName, issuer } = accountOf(sources, name)
    return {
      name,
      admin,
      groups,
      disabled,
      stored: users.has(name),
      ...(displayName !== undefined && { displayName }),
      ...(issuer !== undefined && { issuer }),
    }
  })
}

function isKnown(sources: Sources, name: string): boolean {
  if (name.startsWith('g:')) return isGroup(sources, name.slice(2))
  const { own, passwords, groups } = sources
  return (
    own.read().users.has(name) ||
    (passwords?.read().passwords.has(name) ?? false) ||
    (groups?.read().ofUser.has(name) ?? false)
  )
}

function isGroup({ own, groups }: Sources, name: string): boolean {
  return own.read().groups.has(name) || (groups?.read().names.has(name) ?? false)
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
  const read = (bytes: Uint8Array | undefined) => {
    if (bytes === undefined) throw new HyperslabError('file-not-found', `there is no file ${path}`)
    return parse(new TextDecoder().decode(bytes))
  }
  return new FollowedFile(path, read, report)
}

function groupsBy(groups: ReadonlyMap<string, readonly string[]>): Groups {
  return { names: new Set(groups.keys()), ofUser: groupsOfUsers(groups) }
}
