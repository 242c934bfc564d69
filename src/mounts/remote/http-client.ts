// GET requests to other machines: over connections that are kept, at most 16 at once to a host, repeated when the
// server is busy or the connection breaks, ended when nothing arrives for a while. A redirect is followed only on the
// same host, and addresses come from the settings alone.

import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as startHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as startHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { HyperslabError } from '../../errors.ts'

export const MAX_REQUESTS = 16
const MAX_REDIRECTS = 5
/** Before the second and the third attempt, in milliseconds. */
const RETRY_DELAYS = [100, 400]
/** Default of `HttpClientOptions.timeout`. */
const TIMEOUT = 10_000
/** Timeouts after which an answer must be complete, however steadily its bytes arrive. */
const MAX_TIMEOUTS = 12
/** A body that is not needed is read up to this length, so that its connection can be used again. */
const MAX_DISCARDED = 64 * 1024

export type RequestHeaders = Readonly<Record<string, string>>

export interface HttpClientOptions {
  /** The headers with those that prove the identity. Such requests follow no redirect. */
  readonly sign?: ((url: URL, headers: RequestHeaders) => Promise<RequestHeaders>) | undefined
  /**
   * Milliseconds without a byte from the server after which a request has failed; the whole may take twelve times as
   * long.
   */
  readonly timeout?: number | undefined
}

export interface GetRequest {
  readonly url: URL
  readonly headers: RequestHeaders
  /** The path of the domain, for messages: addresses may hold secrets. */
  readonly subject: string
  readonly signal?: AbortSignal | undefined
}

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Where the answer came from, after redirects. */
  readonly url: URL
}

/** Takes the pieces of a body, in order. What it throws ends the request, which is not repeated. */
export type BodySink = (piece: Uint8Array) => void

/** Chooses what takes the body; undefined: it is not read. */
export type AcceptAnswer = (head: AnswerHead) => BodySink | undefined

export class HttpClient {
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: MAX_REQUESTS }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: MAX_REQUESTS }),
  }
  readonly #sign: HttpClientOptions['sign']
  readonly #timeout: number

  constructor({ sign, timeout = TIMEOUT }: HttpClientOptions = {}) {
    this.#sign = sign
    this.#timeout = timeout
  }

  /**
   * The head of the answer, after its body. `accept` is called again when the request is repeated. Throws
   * `file-unavailable` when there is no answer, or one with a status from 500 on, and `file-unreadable` for a redirect
   * that is not followed.
   */
  async get(request: GetRequest, accept: AcceptAnswer): Promise<AnswerHead> {
    const { subject, signal } = request
    const start = performance.now()
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#follow(request, accept)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof Unavailable)) throw error
        if (attempt === RETRY_DELAYS.length || performance.now() - start > this.#timeout) {
          const message = `${subject} cannot be read now: ${error.message}`
          throw new HyperslabError('file-unavailable', message, { subject, cause: error })
        }
      }
      await delay(RETRY_DELAYS[attempt])
    }
  }

  /** Ends the requests that are under way. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #follow(request: GetRequest, accept: AcceptAnswer): Promise<AnswerHead> {
    let { url } = request
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const head = await this.#attempt(request, url, accept)
      if (!isRedirect(head)) return head
      url = this.#redirected(request.subject, head)
    }
    throw refused(request.subject, `its server redirects more than ${MAX_REDIRECTS} times`)
  }

  #redirected(subject: string, { url, headers, status }: AnswerHead): URL {
    const region = headers['x-amz-bucket-region']
    if (region !== undefined)
      throw refused(subject, `its bucket is in the region ${region}: set AWS_REGION to it`)
    const { location } = headers
    if (location === undefined || !URL.canParse(location, url.href) || this.#sign) {
      throw refused(subject, `its server answers with the redirect ${status}, which cannot be followed`)
    }
    const target = new URL(location, url)
    if (target.origin === url.origin || isSecured(url, target)) return target
    const rule = 'redirects are followed on the same host only'
    throw refused(subject, `its server redirects to ${target.host}, and ${rule}: mount the address there`)
  }

  async #attempt({ headers, signal }: GetRequest, url: URL, accept: AcceptAnswer): Promise<AnswerHead> {
    const plain = { ...headers, 'accept-encoding': 'identity', 'user-agent': 'hyperslab' }
    const signed = this.#sign ? await this.#sign(url, plain) : plain
    signal?.throwIfAborted()
    const isSecure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const request = (isSecure ? startHttps : startHttp)(url, {
        agent: this.#agents[isSecure ? 'https:' : 'http:'],
        headers: signed,
        timeout: this.#timeout,
        ...(signal && { signal }),
      })
      request.on('error', error => reject(failureOf(error)))
      request.on('timeout', () =>
        request.destroy(new Unavailable(`its server sent nothing for ${this.#timeout / 1000} seconds`)),
      )
      const limit = setTimeout(
        () => request.destroy(new Unavailable('its server is too slow')),
        MAX_TIMEOUTS * this.#timeout,
      )
      request.on('close', () => clearTimeout(limit))
      request.on('response', response => receive(request, response, url, accept).then(resolve, reject))
      request.end()
    })
  }
}

/** Why a request may be repeated. */
class Unavailable extends Error {}

export function refused(subject: string, reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', `${subject} cannot be read: ${reason}`, { subject })
}

function receive(
  request: ClientRequest,
  response: IncomingMessage,
  url: URL,
  accept: AcceptAnswer,
): Promise<AnswerHead> {
  const head = { status: response.statusCode ?? 0, headers: response.headers, url }
  return new Promise((resolve, reject) => {
    response.on('error', error => reject(failureOf(error)))
    const end = (error: unknown) => {
      reject(error)
      request.destroy()
    }
    let sink: BodySink | undefined
    try {
      if (isBusy(head)) throw new Unavailable(`its server answers ${head.status}`)
      if (!isRedirect(head)) sink = accept(head)
    } catch (error) {
      return end(error)
    }
    if (!sink) {
      discard(response)
      return resolve(head)
    }
    const take = sink
    response.on('data', (piece: Uint8Array) => {
      try {
        take(piece)
      } catch (error) {
        end(error)
      }
    })
    response.on('end', () => resolve(head))
  })
}

function isBusy({ status }: AnswerHead): boolean {
  return status >= 500 || status === 429 || status === 408
}

/** 304 is the answer to a condition. */
function isRedirect({ status }: AnswerHead): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/** The same host, from now on with TLS. */
function isSecured(from: URL, to: URL): boolean {
  return `${from.protocol}${to.protocol}` === 'http:https:' && from.host === to.host
}

function discard(response: IncomingMessage): void {
  const length = Number(response.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (length <= MAX_DISCARDED || response.statusCode === 304) response.resume()
  else response.destroy()
}

/** Without the message of Node, which has addresses of the network. */
function failureOf(error: Error): Unavailable {
  if (error instanceof Unavailable) return error
  const code = 'code' in error ? String(error.code) : error.name
  return new Unavailable(`the connection to its server failed (${code})`, { cause: error })
}
