// A login as administrators see it.

import type { StoredLogin } from '@hyperslab/store/records'
import type { LoginOfAll } from '../service/logins.ts'

/** Without secrets, and without the notes and views, which are the business of the user. */
export function shownToAdministrators(id: string, login: StoredLogin): LoginOfAll {
  const { kind, user, created, end } = login
  const common = { id, user, kind, created, end }
  if (login.kind === 'session') return { ...common, title: login.client, used: login.used }
  const place = login.within !== undefined && { within: login.within }
  const { uses = 0, used } = login
  const counted = { uses, ...(used !== undefined && { used }) }
  if (login.kind === 'token')
    return { ...common, title: login.name, writes: login.writes, ...place, ...counted }
  return { ...common, ...place, ...counted }
}
