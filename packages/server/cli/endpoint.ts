// The running service that a command is about: its address, the account there, and what goes wrong on the way.

import { basic, bearer, RequestError } from '@hyperslab/client'
import { readPassword } from './password.ts'
import type { Secrets } from './settings/config.ts'
import { UsageError } from './usage-error.ts'

export interface EndpointOptions {
  readonly endpoint: string
  readonly user?: string | undefined
}

/** The header of requests there; undefined: the command has no account. Throws unless the address is one. */
export async function authorizationAt(
  { endpoint, user }: EndpointOptions,
  { password, token }: Secrets,
): Promise<string | undefined> {
  if (!URL.canParse(endpoint))
    throw new UsageError(`--endpoint: "${endpoint}" must be a URL such as http://127.0.0.1:5101`)
  if (user !== undefined) return basic(user, password ?? (await readPassword(`Password for ${user}: `)))
  return token === undefined ? undefined : bearer(token)
}

interface FailedRequest {
  readonly endpoint: string
  /** The subject of the request; absent: its message names it. */
  readonly subject?: string
  readonly hint: string
}

/** An error of a request as one that the user can correct. */
export function endpointError(error: unknown, { endpoint, subject, hint }: FailedRequest): unknown {
  if (error instanceof RequestError) {
    const about = subject === undefined ? '' : `${subject}: `
    return new UsageError(`${endpoint}: ${about}${shownError(error)}${hint}`, 1)
  }
  if (error instanceof SyntaxError) {
    const message = `${endpoint} is not the address of a Hyperslab server: its answer is not JSON`
    return new UsageError(message, 1)
  }
  // `fetch` reports a failed connection in this way.
  if (!(error instanceof TypeError && error.cause instanceof Error)) return error
  const { message, code } = error.cause as NodeJS.ErrnoException
  // A host with several addresses fails with several errors, and no message.
  return new UsageError(`${endpoint} cannot be reached: ${message || code}`, 1)
}

/** The status, the code and the message of an answer. */
export function shownError({ status, code, message }: RequestError): string {
  return `${status}${code === undefined ? '' : ` ${code}`}: ${message}`
}

/** The advice to a user whose request needs a login. */
export function loginHint(status: number | undefined, authorization: string | undefined): string {
  return status === 401 && authorization === undefined ? ': give --user NAME' : ''
}
