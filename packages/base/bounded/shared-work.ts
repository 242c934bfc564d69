// Work that several callers ask for at the same time: it is done once, as long as one of them waits.

import type { AbortCheck } from './turns.ts'

interface Running<Result> {
  readonly version: string
  readonly result: Promise<Result>
  /** The signals of all callers that wait for the result. */
  readonly signals: AbortCheck[]
  isAborted: boolean
}

/**
 * Work about subjects that change, such as domains. For each subject one work runs at a time: callers of the same
 * version of it share one, and those of another version wait until it has ended.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, Running<Result>>()

  /**
   * The result of `work`, or that of another caller's. Its signal aborts when all callers that wait have left. What it
   * reads must stay open until it ends, also if its own caller has left.
   */
  async run(
    subject: string,
    version: string,
    signal: AbortCheck,
    work: (signal: AbortCheck) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      signal.throwIfAborted()
      const running = this.#running.get(subject)
      if (!running) return this.#begin(subject, version, signal, work)
      if (running.version === version && !running.isAborted) {
        running.signals.push(signal)
        return running.result
      }
      await running.result.catch(() => undefined)
    }
  }

  #begin(
    subject: string,
    version: string,
    first: AbortCheck,
    work: (signal: AbortCheck) => Promise<Result>,
  ): Promise<Result> {
    const signals = [first]
    const throwIfAborted = () => {
      // The first one waits still, nearly always; then the others need not be asked.
      while (signals.length > 1 && isAborted(signals[0])) signals.shift()
      running.isAborted = isAborted(signals[0])
      signals[0].throwIfAborted()
    }
    // It begins when others can join it.
    const result = Promise.resolve()
      .then(() => work({ throwIfAborted }))
      .finally(() => this.#running.delete(subject))
    const running: Running<Result> = { version, result, signals, isAborted: false }
    this.#running.set(subject, running)
    return result
  }
}

function isAborted(signal: AbortCheck): boolean {
  try {
    signal.throwIfAborted()
    return false
  } catch {
    return true
  }
}
