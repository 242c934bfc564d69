// An identity provider (OpenID Connect): the authorization code flow with PKCE, state and nonce, by way of
// `openid-client`. The document that describes the provider is read when it is needed, and again after a while, so the
// service starts while the provider is away. No error and no report contains a code, a token or a secret.

import { readFile } from 'node:fs/promises'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { RequestFailure } from '@hyperslab/base/outgoing'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import {
  type Claims,
  claimOf,
  type FinishedLogin,
  type LoginChecks,
  type LoginProvider,
  type ProviderClaims,
  userOfClaims,
} from '../service/providers.ts'
import { boundedFetch } from './bounded-fetch.ts'

export interface OidcSettings {
  readonly name: string
  readonly title: string
  readonly issuer: string
  readonly clientId: string
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecret?: string
  /** A file with the secret, which is read for each login: a new secret needs no restart. */
  readonly clientSecretFile?: string
  readonly scopes: readonly string[]
  readonly claims: ProviderClaims
}

export interface OidcParts {
  readonly settings: OidcSettings
  /** Gets the reason why the provider, or a login there, has failed. */
  readonly report: (problem: string) => void
  /** Milliseconds; only differences count. */
  readonly now: () => number
  /** Milliseconds without a byte of the provider after which a request fails. Default: 20 seconds. */
  readonly timeout?: number
}

/** A login that has come this far is worth the wait for a provider that is busy. */
const TIMEOUT_MS = 20_000
/** The time that the list of providers waits for one of them. */
const LISTED_AFTER_MS = 5000
/** Milliseconds after which the description of an identity provider is read again. @limit safety, ms */
const MAX_AGE_MS = 60_000
/** The time without further requests to a provider that failed. */
const PAUSE_MS = 5000
/** Logins that are finished at once and wait for the identity provider; further ones get 503. @limit safety, logins */
const LOGINS_AT_ONCE = 64
/**
 * Characters of an ID token that is kept; with a longer one, addresses would be too long for the provider.
 * @limit memory, characters
 */
const MAX_ID_TOKEN = 4096

/** The reason of a failure, for the log and, of a login, for the person. */
interface Failure {
  readonly reason: string
  /**
   * `passing`: the same login may succeed later; `setup`: no login succeeds before the settings of the service or of
   * the provider change; `login`: another login may succeed.
   */
  readonly kind: 'passing' | 'setup' | 'login'
}

export class OidcProvider implements LoginProvider {
  readonly name: string
  readonly title: string
  readonly issuer: string
  readonly claims: ProviderClaims
  readonly #parts: OidcParts
  readonly #fetch: ReturnType<typeof boundedFetch>
  /** The description that the provider gives of itself, and when it was read. */
  #known: { readonly config: Configuration; readonly document: string; since: number } | undefined
  #reading: Promise<Configuration> | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  #finishing = 0
  #secret: string | undefined

  constructor(parts: OidcParts) {
    const { name, title, issuer, claims } = parts.settings
    this.name = name
    this.title = title
    this.issuer = issuer
    this.claims = claims
    this.#parts = parts
    this.#fetch = boundedFetch(parts.timeout ?? TIMEOUT_MS)
  }

