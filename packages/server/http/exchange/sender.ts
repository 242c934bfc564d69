// The sender of a request: its share, its session, and its caller with the rights of now.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ANONYMOUS } from '../../service/context.ts'
import { requireShown, sharedPart } from '../../service/shares.ts'
import type { Authenticate, Identity } from '../auth/authenticate.ts'
import { callerOfOpenService, isOfThisMachine, isUnused } from '../auth/open-service.ts'
import { PAGE_HEADER, sessionIn } from '../auth/session-cookie.ts'
import { requireClient } from '../connection/client-left.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type SentShare, shareOf } from '../message/share-address.ts'
import { isWrite, type Route } from '../route/route.ts'
import { mayUseSession, type Origins, requireAllowedPage, requirePageHeader } from './cors.ts'
import { identifies } from './meaning.ts'
import type { ExchangeParts } from './parts.ts'
import type { Head } from './reply.ts'

export interface SenderParts extends Pick<ExchangeParts, 'accounts' | 'http' | 'store' | 'service'> {
  readonly origins: Origins
  readonly authenticate: Authenticate
}

export class Sender {
  /** The share in the address. */
  readonly share: SentShare | undefined
  /** The id of the share, once it is accepted. */
  shareId: string | undefined
  /** The answer may depend on the rights of the caller. */
  isPrivate: boolean
  readonly #parts: SenderParts
  readonly #incoming: IncomingMessage
  readonly #dialect: Dialect
  /** The address of the client. */
  readonly #address: string
  /** The secret in the cookie of a session, if the request may use it. */
  readonly #session: string | undefined

  constructor(parts: SenderParts, incoming: IncomingMessage, dialect: Dialect, address: string) {
    this.#parts = parts
    this.#incoming = incoming
    this.#dialect = dialect
    this.#address = address
    this.share = shareOf(incoming)
    this.#session = this.#readSession()
    const hasCredentials = incoming.headers.authorization !== undefined || this.#session !== undefined
    this.isPrivate = hasCredentials || this.share !== undefined
  }

  #readSession(): string | undefined {
    const { headers } = this.#incoming
    const { http, origins } = this.#parts
    if (headers.cookie === undefined || headers.authorization !== undefined || this.share) return undefined
    return mayUseSession(this.#incoming, origins) ? sessionIn(headers, http.publicUrl) : undefined
  }

  /** The request was sent by a page of the service, which asks its user for credentials itself. */
  get isPage(): boolean {
    return this.#incoming.headers[PAGE_HEADER] !== undefined || this.#session !== undefined
  }

  /** Below the address of a share callers have no other identity. */
  async acceptShare({ secret }: SentShare): Promise<Identity> {
    const { accounts, authenticate } = this.#parts
    await accounts.refresh()
    const sent = { authorization: undefined, session: undefined, share: secret, address: this.#address }
    const identity = await authenticate(sent, this.#dialect.rules)
    this.shareId = identity.login?.id
    return identity
  }

  /** The caller of the route; `shared` is that of a share. Throws where the request may not be sent at all. */
  async identify(
    route: Route,
    shared: Identity | undefined,
    head: Head,
    response: ServerResponse,
  ): Promise<Identity> {
    const { accounts } = this.#parts
    const mayBeOpen = !shared && identifies(route) && this.#mayBeOpen()
    const needsNoAccounts = shared || (this.#needsNoCaller(route) && !mayBeOpen)
    const refreshed = needsNoAccounts ? undefined : accounts.refresh()
    if (refreshed !== undefined) await refreshed
    this.#requireAllowedPage(route)
    if (shared) {
      if (route.opens === 'nothing') await this.#requireShown(shared, response)
      return shared
    }
    if (!identifies(route)) this.isPrivate = false
    // Credentials do not count there: no user has any.
    const isOpen = mayBeOpen && isUnused(accounts)
    if (isOpen) this.isPrivate = true
    return isOpen ? { caller: callerOfOpenService(accounts) } : this.#authenticate(route, head)
  }

  /** Routes about the service answer all callers, except some with wrong credentials (hsds-objects 3.1). */
  async #authenticate(route: Route, head: Head): Promise<Identity> {
    if (this.#needsNoCaller(route)) return { caller: ANONYMOUS }
    const { authorization } = this.#incoming.headers
    if (this.#session !== undefined) {
      requirePageHeader(this.#incoming)
      // Caches keep the answers to users apart.
      head[1] += ', Cookie'
    }
    const sent = { authorization, session: this.#session, address: this.#address }
    const identity = this.#parts.authenticate(sent, this.#dialect.rules)
    return route.opens === 'nothing' && route.identifies === 'if-right'
      ? identity.catch(() => ({ caller: ANONYMOUS }))
      : identity
  }

  /** Whether the route is also answered while the accounts cannot be read. */
  #needsNoCaller(route: Route): boolean {
    if (route.opens !== 'nothing') return false
    const isAnonymous = this.#incoming.headers.authorization === undefined && this.#session === undefined
    return !identifies(route) || isAnonymous
  }

  /** Whether the caller may do everything if no account has been made yet. */
  #mayBeOpen(): boolean {
    const { http, origins } = this.#parts
    return (http.openUntilAccounts ?? false) && isOfThisMachine(this.#incoming, origins, http.baseDomain)
  }

  /** Files of the page and of the guide are for all pages, so that the page can say what is wrong. */
  #requireAllowedPage(route: Route): void {
    if (!identifies(route) && !isWrite(route)) return
    const { accounts, origins } = this.#parts
    const { headers } = this.#incoming
    requireAllowedPage({ headers, writes: isWrite(route), hasAccounts: () => accounts.exist() }, origins)
  }

  /** The shared domain may be away, also where the answer is not about it: then the share gives nothing. */
  #requireShown({ caller }: Identity, response: ServerResponse): Promise<void> {
    const { store, service: settings } = this.#parts
    const signal = { throwIfAborted: () => requireClient(response) }
    return store.read(reader =>
      requireShown({ reader: sharedPart(caller, reader), caller, settings, signal }),
    )
  }
}
