// Error answers on a connection that has no request to answer: the bytes are not HTTP or came too slowly, or there are
// too many connections. The answer is written to the socket, which is then closed.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import { DEFAULT_DIALECT } from '../dialect/choose.ts'
import { errorLink } from '../error-link.ts'
import { FIXED_HEADERS } from '../fixed-headers.ts'

/** Rejections by the codes of Node's errors, and one of ours; for any other code the bytes are not HTTP. */
const REJECTIONS: Readonly<Record<string, { readonly status: number; readonly error: HyperslabError }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new HyperslabError('head-too-large', 'the head of the request must not be larger than 256 KiB'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new HyperslabError(
      'client-too-slow',
      'the rest of the request did not come in time (settings client_timeout and min_client_rate): send it again, faster',
    ),
  },
  HPE_INVALID_URL: {
    status: 400,
    error: new HyperslabError(
      'malformed-request',
      'the request target has bytes that a URL must not have: percent-encode them as UTF-8 (%XX)',
    ),
  },
  TOO_MANY_CONNECTIONS: {
    status: 503,
    error: new HyperslabError(
      'too-busy',
      'server overloaded: it has max_connections connections and none is idle; try again later',
      { retryAfter: 1 },
    ),
  },
}
const NOT_HTTP = {
  status: 400,
  error: new HyperslabError(
    'malformed-request',
    'the bytes on this connection are not an HTTP request: send HTTP/1.1',
  ),
}

function rejectionOf(code: string | undefined): (typeof REJECTIONS)[string] {
  return REJECTIONS[code ?? ''] ?? NOT_HTTP
}

/** The code of the error with which a connection is rejected; undefined: its client has left. */
export function rejectionCode(socket: Socket, code: string | undefined): ErrorCode | undefined {
  return !socket.writable || code === 'ECONNRESET' ? undefined : rejectionOf(code).error.code
}

/** Answers and closes a connection. `method` is that of the request, if it is known: HEAD gets the head alone. */
export function rejectConnection(socket: Socket, code: string | undefined, method?: string): void {
  if (rejectionCode(socket, code) === undefined) return void socket.destroy()
  const { status, error } = rejectionOf(code)
  const body = JSON.stringify({ status, code: error.code, message: error.message })
  const headers = [
    ...FIXED_HEADERS,
    ...['Content-Type', DEFAULT_DIALECT.jsonContentType],
    ...['Content-Length', Buffer.byteLength(body)],
    ...(error.retryAfter === undefined ? [] : ['Retry-After', error.retryAfter]),
    ...errorLink(error.code),
    ...['Connection', 'close'],
  ]
  const lines = headers.map((text, index) => (index % 2 === 0 ? text : `: ${text}\r\n`))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${method === 'HEAD' ? '' : body}`,
  )
  // The service does not wait for a client that sends nothing, nor for one connection too many.
  if (status === 408 || status === 503) socket.destroySoon()
}
