// The life of a request: it chooses the dialect and the route, identifies the caller and queues for a slot; perform.ts
// does the work, reply.ts sends the answer. Each request is answered, counted and logged here, exactly once. The order
// of checks is that of classic 3.2.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@hyperslab/base/clock'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { DomainFiles } from '@hyperslab/files/export'
import type { Logger } from 'pino'
import type { Accounts, Users } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller, type ServiceSettings } from '../../service/context.ts'
import type { Logins } from '../../service/logins.ts'
import type { Store } from '../../service/model.ts'
import type { Providers } from '../../service/providers.ts'
import { requireShown, sharedPart } from '../../service/shares.ts'
import { type Authenticate, createAuthenticate, type Identity } from '../auth/authenticate.ts'
import { callerOfOpenService, isOfThisMachine, isUnused } from '../auth/open-service.ts'
import type { PasswordChecks } from '../auth/password-checks.ts'
import { PAGE_HEADER, sessionCookie, sessionIn } from '../auth/session-cookie.ts'
import type { VerifyToken } from '../auth/tokens.ts'
import {
  type Admission,
  type AdmissionLimits,
  type AdmittedRequest,
  bodyCost,
  streamCost,
} from '../connection/admission.ts'
import { ClientLeft, hasLeft, requireClient, requireWaitingClient } from '../connection/client-left.ts'
import type { Connections } from '../connection/connections.ts'
import { chooseDialect, type Dialects } from '../dialect/choose.ts'
import type { Dialect, NamingSettings } from '../dialect/dialect.ts'
import type { HsdsLevel } from '../dialect/hsds/levels.ts'
import type { Rules } from '../dialect/rules.ts'
import { errorLink } from '../error-link.ts'
import { FIXED_HEADERS, SHARE_HEADERS } from '../fixed-headers.ts'
import { requirePath } from '../message/absolute-target.ts'
import { HDF5_FILE, isHdf5File, prefersHtml } from '../message/content-types.ts'
import type { Reply, Request } from '../message/message.ts'
import { RequestBody, SHORT_BODY } from '../message/request-body.ts'
import { type SentShare, shareOf, withoutSecret } from '../message/share-address.ts'
import { endsWithSlash, noSuchPath, parseTarget, shownPath, type Target } from '../message/target.ts'
import { errorBody } from '../output/error-body.ts'
import { isWrite, type Route } from '../route/route.ts'
import { START_PAGE } from '../routes/pages.ts'
import { loggedDomain, loggedOrigin } from '../watch/access-log.ts'
import { type Audience, type RequestFigures, seesFigures } from '../watch/metrics.ts'
import { RequestSteps } from '../watch/request-steps.ts'
import {
  answerPreflight,
  corsHeaders,
  mayUseSession,
  type Origins,
  requireAllowedPage,
  requirePageHeader,
  requirePreflight,
} from './cors.ts'
import { perform, type Send } from './perform.ts'
import { type AnswerMemory, type Head, sendDefect, sendError, sendErrorPage, sendReply } from './reply.ts'

export interface HttpSettings extends NamingSettings {
  /** Origins whose pages may write and send credentials, apart from the service's own. */
  readonly corsOrigins: readonly string[]
  /** Requests without credentials are accepted, as those of the user `default`. */
  readonly allowAnonymous: boolean
  /** Until the first account is made, callers of this machine may do everything. Default: false. */
  readonly openUntilAccounts?: boolean
  /** Bytes of a JSON body other than values. */
  readonly maxJsonBody: number
  readonly hsdsLevel: HsdsLevel
  readonly version: string
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
  /** Called for each request that has ended. */
  readonly observe: (figures: RequestFigures) => void
}

/** The methods of a path that does not have the method of the request, as the header `Allow` lists them. */
export interface OtherMethods {
  readonly allow: string
}

/** Errors of addresses at which nothing can be: a person that opened one gets a page. */
const NOWHERE: ReadonlySet<ErrorCode> = new Set(['route-not-found', 'file-not-found', 'share-not-found'])
const NOWHERE_TITLE = 'There is nothing at this address'

