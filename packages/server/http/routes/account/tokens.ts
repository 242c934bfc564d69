// Routes of tokens: a user makes them for programs, lists and revokes them.

import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonObject } from '@hyperslab/model/json'
import { DEFAULT_BUCKET, isWellFormed } from '@hyperslab/model/names'
import type { ListedToken, Logins, TokenRequest } from '../../../service/logins.ts'
import { TOKEN_PREFIX } from '../../auth/authorization.ts'
import { type Buckets, parseBucketPath } from '../../dialect/buckets.ts'
import { kindOf, requiredString } from '../../input/members.ts'
import type { Route } from '../../route/route.ts'
import { createRoute, endRoute, listRoute } from './own-logins.ts'
import { formatTime, requiredEnd } from './times.ts'

/** Characters of the name of a token. @limit safety, characters */
const MAX_NAME = 100

export const TOKEN_NAME_RULE = `have 1 to ${MAX_NAME} characters, without control characters`

interface TokenFacts {
  readonly clock: Clock
  readonly logins: Logins
}

export function isTokenName(text: string): boolean {
  return /^\P{Cc}+$/u.test(text) && isWellFormed(text) && text.length <= MAX_NAME
}

export function tokenRoutes({ clock, logins }: TokenFacts): Route[] {
  return [
    listRoute('token', {
      summary: 'Lists the tokens of the caller, without their secrets.',
      json: 'TokenList',
      list: async name => (await logins.listTokens(name)).map(shownToken),
    }),
    createRoute('token', {
      summary: 'Makes a token for programs of the caller. It is shown in this answer only.',
      description: 'The name of the token, its end, and what it is good for.',
      json: { body: 'NewToken', answer: 'CreatedToken' },
      clock,
      parse: parseTokenRequest,
      async create(user, wanted) {
        const { id, secret, created, end } = await logins.createToken(user, wanted)
        const times = { created: formatTime(created), end: formatTime(end) }
        const shown = { id, ...wanted, ...times }
        return { body: { ...shown, token: TOKEN_PREFIX + secret }, changed: () => shown }
      },
    }),
    endRoute('token', {
      name: 'revoke-token',
      summary: 'Revokes a token of the caller.',
      ended: 'It is revoked.',
      state: 'is accepted',
      logins,
    }),
  ]
}

/** A token of a list, without its secret. */
export function shownToken({ id, created, end, used, ...token }: ListedToken) {
  const times = { created: formatTime(created), end: formatTime(end) }
  return { id, ...token, ...times, ...(used !== undefined && { used: formatTime(used) }) }
}

function parseTokenRequest(body: JsonObject, buckets: Buckets, now: number): TokenRequest {
  const name = requiredString(body, 'name', 'malformed-body')
  if (!isTokenName(name)) throw new HyperslabError('malformed-body', `body.name must ${TOKEN_NAME_RULE}`)
  const end = requiredEnd(body, now)
  const writes = body.get('writes') ?? false
  if (typeof writes !== 'boolean')
    throw new HyperslabError('malformed-body', `body.writes must be true or false, not ${kindOf(writes)}`)
  if (!body.has('within')) return { name, end, writes }
  const within = requiredString(body, 'within', 'malformed-body')
  return { name, end, writes, within: parseBucketPath(within, DEFAULT_BUCKET, buckets) }
}
