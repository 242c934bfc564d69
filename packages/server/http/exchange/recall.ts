// Answers of reads that are kept for later requests that are the same.

import type { Recall } from '@hyperslab/store/store'
import type { Place } from '../dialect/hrefs.ts'
import type { Reply, Request } from '../message/message.ts'
import type { Route } from '../route/route.ts'

export interface Outcome {
  /** The reply to be sent; absent when it was sent already, while the snapshot that it reads was open. */
  readonly reply?: Reply
  readonly nonFinite: Place['nonFinite']
  /** The answer depends on more than records: on the accounts. */
  readonly dependsOnAccounts?: boolean
}

/** Characters of an answer that is kept for later requests that are the same. */
const SHORT_ANSWER = 4096

/** Characters of the name of an answer that is kept: long heads would fill the memory. */
const SHORT_NAME = 2048

function isKeepable({ reply, dependsOnAccounts = false }: Outcome): boolean {
  if (dependsOnAccounts) return false
  if (reply === undefined || reply.hasTime) return false
  return 'json' in reply ? reply.json.text.length <= SHORT_ANSWER : reply.status === 304
}

/** Headers with credentials, and the id of a request, which differs each time and is in the head of the answer only. */
const NOT_IN_NAME: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-request-id'])

/**
 * The name of a read: all of the request that its answer can depend on apart from the records. It has every header,
 * with the caller instead of the credentials.
 */
function nameOf({ target, headers, prefix, caller }: Request): string {
  // All sessions and tokens of a user that have the same scope get the same answers.
  const subject = caller.login ? { ...caller, login: undefined } : caller
  let name = `${prefix}${target.path}?${target.rawQuery}\n${JSON.stringify(subject)}`
  for (const header in headers) {
    if (!NOT_IN_NAME.has(header)) name += `\n${header}:${headers[header]}`
  }
  return name
}

/** The name under which the outcome of the route is kept; undefined: it is not. */
export function recallOf(route: Route, request: Request): Recall<Outcome> | undefined {
  if (!route.repeatable) return undefined
  if (route.repeatable === 'if-known' && request.headers['if-none-match'] === undefined) return undefined
  const name = nameOf(request)
  return name.length <= SHORT_NAME ? { name, isKept: isKeepable } : undefined
}
