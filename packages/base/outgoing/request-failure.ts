// The reason why an attempt of a request to another machine failed, and whether the next one may succeed.

import type { IncomingHttpHeaders } from 'node:http'

export interface RequestFailureOptions {
  readonly cause?: unknown
  /** Attempts after which no other one is made: 1 if the failure stays. Default: no limit. */
  readonly maxAttempts?: number
  /** Milliseconds that the server asks to wait for. */
  readonly wait?: number | undefined
}

export class RequestFailure extends Error {
  /** A code of the server or of the system (`ECONNRESET`), or the status. */
  readonly code: string
  readonly maxAttempts: number
  readonly wait: number
  /** Attempts up to and including this one. */
  attempts = 1

  constructor(code: string, message: string, options: RequestFailureOptions = {}) {
    const { cause, maxAttempts = Number.POSITIVE_INFINITY, wait = 0 } = options
    super(message, { cause })
    this.name = 'RequestFailure'
    this.code = code
    this.maxAttempts = maxAttempts
    this.wait = wait
  }
}

/** The failure of a connection, without the message of Node, which has addresses of the network. */
export function failureOfConnection(error: Error): RequestFailure {
  if (error instanceof RequestFailure) return error
  const code = 'code' in error ? String(error.code) : error.name
  return new RequestFailure(code, `the connection failed (${code})`, { cause: error })
}

/** Whether the status means that the server may answer the same request differently a little later. */
export function isBusy(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 507)
}

/** Milliseconds that an answer asks to wait for. */
export function waitOf({ 'retry-after': seconds }: IncomingHttpHeaders): number | undefined {
  return Number(seconds) > 0 ? Number(seconds) * 1000 : undefined
}
