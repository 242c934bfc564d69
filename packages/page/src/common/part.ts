// Parts of the page that are loaded when they are needed, or when they will probably be needed soon.

import { useEffect, useState } from 'react'
import { unreachable } from './errors.ts'
import type { Retry } from './use-retry.ts'

export class Part<Value> {
  readonly #load: () => Promise<Value>
  readonly #mend: () => Promise<void>
  /** Undefined: not loaded yet. */
  loaded: Value | undefined
  #loading: Promise<Value> | undefined
  #hasFailed = false

  /** `mend` loads what the bundler does not request again after a load that has failed. */
  constructor(load: () => Promise<Value>, mend = loadStylesAgain) {
    this.#load = load
    this.#mend = mend
  }

  /** Loads it once: a second load at the same time is the first one. */
  load(): Promise<Value> {
    this.#loading ??= this.#begin().catch((error: unknown) => {
      this.#loading = undefined
      this.#hasFailed = true
      throw error
    })
    return this.#loading
  }

  /** Begins to load it. One that needs it waits for it, or loads it again, and sees the error. */
  preload(): void {
    this.load().catch(() => undefined)
  }

  async #begin(): Promise<Value> {
    if (this.#hasFailed) await this.#mend()
    this.loaded = await this.#load()
    return this.loaded
  }
}

/** The bundler requests each file of styles once, also if it could not be loaded. */
async function loadStylesAgain(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  await Promise.all(
    links
      .filter(link => !hasStyles(link))
      .map(link => {
        const again = document.createElement('link')
        return new Promise<void>((resolve, reject) => {
          again.onload = () => resolve()
          again.onerror = () => reject(unreachable())
          Object.assign(again, { rel: 'stylesheet', crossOrigin: link.crossOrigin, href: link.href })
          link.replaceWith(again)
        })
      }),
  )
}

/** Browsers give no styles, or some that cannot be read, where none came. */
function hasStyles({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0
  } catch {
    return false
  }
}

/** The part; undefined: none is wanted, or it is not loaded yet, and `retry` knows why if that has failed. */
export function usePart<Value>(part: Part<Value> | undefined, { attempt, fail }: Retry): Value | undefined {
  const [loaded, setLoaded] = useState(() => part?.loaded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again
  useEffect(() => {
    if (part === undefined || loaded !== undefined) return
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
