// Requests to other machines: over kept connections, a limited number at once, signed for each attempt if there is a
// key, and ended when no byte arrives for a while. A request whose failure may pass is sent again after growing pauses,
// until a deadline.

import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as startHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as startHttps } from 'node:https'
import { type Clock, SYSTEM_CLOCK } from '../clock.ts'
import { failureOfConnection, RequestFailure } from './request-failure.ts'

const DEFAULT_TIMEOUT = 10_000
/** Timeouts after which an attempt must be complete, however steadily its bytes arrive. @limit safety, timeouts */
const MAX_TIMEOUTS = 12
const LONGEST_PAUSE = 2000
/**
 * A body that is not needed is read up to this length, so that its connection can be used again.
 * @limit safety, bytes
 */
const MAX_DISCARDED = 64 * 1024

export type RequestHeaders = Readonly<Record<string, string>>

/** Returns the headers, with those that prove the identity. */
export type SignRequest = (url: URL, headers: RequestHeaders, method: Method) => Promise<RequestHeaders>

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'

export interface HttpClientOptions {
  readonly sign?: SignRequest | undefined
  /** Requests in flight to one server; further ones queue. */
  readonly maxRequests: number
  /** Milliseconds without a byte from the server after which an attempt has failed. Default: 10 seconds. */
  readonly timeout?: number | undefined
  /** Most milliseconds of the pause before the second attempt; the later ones are longer. */
  readonly firstPause: number
  /** The clock of deadlines, pauses and limits. Default: that of the system. */
  readonly clock?: Clock
  /** Milliseconds after which no other attempt begins. Default: those of `timeout`. */
  readonly deadline?: number | undefined
  /** The highest number of attempts. Default: all that begin before the deadline. */
  readonly maxAttempts?: number
}

export interface OutgoingRequest {
  /** Default: GET. */
  readonly method?: Method
  readonly url: URL
  readonly headers?: RequestHeaders
  readonly body?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
}

export interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Takes one answer. An error of its functions ends the attempt, and the request unless it is a `RequestFailure`. */
export interface AnswerReceiver<T> {
  /** Takes the pieces of the body, in order. Absent: the body is not needed. */
  readonly take?: ((piece: Uint8Array) => void) | undefined
  /** Returns the result of the request, after the body. */
  readonly end: () => T
}

/** Called with the head of each answer. */
export type ReceiveAnswer<T> = (head: AnswerHead) => AnswerReceiver<T>

