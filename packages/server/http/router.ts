// The router, made from the list of routes: for each path and method it finds their route in each dialect.

import type { IncomingMessage, ServerResponse } from 'node:http'
import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way'
import { DIALECT_NAMES, type Dialect } from './dialect/dialect.ts'
import type { AnswerRequest } from './exchange/exchange.ts'
import type { Meaning, RouteMatch } from './exchange/meaning.ts'
import { isHdf5File, prefersHtml } from './message/content-types.ts'
import { METHODS } from './message/message.ts'
import { methodsOf, type Route } from './route/route.ts'
import { START_PAGE } from './routes/pages.ts'

export type Router = Pick<Instance<HTTPVersion.V1>, 'lookup'>

/** Answers a request whose path is not percent-encoded UTF-8. */
export type RejectUrl = (path: string, request: IncomingMessage, response: ServerResponse) => void

const OTHER_METHODS = ['HEAD', 'OPTIONS', 'PATCH', 'TRACE'] as const

const NO_ROUTE: RouteMatch = { classic: 'no-such-path', hsds: 'no-such-path' }

/** Every method of every path is routed, so that an unknown method of a known path differs from an unknown path. */
export function createRouter(
  routes: readonly Route[],
  exchange: AnswerRequest,
  rejectUrl: RejectUrl,
): Router {
  const paths = byPath(routes)
  const uploads = matchOf(paths.get('/') ?? new Map(), 'PUT')
  const startPage = matchOf(paths.get(START_PAGE) ?? new Map(), 'GET')
  const router = findMyWay({
    // Names may be long, and so may the targets that hold them (percent-encoding triples them).
    maxParamLength: 1 << 20,
    defaultRoute: (request, response) =>
      exchange(request, response, isNamedUpload(request) ? uploads : NO_ROUTE, {}),
    onBadUrl: rejectUrl,
  })
  for (const [url, choices] of paths) {
    // A path that ends with a slash represents an empty name in another one, which knows the other methods.
    const isStandIn = url.length > 1 && url.endsWith('/')
    for (const method of [...METHODS, ...OTHER_METHODS]) {
      if (isStandIn && !choices.has(method)) continue
      const match = matchOf(choices, method)
      router.on(method, url, (request, response, parameters) => {
        // find-my-way types them as possibly absent, but those of the pattern are always there.
        const found = isVisit(request) ? startPage : match
        void exchange(request, response, found, parameters as Record<string, string>)
      })
    }
  }
  return router
}

/** `curl -T run7.h5 http://host/?domain=/run7.h5` sends PUT of `/run7.h5?domain=/run7.h5`, and means the path `/`. */
function isNamedUpload(request: IncomingMessage): boolean {
  const { method, url = '', headers } = request
  const isUpload = method === 'PUT' && isHdf5File({ body: { contentType: headers['content-type'] } })
  return isUpload && /^\/[^/?]+\?/.test(url)
}

/** A browser that opens the bare address of the service. Links with a query lead to domains and files. */
function isVisit(request: IncomingMessage): boolean {
  const { method, url, headers } = request
  return method === 'GET' && url === '/' && prefersHtml(headers)
}

function matchOf(choices: Choices, method: string): RouteMatch {
  return {
    classic: meaning(choices, method, 'classic'),
    hsds: meaning(choices, method, 'hsds'),
    get: choices.get('GET'),
  }
}

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
      for (const name of DIALECT_NAMES) if ((route.only ?? name) === name) choice[name] = route
      for (const method of methodsOf(route)) choices.set(method, choice)
      paths.set(path, choices)
    }
  }
  return paths
}

/** `/:collection/...` represents the three collections; for the router it would match any name. */
function patternsOf(path: string): string[] {
  if (!path.startsWith('/:collection')) return [path]
  return ['groups', 'datasets', 'datatypes'].map(name => path.replace(':collection', name))
}
