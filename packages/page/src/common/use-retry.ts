// Repeats failed requests: when the user asks for it, and automatically once the service answers, if it may have been
// unavailable or busy.

import type { Hyperslab } from '@hyperslab/client'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { pause } from './clock.ts'
import { Attempts, mayPass, serviceAnswers } from './retry.ts'

export interface Retry {
  /** All requests are sent again when it changes. */
  readonly attempt: number
  /** The first error of the attempt. */
  readonly failure: unknown
  readonly fail: (error: unknown) => void
  /** Notes that another request has succeeded. */
  readonly succeed: () => void
  readonly retry: () => void
}

/** `client` undefined: nothing is requested yet. */
export function useRetry(client: Hyperslab | undefined): Retry {
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const [automatic] = useState(() => new Attempts())
  const fail = useCallback((error: unknown) => setFailure((before: unknown) => before ?? error), [])
  const succeed = useCallback(() => setFailure(undefined), [])
  const retry = useCallback(() => {
    setFailure(undefined)
    setAttempt(before => before + 1)
  }, [])
  useEffect(() => {
    if (client === undefined || !mayPass(failure)) return
    const abort = new AbortController()
    const count = automatic.next(performance.now())
    serviceAnswers(client, count, pause, abort.signal).then(retry, () => undefined)
    return () => abort.abort()
  }, [client, failure, retry, automatic])
  // The same object until something changes: it is a part of what whole trees of components share.
  return useMemo(() => ({ attempt, failure, fail, succeed, retry }), [attempt, failure, fail, succeed, retry])
}
