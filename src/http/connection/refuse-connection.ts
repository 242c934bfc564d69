// Answers to what never became a request, or stopped being one: written on the bare connection, which then ends.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { HyperslabError } from '../../errors.ts'
import { classic } from '../dialect/classic/index.ts'

/** By the codes of Node's errors, and one of ours; anything else is not HTTP. */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly error: HyperslabError }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new HyperslabError('head-too-large', 'the head of the request is larger than 256 KiB'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new HyperslabError(
      'client-too-slow',
      'the rest of the request did not come in time (client_timeout, min_client_rate)',
    ),
  },
  TOO_MANY_CONNECTIONS: {
    status: 503,
    error: new HyperslabError(
      'too-busy',
      'the service has as many connections as it may have (max_connections), and none is idle: try again later',
      { retryAfter: 1 },
    ),
  },
}
const NOT_HTTP = {
  status: 400,
  error: new HyperslabError('malformed-request', 'what was sent is not an HTTP request'),
}

/** `method` of the request that is answered, if it is known: HEAD is answered by the header alone. */
export function refuseConnection(socket: Socket, code: string | undefined, method?: string): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const { status, error } = REFUSALS[code ?? ''] ?? NOT_HTTP
  const body = JSON.stringify({ status, code: error.code, message: error.message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${classic.jsonContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(error.retryAfter === undefined ? [] : [`Retry-After: ${error.retryAfter}`]),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`)
  // A client that sends nothing, or of which there are too many, is not waited for.
  if (status === 408 || status === 503) socket.destroySoon()
}
