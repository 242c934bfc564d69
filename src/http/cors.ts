// Cross-origin requests: which origins may read answers, and the answer to a browser's preflight.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Head } from './reply.ts'

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

/** OPTIONS on any path: 200 without a body (contract 10, 2; 20, 1.7). */
export function answerPreflight(request: IncomingMessage, response: ServerResponse, head: Head): void {
  const method = request.headers['access-control-request-method']
  if (method !== undefined) head.push('Access-Control-Allow-Methods', method)
  const headers = request.headers['access-control-request-headers'] ?? 'Content-type,'
  head.push('Access-Control-Allow-Headers', headers, 'Access-Control-Max-Age', '600', 'Content-Length', '0')
  response.writeHead(200, head)
  response.end()
}
