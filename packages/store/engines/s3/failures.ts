// Failures of requests to S3: the details for the log, and the error for the caller, which contains no address and no
// secret.

import { HyperslabError } from '@hyperslab/base/errors'
import type { AnswerHead } from '@hyperslab/base/outgoing'
import { isBusy, RequestFailure, type RequestFailureOptions, waitOf } from '@hyperslab/base/outgoing'
import { storageFailed } from '../system-errors.ts'

export interface S3FailureOptions extends RequestFailureOptions {
  /** The region of the bucket, where the answer names another one than that of the request. */
  readonly region?: string | undefined
  /** The error for the caller. Default: one that follows from the code. */
  readonly damage?: HyperslabError | undefined
}

/** The answer of S3 to a request that failed. Its code is that of S3 (`SlowDown`), or the status. */
export class S3Failure extends RequestFailure {
  readonly region: string | undefined
  readonly damage: HyperslabError | undefined

  constructor(code: string, message: string, { region, damage, ...options }: S3FailureOptions = {}) {
    super(code, message, options)
    this.name = 'S3Failure'
    this.region = region
    this.damage = damage
  }
}

/**
 * Attempts with wrong answers: one that is complete but wrong is seldom better the next time.
 * @limit safety, answers
 */
const MAX_UNUSABLE = 3

/** The failure of an answer with wrong bytes. If the next ones are wrong too, `damage` is the error. */
export function unusableAnswer(message: string, damage?: HyperslabError): S3Failure {
  return new S3Failure('unusable answer', message, { maxAttempts: MAX_UNUSABLE, damage })
}

const RETRY_SECONDS = 5

/** The error for the caller of a request, described by its method and key. */
export function errorOf(failure: RequestFailure, request: string): HyperslabError {
  const { region, damage } = failure instanceof S3Failure ? failure : {}
  if (damage) return damage
  const message = `${request}: ${failure.message} (attempts: ${failure.attempts})`
  const cause = new S3Failure(failure.code, message, { cause: failure, region })
  if (/Quota|StorageFull|Insufficient|^507$/.test(failure.code)) {
    return new HyperslabError('storage-full', 'the object store is full; nothing was changed', { cause })
  }
  return storageFailed(`S3: ${failure.code}`, cause, RETRY_SECONDS)
}

/** The failure that caused an error of a request. */
export function failureBehind(error: unknown): S3Failure | undefined {
  return error instanceof HyperslabError && error.cause instanceof S3Failure ? error.cause : undefined
}

/** Codes of S3 for requests that arrived damaged or late. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'BadDigest',
  'IncompleteBody',
  'OperationAborted',
  'RequestTimeout',
  'SlowDown',
  'XAmzContentSHA256Mismatch',
])

/** The failure that an answer reports, whose body has the code. */
export function failureOfAnswer({ status, headers }: AnswerHead, code: string | undefined): S3Failure {
  const message = `the S3 store answers ${code === undefined ? status : `${status} ${code}`}`
  const region = headers['x-amz-bucket-region']?.toString()
  // The answer to HEAD has no code.
  const mayPass = isBusy(status) || (status === 400 && code === undefined) || PASSING_CODES.has(code ?? '')
  const limit = mayPass ? {} : { maxAttempts: 1 }
  return new S3Failure(code ?? String(status), message, { region, wait: waitOf(headers), ...limit })
}
