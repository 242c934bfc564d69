// The server: parts in, server out; it listens when told to. The router is made from the list of routes; what
// happens to a request is told in exchange.ts and perform.ts.

import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import createRouter, { type HTTPVersion, type Instance } from 'find-my-way'
import { HyperslabError } from '../errors.ts'
import { PasswordChecks } from './auth/password-checks.ts'
import { Admission, DEFAULT_LIMITS } from './connection/admission.ts'
import { Connections } from './connection/connections.ts'
import { Paced } from './connection/paced.ts'
import type { Dialects } from './dialect/choose.ts'
import { classic } from './dialect/classic/index.ts'
import type { Dialect } from './dialect/dialect.ts'
import { hsdsAt } from './dialect/hsds/index.ts'
import { corsHeaders, Origins } from './exchange/cors.ts'
import {
  createExchange,
  type Exchange,
  type ExchangeParts,
  type Found,
  type Meaning,
} from './exchange/exchange.ts'
import { sendError } from './exchange/reply.ts'
import type { Method } from './message.ts'
import type { Route } from './route.ts'
import { routesOf } from './routes/index.ts'
import { shownPath } from './target.ts'
import { Metrics } from './watch/metrics.ts'
import { Readiness } from './watch/readiness.ts'

type Router = Instance<HTTPVersion.V1>

export interface Server {
  /** Resolves with the port that is listened on. */
  listen(host: string, port: number): Promise<number>
  /** Tells those who ask, at /ready and in the state, that it will end soon; serves on. */
  announceEnd(): void
  /** Stops accepting, and resolves when the requests in flight are answered. */
  close(): Promise<void>
  /** Cuts off the clients whose requests are still worked on: `close` resolves, and what is done for them ends. */
  cutOff(): void
  /** How many requests are being answered. */
  readonly requestsInFlight: number
}

const METHODS: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE']
const OTHER_METHODS = ['HEAD', 'OPTIONS', 'PATCH', 'TRACE'] as const

const CLIENT_TIMEOUT_SECONDS = 60
const MIN_CLIENT_RATE = 1024

