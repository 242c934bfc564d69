// The life of a request: choose the dialect, see who asks, find the domain, parse, run in one transaction, reply.
// The order of checks is that of contract 10, 3.2.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { HyperslabError } from '../errors.ts'
import { type DomainPath, isTopLevel } from '../hdf5/domain-path.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { Accounts } from '../service/accounts.ts'
import {
  ANONYMOUS,
  type Caller,
  type Context,
  type OpenDomain,
  type ServiceSettings,
  type WriteContext,
} from '../service/context.ts'
import { openDomain, resolveDomain } from '../service/domains.ts'
import type { Reader, Recall, Store, Writer } from '../service/model.ts'
import { type Admission, type AdmissionLimits, type Admitted, bodyCost, streamCost } from './admission.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { createVerifyToken, type TokenSettings } from './auth/tokens.ts'
import { RequestBody } from './body/request-body.ts'
import { ClientLeft } from './client-left.ts'
import { type AllowedOrigins, answerPreflight, corsHeaders, requirePreflight } from './cors.ts'
import type { Buckets } from './dialect/buckets.ts'
import { chooseDialect, type Dialects, placeOf } from './dialect/choose.ts'
import { classic } from './dialect/classic/index.ts'
import type { Dialect, Naming, Place, Rules } from './dialect/dialect.ts'
import { hsdsAt } from './dialect/hsds/index.ts'
import type { HsdsLevel } from './dialect/hsds/levels.ts'
import type { Answered } from './metrics.ts'
import { refuseConnection } from './refuse-connection.ts'
import { type Head, type MakeRoom, sendDefect, sendError, sendReply, withText } from './reply.ts'
import type { Reply, Request, Route } from './route.ts'
import { endsWithSlash, noSuchPath, parseTarget, shownPath } from './target.ts'

export interface HttpSettings {
  /** What the DNS names of domains end with. */
  readonly baseDomain: string
  /** Replaces scheme and host in hrefs. */
  readonly publicUrl?: string
  readonly allowedOrigins: AllowedOrigins
  /** Callers without credentials may ask, as the user `default`. */
  readonly allowAnonymous: boolean
  /** Bytes of a JSON body other than values. */
  readonly maxJsonBody: number
  readonly hsdsLevel: HsdsLevel
  readonly buckets: Buckets
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
  /** A client that sends or takes nothing for so long, while it is waited for, is cut off. Default: 60. */
  readonly clientTimeoutSeconds?: number
}

/** What belongs to the server as a whole. */
export interface ExchangeSurroundings {
  readonly admission: Admission
  /** In milliseconds. */
  readonly clientTimeout: number
  /** Told of each request that is over. */
  readonly answered: (done: Answered) => void
}

/** The methods of a path that has no such method as was asked for, as the header `Allow` lists them. */
export interface OtherMethods {
  readonly allow: string
}

/** What a method and path mean in each dialect. */
export type Found = Readonly<Record<Dialect['name'], Route | 'no-such-path' | OtherMethods>>

/** Answers one request, whatever happens. */
export type Exchange = (
  incoming: IncomingMessage,
  response: ServerResponse,
  found: Found,
  parameters: Readonly<Record<string, string>>,
) => Promise<void>

