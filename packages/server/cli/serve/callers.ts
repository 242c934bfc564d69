// The parts of a service that identify callers: accounts, logins, identity providers and their tokens.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { type KeyValue, systemRandom } from '@hyperslab/store/engines'
import { makeMountSecret, noteUsers } from '@hyperslab/store/records'
import type { Logger } from 'pino'
import { type AccountReports, openAccountFiles, openAccounts } from '../../accounts/accounts.ts'
import { StoredLogins } from '../../accounts/logins.ts'
import { openProviderUsers } from '../../accounts/provider-users.ts'
import { openUsers } from '../../accounts/users.ts'
import type { VerifyToken } from '../../http/auth/tokens.ts'
import type { ServerSettings } from '../../http/server.ts'
import type { LoginProvider, ProviderUsers } from '../../service/providers.ts'
import { readLoginProviders } from '../settings/login-providers.ts'
import { namesUsers } from '../settings/open-service.ts'
import type { Settings } from '../settings/table.ts'
import { foreseen, UsageError } from '../usage-error.ts'

export interface Callers extends Pick<ServerSettings, 'accounts' | 'users' | 'verifyToken' | 'providers'> {
  readonly logins: StoredLogins
}

/** Opens them with the records of a store; `report` receives errors of the logins. */
export type OpenCallers = (keyValue: KeyValue, report: (error: unknown) => void) => Promise<Callers>

/** Reads the files that the settings name; throws for wrong ones, so that nothing has been opened then. */
export async function prepareCallers(settings: Settings, reports: AccountReports): Promise<OpenCallers> {
  const files = openAccountFiles(settings, reports)
  const openProviders = await providersOpener(settings, reports.warn)
  const openVerifier = await tokenVerifier(settings, reports.report)
  return async (keyValue, report) => {
    const random = systemRandom
    if (namesUsers(settings)) await noteUsers(keyValue, random)
    const accounts = await openAccounts(settings, files, { keyValue, now: SYSTEM_CLOCK.elapsed }, reports)
    const logins = new StoredLogins({ keyValue, random, accounts, settings, clock: SYSTEM_CLOCK, report })
    const providerUsers = openProviderUsers({ keyValue, random, accounts })
    const list = openProviders?.() ?? []
    const secret = list.length > 0 ? await makeMountSecret(keyValue, random) : undefined
    const verifyToken = openVerifier?.(list, providerUsers)
    return {
      accounts,
      users: openUsers({ keyValue, random, accounts, settings }),
      logins,
      ...(verifyToken && { verifyToken }),
      ...(secret && { providers: { list, users: providerUsers, secret } }),
    }
  }
}

/** Reports of accounts for the log. */
export function accountReports(log: Logger, warn: (message: string) => void): AccountReports {
  return {
    report(error) {
      const message = foreseen(error)
      if (message === undefined) log.error({ err: error }, 'accounts')
      else log.warn(message)
    },
    warn,
  }
}

/** Reads the file of identity providers. Undefined: there are none, and the library is not loaded. */
async function providersOpener(
  { loginProviders, publicUrl }: Settings,
  report: (problem: string) => void,
): Promise<(() => readonly LoginProvider[]) | undefined> {
  if (loginProviders === '') return undefined
  if (!/^https?:/.test(publicUrl)) {
    throw new UsageError(
      '--login-providers needs --public-url, the address of this service to which the providers send people back',
    )
  }
  const providers = readLoginProviders(loginProviders)
  const { OidcProvider } = await import('../../oidc/oidc-provider.ts')
  const now = SYSTEM_CLOCK.elapsed
  return () => providers.map(settings => new OidcProvider({ settings, report, now }))
}

type OpenVerifier = (providers: readonly LoginProvider[], users: ProviderUsers) => VerifyToken

/** Undefined: no bearer token is accepted, and the library that verifies them is not loaded. */
async function tokenVerifier(
  settings: Settings,
  report: (error: unknown) => void,
): Promise<OpenVerifier | undefined> {
  const { tokenKeys, tokenIssuer, tokenAudience } = settings
  if (tokenKeys === '') return undefined
  if (tokenAudience.length === 0) {
    throw new UsageError(
      '--token-keys needs --token-audience: without it, tokens for other services would be accepted',
    )
  }
  const { openTokenKeys } = await import('./token-keys.ts')
  const { createVerifyToken } = await import('../../http/auth/tokens.ts')
  const { keyOf, issuer } = openTokenKeys(tokenKeys, report)
  return (providers, providerUsers) =>
    createVerifyToken({
      keyOf,
      issuer: () => tokenIssuer || issuer(),
      audience: tokenAudience,
      algorithms: settings.tokenAlgorithms,
      userClaim: settings.tokenUserClaim,
      groupsClaim: settings.tokenGroupsClaim,
      clockTolerance: settings.tokenClockTolerance,
      providers,
      providerUsers,
    })
}
