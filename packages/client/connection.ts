// Requests to a Hyperslab server, typed by its API, with `fetch`: in browsers and in Node. A request that the server
// could not begin (503) is sent again after the time that the server names.

import type { Operations } from './api.ts'

export type OperationName = keyof Operations

export interface ConnectionOptions {
  /**
   * The header `Authorization` of each request (`basic`, `bearer`); a function is called for each request, so that it
   * may renew a token.
   */
  readonly authorization?: string | (() => string | undefined | Promise<string | undefined>)
  /** A replacement of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** The number of times that a request is sent again after a 503; 5 by default. */
  readonly retries?: number
}

export interface RequestOptions<Body = unknown> {
  /** JSON, or the bytes themselves. A stream cannot be sent again. */
  readonly body?: Body | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** The parameters of an operation: those of its path, and those of the query. */
export type ParametersOf<Name extends OperationName> = OrUndefined<Operations[Name]['parameters']>

/** Members that may be absent may be undefined too. */
type OrUndefined<T> = { [K in keyof T]: Record<string, never> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** The body that an operation takes as JSON. */
export type BodyOf<Name extends OperationName> = Operations[Name] extends { body: infer Body }
  ? Body
  : undefined

/** The error of a request that the server rejected or could not do. */
export class RequestError extends Error {
  readonly status: number
  /** A word for the reason, of those in the list of errors; absent: another program answered. */
  readonly code: string | undefined

  constructor(message: string, status: number, code?: string) {
    super(message)
    this.name = 'RequestError'
    this.status = status
    this.code = code
  }
}

/** The server did not answer: there is none at the address, or the network does not lead there. */
export class UnreachableError extends TypeError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreachableError'
  }
}

/** The header for a name and a password, of any characters. */
export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`)
  return `Basic ${btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))}`
}

export function bearer(token: string): string {
  return `Bearer ${token}`
}

export class Connection {
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly #options: ConnectionOptions

  constructor(endpoint: string, options: ConnectionOptions = {}) {
    this.endpoint = endpoint.replace(/\/+$/, '')
    this.#options = options
  }

  /** The address of a request, for links and images of a page. */
  url<Name extends OperationName>(name: Name, parameters: ParametersOf<Name>): string {
    return `${this.endpoint}${targetOf(name, parameters)}`
  }

  /**
   * Sends a request and returns the JSON of its answer. Integers beyond 2^53 are rounded in JSON; `Domain.read` returns
   * exact values.
   */
  async request<Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Name>,
    options: RequestOptions<BodyOf<Name>> = {},
  ): Promise<Operations[Name]['answer']> {
    const response = await this.open(name, parameters, {
      ...options,
      headers: { accept: 'application/json', ...options.headers },
    })
    const text = await response.text()
    if (text === '') return undefined
    // The answer is one of the operation, as the API describes it.
    return JSON.parse(text) as Operations[Name]['answer']
  }

  /**
   * Sends a request and returns the answer unread, for bytes and files: it streams, and ends early when its body is
   * cancelled. Rejects with RequestError for a status from 400 on, with UnreachableError when the server does not
   * answer, and with the reason of the signal when it aborts.
   */
  async open<Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Name>,
    { body, headers, signal }: RequestOptions<BodyOf<Name>> = {},
  ): Promise<Response> {
    const { fetch = globalThis.fetch, retries = 5 } = this.#options
    const [method] = splitName(name)
    const url = this.url(name, parameters)
    const { type, content } = contentOf(body)
    for (let attempt = 0; ; attempt++) {
      const authorization = await this.#authorization()
      const response = await fetch(url, {
        method,
        headers: {
          ...(type !== undefined && { 'content-type': type }),
          ...(authorization !== undefined && { authorization }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
        ...(content instanceof ReadableStream && { duplex: 'half' }),
        ...(signal && { signal }),
      }).catch((error: unknown) => {
        throw error instanceof TypeError ? this.#unreachable(error) : error
      })
      if (response.ok) return response
      const seconds = secondsToWait(response)
      if (seconds === undefined || attempt >= retries || content instanceof ReadableStream)
        throw await errorOf(response, name)
      await response.body?.cancel()
      // The pause is random, so that not all clients retry at once.
      await wait(seconds * 1000 * (1 + Math.random() / 4), signal)
    }
  }

  /** The error with the address: that of `fetch` says only that it failed. */
  #unreachable(error: TypeError): UnreachableError {
    if (error instanceof UnreachableError) return error
    const { message } = error.cause instanceof Error ? error.cause : error
    return new UnreachableError(`${this.endpoint} does not answer: ${message}`, { cause: error })
  }

  async #authorization(): Promise<string | undefined> {
    const { authorization } = this.#options
    return typeof authorization === 'function' ? authorization() : authorization
  }
}

function splitName(name: string): readonly [method: string, path: string] {
  const space = name.indexOf(' ')
  return [name.slice(0, space), name.slice(space + 1)]
}

/** Path and query; parameters that are undefined are left out. */
function targetOf(name: OperationName, parameters: object): string {
  const [, template] = splitName(name)
  const rest = new Map<string, unknown>(Object.entries(parameters))
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest.get(parameter)
    rest.delete(parameter)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const [parameter, value] of rest) if (value !== undefined) query.set(parameter, String(value))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

type FetchBody = NonNullable<RequestInit['body']>

function contentOf(body: unknown): { readonly type?: string; readonly content?: FetchBody } {
  if (body === undefined) return {}
  if (body instanceof Uint8Array || body instanceof ArrayBuffer)
    return { type: OCTETS, content: body as FetchBody }
  if (body instanceof Blob || body instanceof ReadableStream) return { type: OCTETS, content: body }
  return { type: 'application/json', content: JSON.stringify(body) }
}

export const OCTETS = 'application/octet-stream'

/** The seconds to wait before a retry; undefined: a retry is not expected to succeed. */
function secondsToWait({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return (status === 503 || status === 429) && seconds >= 0 ? Math.min(seconds, MAX_WAIT) : undefined
}

/** Seconds of the longest `Retry-After` that the client keeps. @limit safety, s */
const MAX_WAIT = 60

async function errorOf(response: Response, name: string): Promise<RequestError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  try {
    const { message, code } = JSON.parse(text) as { readonly message?: unknown; readonly code?: unknown }
    if (typeof message === 'string')
      return new RequestError(message, status, typeof code === 'string' ? code : undefined)
  } catch {
    // The answer comes from another program, such as a proxy.
  }
  return new RequestError(`${name}: ${status} ${response.statusText} ${text.slice(0, 200)}`.trim(), status)
}

export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
