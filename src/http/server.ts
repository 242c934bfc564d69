// The server: parts in, server out; it listens when told to. The router is made from the list of routes; what
// happens to a request is told in exchange.ts.

import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { HyperslabError } from '../errors.ts'
import { setCorsHeaders } from './cors.ts'
import { classic } from './dialect/classic/index.ts'
import type { Dialect } from './dialect/dialect.ts'
import { createExchange, type ExchangeParts, type Found } from './exchange.ts'
import { sendError } from './reply.ts'
import type { Method, Route } from './route.ts'
import { routesOf } from './routes/index.ts'

export interface Server {
  /** Resolves with the port that is listened on. */
  listen(host: string, port: number): Promise<number>
  /** Stops accepting, and resolves when the requests in flight are answered. */
  close(): Promise<void>
}

const METHODS: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE']
const OTHER_METHODS = ['HEAD', 'PATCH', 'TRACE'] as const

export function createServer(parts: ExchangeParts): Server {
  const app = fastify({
    // Names may be long, and so may the targets that hold them (percent-encoding triples them).
    routerOptions: { maxParamLength: 1 << 20 },
    http: { maxHeaderSize: 256 << 10, requireHostHeader: false },
    // A value may be uploaded for hours; what is idle is closed by the keep-alive timeout.
    requestTimeout: 0,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.hijack()
      setCorsHeaders(request.raw, reply.raw, parts.http.allowedOrigins)
      const message = `the path is not valid: ${error.message}`
      sendError(reply.raw, classic, new HyperslabError('malformed-url', message), undefined)
    },
  })
  // Bodies are read by whoever wants them, whatever their type says: clients send JSON without one.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, stream, done) => done(null, stream))

  const exchange = createExchange(parts)
  const routes = routesOf({ ...parts.http, startTime: Math.floor(Date.now() / 1000) })
  register(app, routes, async (request, reply, found) => {
    reply.hijack()
    await exchange(request.raw, reply.raw, found, request.params as Record<string, string>)
  })

  return {
    async listen(host, port) {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    close: () => app.close(),
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply, found: Found) => Promise<void>

/** Every method of every path is routed, so that a known path with an unknown method can be told from an unknown path. */
function register(app: FastifyInstance, routes: readonly Route[], handle: Handle): void {
  for (const [url, choices] of byPath(routes)) {
    for (const method of [...METHODS, ...OTHER_METHODS]) {
      const found = { classic: meaning(choices, method, 'classic'), hsds: meaning(choices, method, 'hsds') }
      app.route({ method, url, handler: (request, reply) => handle(request, reply, found) })
    }
  }
  app.setNotFoundHandler((request, reply) => handle(request, reply, NOWHERE))
}

const NOWHERE: Found = { classic: 'no-such-path', hsds: 'no-such-path' }

/** The routes of a path by their methods, each for the dialects that know it. */
type Choices = Map<string, Partial<Record<Dialect['name'], Route>>>

function meaning(choices: Choices, method: string, dialect: Dialect['name']): Found[Dialect['name']] {
  const route = choices.get(method)?.[dialect]
  if (route !== undefined) return route
  return [...choices.values()].some(choice => choice[dialect]) ? 'no-such-method' : 'no-such-path'
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
    }
  }
  return paths
}

/** `/:collection/...` stands for the three collections; to a router it would match anything. */
function patternsOf(path: string): string[] {
  if (!path.startsWith('/:collection')) return [path]
  return ['groups', 'datasets', 'datatypes'].map(name => path.replace(':collection', name))
}
