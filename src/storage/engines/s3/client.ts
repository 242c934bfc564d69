// Requests to one bucket of S3: signed, over kept connections, no more than a number at once, tried again after a
// growing pause when the store is busy or a connection breaks, until a deadline. The store compares each body with its
// SHA-256, which is part of the signature.

import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as startHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as startHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Access, S3Location } from '../../../s3/access.ts'
import { MAX_XML_BYTES, parseErrorCode } from '../../../s3/listing.ts'
import {
  errorOf,
  failureOfAnswer,
  failureOfConnection,
  PassingFailure,
  S3Failure,
  UnusableAnswer,
} from './failures.ts'

/** Requests in flight; further ones queue. */
const MAX_REQUESTS = 32
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 2000
/** An answer that is complete but wrong is seldom better the next time. */
const MAX_UNUSABLE = 3
/** Timeouts after which an attempt must be complete, however steadily its bytes arrive. */
const MAX_TIMEOUTS = 6

export interface S3Limits {
  /** Milliseconds without a byte after which an attempt has failed. Default: 10 seconds. */
  readonly timeout?: number | undefined
  /** Milliseconds after which no other attempt begins. Default: 30 seconds. */
  readonly deadline?: number | undefined
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the prefix; absent: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Memory for the body of an answer 200 or 206. */
  readonly into?: Uint8Array
  /** Called with each answer 2xx; throws `UnusableAnswer` for one to ask for again. */
  readonly check?: (answer: S3Answer) => void
}

export interface S3Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, unless it went into memory that was given. */
  readonly text: string
  /** Bytes of the body. */
  readonly received: number
}

export class S3Client {
  /** What all keys begin with: nothing, or it ends with a slash. */
  readonly prefix: string
  readonly #address: string
  readonly #sign: S3Access['sign']
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: MAX_REQUESTS, maxFreeSockets: MAX_REQUESTS }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: MAX_REQUESTS, maxFreeSockets: MAX_REQUESTS }),
  }
  readonly #timeout: number
  readonly #deadline: number
  #isClosed = false

  constructor({ endpoint, sign }: S3Access, { bucket, prefix }: S3Location, limits: S3Limits = {}) {
    this.prefix = prefix
    this.#address = `${endpoint}/${bucket}`
    this.#sign = sign
    this.#timeout = limits.timeout ?? 10_000
    this.#deadline = limits.deadline ?? 30_000
  }

  /**
   * An answer 2xx, 404 for an object that is not there, or 416. Throws `storage-failed` for any other one and when
   * there is none, `storage-full`, and the damage of an unusable answer.
   */
  async send(request: S3Request): Promise<S3Answer> {
    const hash = await sha256(request.body)
    const start = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, hash)
      } catch (error) {
        if (!(error instanceof S3Failure)) throw error
        const pause = pauseAfter(error, attempt)
        const isLast = this.#isClosed || performance.now() - start + pause > this.#deadline
        if (isLast || !mayPass(error, attempt)) throw errorOf(error, describe(request), attempt)
        await delay(pause)
      }
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.#isClosed = true
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #attempt(request: S3Request, hash: string): Promise<S3Answer> {
    const answer = await this.#exchange(request, hash)
    const { status, headers } = answer
    if (status >= 200 && status < 300) {
      request.check?.(answer)
      return answer
    }
    const code = parseErrorCode(answer.text)
    if (status === 416 || (status === 404 && code !== 'NoSuchBucket')) return answer
    const region = headers['x-amz-bucket-region']
    throw failureOfAnswer({ status, code, retryAfter: headers['retry-after'], region: region?.toString() })
  }

  async #exchange(request: S3Request, hash: string): Promise<S3Answer> {
    const { method, body } = request
    const url = this.#urlOf(request)
    const plain = {
      ...request.headers,
      'x-amz-content-sha256': hash,
      'accept-encoding': 'identity',
      'user-agent': 'hyperslab',
      ...((body !== undefined || method === 'PUT' || method === 'POST') && {
        'content-length': String(body?.length ?? 0),
      }),
    }
    const headers = this.#sign ? await this.#sign(url, plain, method) : plain
    if (this.#isClosed) throw new S3Failure('closed', 'the store is closed')
    const isSecure = url.protocol === 'https:'
    const agent = this.#agents[isSecure ? 'https:' : 'http:']
    const options = { method, headers, agent, timeout: this.#timeout }
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? startHttps : startHttp)(url, options)
      this.#limit(outgoing)
      outgoing.on('error', error => reject(failureOfConnection(error)))
      outgoing.on('response', response => receive(outgoing, response, request).then(resolve, reject))
      outgoing.end(body)
    })
  }

  /** Time counts from when the request has a connection. */
  #limit(outgoing: ClientRequest): void {
    const end = (reason: string) => outgoing.destroy(new PassingFailure('timeout', `the S3 store ${reason}`))
    outgoing.on('timeout', () => end(`sent nothing for ${this.#timeout / 1000} seconds`))
    outgoing.on('socket', () => {
      const limit = setTimeout(() => end('is too slow'), MAX_TIMEOUTS * this.#timeout)
      outgoing.on('close', () => clearTimeout(limit))
    })
  }

  #urlOf({ key, query = {} }: S3Request): URL {
    const path =
      key === undefined ? '' : `/${(this.prefix + key).split('/').map(encodeURIComponent).join('/')}`
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return new URL(`${this.#address}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`)
  }
}

async function receive(
  outgoing: ClientRequest,
  response: IncomingMessage,
  { into }: S3Request,
): Promise<S3Answer> {
  const { statusCode: status = 0, headers } = response
  const target = status === 200 || status === 206 ? into : undefined
  const pieces: Uint8Array[] = []
  let received = 0
  await new Promise<void>((resolve, reject) => {
    response.on('error', error => reject(failureOfConnection(error)))
    response.on('close', () =>
      reject(new PassingFailure('ECONNRESET', 'the answer of the S3 store was cut off')),
    )
    response.on('end', resolve)
    response.on('data', (piece: Uint8Array) => {
      if (received + piece.length > (target?.length ?? MAX_XML_BYTES)) {
        reject(new UnusableAnswer('the S3 store answers with more bytes than were asked for'))
        outgoing.destroy()
        return
      }
      if (target) target.set(piece, received)
      else pieces.push(piece)
      received += piece.length
    })
  })
  return { status, headers, text: Buffer.concat(pieces).toString(), received }
}

function mayPass(failure: S3Failure, attempt: number): boolean {
  if (failure instanceof UnusableAnswer) return attempt < MAX_UNUSABLE
  return failure instanceof PassingFailure
}

/** Grows, and differs from one request to the next, so that they do not all come back at once. */
function pauseAfter({ wait = 0 }: S3Failure, attempt: number): number {
  const most = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
  return Math.max(wait, most * (0.5 + Math.random() / 2))
}

function describe({ method, key, query }: S3Request): string {
  return [method, key ?? 'bucket', ...Object.keys(query ?? {})].join(' ')
}

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** In another thread: 16 MiB would hold up this one. */
async function sha256(body: Uint8Array | undefined): Promise<string> {
  if (body === undefined || body.length === 0) return EMPTY
  return Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex')
}
