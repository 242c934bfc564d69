// Changes of the accounts of a store that requests make. A change is acknowledged when every process uses it, as with
// the commands (docs/decisions/037).

import { HyperslabError } from '@hyperslab/base/errors'
import type { KeyValue, Random } from '@hyperslab/store/engines'
import { changeAccounts, type StoredAccounts } from '@hyperslab/store/records'
import { type Accounts, accountsExist, type Users } from '../service/accounts.ts'
import { NO_HASH, waitUntilUsed } from './account-records.ts'

export interface UserParts {
  readonly keyValue: KeyValue
  readonly random: Random
  readonly accounts: Pick<Accounts, 'find' | 'isKnownUser'>
}

export function openUsers({ keyValue, random, accounts }: UserParts): Users {
  async function change(work: (accounts: StoredAccounts, isFirst: boolean) => void): Promise<void> {
    await changeAccounts(keyValue, random, work)
    await waitUntilUsed()
  }

  return {
    createFirst: (name, hash) =>
      change(({ users }, isFirst) => {
        if (!isFirst) throw accountsExist()
        users.set(name, { hash, admin: true })
      }),

    create: (name, hash, { admin }) =>
      change(({ users }) => {
        const isElsewhere = accounts.find(name).password !== undefined
        if (users.has(name) || isElsewhere) {
          const message = `there is a user "${name}": take another name, or set a password with "hyperslab user add"`
          throw new HyperslabError('user-exists', message, { subject: name })
        }
        users.set(name, { hash, admin })
      }),

    disable: name =>
      change(({ users }) => {
        const user = users.get(name)
        if (user === undefined && !accounts.isKnownUser(name)) {
          throw new HyperslabError('user-not-found', `there is no user "${name}"`, { subject: name })
        }
        if (!user?.disabled) users.set(name, { ...(user ?? { hash: NO_HASH, admin: false }), disabled: true })
      }),

    setPassword: (name, before, hash) =>
      change(({ users }) => {
        const user = users.get(name)
        if (user === undefined) {
          const problem = `the password of ${name} is not one of this service: it is in the password file or at the identity provider`
          throw new HyperslabError('password-elsewhere', problem, { subject: name })
        }
        if (user.disabled || !('hash' in before) || before.hash !== user.hash) {
          throw new HyperslabError(
            'wrong-password',
            `the password of ${name} has just been changed by another request`,
          )
        }
        const { admin, identity } = user
        users.set(name, { hash, admin, ...(identity && { identity }) })
      }),
  }
}
