// The answer to a request that has failed: JSON, or a page for a person.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { Logger } from 'pino'
import { sessionCookie } from '../auth/session-cookie.ts'
import { ClientLeft } from '../connection/client-left.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { errorLink } from '../error-link.ts'
import { nearBaseOf } from '../message/path-prefix.ts'
import { errorBody } from '../output/error-body.ts'
import { errorTitleOf, type Meaning, nameOf } from './meaning.ts'
import { PRIVATE } from './private-answers.ts'
import { type Head, sendDefect, sendError, sendErrorPage } from './reply.ts'

/** Errors of addresses at which nothing can be: a person that opened one gets a page. */
const NOWHERE: ReadonlySet<ErrorCode> = new Set(['route-not-found', 'file-not-found', 'share-not-found'])
const NOWHERE_TITLE = 'There is nothing at this address'

/** A request that has failed. */
export interface FailedRequest {
  readonly id: string
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  /** The headers of its answer so far. */
  readonly head: Head
  readonly dialect: Dialect
  readonly meaning: Meaning
  /** The answer may depend on the rights of the caller. */
  readonly isPrivate: boolean
  /** A page asks its user for credentials itself: for Basic, the browser would ask too. */
  readonly isOfPage: boolean
  /** A person has opened the address. */
  readonly isVisit: boolean
  /** The path of the share below which addresses lead to it again, or empty. */
  readonly prefix: string
  readonly publicUrl: string | undefined
  readonly log: Logger
}

/** The code of a defect of the service. */
const DEFECT = 'internal'

/** Returns the code of the error; undefined: the client has left. */
export function answerError(error: unknown, failed: FailedRequest): string | undefined {
  const { id, response, head, dialect, meaning, log } = failed
  const base = nearBaseOf(failed.incoming.headers, failed.publicUrl) + failed.prefix
  if (error instanceof ClientLeft) return undefined
  // A page for a person says its own.
  const caching = failed.isPrivate ? PRIVATE : failed.isVisit ? undefined : 'no-cache'
  if (caching !== undefined && !response.headersSent) head.push('Cache-Control', caching)
  if (error instanceof HyperslabError) {
    answerBrokenRule(error, failed, base)
    return error.code
  }
  log.error({ err: error, id, operation: nameOf(meaning) }, 'a request failed by a defect of the service')
  head.push(...errorLink(DEFECT, base))
  sendDefect(response, head, dialect, id)
  return DEFECT
}

function answerBrokenRule(error: HyperslabError, failed: FailedRequest, base: string): void {
  const { id, response, head, dialect, meaning, log } = failed
  const operation = nameOf(meaning)
  // The client only sees that the connection is closed.
  if (response.headersSent) log.warn({ id, operation }, `an answer was interrupted: ${error.message}`)
  head.push(...errorHeaders(error, failed), ...errorLink(error.code, base))
  const isNowhere = NOWHERE.has(error.code)
  const title = isNowhere ? NOWHERE_TITLE : errorTitleOf(meaning)
  if (title !== undefined && failed.isVisit && !response.headersSent) {
    const body = errorBody(error, dialect, operation)
    // Programs get the status of the dialect, people always the same (common 17).
    sendErrorPage(response, head, isNowhere ? { ...body, status: 404 } : body, { title, base })
  } else sendError(response, head, dialect, error, operation)
}

/** The headers that only some errors have. */
function errorHeaders(
  { kind, code, wholeLength, retryAfter }: HyperslabError,
  { dialect, isOfPage, incoming, publicUrl }: FailedRequest,
): Head {
  const headers: Head = []
  if (kind === 'unauthenticated' && dialect.rules.requests.challenges) {
    headers.push('WWW-Authenticate', `${isOfPage ? 'Bearer' : 'Basic'} realm="hyperslab"`)
  }
  if (code === 'session-ended') headers.push('Set-Cookie', sessionCookie(incoming.headers, publicUrl, '', 0))
  if (wholeLength !== undefined) headers.push('Content-Range', `bytes */${wholeLength}`)
  if (kind === 'busy' || retryAfter !== undefined) headers.push('Retry-After', String(retryAfter ?? 1))
  return headers
}
