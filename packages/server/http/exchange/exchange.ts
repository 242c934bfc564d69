// The life of a request: it chooses the dialect and the route, identifies the caller and queues for a slot; perform.ts
// does the work, reply.ts sends the answer. Each request is answered, counted and logged here, exactly once. The order
// of checks is that of classic 3.2.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Caller } from '../../service/context.ts'
import { createAuthenticate, type Identity } from '../auth/authenticate.ts'
import { type AdmittedRequest, bodyCost, streamCost } from '../connection/admission.ts'
import type { Charge } from '../connection/caller-budgets.ts'
import { callerKey } from '../connection/client-address.ts'
import { hasLeft, requireClient, requireWaitingClient } from '../connection/client-left.ts'
import { chooseDialect } from '../dialect/choose.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { FIXED_HEADERS, SHARE_HEADERS } from '../fixed-headers.ts'
import { requirePath } from '../message/absolute-target.ts'
import { isHdf5File, prefersHtml } from '../message/content-types.ts'
import type { Reply, Request } from '../message/message.ts'
import { prefixOf, requirePrefix } from '../message/path-prefix.ts'
import { RequestBody, SHORT_BODY } from '../message/request-body.ts'
import { withoutSecret } from '../message/share-address.ts'
import { noSuchPath, parseTarget, type Target } from '../message/target.ts'
import { isWrite, type Route } from '../route/route.ts'
import { START_PAGE } from '../routes/pages.ts'
import { loggedDomain, loggedOrigin } from '../watch/access-log.ts'
import { auditEntry } from '../watch/audit-entry.ts'
import { type RequestFigures, seesFigures } from '../watch/metrics.ts'
import { RequestSteps } from '../watch/request-steps.ts'
import { describeRunning, type RunningRequest, stateOf } from '../watch/running-requests.ts'
import { answerPreflight, corsHeaders, requirePreflight } from './cors.ts'
import { answerError } from './error-answer.ts'
import { type Meaning, nameOf, opensDomain, type RouteMatch, requireRoute } from './meaning.ts'
import type { ExchangeParts, HttpSettings, ServerParts } from './parts.ts'
import { perform, type Send } from './perform.ts'
import { beginningOf, openly, privately } from './private-answers.ts'
import { withWholeLocation } from './redirects.ts'
import { type AnswerMemory, type Head, sendReply } from './reply.ts'
import { Sender, type SenderParts } from './sender.ts'

/** Answers one request; never throws. */
export type AnswerRequest = (
  incoming: IncomingMessage,
  response: ServerResponse,
  match: RouteMatch,
  parameters: Readonly<Record<string, string>>,
) => Promise<void>

