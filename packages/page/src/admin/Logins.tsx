// Sessions, tokens and shares of all users, which an administrator ends.

import { useMemo } from 'react'
import { OwnRows, useOwnList } from '../account/OwnRows.tsx'
import type { OwnList } from '../account/own-lists.ts'
import { KINDS, type Login, type LoginKind, loginOf, rowOf } from './logins.ts'
import { MoreLink } from './MoreLink.tsx'
import { type AdminPartProps, placeOf } from './parts.ts'

export function Logins({ session, query, go }: AdminPartProps) {
  const [user, after] = [query.get('user') ?? '', query.get('after') ?? '']
  const [kind] = KINDS.find(([name]) => name === query.get('kind')) ?? []
  const { list, page } = useMemo(() => listOf({ user, kind, after }), [user, kind, after])
  const logins = useOwnList(session, list)
  return (
    <>
      <form
        className="filter"
        onSubmit={event => {
          event.preventDefault()
          go(placeOf('logins', new FormData(event.currentTarget)))
        }}
      >
        <label>
          User
          <input name="user" defaultValue={user} placeholder="all" autoComplete="off" />
        </label>
        <label>
          Kind
          <select name="kind" defaultValue={kind ?? ''}>
            <option value="">all</option>
            {KINDS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Show</button>
      </form>
      <OwnRows {...logins}>
        {logins.rows === undefined || page.next === undefined ? null : (
          <MoreLink part="logins" query={query} after={page.next} go={go} />
        )}
      </OwnRows>
    </>
  )
}

/** The list of those that fit; `page.next` is known when it is loaded. */
interface Shown {
  readonly user: string
  readonly kind: LoginKind | undefined
  readonly after: string
}

function listOf({ user, kind, after }: Shown) {
  const page: { next: string | undefined } = { next: undefined }
  const list: OwnList<Login> = {
    none: 'There are none.',
    async list(client, signal) {
      const parameters = { ...(user && { user }), ...(kind && { kind }), ...(after && { Marker: after }) }
      const { logins, next } = await client.request('GET /logins', parameters, { signal })
      page.next = next
      return logins
    },
    end: (client, rowId) => client.request('DELETE /logins/{id}', loginOf(rowId)),
    row: rowOf,
  }
  return { list, page }
}
