// Users that identity providers have named, as accounts of the store: by issuer and subject, without a password. An
// account is made at the first login, and changes when the provider shows another name.

import type { KeyValue, Random } from '@hyperslab/store/engines'
import { changeAccounts, type StoredAccounts } from '@hyperslab/store/records'
import type { Accounts } from '../service/accounts.ts'
import { freeUserName, type ProviderUser, type ProviderUsers } from '../service/providers.ts'
import { identityKey, NO_HASH, namesOfIdentities, waitUntilUsed } from './account-records.ts'

export interface ProviderUserParts {
  readonly keyValue: KeyValue
  readonly random: Random
  readonly accounts: Pick<Accounts, 'find' | 'nameOfIdentity'>
}

export function openProviderUsers({ keyValue, random, accounts }: ProviderUserParts): ProviderUsers {
  /** Puts the account among the stored ones, which may be newer than those in memory. */
  function put({ users }: StoredAccounts, user: ProviderUser, provider: string): string {
    const { issuer, subject, displayName, wantedName } = user
    const known = namesOfIdentities(users).get(identityKey(issuer, subject))
    const isTaken = (name: string) => users.has(name) || accounts.find(name).password !== undefined
    const name = known ?? freeUserName(wantedName, provider, isTaken)
    const account = users.get(name) ?? { hash: NO_HASH, admin: false }
    if (known !== undefined && !isNewName(user, account.identity)) return name
    const identity = { issuer, subject, ...(displayName !== undefined && { displayName }) }
    users.set(name, { ...account, identity })
    return name
  }

  return {
    async nameOf(user, provider) {
      const known = accounts.nameOfIdentity(user.issuer, user.subject)
      if (known !== undefined && !isNewName(user, accounts.find(known))) return known
      const name = await changeAccounts(keyValue, random, stored => put(stored, user, provider))
      // From now on each process shows the name.
      await waitUntilUsed()
      return name
    },
  }
}

/** Whether the provider shows another name than before; not all tokens have one. */
function isNewName(
  { displayName }: ProviderUser,
  before: { readonly displayName?: string } | undefined,
): boolean {
  return displayName !== undefined && displayName !== before?.displayName
}
