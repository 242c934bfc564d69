// Facts about the folder or domain of the address, for the head of the page.

import { useEffect, useState } from 'react'
import { useRetry } from '../common/use-retry.ts'
import type { Place } from './address.ts'
import { domainOf, type PlaceFacts, placeFacts } from './model.ts'
import type { Session } from './session.ts'

/** Undefined: not known yet. The function says that something has changed: what could not be read may be whole now. */
export function usePlaceFacts(
  session: Session | undefined,
  place: Place,
): readonly [PlaceFacts | undefined, () => void] {
  const path = domainOf(place)
  const client = session?.client
  const { attempt, fail, retry } = useRetry(client)
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
  const facts = found && found.client === client && found.path === path ? found : undefined
  const note = () => {
    if (facts === undefined || facts.damage !== undefined) retry()
  }
  return [facts, note]
}
