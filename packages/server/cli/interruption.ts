// The end of a command by a signal, after it has removed unfinished parts.

import { UsageError } from './usage-error.ts'

/** Aborts at the first SIGINT or SIGTERM, with an error whose exit code is 130. */
export function abortOnSignals(): AbortSignal {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(new UsageError(`ended by ${signal}`, 130)))
  }
  return interruption.signal
}
