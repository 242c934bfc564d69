// Facts about the folder or domain of the address, for the head of the page.

import { RequestError } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import { useRetry } from '../common/use-retry.ts'
import { folderDomain, type Place } from './address.ts'
import type { Session } from './session.ts'

export interface PlaceFacts {
  /** `forbidden`: not for this user, or not without a login; `missing`: nothing is there. */
  readonly kind: 'folder' | 'domain' | 'forbidden' | 'missing'
  /** Files that are served where they are, which no request changes. */
  readonly isMounted: boolean
  /** The reason why a part of the file cannot be read. */
  readonly damage?: string | undefined
}

const PROBLEMS: Readonly<Record<number, PlaceFacts['kind']>> = {
  403: 'forbidden',
  404: 'missing',
  410: 'missing',
}

/** Entries of the top level that are looked at. */
const TOP_ENTRIES = 100

/** Undefined: not known yet. */
export function usePlaceFacts(session: Session | undefined, place: Place): PlaceFacts | undefined {
  const path = place.kind === 'account' ? undefined : folderDomain(place.path)
  const client = session?.client
  const { attempt, fail } = useRetry(client)
  const [found, setFound] = useState<PlaceFacts & { readonly client: unknown; readonly path: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (client === undefined || path === undefined) return
    const abort = new AbortController()
    const parameters = { domain: path, ...(path === '/' && { Limit: TOP_ENTRIES }) }
    client
      .request('GET /', parameters, { signal: abort.signal })
      .then(answer => {
        const kind = 'root' in answer ? 'domain' : 'folder'
        // The top level has no description of its own. It is mounted if a file in it is: other mounts are folders.
        const isMounted =
          'domains' in answer
            ? answer.domains.some(entry => entry.class === 'domain' && entry.mounted)
            : 'mounted' in answer && answer.mounted === true
        const damage = 'damage' in answer ? answer.damage : undefined
        setFound({ client, path, kind, isMounted, damage })
      })
      .catch((reason: unknown) => {
        if (abort.signal.aborted) return
        const kind = reason instanceof RequestError ? PROBLEMS[reason.status] : undefined
        if (kind === undefined) fail(reason)
        else setFound({ client, path, kind, isMounted: false })
      })
    return () => abort.abort()
  }, [client, path, attempt, fail])
  return found && found.client === client && found.path === path ? found : undefined
}