export function createServer(parts: ExchangeParts): Server {
  const { store, log, http, clientTimeoutSeconds = CLIENT_TIMEOUT_SECONDS } = parts
  const clientTimeout = clientTimeoutSeconds * 1000
  const paced = new Paced()
  const connectionLimits = {
    most: parts.maxConnections ?? Number.POSITIVE_INFINITY,
    clientTimeout,
    leastRate: parts.minClientRate ?? MIN_CLIENT_RATE,
  }
  const connections = new Connections(connectionLimits, paced)
  const admission = new Admission({ ...DEFAULT_LIMITS, ...parts.limits }, paced)
  const readiness = new Readiness({
    probe: () => store.probe(),
    hasAccounts: () => parts.accounts.areAvailable(),
    report: error => log.error({ err: error }, 'the storage is not ready'),
    now: () => performance.now(),
  })
  const isCounted = http.metrics !== undefined && http.metrics !== 'off'
  const passwords = new PasswordChecks({
    now: () => performance.now(),
    report: failure => log.warn(failure, 'a login failed'),
  })
  const metrics = isCounted ? new Metrics({ store, admission, connections, passwords }) : undefined
  const origins = new Origins(http)
  const dialects: Dialects = { classic, hsds: hsdsAt(http.hsdsLevel) }
  const exchange = createExchange(parts, {
    dialects,
    admission,
    origins,
    connections,
    passwords,
    answered: done => metrics?.observe(done),
  })
  const router = createRouter({
    // Names may be long, and so may the targets that hold them (percent-encoding triples them).
    maxParamLength: 1 << 20,
    defaultRoute: (request, response) => exchange(request, response, NOWHERE, {}),
    onBadUrl: (path, request, response) => {
      const head = corsHeaders(request, origins)
      const message = `the path ${shownPath(path)} is not valid percent-encoded UTF-8`
      sendError(response, head, classic, new HyperslabError('malformed-url', message), undefined)
    },
  })
  const facts = {
    dialects,
    version: http.version,
    startTime: Math.floor(Date.now() / 1000),
    readiness,
    ...(metrics && { metrics }),
    publicMetrics: http.metrics === 'public',
  }
  register(router, routesOf(facts), exchange)
  const begin: RequestListener = (request, response) => {
    connections.handle(request, response, () => router.lookup(request, response))
  }
  const server = createHttpServer(
    {
      maxHeaderSize: 256 << 10,
      requireHostHeader: false,
      // A value may be uploaded for hours, as long as something of it comes.
      requestTimeout: 0,
      headersTimeout: clientTimeout,
      connectionsCheckingInterval: Math.min(clientTimeout / 2, 10_000),
      keepAliveTimeout: 72_000,
    },
    begin,
  )
  server.timeout = clientTimeout
  server.on('timeout', connections.closeUnused)
  server.on('connection', connections.add)
  // `Expect: 100-continue`: the body is asked for when it is wanted, which a refused one is not.
  server.on('checkContinue', begin)
  server.on('checkExpectation', (request, response) => {
    connections.handle(request, response, () => response.writeHead(417, { 'Content-Length': 0 }).end())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    connections.refuse(socket, error.code)
  })
  const watch = connections.watch()

  return {
    async listen(host, port) {
      // A thousand clients may come at the same moment; the system may allow fewer.
      server.listen({ port, host, backlog: 4096 })
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    announceEnd() {
      readiness.isStopping = true
    },
    async close() {
      readiness.isStopping = true
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      connections.end()
      await closed
      clearInterval(watch)
    },
    cutOff() {
      connections.destroy()
    },
    get requestsInFlight() {
      return connections.inFlight
    },
  }
}

/** Every method of every path is routed, so that a known path with an unknown method can be told from an unknown path. */
function register(router: Router, routes: readonly Route[], exchange: Exchange): void {
  for (const [url, choices] of byPath(routes)) {
    // A path that ends with a slash stands in for an empty name in another one, which knows the other methods.
    const isStandIn = url.length > 1 && url.endsWith('/')
    for (const method of [...METHODS, ...OTHER_METHODS]) {
      if (isStandIn && !choices.has(method)) continue
      const found = {
        classic: meaning(choices, method, 'classic'),
        hsds: meaning(choices, method, 'hsds'),
        get: choices.get('GET'),
      }
      router.on(method, url, (request, response, parameters) => {
        exchange(request, response, found, parameters as Record<string, string>)
      })
    }
  }
}

const NOWHERE: Found = { classic: 'no-such-path', hsds: 'no-such-path' }

/** The routes of a path by their methods, each for the dialects that know it. */
type Choices = Map<string, Partial<Record<Dialect['name'], Route>>>

function meaning(choices: Choices, method: string, dialect: Dialect['name']): Meaning {
  const route = choices.get(method)?.[dialect]
  if (route !== undefined) return route
  const known = [...choices].filter(([, choice]) => choice[dialect]).map(([name]) => name)
  return known.length === 0 ? 'no-such-path' : { allow: [...known, 'OPTIONS'].join(', ') }
}

function byPath(routes: readonly Route[]): Map<string, Choices> {
  const paths = new Map<string, Choices>()
  for (const route of routes) {
    for (const path of patternsOf(route.path)) {
      const choices: Choices = paths.get(path) ?? new Map()
      const choice = { ...choices.get(route.method) }
      if (route.only !== 'hsds') choice.classic = route
      if (route.only !== 'classic') choice.hsds = route
      paths.set(path, choices.set(route.method, choice))
      // Of routes about the service HEAD is known too (hsds-objects 2); Node leaves the body out.
      if (route.opens === 'nothing') choices.set('HEAD', choice)
    }
  }
  return paths
}

/** `/:collection/...` stands for the three collections; to a router it would match anything. */
function patternsOf(path: string): string[] {
  if (!path.startsWith('/:collection')) return [path]
  return ['groups', 'datasets', 'datatypes'].map(name => path.replace(':collection', name))
}
