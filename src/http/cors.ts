// Cross-origin requests: which origins may read answers, and the answer to a browser's preflight.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HyperslabError } from '../errors.ts'
import type { Head } from './reply.ts'
import type { Method } from './route.ts'

/** Every origin, or those listed; an empty list switches the headers off. */
export type AllowedOrigins = '*' | readonly string[]

/** The headers of every answer, errors included, or a browser hides even the status. */
export function corsHeaders({ headers: { origin } }: IncomingMessage, allowed: AllowedOrigins): Head {
  if (origin === undefined) return allowed === '*' ? ['Access-Control-Allow-Origin', '*'] : []
  if (allowed !== '*' && !allowed.includes(origin)) return ['Vary', 'Origin']
  return [
    'Vary',
    'Origin',
    // Clients that send credentials want their own origin back, not `*`.
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Credentials',
    'true',
    'Access-Control-Expose-Headers',
    'Etag, Location, Content-Location, Retry-After, X-Request-Id',
  ]
}

const METHODS: readonly string[] = ['GET', 'PUT', 'POST', 'DELETE'] satisfies Method[]

/** A preflight tells its origin, and a method that the service has (contract 20, 1.7). */
export function requirePreflight({ headers }: IncomingMessage): void {
  const method = headers['access-control-request-method']
  if (headers.origin === undefined || method === undefined) {
    const rule = 'it needs the headers Origin and Access-Control-Request-Method'
    throw new HyperslabError(
      'preflight-refused',
      `OPTIONS asks what a page of another origin may do: ${rule}`,
    )
  }
  if (METHODS.includes(method)) return
  const what = `a page of another origin may ${METHODS.join(', ')}, not ${method}`
  throw new HyperslabError('preflight-refused', what)
}

/** OPTIONS on any path: 200 without a body (contract 10, 2; 20, 1.7). */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, head: Head): void {
  const method = request.headers['access-control-request-method']
  if (method !== undefined) head.push('Access-Control-Allow-Methods', method)
  const headers = request.headers['access-control-request-headers'] ?? 'Content-type,'
  head.push('Access-Control-Allow-Headers', headers, 'Access-Control-Max-Age', '600', 'Content-Length', '0')
  response.writeHead(200, head)
  response.end()
}
