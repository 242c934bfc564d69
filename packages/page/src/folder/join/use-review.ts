// What the files of a definition would be together, asked for while the user types.

import type { Api, Hyperslab } from '@hyperslab/client'
import { useEffect } from 'react'
import { later } from '../../common/clock.ts'
import { useLoader } from '../../common/use-loaded.ts'
import { useRetry } from '../../common/use-retry.ts'
import { isReview, type JoinRequest } from './model.ts'

/** The time without a change after which it is asked for. */
const PAUSE_MS = 300

export interface ReviewState {
  /** The latest, also of the fields before a change. */
  readonly review: Api.JoinReview | undefined
  /** The review is not that of the fields, or not yet. */
  readonly isPending: boolean
  readonly error: unknown
}

/** `request` undefined: a field is empty. With another `version` it is asked for again. */
export function useReview(client: Hyperslab, request: JoinRequest | undefined, version: number): ReviewState {
  const key = request && JSON.stringify(request)
  const loader = useLoader<{ readonly key: string; readonly review: Api.JoinReview }>()
  const { attempt, fail, succeed } = useRetry(client)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version or attempt asks again
  useEffect(() => {
    if (key === undefined) return
    let giveUp: (() => void) | undefined
    const load = async (signal: AbortSignal) => ({
      key,
      review: await reviewOf(client, JSON.parse(key), signal),
    })
    const cancel = later(() => {
      giveUp = loader.load(undefined, load, { succeed, fail })
    }, PAUSE_MS)
    return () => {
      cancel()
      giveUp?.()
    }
  }, [client, loader, key, version, attempt, fail, succeed])
  const { value, error, isLoading } = loader.loadedOf(undefined)
  if (key === undefined) return { review: undefined, isPending: false, error: undefined }
  return { review: value?.review, isPending: isLoading || (error === undefined && value?.key !== key), error }
}

async function reviewOf(
  client: Pick<Hyperslab, 'request'>,
  { join, to }: JoinRequest,
  signal: AbortSignal,
): Promise<Api.JoinReview> {
  const answer = await client.request('PUT /', { domain: to }, { body: { join, dry_run: true }, signal })
  if (!isReview(answer)) throw new Error('the server has answered with a domain, not with a review')
  return answer
}
