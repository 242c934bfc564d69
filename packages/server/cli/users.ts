// `hyperslab user` and `hyperslab group`: the accounts of a store, also while servers run on it. When a command that
// changes them has ended, every request that begins sees the change.

import { readFile } from 'node:fs/promises'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { type KeyValue, type StoreLocation, systemRandom } from '@hyperslab/store/engines'
import {
  type AccountsState,
  changeAccounts,
  LoginStore,
  readAccounts,
  type StoredAccounts,
  type StoredUser,
} from '@hyperslab/store/records'
import { hash } from '@node-rs/argon2'
import { damagedAccounts, groupsOfUsers, waitUntilUsed } from '../accounts/account-records.ts'
import { readPasswordFile } from '../accounts/passwords.ts'
import { removeAccount } from '../accounts/users.ts'
import type { StoredPassword } from '../service/accounts.ts'
import { ACCOUNT_NAME_RULE, isAccountName, isNameOfMany } from '../service/user-names.ts'
import { withRecordsAt } from './data-folder/open.ts'
import { checkDataFolder, prepareAndReport } from './data-folder/prepare-folder.ts'
import { readNewPassword } from './password.ts'
import { printRows } from './rows.ts'
import { UsageError } from './usage-error.ts'

const MUST_EXIST = { mustExist: true }
const MAY_BE_NEW = { mustExist: false }

/** Adds an account, or sets a new password of an existing one; an administrator stays one. */
export async function addUser(
  location: StoreLocation,
  text: string,
  options: { admin: boolean },
): Promise<void> {
  const name = accountName(text)
  const isThere = isInDatabase(location) || !checkDataFolder(location.dataFolder)
  const isKnown = isThere && (await read(location, MAY_BE_NEW)).users.has(name)
  const stored = await hash(await readNewPassword(isKnown ? `the existing ${name}` : name))
  if (!isInDatabase(location)) prepareAndReport(location.dataFolder)
  const addTo = ({ users }: StoredAccounts) => {
    const user = users.get(name)
    const admin = options.admin || (user?.admin ?? false)
    // A disabled account is enabled by its new password.
    users.set(name, { hash: stored, admin, ...(user?.identity && { identity: user.identity }) })
    return { existed: user !== undefined, admin }
  }
  const { existed, admin } = await change(location, addTo, MAY_BE_NEW)
  const role = admin ? 'administrator' : 'user'
  console.log(
    existed ? `The password of the ${role} ${name} was changed.` : `The ${role} ${name} can log in now.`,
  )
}