/** The meaning of a method and path in a dialect. */
export type Meaning = Route | 'no-such-path' | OtherMethods

/** The meaning of the method and path of a request in each dialect. */
export interface RouteMatch extends Readonly<Record<Dialect['name'], Meaning>> {
  /** The routes of GET of the path. */
  readonly get?: Readonly<Partial<Record<Dialect['name'], Route>>> | undefined
}

/** Answers one request; never throws. */
export type AnswerRequest = (
  incoming: IncomingMessage,
  response: ServerResponse,
  match: RouteMatch,
  parameters: Readonly<Record<string, string>>,
) => Promise<void>

/** The parts that all exchanges of a server share. */
interface ExchangeContext extends ExchangeParts, ServerParts {
  readonly authenticate: Authenticate
  /** True: each request is logged. */
  readonly logsRequests: boolean
}

export function createExchange(parts: ExchangeParts, serverParts: ServerParts): AnswerRequest {
  const { accounts, logins, verifyToken, http, log } = parts
  const context: ExchangeContext = {
    ...parts,
    ...serverParts,
    authenticate: createAuthenticate({
      accounts,
      logins,
      ...(verifyToken && { verifyToken }),
      passwords: serverParts.passwords,
      allowAnonymous: http.allowAnonymous,
    }),
    logsRequests: log.isLevelEnabled('info'),
  }
  return async (incoming, response, match, parameters) => {
    try {
      await new Exchange(context, incoming, response, match, parameters).run()
    } catch (error) {
      // Not even an error could be sent. The process has other requests to serve.
      log.error({ err: error, method: incoming.method }, 'a request could not be answered')
      response.destroy()
    }
  }
}

/** Callers that may see figures send it to see the steps of their request. */
const TRACE_HEADER = 'x-hyperslab-trace'
const TIMING_HEADER = 'Server-Timing'

/** One request and its answer. */
class Exchange {
  readonly #context: ExchangeContext
  readonly #incoming: IncomingMessage
  readonly #response: ServerResponse
  readonly #match: RouteMatch
  readonly #parameters: Readonly<Record<string, string>>
  readonly #steps = new RequestSteps()
  readonly #id: string
  readonly #head: Head
  readonly #target: Target
  readonly #dialect: Dialect
  readonly #body: RequestBody
  /** The address of the client, which the socket no longer has once the client has left. */
  readonly #address: string
  readonly #sentBefore: number
  /** The secret in the cookie of a session, if the request may use it. */
  readonly #session: string | undefined
  /** The share in the address. */
  readonly #share: SentShare | undefined
  /** The answer may depend on the rights of the caller. */
  #isPrivate: boolean
  /** The id of the share, once it is accepted. */
  #shareId: string | undefined
  #user: string | undefined
  #admitted: AdmittedRequest | undefined

  constructor(
    context: ExchangeContext,
    incoming: IncomingMessage,
    response: ServerResponse,
    match: RouteMatch,
    parameters: Readonly<Record<string, string>>,
  ) {
    const { http, dialects, origins } = context
    const { headers, socket, url = '/' } = incoming
    this.#context = context
    this.#incoming = incoming
    this.#response = response
    this.#match = match
    this.#parameters = parameters
    this.#head = corsHeaders(incoming, origins)
    this.#id = requestId(incoming)
    this.#head.push('X-Request-Id', this.#id)
    this.#target = parseTarget(url)
    this.#dialect = chooseDialect(this.#target, headers, dialects)
    const invite = () => this.#inviteBody()
    const takeMemory = (bytes: number) => this.#admitted?.hold(bytes)
    this.#body = new RequestBody(incoming, headers, http.maxJsonBody, invite, takeMemory)
    this.#address = socket.remoteAddress ?? 'unknown'
    this.#sentBefore = socket.bytesWritten
    this.#share = shareOf(incoming)
    this.#session = this.#readSession()
    const hasCredentials = headers.authorization !== undefined || this.#session !== undefined
    this.#isPrivate = hasCredentials || this.#share !== undefined
  }

