// Bearer tokens (hsds-objects 3.3): JWTs of an identity provider whose public keys the service has. A verified token is
// remembered until it expires. The message of a rejection contains only the names of the token's claims.

import { hash } from 'node:crypto'
import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import {
  claimOf,
  groupsIn,
  isNameOfProvider,
  type LoginProvider,
  type ProviderUsers,
  userOfClaims,
} from '../../service/providers.ts'
import { ACCOUNT_NAME_RULE, isAccountName, isNameOfMany } from '../../service/user-names.ts'

/** Tokens that are remembered. @limit memory, entries */
const MAX_REMEMBERED = 10_000

export interface TokenSettings {
  /** The key that may have signed a token; `token-keys-unavailable` when the keys are not available. */
  readonly keyOf: JWTVerifyGetKey
  /** The issuer of tokens; undefined: not checked. It is read after the key, because it may come with the keys. */
  readonly issuer: () => string | undefined
  /** A token must be for one of these. */
  readonly audience: readonly string[]
  readonly algorithms: readonly string[]
  /** The claim that holds the user's name; dots separate the names of nested claims. */
  readonly userClaim: string
  /** The claim that lists the user's groups; empty: there is none. */
  readonly groupsClaim: string
  /** Seconds by which the clocks of the issuer and here may differ. */
  readonly clockTolerance: number
  /** Providers with which people log in: a token of their issuers names the same users as a login there. */
  readonly providers: readonly Pick<LoginProvider, 'name' | 'issuer' | 'claims'>[]
  readonly providerUsers: Pick<ProviderUsers, 'nameOf'>
}

export interface TokenUser {
  readonly name: string
  readonly groups: readonly string[]
}

export type VerifyToken = (token: string) => Promise<TokenUser>

/** The function that finds the user of a token; `wrong-credentials` if it rejects the token. */
export function createVerifyToken(
  settings: TokenSettings,
  now: () => number = SYSTEM_CLOCK.now,
): VerifyToken {
  /**
   * Tokens whose signature was verified: digest of a token -> its user, and the time until which it is valid
   * (milliseconds).
   * @limit speed, tokens, bench/results.md#062-limits-of-speed
   */
  const verified = new BoundedMap<string, { readonly user: TokenUser; readonly until: number }>(
    MAX_REMEMBERED,
  )

  return async token => {
    const digest = hash('sha256', token, 'base64')
    const known = verified.get(digest)
    if (known !== undefined && known.until > now()) return known.user
    const payload = await verifiedPayload(token, settings, now())
    const user = await userOf(payload, settings)
    verified.set(digest, { user, until: (payload.exp ?? 0) * 1000 })
    return user
  }
}

async function verifiedPayload(token: string, settings: TokenSettings, now: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, settings.keyOf, {
      algorithms: [...settings.algorithms],
      audience: [...settings.audience],
      clockTolerance: settings.clockTolerance,
      currentDate: new Date(now),
      requiredClaims: ['exp'],
    })
    const issuer = settings.issuer()
    if (issuer !== undefined && payload.iss !== issuer)
      throw rejectedToken('its claim "iss" is not accepted here')
    return payload
  } catch (error) {
    if (error instanceof HyperslabError) throw error
    if (error instanceof errors.JWTExpired) throw rejectedToken('it has expired')
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw rejectedToken(`its claim "${error.claim}" is missing or not accepted here`)
    }
    // Malformed, of another algorithm or key, or a key that does not fit the algorithm.
    throw rejectedToken('it is not signed by the identity provider of this server')
  }
}

async function userOf(payload: JWTPayload, settings: TokenSettings): Promise<TokenUser> {
  const { userClaim, groupsClaim, providers, providerUsers } = settings
  const provider = providers.find(({ issuer }) => issuer === payload.iss)
  if (provider) {
    const user = userOfClaims(payload, provider)
    if (user === undefined) throw rejectedToken('its claim "sub" is missing')
    return { name: await providerUsers.nameOf(user, provider.name), groups: user.groups }
  }
  const name = claimOf(payload, userClaim)
  if (typeof name !== 'string' || isNameOfMany(name)) {
    throw rejectedToken(`its claim "${userClaim}" must be the name of a user`)
  }
  if (!isAccountName(name)) throw rejectedToken(`its claim "${userClaim}" must ${ACCOUNT_NAME_RULE}`)
  const owner = providers.find(provider => isNameOfProvider(name, provider.name))
  if (owner) throw rejectedToken(`its claim "${userClaim}" is a name that only users of ${owner.name} have`)
  return { name, groups: groupsIn(payload, groupsClaim) }
}

function rejectedToken(reason: string): HyperslabError {
  return new HyperslabError('wrong-credentials', `bearer token rejected: ${reason}`)
}