/** Adds the accounts of a password file that the store does not have; says which, and which it has. */
export async function importUsers(location: StoreLocation, path: string): Promise<void> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.code}`,
      1,
    )
  })
  const { passwords } = await readPasswordFile(bytes, console.error)
  const found = new Map<string, StoredUser>()
  for (const [name, password] of passwords) {
    if (isAccountName(name)) found.set(name, { ...(await hashed(password)), admin: false })
    else console.error(`the user "${name}" is skipped: a name must ${ACCOUNT_NAME_RULE}`)
  }
  if (found.size === 0) throw new UsageError(`${path} has no users`, 1)
  if (!isInDatabase(location)) prepareAndReport(location.dataFolder)
  const addTo = ({ users }: StoredAccounts) => {
    const added = [...found].filter(([name]) => !users.has(name))
    for (const [name, user] of added) users.set(name, user)
    return added.map(([name]) => name)
  }
  const added = new Set(await change(location, addTo, MAY_BE_NEW))
  for (const name of found.keys()) {
    console.log(
      added.has(name) ? `The user ${name} can log in now.` : `The user ${name} exists, and stays as it is.`,
    )
  }
}

/** The stored form of a password of a file, with an argon2 hash in any case. */
async function hashed(password: StoredPassword): Promise<Omit<StoredUser, 'admin'>> {
  if ('hash' in password) return password
  if ('plain' in password) return { hash: await hash(password.plain) }
  // A SHA-224 without a salt is guessed fast: only its argon2 hash is stored.
  return { hash: await hash(password.sha224), of: 'sha224' }
}

/** Revokes the rights of an administrator; the password stays. */
export async function demoteUser(location: StoreLocation, name: string): Promise<void> {
  await change(location, ({ users }) => {
    const user = users.get(name)
    if (user === undefined) throw new UsageError(`there is no user "${name}"`, 1)
    if (!user.admin) throw new UsageError(`the user "${name}" was not made with --admin`, 1)
    users.set(name, { ...user, admin: false })
  })
  console.log(
    `The user ${name} is no longer an administrator, unless the setting admin_user or admin_group says so.`,
  )
}

export interface ListedAsOptions {
  /** True: a line of JSON for each. */
  readonly json: boolean
}

export async function listUsers(location: StoreLocation, { json }: ListedAsOptions): Promise<void> {
  const accounts = await readSound(location)
  const groupsOf = groupsOfUsers(accounts.groups)
  const rows = [...accounts.users.keys()].sort().map(name => {
    const memberOf = groupsOf.get(name) ?? []
    const groups = memberOf.map(group => `g:${group}`)
    const { admin = false, disabled = false, identity } = accounts.users.get(name) ?? {}
    if (json) console.log(JSON.stringify({ name, admin, disabled, groups: memberOf, identity }))
    const person = identity ? `${identity.displayName ?? identity.subject} of ${identity.issuer}` : ''
    return [name, disabled ? 'disabled' : admin ? 'admin' : '', groups.join(' '), person]
  })
  if (!json) printRows(rows, 'There are no users; add one with `hyperslab user add NAME`.')
}

export async function removeUser(location: StoreLocation, name: string): Promise<void> {
  await change(location, stored => {
    if (!removeAccount(stored, name)) throw new UsageError(`there is no user "${name}"`, 1)
  })
  console.log(`The user ${name} was removed. Access control lists that name it are unchanged.`)
}

/** Creates a group of users, or adds users to it. */
export async function addToGroup(
  location: StoreLocation,
  text: string,
  names: readonly string[],
): Promise<void> {
  const group = accountName(text)
  await change(location, ({ users, groups }) => {
    const unknown = names.find(name => !users.has(name))
    if (unknown !== undefined) throw new UsageError(`there is no user "${unknown}"`, 1)
    groups.set(group, [...new Set([...(groups.get(group) ?? []), ...names])])
  })
  console.log(`Access control lists name the group as g:${group}.`)
}

/** Lists the groups of the store, and those that identity providers have named with the users that have logged in. */
export async function listGroups(location: StoreLocation, { json }: ListedAsOptions): Promise<void> {
  const { groups } = await readSound(location)
  const readGroups = (keyValue: KeyValue) =>
    new LoginStore(keyValue, systemRandom).providerGroups(SYSTEM_CLOCK.now())
  const named = await withRecordsAt(location, readGroups, { ...MUST_EXIST, olderFormat: 'keep' })
  const listed = [
    ...[...groups].map(([name, members]) => ({ name, members, provider: false })),
    ...[...named].map(([name, members]) => ({ name, members: [...members].sort(), provider: true })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  if (json) for (const group of listed) console.log(JSON.stringify(group))
  const rows = listed.map(({ name, members, provider }) => [
    `g:${name}`,
    members.join(' '),
    provider ? 'named by a provider' : '',
  ])
  if (!json) printRows(rows, 'There are no groups; add one with `hyperslab group add NAME USER...`.')
}

/** Removes users from a group or, without any, the group. */
export async function removeFromGroup(
  location: StoreLocation,
  group: string,
  names: readonly string[],
): Promise<void> {
  await change(location, ({ groups }) => {
    const members = groups.get(group)
    if (!members) throw new UsageError(`there is no group "${group}"`, 1)
    const stranger = names.find(name => !members.includes(name))
    if (stranger !== undefined) throw new UsageError(`"${stranger}" is not in the group "${group}"`, 1)
    if (names.length === 0) groups.delete(group)
    else
      groups.set(
        group,
        members.filter(member => !names.includes(member)),
      )
  })
  console.log(
    names.length === 0
      ? `The group ${group} was removed.`
      : `Removed from the group ${group}: ${names.join(', ')}.`,
  )
}

/** Whether the records are in a database; then the data folder has none, and may be missing. */
function isInDatabase({ records }: StoreLocation): boolean {
  return records.kind === 'postgres'
}

/** Changes accounts; from now on the store is no longer an unused copy. */
function change<T>(
  location: StoreLocation,
  work: (accounts: StoredAccounts) => T,
  store = MUST_EXIST,
): Promise<T> {
  const changed = async (keyValue: KeyValue): Promise<T> => {
    const result = await changeAccounts(keyValue, systemRandom, work)
    // After this pause no server uses accounts that it read earlier.
    await waitUntilUsed()
    return result
  }
  return withRecordsAt(location, changed, { ...store, use: 'records' })
}

function read(location: StoreLocation, store = MUST_EXIST): Promise<AccountsState> {
  const options = { ...store, ...(store.mustExist && { olderFormat: 'keep' as const }) }
  return withRecordsAt(location, keyValue => readAccounts(keyValue), options)
}

/** Reads the accounts; throws when a part of them cannot be read. */
async function readSound(location: StoreLocation): Promise<AccountsState> {
  const accounts = await read(location)
  if (accounts.damaged.length > 0) throw damagedAccounts(accounts)
  return accounts
}

/** The name of an account or of a group of users, if it can be one. */
export function accountName(text: string): string {
  if (!isAccountName(text)) {
    throw new UsageError(`"${text}" cannot be a name: it must ${ACCOUNT_NAME_RULE}`)
  }
  if (isNameOfMany(text)) {
    throw new UsageError(`"${text}" cannot be a name: it means every user`)
  }
  return text
}