  #readSession(): string | undefined {
    const { headers } = this.#incoming
    const { http, origins } = this.#context
    if (headers.cookie === undefined || headers.authorization !== undefined || this.#share) return undefined
    return mayUseSession(this.#incoming, origins) ? sessionIn(headers, http.publicUrl) : undefined
  }

  async run(): Promise<void> {
    this.#response.once('close', () => this.#observe())
    this.#context.connections.setBody(this.#incoming.socket, this.#body)
    this.#head.push(...FIXED_HEADERS)
    if (this.#share) this.#head.push(...SHARE_HEADERS)
    try {
      requireOneHost(this.#incoming)
      requirePath(this.#incoming)
      if (this.#incoming.method === 'OPTIONS') this.#answerOptions()
      else await this.#answer()
    } catch (error) {
      this.#answerError(error)
    } finally {
      this.#admitted?.end()
      await this.#body.close()
    }
  }

  get #meaning(): Meaning {
    return this.#match[this.#dialect.name]
  }

  async #answer(): Promise<void> {
    const { accounts, http } = this.#context
    const { buckets } = http
    const response = this.#response
    const head = this.#head
    const target = this.#target
    const dialect = this.#dialect
    const { headers, method = '' } = this.#incoming
    const shared = this.#share && (await this.#acceptShare(this.#share))
    const route = requireRoute(this.#meaning, method, target, dialect.rules, head)
    const mayBeOpen = !shared && this.#mayBeOpen()
    const needsNoAccounts = shared || (this.#needsNoCaller(route) && !(mayBeOpen && identifies(route)))
    const refreshed = needsNoAccounts ? undefined : accounts.refresh()
    if (refreshed !== undefined) await refreshed
    this.#requireAllowedPage(route)
    if (!shared && !identifies(route)) this.#isPrivate = false
    // Credentials do not count there: no user has any.
    const isOpen = mayBeOpen && identifies(route) && isUnused(accounts)
    if (isOpen) this.#isPrivate = true
    const identity =
      shared ?? (isOpen ? { caller: callerOfOpenService(accounts) } : await this.#identify(route))
    if (shared && route.opens === 'nothing') await this.#requireShown(shared)
    const { caller } = identity
    this.#user = caller.name
    const showsSteps = seesFigures(caller, http.metrics)
    if (http.traces || (showsSteps && headers[TRACE_HEADER] !== undefined)) this.#steps.isTraced = true
    const parameters = this.#parameters
    // This check precedes the search for the domain, where objects are found by their ids only (classic 3.2).
    if (parameters.id === '' && !dialect.presentFound) throw noSuchPath(target)
    const request = {
      method: route.method,
      target,
      prefix: this.#share?.prefix ?? '',
      parameters,
      headers,
      body: this.#body,
      dialect,
      caller,
      identity,
      address: this.#address,
      buckets,
    }
    const memory: AnswerMemory = {
      take: ({ length, estimatedLength }) => this.#admitted?.stream(streamCost(length ?? estimatedLength)),
      release: bytesLeft => this.#admitted?.release(bytesLeft),
    }
    const send: Send = (reply, nonFinite, confirm) => {
      this.#steps.end('send')
      if (showsSteps) this.#showSteps()
      const shown = this.#isPrivate ? privately(reply, this.#share) : reply
      return sendReply({ response, head, request }, shown, nonFinite, memory, confirm)
    }
    const visited = this.#share && this.#isVisit() ? beginningOf(this.#share, request) : undefined
    if (visited !== undefined)
      return send({ status: 307, headers: { Location: visited, 'Content-Length': '0' } }, 'bare')
    if (route.opens !== 'nothing' || isWrite(route)) await this.#admit(route, caller)
    this.#steps.end('admission')
    const get = this.#match.get?.[dialect.name]
    const { reply, nonFinite } = await perform(
      this.#context,
      { route, get },
      request,
      response,
      send,
      this.#steps,
    )
    if (reply !== undefined) await send(reply, nonFinite)
  }

  /** A reply that could not be sent may be followed by another one, which has the header once. */
  #showSteps(): void {
    const at = this.#head.indexOf(TIMING_HEADER)
    if (at < 0) this.#head.push(TIMING_HEADER, this.#steps.format())
    else this.#head[at + 1] = this.#steps.format()
  }

  #answerOptions(): void {
    if (this.#dialect.rules.requests.exactPreflights) {
      if (this.#meaning === 'no-such-path') throw noSuchPath(this.#target)
      requirePreflight(this.#incoming)
    }
    answerPreflight(this.#incoming, this.#response, this.#head, this.#context.origins)
  }

  #requireAllowedPage(route: Route): void {
    const { accounts, origins } = this.#context
    const { headers } = this.#incoming
    requireAllowedPage({ headers, writes: isWrite(route), hasAccounts: () => accounts.exist() }, origins)
  }

  /** Whether the route is also answered while the accounts cannot be read. */
  #needsNoCaller(route: Route): boolean {
    if (route.opens !== 'nothing') return false
    const isAnonymous = this.#incoming.headers.authorization === undefined && this.#session === undefined
    return !identifies(route) || isAnonymous
  }

  /** Whether the caller may do everything if no account has been made yet. */
  #mayBeOpen(): boolean {
    const { http, origins } = this.#context
    return (http.openUntilAccounts ?? false) && isOfThisMachine(this.#incoming, origins, http.baseDomain)
  }

  /** Below the address of a share callers have no other identity. */
  async #acceptShare({ secret }: SentShare): Promise<Identity> {
    await this.#context.accounts.refresh()
    const sent = { authorization: undefined, session: undefined, share: secret, address: this.#address }
    const identity = await this.#context.authenticate(sent, this.#dialect.rules)
    this.#shareId = identity.login?.id
    return identity
  }

  /** The shared domain may be away, also where the answer is not about it: then the share gives nothing. */
  #requireShown({ caller }: Identity): Promise<void> {
    const { store, service: settings } = this.#context
    const signal = { throwIfAborted: () => requireClient(this.#response) }
    return store.read(reader =>
      requireShown({ reader: sharedPart(caller, reader), caller, settings, signal }),
    )
  }

  /** Routes about the service answer all callers, except some with wrong credentials (hsds-objects 3.1). */
  async #identify(route: Route): Promise<Identity> {
    if (this.#needsNoCaller(route)) return { caller: ANONYMOUS }
    const { authorization } = this.#incoming.headers
    if (this.#session !== undefined) {
      requirePageHeader(this.#incoming)
      // Caches keep the answers to users apart.
      this.#head[1] += ', Cookie'
    }
    const sent = { authorization, session: this.#session, address: this.#address }
    const identity = this.#context.authenticate(sent, this.#dialect.rules)
    return route.opens === 'nothing' && route.identifies === 'if-right'
      ? identity.catch(() => ({ caller: ANONYMOUS }))
      : identity
  }

  /** Waits for a slot or, where the client sets the pace, for the memory that the request may hold. */
  async #admit(route: Route, caller: Caller): Promise<void> {
    const { method, streamsBody = 'readUpload' in route && isHdf5File({ body: this.#body }) } = route
    const { admission, http } = this.#context
    const does = isWrite(route) ? 'write' : 'read'
    this.#admitted = admission.begin(userOf(caller, this.#incoming), this.#response, does)
    const isShort = method === 'GET' || (await this.#body.hold(SHORT_BODY))
    const cost = streamsBody ? streamCost : bodyCost
    const room = isShort
      ? this.#admitted.work()
      : this.#admitted.stream(cost(this.#body.announcedLength, http.maxJsonBody))
    if (room !== undefined) await room
    if (does === 'write') await requireWaitingClient(this.#response)
    else requireClient(this.#response)
  }

  #inviteBody(): void {
    const { headers, httpVersion } = this.#incoming
    // Node itself answers other expectations, and knows none in HTTP/1.0.
    if (headers.expect !== undefined && httpVersion === '1.1') this.#response.writeContinue()
  }

  /** Counts and logs the request, which has ended. */
  #observe(): void {
    const { observe, logsRequests, log, http } = this.#context
    const incoming = this.#incoming
    const response = this.#response
    const dialect = this.#dialect
    const target = this.#target
    const figures: RequestFigures = {
      method: incoming.method ?? '',
      operation: nameOf(this.#meaning),
      dialect: dialect.name,
      status: hasLeft(response) ? undefined : response.statusCode,
      milliseconds: Math.round(this.#steps.now() * 1000) / 1000,
      received: this.#body.received,
      sent: incoming.socket.bytesWritten - this.#sentBefore,
    }
    observe(figures)
    if (!logsRequests) return
    const origin = loggedOrigin(incoming, figures.status, this.#address)
    const domain = opensDomain(this.#meaning) ? loggedDomain(target, incoming, dialect, http) : {}
    log.info(
      {
        id: this.#id,
        ...origin,
        user: this.#user,
        ...(this.#shareId && { share: this.#shareId }),
        ...domain,
        ...figures,
        path: withoutSecret(target.path),
        ...(this.#steps.isTraced && this.#steps.toLog()),
      },
      'answered',
    )
  }

  /** Whether a page asks its user itself: for Basic, the browser would ask too. */
  #isOfPage(): boolean {
    return this.#incoming.headers[PAGE_HEADER] !== undefined || this.#session !== undefined
  }

  /** Whether a person has opened the address. */
  #isVisit(): boolean {
    const { method, headers } = this.#incoming
    return method === 'GET' && prefersHtml(headers)
  }

  #answerError(error: unknown): void {
    const id = this.#id
    const response = this.#response
    const head = this.#head
    const dialect = this.#dialect
    const { publicUrl } = this.#context.http
    // Below a share, addresses lead to it again.
    const base = (publicUrl ?? '') + (this.#shareId === undefined ? '' : (this.#share?.prefix ?? ''))
    const operation = nameOf(this.#meaning)
    if (error instanceof ClientLeft) return
    if (this.#isPrivate && !response.headersSent) head.push('Cache-Control', PRIVATE)
    if (error instanceof HyperslabError) {
      // The client only sees that the connection is closed.
      if (response.headersSent)
        this.#context.log.warn({ id, operation }, `an answer was interrupted: ${error.message}`)
      if (error.kind === 'unauthenticated' && dialect.rules.requests.challenges)
        head.push(
          'WWW-Authenticate',
          this.#isOfPage() ? 'Bearer realm="hyperslab"' : 'Basic realm="hyperslab"',
        )
      if (error.code === 'session-ended') {
        const { headers } = this.#incoming
        head.push('Set-Cookie', sessionCookie(headers, publicUrl, '', 0))
      }
      if (error.wholeLength !== undefined) head.push('Content-Range', `bytes */${error.wholeLength}`)
      if (error.kind === 'busy') head.push('Retry-After', String(error.retryAfter ?? 1))
      head.push(...errorLink(error.code, base))
      const isNowhere = NOWHERE.has(error.code)
      const title = isNowhere ? NOWHERE_TITLE : errorTitleOf(this.#meaning)
      if (title !== undefined && this.#isVisit() && !response.headersSent) {
        const body = errorBody(error, dialect, operation)
        // Programs get the status of the dialect, people always the same (common 17).
        sendErrorPage(response, head, isNowhere ? { ...body, status: 404 } : body, { title, base })
      } else sendError(response, head, dialect, error, operation)
      return
    }
    this.#context.log.error({ err: error, id, operation }, 'a request failed by a defect of the service')
    head.push(...errorLink('internal', base))
    sendDefect(response, head, dialect, id)
  }
}

const PRIVATE = 'private, no-cache'

/** The reply as shared caches may not keep it. */
function privately(reply: Reply, share: SentShare | undefined): Reply {
  // A live answer is kept nowhere.
  if ('live' in reply) return reply
  const {
    'Cache-Control': given = share ? 'no-cache' : '',
    'Referrer-Policy': referrers,
    ...headers
  } = reply.headers ?? {}
  const caching = ['private', given.replace(/^(public|private)(, )?/, '')].filter(part => part !== '')
  // The head of answers to shares has the policy of referrers already.
  const policy = share || referrers === undefined ? {} : { 'Referrer-Policy': referrers }
  return { ...reply, headers: { ...headers, ...policy, 'Cache-Control': caching.join(', ') } }
}

/**
 * The relative address, for a browser that opens the address of a share itself, of the page with the shared view. An
 * address without a slash at its end gets one first: else relative ones would leave the share.
 */
function beginningOf({ secret, hasSlash }: SentShare, { target, identity }: Request): string | undefined {
  const { path, rawQuery } = target
  if (!hasSlash) return `${secret}/${rawQuery === '' ? '' : `?${rawQuery}`}`
  return path === '/' && rawQuery === '' ? `.${START_PAGE}?${identity.login?.view ?? ''}` : undefined
}

/** RFC 9112, 3.2: with two Host headers the domain is ambiguous. */
function requireOneHost({ rawHeaders }: IncomingMessage): void {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count <= 1) return
  const message = `the request has ${count} Host headers, one is allowed: send the name of one host`
  throw new HyperslabError('malformed-request', message)
}

function nameOf(meaning: Meaning): string | undefined {
  return typeof meaning === 'object' && 'name' in meaning ? meaning.name : undefined
}

/** Whether the answer depends on the caller. */
function identifies(route: Route): boolean {
  return route.opens !== 'nothing' || route.identifies !== 'no'
}

/** The title of the page that a person gets for an error; undefined: there is no page. */
function errorTitleOf(meaning: Meaning): string | undefined {
  return typeof meaning === 'object' && 'errorTitle' in meaning ? meaning.errorTitle : undefined
}

function opensDomain(meaning: Meaning): boolean {
  return typeof meaning === 'object' && 'opens' in meaning && meaning.opens !== 'nothing'
}

/** `curl -T run7.h5` sends PUT of `/run7.h5`. */
const UPLOAD_HINT = `: an HDF5 file is stored with the content type ${HDF5_FILE}, under the name in ?domain= or ?host=`

/** Throws when the path is unknown, or has no such method. */
function requireRoute(meaning: Meaning, method: string, target: Target, rules: Rules, head: Head): Route {
  if (meaning === 'no-such-path') {
    const mayBeUpload = method === 'PUT' && target.segments.length === 1
    throw noSuchPath(target, mayBeUpload ? UPLOAD_HINT : '')
  }
  if (!('allow' in meaning)) return meaning
  // An empty name has a meaning for no other method (hsds-objects 2).
  if (rules.requests.exactPaths && endsWithSlash(target)) throw noSuchPath(target)
  head.push('Allow', meaning.allow)
  const problem = `${shownPath(target.path)} has no method ${method}: its methods are ${meaning.allow}`
  throw new HyperslabError('method-not-allowed', problem)
}

/**
 * An id that a client or proxy gives its request, if it is short and plain: it makes their logs comparable with ours.
 */
const CLIENT_ID = /^[\w.:-]{1,64}$/

const OWN_IDS = `${randomBytes(4).toString('hex')}-`
let requests = 0

function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && CLIENT_ID.test(given)) return given
  return OWN_IDS + (++requests).toString(36)
}

/** The user for which a request counts: a name, or without credentials an address. */
function userOf({ name }: Caller, { socket }: IncomingMessage): string {
  return name ?? `address ${socket.remoteAddress}`
}