export function createExchange(
  parts: ExchangeParts,
  { admission, clientTimeout, answered }: ExchangeSurroundings,
): Exchange {
  const { http, log } = parts
  const logs = log.isLevelEnabled('info')
  const dialects: Dialects = { classic, hsds: hsdsAt(http.hsdsLevel) }
  const authenticate = createAuthenticate({
    accounts: parts.accounts,
    ...(parts.tokens && { verifyToken: createVerifyToken(parts.tokens) }),
    allowAnonymous: http.allowAnonymous,
    now: () => performance.now(),
  })

  /** What needs no permission is told to anybody, but for those whose credentials are wrong (contract 20, 3.1). */
  const identify = async (route: Route, authorization: string | undefined, rules: Rules): Promise<Caller> => {
    if (route.opens !== 'nothing') return authenticate(authorization, rules)
    if (route.identifies === 'no' || authorization === undefined) return ANONYMOUS
    const caller = authenticate(authorization, rules)
    return route.identifies === 'yes' ? caller : caller.catch(() => ANONYMOUS)
  }

  const answer: Exchange = async (incoming, response, found, parameters) => {
    const start = performance.now()
    const head = corsHeaders(incoming, http.allowedOrigins)
    const id = requestId(incoming)
    head.push('X-Request-Id', id)
    const target = parseTarget(incoming.url ?? '/')
    const dialect = chooseDialect(target, incoming.headers, dialects)
    const body = new RequestBody(incoming, incoming.headers, http.maxJsonBody, () => {
      // Node itself answers other expectations, and knows none in HTTP/1.0.
      if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') response.writeContinue()
    })
    const route = found[dialect.name]
    const operation = typeof route === 'object' && 'name' in route ? route.name : undefined
    const { socket, method = '' } = incoming
    const sentBefore = socket.bytesWritten
    let user: string | undefined
    response.once('close', () => {
      const done = {
        method,
        operation,
        dialect: dialect.name,
        status: response.writableFinished ? response.statusCode : undefined,
        milliseconds: Math.round((performance.now() - start) * 1000) / 1000,
        received: body.received,
        sent: socket.bytesWritten - sentBefore,
      }
      answered(done)
      // Without the query, which may hold a key.
      if (logs) log.info({ id, user, ...done, path: target.path }, 'answered')
    })
    response.on('timeout', () => {
      if (!body.isAwaited && response.writableLength === 0) socket.setTimeout(clientTimeout)
      else if (response.headersSent) socket.destroy()
      else refuseConnection(socket, 'ERR_HTTP_REQUEST_TIMEOUT')
    })
    head.push(...FIXED_HEADERS)
    let admitted: Admitted | undefined
    try {
      if (incoming.method === 'OPTIONS') {
        if (dialect.rules.exactPreflights) {
          if (route === 'no-such-path') throw noSuchPath(target)
          requirePreflight(incoming)
        }
        answerPreflight(incoming, response, head)
        return
      }
      if (route === 'no-such-path') throw noSuchPath(target)
      if ('allow' in route) {
        // No other method gives an empty name a meaning (contract 20, 2).
        if (dialect.rules.exactPaths && endsWithSlash(target)) throw noSuchPath(target)
        head.push('Allow', route.allow)
        const what = `${incoming.method} is not a method of ${shownPath(target.path)}; ${route.allow} are`
        throw new HyperslabError('method-not-allowed', what)
      }
      const { headers } = incoming
      const caller = await identify(route, headers.authorization, dialect.rules)
      user = caller.name
      const { buckets } = http
      const request = { method: route.method, target, parameters, headers, body, dialect, caller, buckets }
      const makeRoom: MakeRoom = ({ length, about }) => admitted?.stream(streamCost(length ?? about))
      const send: Send = (reply, nonFinite) => sendReply(response, head, request, reply, nonFinite, makeRoom)
      if (route.opens !== 'nothing') {
        admitted = admission.begin(userOf(caller, incoming), response)
        const isShort = route.method === 'GET' || (await body.hold(SHORT_BODY))
        const cost = route.streamsBody ? streamCost : bodyCost
        const room = isShort ? admitted.work() : admitted.stream(cost(body.announcedLength, http.maxJsonBody))
        if (room !== undefined) await room
      }
      const { reply, nonFinite } = await perform(parts, route, request, response, send)
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

/** What a client or proxy calls its request, if it is short and plain, so that their logs can be compared with ours. */
const GIVEN_ID = /^[\w.:-]{1,64}$/

const OWN_IDS = `${randomBytes(4).toString('hex')}-`
let requests = 0

function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && GIVEN_ID.test(given)) return given
  return OWN_IDS + (++requests).toString(36)
}

/** Sent with every answer (contract 20, 1.7). */
const FIXED_HEADERS = ['Server', 'Hyperslab', 'X-XSS-Protection', '1; mode=block']

/** Bytes of a body that is waited for before anything else: a place is not held at the pace of the client. */
const SHORT_BODY = 1 << 16

/** Who shares the budgets with whom: users by name, callers without one by their address. */
function userOf({ name }: Caller, { socket }: IncomingMessage): string {
  return name ?? `address ${socket.remoteAddress}`
}

type Send = (reply: Reply, nonFinite: Place['nonFinite']) => Promise<void>

interface Performed {
  /** Still to be sent; absent when it was sent already, while the state that it reads was open. */
  readonly reply?: Reply
  readonly nonFinite: Place['nonFinite']
}

/** Characters of an answer that is kept for those who ask the same again. */
const SHORT_ANSWER = 4096

/** ... and of what names it: with an unusually long head nothing is kept, or heads would fill the memory. */
const SHORT_NAME = 2048

function isKept({ reply }: Performed): boolean {
  return reply?.json !== undefined && reply.json.text.length <= SHORT_ANSWER && !reply.tellsTime
}

/** All of a request that an answer can depend on besides the records: any header, and of credentials what they tell. */
function nameOf({ target, headers, caller }: Request): string {
  let name = `${target.path}?${target.rawQuery}\n${JSON.stringify(caller)}`
  for (const header in headers) {
    // The id of a request differs each time, and is told in the head only.
    if (header !== 'authorization' && header !== 'x-request-id') name += `\n${header}:${headers[header]}`
  }
  return name
}

function recallOf(route: Route, request: Request): Recall<Performed> | undefined {
  if (!('repeatable' in route)) return undefined
  const name = nameOf(request)
  return name.length <= SHORT_NAME ? { name, isKept } : undefined
}

async function perform(
  { store, service, http }: ExchangeParts,
  route: Route,
  request: Request,
  response: ServerResponse,
  send: Send,
): Promise<Performed> {
  if (route.opens === 'nothing') {
    return { reply: route.respond(await route.answer(request), request), nonFinite: 'bare' }
  }
  const { dialect, target, headers, caller } = request
  const { rules } = dialect
  if (rules.writesNeedIdentity && route.opens.endsWith('writer') && caller.name === undefined) {
    throw new HyperslabError(
      'credentials-required',
      `${request.method} ${shownPath(target.path)} needs credentials`,
    )
  }
  let named: Naming | undefined
  /** Told when it is asked for, which it is not where an answer is remembered: it costs a microsecond. */
  const naming = (): Naming => {
    named ??= dialect.nameDomain(target, headers, http)
    return named
  }
  const placeAt = (domain?: OpenDomain): Place => placeOf(naming(), request, http, domain?.root.id)
  const open = async (context: Context): Promise<OpenDomain> => openNamed(context, naming())
  const resolve = (context: Context): Promise<DomainPath> =>
    resolveDomain(context, naming().path, naming().otherPaths)
  const recall = recallOf(route, request)
  const toRead = (reader: Reader): Context => new RequestContext(caller, service, response, reader)
  const toWrite = (writer: Writer): WriteContext =>
    new RequestWriteContext(caller, service, response, writer, store)

  /** The domain is looked for before the body is read, so that an unknown one is told first and for little. */
  const parseForDomain = async (): Promise<unknown> => {
    await store.read(reader => open(toRead(reader)))
    return route.parse(request)
  }

  /** A name that cannot be one is told before what else is wrong. */
  const parseNamed = async (): Promise<unknown> => {
    naming()
    return route.parse(request)
  }

  /** A stream is sent at once, while the state that it reads is open. */
  const sendNow = async (reply: Reply, { nonFinite }: Place): Promise<Performed> => {
    if (reply.stream !== undefined) {
      await send(reply, nonFinite)
      return { nonFinite }
    }
    if (recall === undefined) return { reply, nonFinite }
    return { reply: withText(reply, nonFinite), nonFinite }
  }

  switch (route.opens) {
    case 'reader': {
      // A body is waited for before the state is opened that is read; a short one saves the first look for the domain.
      const isHere = route.method === 'GET' || (await request.body.hold(SHORT_BODY))
      const early = isHere ? undefined : { input: await parseForDomain() }
      return store.read(async reader => {
        const context = toRead(reader)
        const domain = await open(context)
        const input = early === undefined ? await route.parse(request) : early.input
        const output = await route.run(context, domain, input)
        const place = placeAt(domain)
        return sendNow(route.respond(output, { place, request }, input), place)
      }, recall)
    }
    case 'writer': {
      naming()
      // A short body is waited for and parsed within the transaction, which saves the first look for the domain.
      let parsed = (await request.body.hold(SHORT_BODY)) ? undefined : { input: await parseForDomain() }
      return store.write(
        async writer => {
          const context = toWrite(writer)
          const domain = await open(context)
          parsed ??= { input: await route.parse(request) }
          const { input } = parsed
          const output = await route.run(context, domain, input)
          const place = placeAt(domain)
          return { reply: route.respond(output, { place, request }, input), nonFinite: place.nonFinite }
        },
        { once: parsed !== undefined && (route.once?.(parsed.input) ?? false) },
      )
    }
    case 'namespace-reader': {
      const early = route.method === 'GET' ? undefined : { input: await parseNamed() }
      return store.read(async reader => {
        const context = toRead(reader)
        const input = early === undefined ? await parseNamed() : early.input
        const path = await resolve(context)
        const output = await route.run(context, path, input, dialect)
        const place = placeAt()
        return sendNow(route.respond(output, { place, request }, input), place)
      }, recall)
    }
    case 'namespace-writer': {
      const input = await parseNamed()
      const place = placeAt()
      const output = await store.write(async writer => {
        const context = toWrite(writer)
        return route.run(context, await resolve(context), input, dialect)
      })
      return { reply: route.respond(output, { place, request }, input), nonFinite: place.nonFinite }
    }
  }
}

/** What an operation is given. */
class RequestContext implements Context {
  readonly caller: Caller
  readonly settings: ServiceSettings
  readonly reader: Reader
  readonly signal: Context['signal']

  constructor(caller: Caller, settings: ServiceSettings, response: ServerResponse, reader: Reader) {
    this.caller = caller
    this.settings = settings
    this.reader = reader
    this.signal = {
      throwIfAborted() {
        if (response.destroyed && !response.writableFinished) throw new ClientLeft()
      },
    }
  }
}

class RequestWriteContext extends RequestContext implements WriteContext {
  readonly writer: Writer
  readonly now: Timestamp
  readonly random: WriteContext['random']

  constructor(
    caller: Caller,
    settings: ServiceSettings,
    response: ServerResponse,
    writer: Writer,
    store: Store,
  ) {
    super(caller, settings, response, writer)
    this.writer = writer
    this.now = writer.time
    this.random = length => store.random(length)
  }
}

/** The domain that the request names; a request about objects has to name one. */
async function openNamed(context: Context, { path, otherPaths }: Naming): Promise<OpenDomain> {
  if (isTopLevel(path)) {
    throw new HyperslabError(
      'domain-not-named',
      'the request names no domain, only the server itself (where ids begin with g-, d- or t-, ?domain=/path names it)',
    )
  }
  return openDomain(context, path, otherPaths)
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
    if (error.kind === 'unauthenticated' && dialect.rules.challenges)
      head.push('WWW-Authenticate', 'Basic realm="hyperslab"')
    if (error.kind === 'busy') head.push('Retry-After', String(error.retryAfter ?? 1))
    sendError(response, head, dialect, error, operation)
    return
  }
  log.error({ err: error, id, operation }, 'a request failed by a defect of the service')
  sendDefect(response, head, dialect, id)
}
