// The server: its parts, its router, and the HTTP server of Node with its limits and events. exchange.ts and perform.ts
// serve each request.

import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { Listeners } from '../service/feed/listeners.ts'
import { PasswordChecks } from './auth/password-checks.ts'
import { Admission, DEFAULT_LIMITS } from './connection/admission.ts'
import { CallerBudgets } from './connection/caller-budgets.ts'
import { TrustedProxies } from './connection/client-address.ts'
import { Connections } from './connection/connections.ts'
import { Pacer } from './connection/pacer.ts'
import { type Refusal, RefusalLog } from './connection/refusal-log.ts'
import { DEFAULT_DIALECT, type Dialects } from './dialect/choose.ts'
import { classic } from './dialect/classic/index.ts'
import { hsdsAt } from './dialect/hsds/index.ts'
import { errorLink } from './error-link.ts'
import { corsHeaders, Origins } from './exchange/cors.ts'
import { createExchange } from './exchange/exchange.ts'
import type { ExchangeParts, HttpSettings } from './exchange/parts.ts'
import { sendError } from './exchange/reply.ts'
import { FIXED_HEADERS, SHARE_HEADERS } from './fixed-headers.ts'
import { takeAuthority } from './message/absolute-target.ts'
import { nearBaseOf, prefixTaker } from './message/path-prefix.ts'
import { shareOf, takeShare } from './message/share-address.ts'
import { shownPath } from './message/target.ts'
import { createRouter, type RejectUrl, type Router } from './router.ts'
import { type RouteFacts, routesOf } from './routes/index.ts'
import type { Pages } from './routes/pages.ts'
import { Metrics, type MetricsParts, type RequestFigures } from './watch/metrics.ts'
import type { AskProcesses } from './watch/processes.ts'
import { Readiness, type UnwellMount } from './watch/readiness.ts'
import { RunningRequests } from './watch/running-requests.ts'
import type { DataFolderFigures } from './watch/service-figures.ts'

export interface Server {
  /** Resolves with the port that the server listens on. */
  listen(host: string, port: number): Promise<number>
  /** Accepts the connections of a socket that listens already. */
  listenOn(socket: Socket): void
  /** Serves a connection that was made in another way than to the port. */
  accept(connection: Duplex): void
  /** Announces in /ready, the state and each answer that the server will end soon; it continues to serve. */
  announceEnd(): void
  /** Stops accepting, and resolves when the requests in flight are answered. */
  close(): Promise<void>
  /** Closes the connections of all requests in flight, which ends their work, so `close` resolves. */
  cutOff(): void
  /** The number of requests that are being answered. */
  readonly requestsInFlight: number
}

const CLIENT_TIMEOUT_SECONDS = 60
/** Longer than proxies and balancers keep a connection, so that none sends a request on one that is being closed. */
const KEEP_ALIVE_SECONDS = 620
const MIN_CLIENT_RATE = 1024
/**
 * Listeners to the feed in a process, unless `max_listeners` says another number; the next one gets 503, and one
 * without an account when half of the places are taken (listener-places.ts).
 * @limit safety, listeners
 */
const MAX_LISTENERS = 2000
/** Connections that wait to be accepted: a thousand clients may come at once. The system may allow fewer. */
const BACKLOG = 4096
const NO_PAGES: Pages = { docs: new Map(), ui: new Map() }

/** The parts and settings of a server. */
export interface ServerSettings extends ExchangeParts {
  /** Absent: the paths of pages are known and empty. */
  readonly pages?: Pages
  /** Default: 620. */
  readonly keepAliveSeconds?: number
  /** Listeners to the feed at once. Default: 2,000. */
  readonly maxListeners?: number
  /** Absent: no other process serves the same address. */
  readonly askProcesses?: AskProcesses
  /** The disk of the data folder, and notes there. Absent: figures have nothing of it. */
  readonly dataFolder?: DataFolderFigures
  /** The code for the first account. Absent: none is accepted. */
  readonly firstAccountCode?: string
  /** The mounts whose file systems do not answer. Absent: there are no mounts. */
  readonly unwellMounts?: () => readonly UnwellMount[]
}

