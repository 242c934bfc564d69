// Why a request to S3 failed: what the log has of it, and the error for the caller, which has no address and no secret.

import { HyperslabError } from '../../../errors.ts'
import { storageFailed } from '../system-errors.ts'

export interface FailureOptions {
  readonly cause?: unknown
  /** The region of the bucket, where the answer names another one than that of the request. */
  readonly region?: string | undefined
  /** Milliseconds that the server asks to wait for. */
  readonly wait?: number | undefined
}

/** One attempt that failed. */
export class S3Failure extends Error {
  /** The code of S3 (`SlowDown`), of the system (`ECONNRESET`), or the status. */
  readonly code: string
  readonly region: string | undefined
  readonly wait: number | undefined

  constructor(code: string, message: string, { cause, region, wait }: FailureOptions = {}) {
    super(message, { cause })
    this.name = 'S3Failure'
    this.code = code
    this.region = region
    this.wait = wait
  }
}

/** The next attempt may succeed. */
export class PassingFailure extends S3Failure {}

/**
 * An answer came, but with other bytes than were asked for. If the next attempts are no better, `damage` is the error.
 */
export class UnusableAnswer extends PassingFailure {
  readonly damage: HyperslabError | undefined

  constructor(message: string, damage?: HyperslabError) {
    super('unusable answer', message)
    this.damage = damage
  }
}

const RETRY_SECONDS = 5

/** What the caller gets when no attempt succeeded. `request` is its method and key. */
export function errorOf(failure: S3Failure, request: string, attempts: number): HyperslabError {
  const message = `${request}: ${failure.message} (attempts: ${attempts})`
  const cause = new S3Failure(failure.code, message, { cause: failure, region: failure.region })
  if (failure instanceof UnusableAnswer && failure.damage) return failure.damage
  if (/Quota|StorageFull|Insufficient|^507$/.test(failure.code)) {
    return new HyperslabError('storage-full', 'the object store is full; nothing was changed', { cause })
  }
  return storageFailed(`S3: ${failure.code}`, cause, RETRY_SECONDS)
}

/** The failure behind an error of a request. */
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

export interface FailedAnswer {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | undefined
  readonly region: string | undefined
}

/** The failure that an answer reports. */
export function failureOfAnswer({ status, code, retryAfter, region }: FailedAnswer): S3Failure {
  const message = `the S3 store answers ${code === undefined ? status : `${status} ${code}`}`
  const seconds = Number(retryAfter)
  const wait = seconds > 0 ? seconds * 1000 : undefined
  const options = { region, wait }
  const isPassing =
    [408, 425, 429].includes(status) ||
    (status >= 500 && status !== 501 && status !== 507) ||
    // The answer to HEAD has no code.
    (status === 400 && code === undefined) ||
    PASSING_CODES.has(code ?? '')
  return isPassing
    ? new PassingFailure(code ?? String(status), message, options)
    : new S3Failure(code ?? String(status), message, options)
}

/** The failure of a connection. */
export function failureOfConnection(error: Error): S3Failure {
  if (error instanceof S3Failure) return error
  const code = 'code' in error ? String(error.code) : error.name
  return new PassingFailure(code, `the connection to the S3 store failed (${code})`, { cause: error })
}
