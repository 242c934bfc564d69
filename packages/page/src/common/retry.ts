// Failed requests that may succeed later without any change by a person, and when they are sent again.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import type { Pause } from './clock.ts'
import { isUnreachable } from './errors.ts'

/** Whether the same request may succeed later without any change by a person. */
export function mayPass(error: unknown): boolean {
  if (isUnreachable(error)) return true
  return (
    error instanceof RequestError && (error.status === 429 || (error.status >= 500 && error.status !== 501))
  )
}

/** The time without an error after which the next one counts as new. */
const CALM_MS = 120_000

/** Automatic attempts of the page. */
export class Attempts {
  #count = 0
  #at = Number.NEGATIVE_INFINITY

  /** Counts another one at a time in milliseconds: the first one, or one more of those that come together. */
  next(now: number): number {
    this.#count = now - this.#at > CALM_MS ? 1 : this.#count + 1
    this.#at = now
    return this.#count
  }
}

/** Seconds between two attempts. @limit safety, s */
const MAX_SECONDS = 30

/**
 * Resolves when the service answers; the first check is later with each attempt, and the pauses between checks grow.
 */
export async function serviceAnswers(
  client: Pick<Hyperslab, 'request'>,
  attempts: number,
  pause: Pause,
  signal: AbortSignal,
): Promise<void> {
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