  async isAvailable(within = LISTED_AFTER_MS): Promise<boolean> {
    const isDescribed = this.#config().then(
      () => true,
      () => false,
    )
    const isLate = new Promise<boolean>(resolve => {
      SYSTEM_CLOCK.after(within, () => resolve(false), 'while-running')
    })
    return Promise.race([isDescribed, isLate])
  }

  async begin(callback: string): Promise<{ address: string; checks: LoginChecks }> {
    const config = await this.#config()
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const address = buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: this.#parts.settings.scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      state: checks.state,
      nonce: checks.nonce,
    })
    return { address: address.href, checks }
  }

  async finish(answer: URL, checks: LoginChecks): Promise<FinishedLogin> {
    if (this.#finishing >= LOGINS_AT_ONCE)
      throw new HyperslabError('too-busy', `too many logins at ${this.title} at once: try again in a moment`)
    this.#finishing++
    try {
      const config = await this.#config()
      await this.#readSecret()
      return await this.#exchange(config, answer, checks)
    } catch (error) {
      throw error instanceof HyperslabError ? error : this.#failed(failureOf(error))
    } finally {
      this.#finishing--
    }
  }

  async logoutAddress(idToken: string | undefined, back: string): Promise<string | undefined> {
    const config = await this.#config().catch(() => undefined)
    if (config?.serverMetadata().end_session_endpoint === undefined) return undefined
    const hint = idToken === undefined ? {} : { id_token_hint: idToken }
    return buildEndSessionUrl(config, { post_logout_redirect_uri: back, ...hint }).href
  }

  async #exchange(
    config: Configuration,
    answer: URL,
    { state, nonce, verifier }: LoginChecks,
  ): Promise<FinishedLogin> {
    const tokens = await authorizationCodeGrant(config, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const inToken: Claims = { ...tokens.claims() }
    const { user: userClaim, groups, displayName } = this.claims
    const isComplete = [userClaim, groups, displayName].every(
      claim => claim === '' || claimOf(inToken, claim) !== undefined,
    )
    const hasMore = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await this.#userInfo(config, tokens.access_token, String(inToken.sub)) : {}
    // The ID token is signed, so its claims count before those of the other answer.
    const user = userOfClaims({ ...more, ...inToken }, this)
    if (user === undefined) throw this.#failed({ reason: 'its ID token names no subject', kind: 'login' })
    const { id_token: idToken } = tokens
    return { user, ...(idToken !== undefined && idToken.length <= MAX_ID_TOKEN && { idToken }) }
  }

  async #userInfo(config: Configuration, token: string, subject: string): Promise<Claims> {
    try {
      return { ...(await fetchUserInfo(config, token, subject)) }
    } catch (error) {
      if (!isRejection(error)) throw error
      const reason = 'its userinfo endpoint rejects the token that the provider has just given'
      throw this.#failed({ reason, kind: 'setup' })
    }
  }

  /** The description of the provider; `provider-unavailable` when it does not answer. */
  async #config(): Promise<Configuration> {
    const { now } = this.#parts
    if (this.#known && now() - this.#known.since < MAX_AGE_MS) return this.#known.config
    if (now() - this.#failedAt < PAUSE_MS) throw this.#unavailable()
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<Configuration> {
    const { settings, now, report, timeout = TIMEOUT_MS } = this.#parts
    const since = now()
    try {
      const issuer = new URL(settings.issuer)
      const config = await discovery(issuer, settings.clientId, {}, this.#clientAuth(), {
        [customFetch]: this.#fetch,
        timeout: timeout / 1000,
        execute: [
          enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      })
      const document = JSON.stringify(config.serverMetadata())
      // The same description keeps the keys that were read with it.
      if (this.#known?.document === document) this.#known.since = since
      else this.#known = { config, document, since }
      return this.#known.config
    } catch (error) {
      this.#failedAt = now()
      report(
        `the identity provider ${settings.name} (${settings.issuer}) cannot be used: ${failureOf(error).reason}`,
      )
      throw this.#unavailable()
    }
  }

  /** The secret in the form that the provider takes: with Basic, unless it names only the form in the body. */
  #clientAuth(): ClientAuth {
    return (server, client, body, headers) => {
      const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
      const method = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
      const authenticate = this.#secret === undefined ? None() : method(this.#secret)
      return authenticate(server, client, body, headers)
    }
  }

  async #readSecret(): Promise<void> {
    const { clientSecret, clientSecretFile } = this.#parts.settings
    if (clientSecretFile === undefined) {
      this.#secret = clientSecret
      return
    }
    try {
      this.#secret = (await readFile(clientSecretFile, 'utf8')).trim()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : String(error)
      const reason = `the file with the client secret (client_secret_file) cannot be read: ${code}`
      throw this.#failed({ reason, kind: 'setup' })
    }
  }

  #unavailable(): HyperslabError {
    const problem = `${this.title} does not answer, so you cannot log in there now: try again in a moment`
    return new HyperslabError('provider-unavailable', problem, { retryAfter: PAUSE_MS / 1000 })
  }

  #failed({ reason, kind }: Failure): HyperslabError {
    const remedy = kind === 'setup' ? '; no login there succeeds until that is mended' : ''
    this.#parts.report(`a login at the identity provider ${this.name} failed: ${reason}${remedy}`)
    // The description of a provider that has changed or moved is read again.
    if (this.#known) this.#known.since = Number.NEGATIVE_INFINITY
    if (kind === 'passing') return this.#unavailable()
    if (kind === 'setup') {
      const problem = `nobody can log in at ${this.title}: this service is not set up correctly there`
      return new HyperslabError('provider-misconfigured', `${problem}; tell its administrator`)
    }
    return new HyperslabError('login-failed', `the login at ${this.title} failed: ${reason}; log in again`)
  }
}

/** Codes of providers that are busy. */
const PASSING = new Set(['temporarily_unavailable', 'server_error'])
/** Codes of providers that reject the service rather than the person. */
const OF_SETUP = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
])
const REJECTED = 'the provider rejects the client_id or the client secret of this service'
const MEANINGS = new Map([
  ['invalid_client', REJECTED],
  ['unauthorized_client', 'the client_id may not log people in in this way'],
  ['invalid_scope', 'the provider rejects the scopes'],
  ['access_denied', 'it was cancelled, or you may not use this service'],
  ['invalid_grant', 'its code was used already, or has expired'],
])

/** The failure without anything that the requests and answers contain, except for a code of OAuth. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const code = /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'an unknown error'
    const meaning = MEANINGS.get(code)
    return {
      reason: meaning === undefined ? `the provider answers ${code}` : `${meaning} (${code})`,
      kind: PASSING.has(code) ? 'passing' : OF_SETUP.has(code) ? 'setup' : 'login',
    }
  }
  if (isRejection(error)) return { reason: `${REJECTED} (status 401)`, kind: 'setup' }
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RequestFailure) return { reason: cause.message, kind: 'passing' }
    if (cause.name === 'TimeoutError') return { reason: 'it takes too long to answer', kind: 'passing' }
    if (cause.cause instanceof Response) {
      const { status } = cause.cause
      const kind = status >= 500 ? 'passing' : 'login'
      return { reason: `the provider answers with the status ${status}`, kind }
    }
  }
  return { reason: error instanceof Error ? error.message : 'its answer cannot be read', kind: 'login' }
}

/** Whether the answer is 401: what the service has sent to prove itself is rejected. */
function isRejection(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return true
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.cause instanceof Response && cause.cause.status === 401) return true
  }
  return false
}
