// The end of a command by a signal, after it has removed unfinished parts.

import { UsageError } from './usage-error.ts'

/** Runs the work with a signal that aborts at the first SIGINT or SIGTERM, with an error whose exit code is 130. */
export async function abortedBySignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController()
  const abort = (signal: NodeJS.Signals) => interruption.abort(new UsageError(`ended by ${signal}`, 130))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, abort)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of signals) process.off(signal, abort)
  }
}