export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #timeout: number
  readonly #clock: Clock
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
  readonly #counted = { calls: 0, failures: 0, retries: 0, seconds: 0 }
  #isClosed = false

  constructor(options: HttpClientOptions) {
    const { maxRequests, timeout = DEFAULT_TIMEOUT } = options
    this.#options = options
    this.#timeout = timeout
    this.#clock = options.clock ?? SYSTEM_CLOCK
    const sockets = { keepAlive: true, maxSockets: maxRequests, maxFreeSockets: maxRequests }
    this.#agents = { 'http:': new HttpAgent(sockets), 'https:': new HttpsAgent(sockets) }
  }

  /** Counts of attempts, with the time that they took together; connections, and attempts that wait for one. */
  get figures() {
    const agents = Object.values(this.#agents)
    const count = (lists: NodeJS.ReadOnlyDict<readonly unknown[]>) =>
      Object.values(lists).reduce((sum, list) => sum + (list?.length ?? 0), 0)
    return {
      ...this.#counted,
      connections: agents.reduce((sum, agent) => sum + count(agent.sockets) + count(agent.freeSockets), 0),
      waiting: agents.reduce((sum, agent) => sum + count(agent.requests), 0),
    }
  }

  /** The result of the first attempt that succeeds. Throws the failure of the last one, or the reason of the signal. */
  async send<T>(request: OutgoingRequest, receive: ReceiveAnswer<T>): Promise<T> {
    const { firstPause, deadline = this.#timeout, maxAttempts = Number.POSITIVE_INFINITY } = this.#options
    const start = this.#clock.elapsed()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#count(this.#attempt(request, receive))
      } catch (error) {
        request.signal?.throwIfAborted()
        if (!(error instanceof RequestFailure)) throw error
        error.attempts = attempt
        const pause = Math.max(error.wait, pauseAfter(attempt, firstPause))
        const isLate = this.#clock.elapsed() - start + pause > deadline
        if (this.#isClosed || isLate || attempt >= Math.min(error.maxAttempts, maxAttempts)) throw error
        // Ends early when the signal aborts, and the next attempt throws its reason.
        await this.#clock.sleep(pause, request.signal).catch(() => undefined)
        this.#counted.retries++
      }
    }
  }

  /** Counts an attempt when it ends. One whose caller has left does not count as failed. */
  async #count<T>(attempt: Promise<T>): Promise<T> {
    const since = this.#clock.elapsed()
    try {
      return await attempt
    } catch (error) {
      if (error instanceof RequestFailure) this.#counted.failures++
      throw error
    } finally {
      this.#counted.calls++
      this.#counted.seconds += (this.#clock.elapsed() - since) / 1000
    }
  }

  /** Ends the running requests. */
  close(): void {
    this.#isClosed = true
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #attempt<T>(request: OutgoingRequest, receive: ReceiveAnswer<T>): Promise<T> {
    const { method = 'GET', url, body, signal } = request
    const { sign } = this.#options
    const hasBody = body !== undefined || method === 'PUT' || method === 'POST'
    const plain = {
      ...request.headers,
      'accept-encoding': 'identity',
      'user-agent': 'hyperslab',
      ...(hasBody && { 'content-length': String(body?.length ?? 0) }),
    }
    const headers = sign ? await sign(url, plain, method) : plain
    signal?.throwIfAborted()
    if (this.#isClosed) throw new RequestFailure('closed', 'the client is closed')
    const isSecure = url.protocol === 'https:'
    const agent = this.#agents[isSecure ? 'https:' : 'http:']
    const options = { method, headers, agent, timeout: this.#timeout, ...(signal && { signal }) }
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? startHttps : startHttp)(url, options)
      const fail = (error: unknown) => {
        reject(error)
        outgoing.destroy()
      }
      this.#limit(outgoing)
      outgoing.on('error', error => reject(failureOfConnection(error)))
      outgoing.on('response', response => receiveAnswer(response, receive).then(resolve, fail))
      outgoing.end(body)
    })
  }

  /** Time counts from when the request has a connection. */
  #limit(outgoing: ClientRequest): void {
    const end = (reason: string) => outgoing.destroy(new RequestFailure('timeout', reason))
    outgoing.on('timeout', () => end(`nothing arrived for ${this.#timeout / 1000} seconds`))
    outgoing.on('socket', () => {
      const cancel = this.#clock.after(MAX_TIMEOUTS * this.#timeout, () => end('the answer takes too long'))
      outgoing.on('close', cancel)
    })
  }
}

async function receiveAnswer<T>(response: IncomingMessage, receive: ReceiveAnswer<T>): Promise<T> {
  const { statusCode: status = 0, headers } = response
  const { take, end } = receive({ status, headers })
  if (take) await readBody(response, take)
  else discard(response)
  return end()
}

function readBody(response: IncomingMessage, take: (piece: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    response.on('error', error => reject(failureOfConnection(error)))
    response.on('close', () => reject(new RequestFailure('ECONNRESET', 'the answer was cut off')))
    response.on('end', resolve)
    response.on('data', (piece: Uint8Array) => {
      try {
        take(piece)
      } catch (error) {
        reject(error)
        response.destroy()
      }
    })
  })
}

function discard(response: IncomingMessage): void {
  const length = Number(response.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (length <= MAX_DISCARDED || response.statusCode === 304) response.resume()
  else response.destroy()
}

/** Differs from one request to the next, so that they do not all come back at once. */
function pauseAfter(attempt: number, firstPause: number): number {
  return Math.min(firstPause * 2 ** (attempt - 1), LONGEST_PAUSE) * (0.5 + Math.random() / 2)
}
