// Facts about the folder or domain of the address, for the head of the page.

import { useEffect, useState } from 'react'
import { useRetry } from '../common/use-retry.ts'
import type { Place } from './address.ts'
import { domainOf, type PlaceFacts, placeFacts } from './model.ts'
import type { Session } from './session.ts'

/** Undefined: not known yet. */
export function usePlaceFacts(session: Session | undefined, place: Place): PlaceFacts | undefined {
  const path = domainOf(place)
  const client = session?.client
  const { attempt, fail } = useRetry(client)
  const [found, setFound] = useState<PlaceFacts & { readonly client: unknown; readonly path: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (client === undefined || path === undefined) return
    const abort = new AbortController()
    placeFacts(client, path, abort.signal).then(
      facts => {
        if (!abort.signal.aborted) setFound({ client, path, ...facts })
      },
      (reason: unknown) => {
        if (!abort.signal.aborted) fail(reason)
      },
    )
    return () => abort.abort()
  }, [client, path, attempt, fail])
  return found && found.client === client && found.path === path ? found : undefined
}