export function createServer(settings: ServerSettings): Server {
  const clientTimeout = (settings.clientTimeoutSeconds ?? CLIENT_TIMEOUT_SECONDS) * 1000
  const { router, connections, readiness, listeners, refusals } = createParts(settings, clientTimeout)
  const keepAlive = (settings.keepAliveSeconds ?? KEEP_ALIVE_SECONDS) * 1000
  const takePrefix = prefixTaker(settings.http.publicUrl)
  const server = httpServer(connections, { clientTimeout, keepAlive }, (request, response) => {
    takeAuthority(request)
    takePrefix(request)
    takeShare(request)
    connections.handle(request, response, () => router.lookup(request, response))
  })
  const endWatch = connections.watch()

  return {
    async listen(host, port) {
      server.listen({ port, host, backlog: BACKLOG })
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    listenOn(socket) {
      server.listen(socket, BACKLOG)
    },
    accept(connection) {
      server.emit('connection', connection)
    },
    announceEnd() {
      readiness.isStopping = true
      connections.announceEnd()
    },
    async close() {
      readiness.isStopping = true
      listeners.close()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      connections.end()
      await closed
      endWatch()
      refusals.close()
      settings.audit?.close()
    },
    cutOff() {
      connections.destroy()
    },
    get requestsInFlight() {
      return connections.inFlight
    },
  }
}

interface Parts {
  readonly router: Router
  readonly connections: Connections
  readonly readiness: Readiness
  readonly listeners: Listeners
  readonly refusals: RefusalLog
}

/** Creates and connects the parts that answer requests. */
function createParts(settings: ServerSettings, clientTimeout: number): Parts {
  const { store, accounts, log, http, unwellMounts = () => [], clock = SYSTEM_CLOCK } = settings
  const pacer = new Pacer()
  const refusals = new RefusalLog(refusal => {
    log.warn(refusal, 'code' in refusal ? 'a connection was refused' : 'more connections were refused')
  }, clock)
  const limits = {
    maxConnections: settings.maxConnections ?? Number.POSITIVE_INFINITY,
    clientTimeout,
    minRate: settings.minClientRate ?? MIN_CLIENT_RATE,
  }
  const onRefused = (refusal: Refusal): void => {
    refusals.note(refusal)
    metrics?.countError(refusal.code)
  }
  const connections = new Connections(limits, pacer, onRefused, clock)
  const admission = new Admission({ ...DEFAULT_LIMITS, ...settings.limits }, pacer, clock)
  const readiness = readinessOf(settings, clock)
  const passwords = new PasswordChecks({
    now: clock.elapsed,
    report: failure => log.warn(failure, 'a login failed'),
  })
  const callerBudgets = new CallerBudgets(settings.budgets ?? [], clock)
  const metrics = metricsOf(settings, {
    readiness,
    admission,
    connections,
    passwords,
    callerBudgets,
    unwellMounts,
  })
  const origins = new Origins(http)
  const dialects: Dialects = { classic, hsds: hsdsAt(http.hsdsLevel) }
  const observe = (figures: RequestFigures) => metrics?.observe(figures)
  const proxies = new TrustedProxies(settings.trustedProxies)
  const callers = { passwords, callerBudgets, proxies }
  const exchange = createExchange(settings, {
    dialects,
    admission,
    origins,
    connections,
    ...callers,
    observe,
  })
  const maxListeners = settings.maxListeners ?? MAX_LISTENERS
  const listeners = new Listeners({ store, settings: settings.service, accounts, maxListeners, clock })
  const parts = {
    clock,
    listeners,
    dialects,
    readiness,
    unwellMounts,
    passwords,
    running: new RunningRequests(connections, settings.askProcesses),
    ...(metrics && { metrics }),
  }
  const routes = routesOf(factsOf(settings, parts), settings.files, settings.pages ?? NO_PAGES)
  const router = createRouter(routes, exchange, urlRejection(origins, http))
  return { router, connections, readiness, listeners, refusals }
}

function readinessOf({ store, accounts, log }: ServerSettings, clock: Clock): Readiness {
  return new Readiness({
    probe: half => store.probe(half),
    hasAccounts: () => accounts.areAvailable(),
    report: error => log.error({ err: error }, 'the storage is not ready'),
    clock,
  })
}

/** Undefined: nothing is counted. */
function metricsOf(
  settings: ServerSettings,
  parts: Omit<MetricsParts, 'store' | 'build'>,
): Metrics | undefined {
  const { metrics: audience = 'off', version, commit } = settings.http
  if (audience === 'off') return undefined
  return new Metrics({ ...settings, ...parts, build: { version, commit } }, settings.askProcesses)
}

type PartsOfRoutes = Pick<
  RouteFacts,
  'clock' | 'listeners' | 'dialects' | 'readiness' | 'unwellMounts' | 'passwords' | 'running' | 'metrics'
>

/** The parts and settings that routes use. */
function factsOf(settings: ServerSettings, parts: PartsOfRoutes): RouteFacts {
  const { store, accounts, users, logins, providers, service, http, pages } = settings
  const { audit, firstAccountCode } = settings
  const { version, commit, publicUrl, accelRedirect } = http
  return {
    ...parts,
    version,
    commit,
    startTime: Math.floor(parts.clock.now() / 1000),
    accounts,
    users,
    logins,
    store,
    settings: service,
    naming: http,
    frameAncestors: pages?.frameAncestors ?? [],
    ...(publicUrl !== undefined && { publicUrl }),
    ...(accelRedirect !== undefined && { accelRedirect }),
    ...(providers && { providers }),
    ...(audit && { audit }),
    ...(firstAccountCode !== undefined && { firstAccountCode }),
    audience: http.metrics,
  }
}

function urlRejection(origins: Origins, { publicUrl }: HttpSettings): RejectUrl {
  return (path, request, response) => {
    const message = `the path ${shownPath(path)} must begin with a slash and be percent-encoded UTF-8`
    const error = new HyperslabError('malformed-url', message)
    const sharing = shareOf(request) ? [...SHARE_HEADERS, 'Cache-Control', 'no-store'] : []
    const head = [
      ...corsHeaders(request, origins),
      ...FIXED_HEADERS,
      ...sharing,
      ...errorLink(error.code, nearBaseOf(request.headers, publicUrl)),
    ]
    sendError(response, head, DEFAULT_DIALECT, error, undefined)
  }
}

/** Node's server with the limits of the service. `begin` is called for each request. */
function httpServer(
  connections: Connections,
  { clientTimeout, keepAlive }: { readonly clientTimeout: number; readonly keepAlive: number },
  begin: RequestListener,
): HttpServer {
  const server = createHttpServer(
    {
      maxHeaderSize: 256 << 10,
      requireHostHeader: false,
      // A value may be uploaded for hours, as long as bytes arrive.
      requestTimeout: 0,
      headersTimeout: clientTimeout,
      connectionsCheckingInterval: Math.min(clientTimeout / 2, 10_000),
      keepAliveTimeout: keepAlive,
    },
    begin,
  )
  server.timeout = clientTimeout
  server.on('timeout', connections.closeUnused)
  server.on('connection', connections.add)
  // `Expect: 100-continue`: the exchange requests the body when it reads it, so a rejected body is never sent.
  server.on('checkContinue', begin)
  server.on('checkExpectation', (request, response) => {
    connections.handle(request, response, () =>
      response.writeHead(417, [...FIXED_HEADERS, 'Content-Length', '0']).end(),
    )
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    connections.reject(socket, error.code)
  })
  return server
}
