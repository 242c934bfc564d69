// `hyperslab token`: the tokens of a store's users, also while servers run on it. When a command that revokes a token
// has ended, no server accepts it.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { DEFAULT_BUCKET } from '@hyperslab/model/names'
import { type KeyValue, type StoreLocation, systemRandom } from '@hyperslab/store/engines'
import { readAccounts } from '@hyperslab/store/records'
import { StoredLogins } from '../accounts/logins.ts'
import { TOKEN_PREFIX } from '../http/auth/authorization.ts'
import { parseBucketPath } from '../http/dialect/buckets.ts'
import { END_RULE, parseEnd } from '../http/routes/account/times.ts'
import { isTokenName, shownToken, TOKEN_NAME_RULE } from '../http/routes/account/tokens.ts'
import { formatScope } from '../service/access/scope.ts'
import type { ListedToken } from '../service/logins.ts'
import { withRecordsAt } from './data-folder/open.ts'
import { printRows } from './rows.ts'
import { bucketsOf } from './settings/config.ts'
import type { Settings } from './settings/table.ts'
import { UsageError } from './usage-error.ts'
import type { ListedAsOptions } from './users.ts'

export interface NewTokenOptions {
  readonly name: string
  readonly end: string
  readonly write: boolean
  readonly within?: string
}

/** Prints the token alone on standard output, so that a script can take it. */
export async function createToken(settings: Settings, user: string, options: NewTokenOptions): Promise<void> {
  const { name, write: writes, within } = options
  if (!isTokenName(name)) throw new UsageError(`--name must ${TOKEN_NAME_RULE}`)
  const end = parseEnd(options.end, SYSTEM_CLOCK.now())
  if (end === undefined) throw new UsageError(`--end=${options.end} must be ${END_RULE}`)
  const path =
    within === undefined ? {} : { within: parseBucketPath(within, DEFAULT_BUCKET, bucketsOf(settings)) }
  const { secret, id } = await withLogins(settings, async (logins, isAccount) => {
    if (!isAccount(user))
      throw new UsageError(
        `the store has no account "${user}" that can log in: other users make tokens over HTTP`,
        1,
      )
    return logins.createToken({ name: user }, { name, end, writes, ...path })
  })
  console.error(`The token ${id} of ${user} is shown now only:`)
  console.log(TOKEN_PREFIX + secret)
}

/** Lists the tokens of a user, or of all. */
export async function listTokens(
  location: StoreLocation,
  user: string | undefined,
  { json }: ListedAsOptions,
): Promise<void> {
  const list: Work<readonly (readonly [string, ListedToken])[]> = async logins => {
    const users = user === undefined ? await logins.listUsers() : [user]
    const lists = await Promise.all(
      users.map(async name => (await logins.listTokens(name)).map(token => [name, token] as const)),
    )
    return lists.flat()
  }
  const tokens = await withLogins(location, list, { olderFormat: 'keep' })
  if (json)
    for (const [name, token] of tokens) console.log(JSON.stringify({ user: name, ...shownToken(token) }))
  const rows = tokens.map(([name, token]) => rowOf(name, token))
  if (!json) printRows(rows, 'There are no tokens; make one with `hyperslab token create USER`.')
}

function rowOf(user: string, token: ListedToken): readonly string[] {
  const { end, used, ...shown } = shownToken(token)
  return [user, shown.id, `until ${end}`, lastUse(used), formatScope(token), shown.name]
}

/** The last use of a token, in a list. */
export function lastUse(used: string | undefined): string {
  return used === undefined ? 'never used' : `used ${used}`
}

export async function revokeToken(location: StoreLocation, user: string, id: string): Promise<void> {
  const isRevoked = await withLogins(location, logins => logins.end(user, 'token', id))
  if (!isRevoked) throw new UsageError(`${user} has no token "${id}" that is accepted`, 1)
  console.log(`The token ${id} of ${user} is revoked.`)
}

type Work<T> = (logins: StoredLogins, isAccount: (name: string) => boolean) => Promise<T>

function withLogins<T>(
  location: StoreLocation,
  work: Work<T>,
  store: Parameters<typeof withRecordsAt>[2] = { use: 'records' },
): Promise<T> {
  const run = async (keyValue: KeyValue): Promise<T> => {
    const { users } = await readAccounts(keyValue)
    const find = (name: string) => {
      const password = users.get(name)
      return { ...(password && { password }), groups: [], admin: false }
    }
    const logins = new StoredLogins({
      keyValue,
      random: systemRandom,
      accounts: { find },
      // No session is used here.
      settings: { sessionIdle: 0, sessionEnd: 0 },
      clock: SYSTEM_CLOCK,
      report: console.error,
    })
    return work(logins, name => users.has(name) && !users.get(name)?.disabled)
  }
  return withRecordsAt(location, run, { mustExist: true, ...store })
}
