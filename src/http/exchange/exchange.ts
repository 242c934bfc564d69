// The life of a request: the dialect is chosen, the route required, the caller identified, the turn waited for; perform.ts
// does the work, reply.ts sends the answer. Whatever happens is answered, counted and logged here, once. The order of
// checks is that of classic 3.2.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { HyperslabError } from '../../errors.ts'
import type { Accounts } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller, type ServiceSettings } from '../../service/context.ts'
import type { Store } from '../../service/model.ts'
import { createAuthenticate } from '../auth/authenticate.ts'
import type { PasswordChecks } from '../auth/password-checks.ts'
import { createVerifyToken, type TokenSettings } from '../auth/tokens.ts'
import { RequestBody } from '../body/request-body.ts'
import {
  type Admission,
  type AdmissionLimits,
  type Admitted,
  bodyCost,
  streamCost,
} from '../connection/admission.ts'
import { ClientLeft, hasLeft, requireClient } from '../connection/client-left.ts'
import type { Connections } from '../connection/connections.ts'
import { chooseDialect, type Dialects } from '../dialect/choose.ts'
import type { Dialect, NamingSettings } from '../dialect/dialect.ts'
import type { HsdsLevel } from '../dialect/hsds/levels.ts'
import type { Rules } from '../dialect/rules.ts'
import type { Route } from '../route.ts'
import { SHORT_BODY } from '../short-body.ts'
import { endsWithSlash, noSuchPath, parseTarget, shownPath, type Target } from '../target.ts'
import { loggedOrigin, loggedPlace } from '../watch/access-log.ts'
import type { Answered } from '../watch/metrics.ts'
import { answerPreflight, corsHeaders, type Origins, requireAllowedPage, requirePreflight } from './cors.ts'
import { perform, type Send } from './perform.ts'
import { type Head, type MakeRoom, sendDefect, sendError, sendReply } from './reply.ts'

export interface HttpSettings extends NamingSettings {
  /** Whose pages may write and send credentials, besides the service's own. */
  readonly corsOrigins: readonly string[]
  /** Callers without credentials may ask, as the user `default`. */
  readonly allowAnonymous: boolean
  /** Bytes of a JSON body other than values. */
  readonly maxJsonBody: number
  readonly hsdsLevel: HsdsLevel
  readonly version: string
  /** Who may read figures about the process; default: they are not counted. */
  readonly metrics?: 'off' | 'admin' | 'public'
}

export interface ExchangeParts {
  readonly store: Store
  readonly accounts: Accounts
  /** Absent: no bearer token is accepted. */
  readonly tokens?: TokenSettings
  readonly service: ServiceSettings
  readonly http: HttpSettings
  readonly log: Logger
  /** What is worked on at once, unless it is as much as by default. */
  readonly limits?: Partial<AdmissionLimits>
  /** A client that is waited for and moves too little in so long is cut off. Default: 60. */
  readonly clientTimeoutSeconds?: number
  /** Bytes a second that are too little, on average over that time. Default: 1024. */
  readonly minClientRate?: number
  /** Connections at once. Default: no limit. */
  readonly maxConnections?: number
}

/** What belongs to the server as a whole. */
export interface ExchangeSurroundings {
  readonly dialects: Dialects
  readonly admission: Admission
  readonly origins: Origins
  readonly connections: Connections
  readonly passwords: PasswordChecks
  /** Told of each request that is over. */
  readonly answered: (done: Answered) => void
}

/** The methods of a path that has no such method as was asked for, as the header `Allow` lists them. */
export interface OtherMethods {
  readonly allow: string
}

/** What a method and path mean in a dialect. */
export type Meaning = Route | 'no-such-path' | OtherMethods

export interface Found extends Readonly<Record<Dialect['name'], Meaning>> {
  /** What GET of the path means. */
  readonly get?: Readonly<Partial<Record<Dialect['name'], Route>>> | undefined
}

/** Answers one request, whatever happens. */
export type Exchange = (
  incoming: IncomingMessage,
  response: ServerResponse,
  found: Found,
  parameters: Readonly<Record<string, string>>,
) => Promise<void>

