// The requests to an identity provider: bounded in number, time and length, and without TLS to this machine only.

import { HttpClient, type Method, RequestFailure } from '@hyperslab/base/outgoing'
import type { CustomFetch } from 'openid-client'

/** Requests in flight to one identity provider; further ones queue. @limit safety, requests */
const MAX_REQUESTS = 8
/** Bytes of an answer of an identity provider: documents, keys and tokens are a few kilobytes. @limit memory, bytes */
const MAX_ANSWER = 1 << 20
const METHODS: readonly Method[] = ['GET', 'POST']

/** A status without a body, for which `Response` accepts none. */
const NO_BODY = new Set([204, 205, 304])

/** `timeout`: milliseconds without a byte of the provider after which a request fails. */
export function boundedFetch(timeout: number): CustomFetch {
  const client = new HttpClient({ maxRequests: MAX_REQUESTS, timeout, firstPause: 100, maxAttempts: 1 })
  return async (address, { method: given, headers, body, signal }) => {
    const url = new URL(address)
    if (!isSafeAddress(url)) throw new RequestFailure('insecure', `${url.origin} must be an https address`)
    const method = METHODS.find(one => one === given)
    if (method === undefined || body instanceof ReadableStream)
      throw new Error(`a request ${given} to an identity provider is not foreseen`)
    const pieces: Uint8Array[] = []
    let length = 0
    return client.send(
      {
        method,
        url,
        headers,
        ...(body && { body: typeof body === 'string' ? Buffer.from(body) : bytesOf(body) }),
        ...(signal && { signal }),
      },
      ({ status, headers }) => ({
        take(piece) {
          length += piece.length
          if (length > MAX_ANSWER)
            throw new RequestFailure('too-long', `the answer has more than ${MAX_ANSWER} bytes`)
          pieces.push(piece)
        },
        end: () =>
          new Response(NO_BODY.has(status) ? null : Buffer.concat(pieces), {
            status,
            headers: Object.entries(headers).flatMap(([name, value = []]) =>
              [value].flat().map((one): [string, string] => [name, one]),
            ),
          }),
      }),
    )
  }
}

/** Whether secrets may be sent to the address. */
export function isSafeAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function bytesOf(body: ArrayBuffer | Uint8Array | URLSearchParams): Uint8Array {
  if (body instanceof URLSearchParams) return Buffer.from(body.toString())
  return body instanceof Uint8Array ? body : new Uint8Array(body)
}
