// The log of changes: the last lines of the audit, of all or of one domain, folder or user.

import { RequestError } from '@hyperslab/client'
import { useMemo } from 'react'
import { OwnRows, useOwnList } from '../account/OwnRows.tsx'
import type { OwnList } from '../account/own-lists.ts'
import { type Entry, rowOf } from './changes.ts'
import { type AdminPartProps, placeOf } from './parts.ts'

const LINES = 200

export function Changes({ session, query, go }: AdminPartProps) {
  const [user, within] = [query.get('user') ?? '', query.get('within') ?? '']
  const { list, found } = useMemo(() => listOf(user, within), [user, within])
  const changes = useOwnList(session, list)
  if (changes.retry.failure instanceof RequestError && changes.retry.failure.code === 'audit-not-kept')
    return (
      <>
        <p>This service keeps no log of changes in a file.</p>
        <p>
          The setting <code>audit</code> names one: <a href="docs/guide/operating">operating</a> says how.
        </p>
      </>
    )
  return (
    <>
      <form
        className="filter"
        onSubmit={event => {
          event.preventDefault()
          go(placeOf('changes', new FormData(event.currentTarget)))
        }}
      >
        <label>
          User
          <input name="user" defaultValue={user} placeholder="all" autoComplete="off" />
        </label>
        <label>
          File or folder
          <input name="within" defaultValue={within} placeholder="all" autoComplete="off" />
        </label>
        <button type="submit">Show</button>
      </form>
      <OwnRows {...changes}>
        {found.complete ? null : <p>There are earlier ones: the file of the audit has them.</p>}
      </OwnRows>
    </>
  )
}

function listOf(user: string, within: string) {
  const found = { complete: true }
  const list: OwnList<Entry & { readonly index: number }> = {
    none: 'There are none.',
    async list(client, signal) {
      const parameters = { Limit: LINES, ...(user && { user }), ...(within && { within }) }
      const { entries, complete } = await client.request('GET /audit', parameters, { signal })
      found.complete = complete
      return (entries as readonly Entry[]).map((entry, index) => ({ ...entry, index }))
    },
    end: () => Promise.resolve(),
    row: entry => rowOf(entry, entry.index),
  }
  return { list, found }
}
