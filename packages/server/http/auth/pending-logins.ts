// Logins at identity providers that are under way: what the service must know when the person comes back, at any of its
// processes. It is sealed in a cookie of the browser, one for each login, so that nothing is stored for strangers, two
// tabs do not disturb each other, and the answer of a provider counts in the browser that has asked for it only.

import type { IncomingHttpHeaders } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import type { Seal } from '../../seal.ts'
import type { LoginChecks } from '../../service/providers.ts'
import { cookieNameOf, cookiesIn, setCookie } from './session-cookie.ts'

/** Seconds that a person has to log in at the provider. */
const LIFETIME = 600
/**
 * Logins at identity providers that are under way in one browser, each a cookie; the oldest ones end.
 * @limit safety, logins
 */
const MAX_PENDING = 5
/**
 * Characters of the address of the page to return to, which is in the cookie: proxies take some 4096 bytes of headers.
 * @limit safety, characters
 */
const MAX_ADDRESS = 1500
/** Characters of the state with which the name of its cookie ends. */
const SHOWN_STATE = 8

export interface PendingLogin extends LoginChecks {
  readonly provider: string
  /** The address of the page that the person comes from. */
  readonly next: string
}

interface SealedLogin extends PendingLogin {
  /** Milliseconds since the epoch. */
  readonly until: number
}

export class PendingLogins {
  readonly #seal: Seal
  readonly #publicUrl: string
  readonly #now: () => number

  constructor(seal: Seal, publicUrl: string, now: () => number) {
    this.#seal = seal
    this.#publicUrl = publicUrl
    this.#now = now
  }

  /** The values of `Set-Cookie` with which a login begins. */
  begin(headers: IncomingHttpHeaders, login: PendingLogin): readonly string[] {
    const { provider, next, state, nonce, verifier } = login
    const until = this.#now() + LIFETIME * 1000
    const sealed: SealedLogin = { provider, next, state, nonce, verifier, until }
    const prefix = this.#nameFor(headers, '')
    const others = [...cookiesIn(headers).keys()].filter(name => name.startsWith(prefix))
    // Browsers send the oldest first.
    const surplus = others.slice(0, Math.max(0, others.length + 1 - MAX_PENDING))
    return [
      ...surplus.map(name => this.#cookie(headers, name, '', 0)),
      this.#cookie(
        headers,
        this.#nameFor(headers, state),
        this.#seal.close(JSON.stringify(sealed)),
        LIFETIME,
      ),
    ]
  }

  /** The login that has begun with the state, in this browser and lately; `login-unknown` if there is none. */
  find(headers: IncomingHttpHeaders, provider: string, state: string): PendingLogin {
    const sealed = cookiesIn(headers).get(this.#nameFor(headers, state))
    const text = sealed && this.#seal.open(sealed)
    const login: SealedLogin | undefined = text ? JSON.parse(text) : undefined
    if (login === undefined || login.state !== state || login.provider !== provider)
      throw unknownLogin('it did not begin in this browser, or has ended already')
    if (login.until <= this.#now()) throw unknownLogin(`it began more than ${LIFETIME / 60} minutes ago`)
    return login
  }

  /** The value of `Set-Cookie` with which a login has ended. */
  end(headers: IncomingHttpHeaders, { state }: PendingLogin): string {
    return this.#cookie(headers, this.#nameFor(headers, state), '', 0)
  }

  /** The address of the page that `next` names; `malformed-parameter` unless it is one of the service. */
  addressOf(next: string): string {
    const base = new URL(this.#publicUrl)
    const url = /^\/(?![/\\])/.test(next) && URL.canParse(next, base.href) ? new URL(next, base) : undefined
    const path = base.pathname.replace(/\/$/, '')
    // Other paths of the host may be those of other services.
    const isOwn =
      url?.origin === base.origin &&
      `${url.pathname}/`.startsWith(`${path}/`) &&
      !url.pathname.startsWith(`${path}/login/`)
    // The whole address: the path alone may begin with "//" and so name another host.
    if (url && isOwn && url.href.length <= MAX_ADDRESS) return url.href
    throw new HyperslabError(
      'malformed-parameter',
      `next=${excerpt(next)} must be the address of a page of this service, such as /ui?folder=/home, ` +
        `of up to ${MAX_ADDRESS} characters`,
    )
  }

  #nameFor(headers: IncomingHttpHeaders, state: string): string {
    return `${cookieNameOf(headers, this.#publicUrl)}-login-${state.slice(0, SHOWN_STATE)}`
  }

  #cookie(headers: IncomingHttpHeaders, name: string, value: string, seconds: number): string {
    return setCookie(headers, this.#publicUrl, { name, value, seconds })
  }
}

function unknownLogin(reason: string): HyperslabError {
  return new HyperslabError('login-unknown', `there is no login to finish: ${reason}; log in again`)
}
