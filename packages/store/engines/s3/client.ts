// Requests to one bucket of S3: tried again until a deadline when the store is busy, a connection breaks or an answer
// is wrong. The store compares each body with its SHA-256, which is part of the signature.

import type { IncomingHttpHeaders } from 'node:http'
import type { S3Access, S3Location } from '@hyperslab/base/outgoing'
import {
  type AnswerHead,
  type AnswerReceiver,
  HttpClient,
  type HttpClientOptions,
  MAX_XML_BYTES,
  type Method,
  parseErrorCode,
  RequestFailure,
} from '@hyperslab/base/outgoing'
import type { CallFigures } from '../../interfaces/engine.ts'
import { errorOf, failureOfAnswer, unusableAnswer } from './failures.ts'

/** Requests in flight; further ones queue. @limit safety, requests */
const MAX_REQUESTS = 32
const FIRST_PAUSE = 50
const DEADLINE = 30_000

/** Default of the deadline: 30 seconds. */
export type S3Limits = Pick<HttpClientOptions, 'timeout' | 'deadline'>

export interface S3Request {
  readonly method: Method
  /** The key below the prefix; absent: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Memory for the body of an answer 200 or 206. */
  readonly into?: Uint8Array
  /** Called with each answer 2xx; throws `unusableAnswer` to repeat the request. */
  readonly check?: (answer: S3Answer) => void
}

export interface S3Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, unless it went into `into`. */
  readonly text: string
  /** Bytes of the body. */
  readonly received: number
}

export class S3Client {
  /** The beginning of all keys: empty, or it ends with a slash. */
  readonly prefix: string
  readonly #address: string
  readonly #client: HttpClient

  constructor({ endpoint, sign }: S3Access, { bucket, prefix }: S3Location, limits: S3Limits = {}) {
    const { timeout, deadline = DEADLINE } = limits
    this.prefix = prefix
    this.#address = `${endpoint}/${bucket}`
    this.#client = new HttpClient({
      sign,
      maxRequests: MAX_REQUESTS,
      firstPause: FIRST_PAUSE,
      timeout,
      deadline,
    })
  }

  /**
   * Sends a request; the answer is a 2xx, a 404 for an absent object, or a 416. Throws `storage-full`, the damage of an
   * unusable answer, and `storage-failed` for any other answer or none.
   */
  async send(request: S3Request): Promise<S3Answer> {
    const { method, body } = request
    const headers = { ...request.headers, 'x-amz-content-sha256': await sha256(body) }
    try {
      return await this.#client.send({ method, url: this.#urlOf(request), headers, body }, head =>
        receiverOf(head, request),
      )
    } catch (error) {
      throw error instanceof RequestFailure ? errorOf(error, describe(request)) : error
    }
  }

  get figures(): CallFigures {
    return this.#client.figures
  }

  /** Ends the running requests. */
  close(): void {
    this.#client.close()
  }

  #urlOf({ key, query = {} }: S3Request): URL {
    const path =
      key === undefined ? '' : `/${(this.prefix + key).split('/').map(encodeURIComponent).join('/')}`
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return new URL(`${this.#address}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`)
  }
}

function receiverOf({ status, headers }: AnswerHead, request: S3Request): AnswerReceiver<S3Answer> {
  const target = status === 200 || status === 206 ? request.into : undefined
  const pieces: Uint8Array[] = []
  let received = 0
  return {
    take(piece) {
      if (received + piece.length > (target?.length ?? MAX_XML_BYTES))
        throw unusableAnswer('the S3 store answers with more bytes than were asked for')
      if (target) target.set(piece, received)
      else pieces.push(piece)
      received += piece.length
    },
    end() {
      const answer = { status, headers, text: Buffer.concat(pieces).toString(), received }
      if (status >= 200 && status < 300) {
        request.check?.(answer)
        return answer
      }
      const code = parseErrorCode(answer.text)
      if (status === 416 || (status === 404 && code !== 'NoSuchBucket')) return answer
      throw failureOfAnswer(answer, code)
    },
  }
}

function describe({ method, key, query }: S3Request): string {
  return [method, key ?? 'bucket', ...Object.keys(query ?? {})].join(' ')
}

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The digest is computed in another thread: 16 MiB would block this one for too long. */
async function sha256(body: Uint8Array | undefined): Promise<string> {
  if (body === undefined || body.length === 0) return EMPTY
  return Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex')
}