export function createExchange(
  parts: ExchangeParts,
  { dialects, admission, origins, connections, passwords, answered }: ExchangeSurroundings,
): Exchange {
  const { http, log } = parts
  const logs = log.isLevelEnabled('info')
  const authenticate = createAuthenticate({
    accounts: parts.accounts,
    ...(parts.tokens && { verifyToken: createVerifyToken(parts.tokens) }),
    passwords,
    allowAnonymous: http.allowAnonymous,
  })

  /** What needs no permission is told to anybody, but for those whose credentials are wrong (hsds-objects 3.1). */
  const identify = async (
    route: Route,
    authorization: string | undefined,
    rules: Rules,
    address: string,
  ): Promise<Caller> => {
    if (route.opens !== 'nothing') return authenticate(authorization, rules, address)
    if (route.identifies === 'no' || authorization === undefined) return ANONYMOUS
    const caller = authenticate(authorization, rules, address)
    return route.identifies === 'yes' ? caller : caller.catch(() => ANONYMOUS)
  }

  const answer: Exchange = async (incoming, response, found, parameters) => {
    const start = performance.now()
    const head = corsHeaders(incoming, origins)
    const id = requestId(incoming)
    head.push('X-Request-Id', id)
    const target = parseTarget(incoming.url ?? '/')
    const dialect = chooseDialect(target, incoming.headers, dialects)
    const invite = () => {
      // Node itself answers other expectations, and knows none in HTTP/1.0.
      if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') response.writeContinue()
    }
    const takeMemory = (bytes: number) => admitted?.hold(bytes)
    const body = new RequestBody(incoming, incoming.headers, http.maxJsonBody, invite, takeMemory)
    const operation = nameOf(found[dialect.name])
    const { socket, method = '' } = incoming
    // Gone when the client is.
    const { remoteAddress = 'unknown' } = socket
    const sentBefore = socket.bytesWritten
    let user: string | undefined
    let admitted: Admitted | undefined
    response.once('close', () => {
      const done = {
        method,
        operation,
        dialect: dialect.name,
        status: hasLeft(response) ? undefined : response.statusCode,
        milliseconds: Math.round((performance.now() - start) * 1000) / 1000,
        received: body.received,
        sent: socket.bytesWritten - sentBefore,
      }
      answered(done)
      if (!logs) return
      const origin = loggedOrigin(incoming, done.status, remoteAddress)
      const place = opensDomain(found[dialect.name]) ? loggedPlace(target, incoming, dialect, http) : {}
      log.info({ id, ...origin, user, ...place, ...done, path: target.path }, 'answered')
    })
    connections.setBody(socket, body)
    head.push(...FIXED_HEADERS)
    try {
      requireOneHost(incoming)
      if (method === 'OPTIONS') {
        if (dialect.rules.requests.exactPreflights) {
          if (found[dialect.name] === 'no-such-path') throw noSuchPath(target)
          requirePreflight(incoming)
        }
        answerPreflight(incoming, response, head, origins)
        return
      }
      const route = requireRoute(found[dialect.name], method, target, dialect.rules, head)
      const { headers } = incoming
      const writes = route.opens.endsWith('writer')
      requireAllowedPage({ headers, writes, hasAccounts: () => parts.accounts.exist() }, origins)
      const caller = await identify(route, headers.authorization, dialect.rules, remoteAddress)
      user = caller.name
      const { buckets } = http
      const get = found.get?.[dialect.name]
      const request = {
        method: route.method,
        target,
        parameters,
        headers,
        body,
        dialect,
        caller,
        buckets,
      }
      const makeRoom: MakeRoom = ({ length, about }) => admitted?.stream(streamCost(length ?? about))
      const send: Send = (reply, nonFinite) => sendReply(response, head, request, reply, nonFinite, makeRoom)
      if (route.opens !== 'nothing') {
        const does = route.opens.endsWith('writer') ? 'write' : 'read'
        admitted = admission.begin(userOf(caller, incoming), response, does)
        const isShort = route.method === 'GET' || (await body.hold(SHORT_BODY))
        const cost = route.streamsBody ? streamCost : bodyCost
        const room = isShort ? admitted.work() : admitted.stream(cost(body.announcedLength, http.maxJsonBody))
        if (room !== undefined) await room
        requireClient(response)
      }
      const { reply, nonFinite } = await perform(parts, route, request, get, response, send)
      if (reply !== undefined) await send(reply, nonFinite)
    } catch (error) {
      answerError(response, head, dialect, error, { id, operation, log })
    } finally {
      admitted?.end()
      await body.close()
    }
  }

  return async (incoming, response, found, parameters) => {
    try {
      await answer(incoming, response, found, parameters)
    } catch (error) {
      // Not even the answer to a failure could be given. The process has others to serve.
      log.error({ err: error, method: incoming.method }, 'a request could not be answered')
      response.destroy()
    }
  }
}

/** RFC 9112, 3.2: it would be a matter of chance which domain is meant. */
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

function opensDomain(meaning: Meaning): boolean {
  return typeof meaning === 'object' && 'opens' in meaning && meaning.opens !== 'nothing'
}

/** Errors when the path is unknown, or the method is none of its methods. */
function requireRoute(meaning: Meaning, method: string, target: Target, rules: Rules, head: Head): Route {
  if (meaning === 'no-such-path') throw noSuchPath(target)
  if (!('allow' in meaning)) return meaning
  // No other method gives an empty name a meaning (hsds-objects 2).
  if (rules.requests.exactPaths && endsWithSlash(target)) throw noSuchPath(target)
  head.push('Allow', meaning.allow)
  const what = `${method} is not a method of ${shownPath(target.path)}; ${meaning.allow} are`
  throw new HyperslabError('method-not-allowed', what)
}

/** What a client or proxy calls its request, if it is short and plain, so that their logs can be compared with ours. */
const GIVEN_ID = /^[\w.:-]{1,64}$/

const OWN_IDS = `${randomBytes(4).toString('hex')}-`
let requests = 0

function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && GIVEN_ID.test(given)) return given
  return OWN_IDS + (++requests).toString(36)
}

/** Sent with every answer (hsds-objects 1.7). */
const FIXED_HEADERS = ['Server', 'Hyperslab', 'X-XSS-Protection', '1; mode=block']

/** Who shares the budgets with whom: users by name, callers without one by their address. */
function userOf({ name }: Caller, { socket }: IncomingMessage): string {
  return name ?? `address ${socket.remoteAddress}`
}

interface ErrorPlace {
  /** Of the request. */
  readonly id: string
  readonly operation: string | undefined
  readonly log: Logger
}

function answerError(
  response: ServerResponse,
  head: Head,
  dialect: Dialect,
  error: unknown,
  { id, operation, log }: ErrorPlace,
): void {
  if (error instanceof ClientLeft) return
  if (error instanceof HyperslabError) {
    if (error.kind === 'unauthenticated' && dialect.rules.requests.challenges)
      head.push('WWW-Authenticate', 'Basic realm="hyperslab"')
    if (error.kind === 'busy') head.push('Retry-After', String(error.retryAfter ?? 1))
    sendError(response, head, dialect, error, operation)
    return
  }
  log.error({ err: error, id, operation }, 'a request failed by a defect of the service')
  sendDefect(response, head, dialect, id)
}
