// Repeats failed requests: when the user asks for it, and automatically once the service answers, if it may have been
// unavailable or busy.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isUnreachable } from './errors.ts'

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
  /** Automatic attempts of the page, and the time of the last one. */
  const automatic = useRef({ count: 0, at: Number.NEGATIVE_INFINITY })
  const fail = useCallback((error: unknown) => setFailure((before: unknown) => before ?? error), [])
  const succeed = useCallback(() => setFailure(undefined), [])
  const retry = useCallback(() => {
    setFailure(undefined)
    setAttempt(before => before + 1)
  }, [])
  useEffect(() => {
    if (client === undefined || !mayPass(failure)) return
    const abort = new AbortController()
    const { count, at } = automatic.current
    const now = performance.now()
    automatic.current = { count: now - at > CALM_MS ? 1 : count + 1, at: now }
    serviceAnswers(client, automatic.current.count, abort.signal).then(retry, () => undefined)
    return () => abort.abort()
  }, [client, failure, retry])
  return { attempt, failure, fail, succeed, retry }
}

/** Whether the same request may succeed later without any change by a person. */
export function mayPass(error: unknown): boolean {
  if (isUnreachable(error)) return true
  return error instanceof RequestError && error.status >= 500 && error.status !== 501
}

/** Seconds between two attempts. @limit safety, s */
const MAX_SECONDS = 30
/** The time without an error after which the next one counts as new. */
const CALM_MS = 120_000

/**
 * Resolves when the service answers; the first check is later with each attempt, and the pauses between checks grow.
 */
async function serviceAnswers(client: Hyperslab, attempts: number, signal: AbortSignal): Promise<void> {
  for (let n = attempts - 1; ; n++) {
    await pause(1000 * Math.min(MAX_SECONDS, 2 ** n), signal)
    const isReady = await client.request('GET /ready', {}, { signal }).then(
      () => true,
      () => false,
    )
    signal.throwIfAborted()
    if (isReady) return
  }
}

/** Waits, or less long when the network comes back. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end, { once: true })
  })
}
