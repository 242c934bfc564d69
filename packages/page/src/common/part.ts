// Parts of the page that are loaded when they are needed, or when they will probably be needed soon.

import { useEffect, useState } from 'react'
import { unreachable } from './errors.ts'
import type { Retry } from './use-retry.ts'

export class Part<Value> {
  readonly #load: () => Promise<Value>
  readonly #forget: () => void
  /** Undefined: not loaded yet. */
  loaded: Value | undefined
  #loading: Promise<Value> | undefined

  /** `forget` undoes what a load that has failed left behind. */
  constructor(load: () => Promise<Value>, forget = removeBrokenStyles) {
    this.#load = load
    this.#forget = forget
  }

  /**
   * Loads it once: a second load at the same time is the first one. The bundler waits for the styles of a part only in
   * the first one, and without them the part would be drawn in another form for a moment.
   */
  load(): Promise<Value> {
    this.#loading ??= this.#load().then(
      value => {
        this.loaded = value
        return value
      },
      (error: unknown) => {
        this.#loading = undefined
        this.#forget()
        throw error
      },
    )
    return this.#loading
  }

  /** Begins to load it. One that needs it waits for it, or loads it again, and sees the error. */
  preload(): void {
    this.load().catch(() => undefined)
  }
}

/** The bundler never requests styles again that are in the page, also those that could not be loaded. */
function removeBrokenStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.sheet === null) link.remove()
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
