// GET requests for files on other machines. A redirect is followed on the same host only, and never with a key;
// addresses come from the settings alone. Messages name the path of the domain: addresses may hold secrets.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  type AnswerHead,
  type AnswerReceiver,
  HttpClient,
  type HttpClientOptions,
  isBusy,
  type OutgoingRequest,
  type ReceiveAnswer,
  RequestFailure,
  waitOf,
} from '@hyperslab/base/outgoing'

/** Requests to one server at once. @limit safety, requests */
export const MAX_REQUESTS = 16
/** Redirects of one request. @limit safety, redirects */
const MAX_REDIRECTS = 5
const RETRIES = { firstPause: 200, maxAttempts: 3 }

export interface RemoteRequest extends OutgoingRequest {
  /** The path of the domain. */
  readonly subject: string
}

/** The head of an answer, with the address that it came from, after redirects. */
export interface RemoteAnswer extends AnswerHead {
  readonly url: URL
}

/** Chooses the receiver of the body; undefined: it is not read. Called again when the request is repeated. */
export type AcceptAnswer = (head: AnswerHead) => AnswerReceiver<unknown>['take']

export class RemoteRequests {
  readonly #client: HttpClient
  readonly #isSigned: boolean

  constructor({ sign, timeout }: Pick<HttpClientOptions, 'sign' | 'timeout'> = {}) {
    this.#client = new HttpClient({ ...RETRIES, maxRequests: MAX_REQUESTS, sign, timeout })
    this.#isSigned = sign !== undefined
  }

  /**
   * The head of the answer, after its body. Throws `file-unavailable` when there is no answer, or the server is busy,
   * and `file-unreadable` for a redirect that is not followed.
   */
  async get(request: RemoteRequest, accept: AcceptAnswer): Promise<RemoteAnswer> {
    const { subject } = request
    let { url } = request
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const head = await this.#send({ ...request, url }, accept)
      if (!isRedirect(head)) return { ...head, url }
      url = this.#redirected(subject, url, head)
    }
    throw refused(subject, `its server redirects more than ${MAX_REDIRECTS} times`)
  }

  /** Ends the running requests. */
  close(): void {
    this.#client.close()
  }

  async #send({ subject, ...request }: RemoteRequest, accept: AcceptAnswer): Promise<AnswerHead> {
    const receive: ReceiveAnswer<AnswerHead> = head => {
      const { status, headers } = head
      if (isBusy(status)) {
        throw new RequestFailure(String(status), `it answers ${status}`, { wait: waitOf(headers) })
      }
      return { take: isRedirect(head) ? undefined : accept(head), end: () => head }
    }
    try {
      return await this.#client.send(request, receive)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const message = `${subject} cannot be read from its server now: ${error.message}`
      throw new HyperslabError('file-unavailable', message, { subject, cause: error })
    }
  }

  #redirected(subject: string, url: URL, { headers, status }: AnswerHead): URL {
    const region = headers['x-amz-bucket-region']
    if (region !== undefined)
      throw refused(subject, `its bucket is in the region ${region}: set AWS_REGION to it`)
    const { location } = headers
    if (location === undefined || !URL.canParse(location, url.href) || this.#isSigned) {
      throw refused(subject, `its server answers with the redirect ${status}, which cannot be followed`)
    }
    const target = new URL(location, url)
    if (target.origin === url.origin || isSecured(url, target)) return target
    const rule = 'redirects are followed on the same host only'
    throw refused(subject, `its server redirects to ${target.host}, and ${rule}: mount the address there`)
  }
}

export function refused(subject: string, reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', `${subject} cannot be read: ${reason}`, { subject })
}

/** 304 is the answer to a condition. */
function isRedirect({ status }: AnswerHead): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/** Whether a redirect leads to the same host with TLS. */
function isSecured(from: URL, to: URL): boolean {
  return `${from.protocol}${to.protocol}` === 'http:https:' && from.host === to.host
}
