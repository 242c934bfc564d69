// The requests that are being answered, anew every two seconds while the page is seen.

import { useCallback, useEffect } from 'react'
import { OwnRows, useOwnList } from '../account/OwnRows.tsx'
import type { OwnList } from '../account/own-lists.ts'
import type { AdminPartProps } from './parts.ts'
import { type RunningRequest, rowOf } from './requests.ts'

const EVERY_MILLISECONDS = 2000

const REQUESTS: OwnList<RunningRequest> = {
  none: 'Nothing runs at this moment.',
  list: async (client, signal) => (await client.request('GET /requests', {}, { signal })).requests,
  end: (client, id) => client.request('DELETE /requests/{id}', { id }),
  row: rowOf,
}

export function Requests({ session }: AdminPartProps) {
  const requests = useOwnList(session, REQUESTS)
  const { reload } = requests
  const follow = useCallback(() => {
    if (!document.hidden) reload()
  }, [reload])
  useEffect(() => {
    const timer = window.setInterval(follow, EVERY_MILLISECONDS)
    return () => window.clearInterval(timer)
  }, [follow])
  return (
    <>
      <p>
        Of all users, on the machine that answers this page; the longest first. The list follows by itself.
      </p>
      <OwnRows {...requests} />
    </>
  )
}
