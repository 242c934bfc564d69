// Parts of the page that are loaded when they are needed, or when they will probably be needed soon.

import { useEffect, useState } from 'react'
import { unreachable } from './errors.ts'
import type { Retry } from './use-retry.ts'

export class Part<Value> {
  readonly #load: () => Promise<Value>
  /** Undefined: not loaded yet. */
  loaded: Value | undefined

  constructor(load: () => Promise<Value>) {
    this.#load = load
  }

  async load(): Promise<Value> {
    this.loaded = await this.#load()
    return this.loaded
  }

  /** Begins to load it. One that needs it loads it again, and sees the error. */
  preload(): void {
    if (this.loaded === undefined) this.load().catch(() => undefined)
  }
}

/** The part; undefined: it is not loaded yet, and `retry` knows why if that has failed. */
export function usePart<Value>(part: Part<Value>, { attempt, fail }: Retry): Value | undefined {
  const [loaded, setLoaded] = useState(() => part.loaded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again
  useEffect(() => {
    if (loaded !== undefined) return
    let isCurrent = true
    part.load().then(
      value => {
        if (isCurrent) setLoaded(() => value)
      },
      () => {
        if (isCurrent) fail(unreachable())
      },
    )
    return () => {
      isCurrent = false
    }
  }, [part, loaded, attempt, fail])
  return loaded
}
