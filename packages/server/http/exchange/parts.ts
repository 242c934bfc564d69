// The settings of the HTTP layer, and the parts that all requests use.

import type { Clock } from '@hyperslab/base/clock'
import type { DomainFiles } from '@hyperslab/files/export'
import type { Store } from '@hyperslab/store/store'
import type { Logger } from 'pino'
import type { Accounts, Users } from '../../service/accounts.ts'
import type { ServiceSettings } from '../../service/context.ts'
import type { Logins } from '../../service/logins.ts'
import type { Providers } from '../../service/providers.ts'
import type { PasswordChecks } from '../auth/password-checks.ts'
import type { VerifyToken } from '../auth/tokens.ts'
import type { Admission, AdmissionLimits } from '../connection/admission.ts'
import type { Budget, CallerBudgets } from '../connection/caller-budgets.ts'
import type { TrustedProxies } from '../connection/client-address.ts'
import type { Connections } from '../connection/connections.ts'
import type { Dialects } from '../dialect/choose.ts'
import type { NamingSettings } from '../dialect/dialect.ts'
import type { HsdsLevel } from '../dialect/hsds/levels.ts'
import type { AuditLog } from '../watch/audit-log.ts'
import type { Audience, RequestFigures } from '../watch/metrics.ts'
import type { Origins } from './cors.ts'

export interface HttpSettings extends NamingSettings {
  /** Origins whose pages may write and send credentials, apart from the service's own. */
  readonly corsOrigins: readonly string[]
  /** Requests without credentials are accepted, as those of the user `default`. */
  readonly allowAnonymous: boolean
  /** They may change what lists allow them. Default: true. */
  readonly anonymousWrites?: boolean
  /** Until the first account is made, callers of this machine may do everything. Default: false. */
  readonly openUntilAccounts?: boolean
  /** Bytes of a JSON body other than values. */
  readonly maxJsonBody: number
  readonly hsdsLevel: HsdsLevel
  readonly version: string
  /** The commit that was built; empty: not known. */
  readonly commit: string
  /** The path before those of files, in the configuration of nginx; absent: nginx sends no files itself. */
  readonly accelRedirect?: string
  /** The callers that may read figures about the process; default: they are not counted. */
  readonly metrics?: Audience
  /** The steps of each request are logged with it. */
  readonly traces?: boolean
}

export interface ExchangeParts {
  readonly store: Store
  readonly files: DomainFiles
  readonly accounts: Accounts
  readonly users: Users
  readonly logins: Logins
  /** Absent: no token of an identity provider is accepted. */
  readonly verifyToken?: VerifyToken
  /** Absent: people log in with passwords and tokens only. */
  readonly providers?: Providers
  readonly service: ServiceSettings
  readonly http: HttpSettings
  readonly log: Logger
  /** Absent: there is no audit. */
  readonly audit?: AuditLog
  /** The folder for large bodies while they are read. Default: that of the system. */
  readonly temporaryFolder?: string
  /** Default: that of the system. */
  readonly clock?: Clock
  /** Limits of running work; DEFAULT_LIMITS replace absent ones. */
  readonly limits?: Partial<AdmissionLimits>
  /**
   * Seconds for which the service waits for a client that sends or receives too little before it closes the connection.
   * Default: 60.
   */
  readonly clientTimeoutSeconds?: number
  /** The least bytes a second, on average over that time. Default: 1024. */
  readonly minClientRate?: number
  /** The budgets of callers. Absent: they have no limit. */
  readonly budgets?: readonly Budget[]
  /** Addresses and networks of proxies that report the addresses of clients. Absent: none. */
  readonly trustedProxies?: readonly string[]
  /** Connections at once. Default: no limit. */
  readonly maxConnections?: number
}

/** The parts of the server that all exchanges use. */
export interface ServerParts {
  readonly dialects: Dialects
  readonly admission: Admission
  readonly origins: Origins
  readonly connections: Connections
  readonly passwords: PasswordChecks
  readonly callerBudgets: CallerBudgets
  readonly proxies: TrustedProxies
  /** Called for each request that has ended. */
  readonly observe: (figures: RequestFigures) => void
}
