// Cross-origin requests: which origins may read answers, and the answer to a browser's preflight.

import type { IncomingMessage, ServerResponse } from 'node:http'

/** Every origin, or those listed; an empty list switches the headers off. */
export type AllowedOrigins = '*' | readonly string[]

/** Set on every answer, errors included, or a browser hides even the status. */
export function setCorsHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: AllowedOrigins,
): void {
  const { origin } = request.headers
  if (origin === undefined) {
    if (allowed === '*') response.setHeader('Access-Control-Allow-Origin', '*')
    return
  }
  response.setHeader('Vary', 'Origin')
  if (allowed !== '*' && !allowed.includes(origin)) return
  // Clients that send credentials want their own origin back, not `*`.
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Credentials', 'true')
  response.setHeader('Access-Control-Expose-Headers', 'Etag, Location, Content-Location')
}

/** OPTIONS on any path: 200 without a body (contract 10, 2; 20, 1.7). */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const method = request.headers['access-control-request-method']
  if (method !== undefined) response.setHeader('Access-Control-Allow-Methods', method)
  const headers = request.headers['access-control-request-headers'] ?? 'Content-type,'
  response.setHeader('Access-Control-Allow-Headers', headers)
  response.setHeader('Access-Control-Max-Age', '600')
  response.setHeader('Content-Length', '0')
  response.statusCode = 200
  response.end()
}
