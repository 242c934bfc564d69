// Changes of the accounts of a store that requests make. A change is acknowledged when every process uses it, as with
// the commands (docs/decisions/037).

import { HyperslabError } from '@hyperslab/base/errors'
import type { KeyValue, Random } from '@hyperslab/store/engines'
import { changeAccounts, type StoredAccounts, type StoredUser } from '@hyperslab/store/records'
import {
  type AccountChange,
  type Accounts,
  accountsExist,
  type StoredPassword,
  type Users,
} from '../service/accounts.ts'
import { NO_HASH, waitUntilUsed } from './account-records.ts'
import type { AccountSettings } from './accounts.ts'

export interface UserParts {
  readonly keyValue: KeyValue
  readonly random: Random
  readonly accounts: Pick<Accounts, 'find' | 'isKnownUser'>
  /** Names of a user, and of a group of users, that are administrators; empty: none. */
  readonly settings: Pick<AccountSettings, 'adminUser' | 'adminGroup'>
}

export function openUsers({ keyValue, random, accounts, settings }: UserParts): Users {
  const { adminUser, adminGroup } = settings

  async function change(work: (accounts: StoredAccounts, isFirst: boolean) => void): Promise<void> {
    await changeAccounts(keyValue, random, work)
    await waitUntilUsed()
  }

  /** A change after which there is an administrator, if there was one before. */
  const changeSafely = (work: (accounts: StoredAccounts) => void) =>
    change(stored => {
      const isElsewhere = adminUser !== '' && !stored.users.has(adminUser) && accounts.isKnownUser(adminUser)
      const had = hasAdministrator(stored, adminUser)
      work(stored)
      if (had && !isElsewhere && adminGroup === '' && !hasAdministrator(stored, adminUser))
        throw lastAdministrator()
    })

  return {
    createFirst: (name, hash) =>
      change(({ users }, isFirst) => {
        if (!isFirst) throw accountsExist()
        users.set(name, { hash, admin: true })
      }),

    create: (name, hash, { admin }) =>
      change(({ users }) => {
        if (users.has(name) || accounts.find(name).password !== undefined) throw userExists(name)
        users.set(name, { hash, admin })
      }),

    disable: name =>
      changeSafely(({ users }) => {
        const user = users.get(name)
        if (user === undefined && !accounts.isKnownUser(name)) throw noSuchUser(name)
        if (!user?.disabled) users.set(name, { ...(user ?? { hash: NO_HASH, admin: false }), disabled: true })
      }),

    change: (name, wanted) =>
      changeSafely(({ users }) => {
        if (!users.has(name) && accounts.find(name).password !== undefined) throw elsewhere(name)
        changeUser(users, name, wanted)
      }),

    remove: name =>
      changeSafely(stored => {
        if (!removeAccount(stored, name)) throw noSuchUser(name)
      }),

    setPassword: (name, before, hash) =>
      change(({ users }) => {
        const user = users.get(name)
        if (user === undefined) throw elsewhere(name)
        requirePassword(user, name, before)
        users.set(name, changed(user, { hash }))
      }),
  }
}

/** Throws unless the password of the user is still `before`. */
function requirePassword({ disabled, hash }: StoredUser, name: string, before: StoredPassword): void {
  if (!disabled && 'hash' in before && before.hash === hash) return
  const message = `the password of ${name} has just been changed by another request`
  throw new HyperslabError('wrong-password', message)
}

/** Removes an account and its name from groups; false: there is none. */
export function removeAccount({ users, groups }: StoredAccounts, name: string): boolean {
  if (!users.delete(name)) return false
  for (const [group, members] of groups) {
    if (!members.includes(name)) continue
    groups.set(
      group,
      members.filter(member => member !== name),
    )
  }
  return true
}

function changeUser(users: StoredAccounts['users'], name: string, wanted: AccountChange): void {
  const user = users.get(name)
  if (user === undefined) throw noSuchUser(name)
  if (wanted.hash !== undefined && user.identity) throw elsewhere(name)
  const next = changed(user, wanted)
  // A user of the password file that was disabled: the file has the account again.
  if (!next.disabled && !next.admin && next.hash === NO_HASH && !next.identity) users.delete(name)
  else users.set(name, next)
}

function changed(user: StoredUser, { hash, admin, disabled }: AccountChange): StoredUser {
  const { of, disabled: wasDisabled = false, ...rest } = user
  return {
    ...rest,
    ...(hash === undefined ? of && { of } : { hash }),
    ...(admin !== undefined && { admin }),
    ...((disabled ?? wasDisabled) && { disabled: true }),
  }
}

/** Whether an administrator can log in: one of the accounts, or the one that a setting names. */
function hasAdministrator({ users }: StoredAccounts, adminUser: string): boolean {
  return [...users].some(
    ([name, { admin, disabled, hash, identity }]) =>
      (admin || name === adminUser) && !disabled && (hash !== NO_HASH || identity),
  )
}

function userExists(name: string): HyperslabError {
  const message = `there is a user "${name}": take another name, or set a password of that user`
  return new HyperslabError('user-exists', message, { subject: name })
}

function noSuchUser(name: string): HyperslabError {
  return new HyperslabError('user-not-found', `there is no user "${name}"`, { subject: name })
}

function elsewhere(name: string): HyperslabError {
  const place = 'it is in the password file or at the identity provider'
  return new HyperslabError(
    'password-elsewhere',
    `the password of ${name} is not one of this service: ${place}`,
  )
}

function lastAdministrator(): HyperslabError {
  const message = 'nobody could administer the service any more: make another administrator first'
  return new HyperslabError('last-administrator', message)
}