/** The parts that all exchanges of a server share. */
interface ExchangeContext extends ExchangeParts, ServerParts, SenderParts {
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
  readonly #sender: Sender
  #identity: Identity | undefined
  #callers = 'anonymous'
  /** The code of the error that it is answered with. */
  #code: string | undefined
  #admitted: AdmittedRequest | undefined
  #charge: Charge | undefined

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
    this.#body = new RequestBody(
      incoming,
      headers,
      http.maxJsonBody,
      invite,
      takeMemory,
      context.temporaryFolder,
    )
    this.#address = context.proxies.addressOf(headers, socket.remoteAddress ?? 'unknown')
    this.#sentBefore = socket.bytesWritten
    this.#sender = new Sender(context, incoming, this.#dialect, this.#address)
  }

  get body(): RequestBody {
    return this.#body
  }

  /** The description that administrators see of it while it is answered. */
  describe(): RunningRequest {
    const milliseconds = this.#steps.now()
    const route = this.#meaning
    const work = {
      isLive: typeof route === 'object' && 'isLive' in route && route.isLive === true,
      hasBegunAnswer: this.#response.headersSent,
      queuesFor: this.#admitted?.queuesFor,
      awaitsBody: this.#body.isAwaited,
    }
    return describeRunning({ ...this.#origin(), ...this.#facts(), milliseconds, state: stateOf(work) })
  }

  async run(): Promise<void> {
    this.#response.once('close', () => this.#observe())
    this.#context.connections.setExchange(this.#incoming.socket, this)
    this.#head.push(...FIXED_HEADERS)
    if (this.#sender.share) this.#head.push(...SHARE_HEADERS)
    try {
      requireOneHost(this.#incoming)
      requirePath(this.#incoming)
      requirePrefix(this.#incoming)
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
    const { method = '' } = this.#incoming
    const dialect = this.#dialect
    const sender = this.#sender
    const shared = sender.share && (await sender.acceptShare(sender.share))
    const route = requireRoute(this.#meaning, method, this.#target, dialect.rules, this.#head)
    const identity = await sender.identify(route, shared, this.#head, this.#response)
    this.#noteCaller(identity)
    if (route.opens !== 'nothing') {
      requireMayWrite(route, identity.caller, this.#context.http)
      this.#beginCharge(route, identity.caller)
    }
    const showsSteps = this.#trace(identity.caller)
    const request = this.#requestOf(route, identity)
    const send = this.#sendOf(request, showsSteps, route.opens !== 'nothing')
    const visited = this.#isVisit() ? this.#visitedPage(request) : undefined
    if (visited !== undefined)
      return send({ status: 307, headers: { Location: visited, 'Content-Length': '0' } }, 'bare')
    if (route.opens !== 'nothing' || isWrite(route)) await this.#admit(route, identity.caller)
    this.#steps.end('admission')
    const routes = { route, get: this.#match.get?.[dialect.name] }
    const { reply, nonFinite } = await perform(
      this.#context,
      routes,
      request,
      this.#response,
      send,
      this.#steps,
    )
    if (reply !== undefined) await send(reply, nonFinite)
  }

  /** For the log and the figures. */
  #noteCaller(identity: Identity): void {
    const { name, admin } = identity.caller
    this.#identity = identity
    if (name !== undefined) this.#callers = admin ? 'administrators' : 'users'
  }

  /** Pages, logins and what is said of the service are no part of a budget. */
  #beginCharge({ isLive }: Route, caller: Caller): void {
    requireClient(this.#response)
    this.#charge = this.#context.callerBudgets.begin(caller, this.#address, isLive === true)
  }

  /** The address of the page for a person that opens that of a share, or of a service that has a prefix. */
  #visitedPage(request: Request): string | undefined {
    const { share } = this.#sender
    if (share) return beginningOf(share, request)
    const { target, headers } = request
    const isBare = target.path === '/' && target.rawQuery === ''
    // Whether the prefix has a slash at its end is not known here, and relative addresses depend on it.
    return isBare && prefixOf(headers) !== '' ? `.${START_PAGE}` : undefined
  }

  #requestOf({ method }: Route, identity: Identity): Request {
    const { headers } = this.#incoming
    const parameters = this.#parameters
    const dialect = this.#dialect
    const { caller } = identity
    // This check precedes the search for the domain, where objects are found by their ids only (classic 3.2).
    if (parameters.id === '' && !dialect.presentFound) throw noSuchPath(this.#target)
    return {
      method,
      target: this.#target,
      prefix: this.#sender.share?.prefix ?? '',
      parameters,
      headers,
      body: this.#body,
      dialect,
      caller,
      identity,
      address: this.#address,
      buckets: this.#context.http.buckets,
    }
  }

  /** Whether the caller may see the steps of the request; traces it, if this is asked for. */
  #trace(caller: Caller): boolean {
    const { http } = this.#context
    const showsSteps = seesFigures(caller, http.metrics)
    const isAskedFor = showsSteps && this.#incoming.headers[TRACE_HEADER] !== undefined
    if (http.traces || isAskedFor) this.#steps.isTraced = true
    return showsSteps
  }

  /** The function that sends a reply. */
  #sendOf(request: Request, showsSteps: boolean, isData: boolean): Send {
    const response = this.#response
    const head = this.#head
    const sender = this.#sender
    const charge = this.#charge
    const memory: AnswerMemory = {
      ...(charge && { work: isBegun => charge.work(isBegun) }),
      take: ({ length, estimatedLength }) => this.#admitted?.stream(streamCost(length ?? estimatedLength)),
      release: bytesLeft => this.#admitted?.release(bytesLeft),
    }
    return (reply, nonFinite, confirm) => {
      this.#steps.end('send')
      if (showsSteps) this.#showSteps()
      this.#audit(reply)
      const placed = withWholeLocation(reply, request, sender.share, this.#context.http)
      const shown = sender.isPrivate ? privately(placed, sender.share) : openly(placed, isData)
      return sendReply({ response, head, request }, shown, nonFinite, memory, confirm)
    }
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

  /** Waits for a slot or, where the client sets the pace, for the memory that the request may hold. */
  async #admit(route: Route, caller: Caller): Promise<void> {
    const { method, streamsBody = 'readUpload' in route && isHdf5File({ body: this.#body }) } = route
    const { admission, http } = this.#context
    const does = isWrite(route) ? 'write' : 'read'
    this.#admitted = admission.begin(callerKey(caller, this.#address), this.#response, does, this.#charge)
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
    const { observe, logsRequests, log } = this.#context
    const response = this.#response
    const figures: RequestFigures = {
      ...this.#facts(),
      status: hasLeft(response) ? undefined : response.statusCode,
      code: this.#code,
      milliseconds: Math.round(this.#steps.now() * 1000) / 1000,
    }
    this.#charge?.end(figures.received + figures.sent)
    observe(figures)
    if (!logsRequests) return
    log.info(
      {
        ...this.#origin(),
        ...loggedOrigin(this.#incoming, figures.status),
        ...figures,
        ...(this.#steps.isTraced && this.#steps.toLog()),
      },
      'answered',
    )
  }

  /** Writes the line of a change, or of one that is refused, before the answer is sent. */
  #audit(result: Reply | HyperslabError): void {
    const { audit, http } = this.#context
    if (!audit?.isOn) return
    const meaning = this.#meaning
    const entry = auditEntry(
      {
        id: this.#id,
        incoming: this.#incoming,
        target: this.#target,
        parameters: this.#parameters,
        dialect: this.#dialect,
        route: typeof meaning === 'object' && 'name' in meaning ? meaning : undefined,
        identity: this.#identity,
        address: this.#address,
        received: this.#body.received,
      },
      result,
      http,
    )
    if (entry) audit.write(entry)
  }

  #facts() {
    const { method = '', socket } = this.#incoming
    return {
      method,
      operation: nameOf(this.#meaning),
      dialect: this.#dialect.name,
      callers: this.#callers,
      received: this.#body.received,
      sent: socket.bytesWritten - this.#sentBefore,
    }
  }

  /** Whose request it is, and what it names, without secrets. */
  #origin() {
    const { http } = this.#context
    const { shareId } = this.#sender
    const target = this.#target
    return {
      id: this.#id,
      address: this.#address,
      user: this.#identity?.caller.name,
      ...(shareId && { share: shareId }),
      ...(opensDomain(this.#meaning) && loggedDomain(target, this.#incoming, this.#dialect, http)),
      path: withoutSecret(target.path),
    }
  }

  /** Whether a person has opened the address. */
  #isVisit(): boolean {
    const { method, headers } = this.#incoming
    return method === 'GET' && prefersHtml(headers)
  }

  #answerError(error: unknown): void {
    const { log, http } = this.#context
    const sender = this.#sender
    if (error instanceof HyperslabError) this.#audit(error)
    this.#code = answerError(error, {
      id: this.#id,
      incoming: this.#incoming,
      response: this.#response,
      head: this.#head,
      dialect: this.#dialect,
      meaning: this.#meaning,
      isPrivate: sender.isPrivate,
      isOfPage: sender.isPage,
      isVisit: this.#isVisit(),
      prefix: sender.shareId === undefined ? '' : (sender.share?.prefix ?? ''),
      publicUrl: http.publicUrl,
      log,
    })
  }
}

function requireMayWrite(
  route: Route,
  { name, admin }: Caller,
  { anonymousWrites = true }: HttpSettings,
): void {
  if (anonymousWrites || admin || name !== undefined || !isWrite(route)) return
  const message =
    'this service can only be read without a login: send an Authorization header to change something'
  throw new HyperslabError('credentials-required', message)
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
