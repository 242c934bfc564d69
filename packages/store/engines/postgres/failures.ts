// Failures of PostgreSQL and of the connections to it, as failures of the storage.

import { HyperslabError } from '@hyperslab/base/errors'
import { storageFailed } from '../system-errors.ts'

const RETRY_SECONDS = 2

/** Codes of the system, of connections that fail. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])

/** Messages of pg for connections that it has lost, which have no code. */
const LOST =
  /^(Connection terminated(?! due to connection timeout)|Client has encountered a connection error|The server closed the connection|Client was closed)/
const LATE =
  /^(Query read timeout|timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout)/

/**
 * Classes of SQLSTATE that are not defects of the service: connections, resources, an operator, the system, rights of
 * the user.
 */
const FAILURE_CLASSES = ['08', '25', '28', '53', '55', '57', '58', 'XX', '3D', '40']

/** The connection is lost: the statement may have been executed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return CONNECTION_CODES.has(code) || /^(08|57P0)/.test(code) || LOST.test(error.message)
}

/** The SQLSTATE `invalid_password`. */
const PASSWORD_REFUSED = '28P01'

/** The database asks for a password, and there is none: perhaps the password file is just being written. */
export class MissingPassword extends Error {
  readonly code = PASSWORD_REFUSED

  constructor() {
    super('the database wants a password: give it in the password file (PGPASSFILE or ~/.pgpass, mode 0600)')
  }
}

/** Whether there is no connection because the password is wrong or missing. */
export function isPasswordRefused(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === PASSWORD_REFUSED
}

/** The session has no prepared statement of that name, or has it from another client (a pooler): nothing was done. */
export function isStatementMissing(error: unknown): boolean {
  return error instanceof Error && ['26000', '42P05'].includes(codeOf(error))
}

/** Whether the outcome of the statement is unknown: it may have been executed, or may still be. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isConnectionLost(error) || (error instanceof Error && LATE.test(error.message))
}

/** The error for the caller: one of the storage if the reason is outside the service. */
export function databaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof HyperslabError) return error
  const code = codeOf(error)
  if (code === '53100') {
    const message = 'the disk of the database is full; nothing was changed'
    return new HyperslabError('storage-full', message, { cause: error })
  }
  if (LATE.test(error.message)) return storageFailed('PostgreSQL: no answer in time', error, RETRY_SECONDS)
  const isFailure =
    isConnectionLost(error) || FAILURE_CLASSES.some(failureClass => code.startsWith(failureClass))
  return isFailure
    ? storageFailed(`PostgreSQL: ${code === '' ? 'connection lost' : code}`, error, RETRY_SECONDS)
    : error
}

/** An SQLSTATE, or a code of the system; empty: none. */
function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
