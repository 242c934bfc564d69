// What a request gives: loaded when a component is drawn, again when it asks, and by itself once the service answers.

import type { Hyperslab } from '@hyperslab/client'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { Loader } from './loader.ts'
import { type Retry, useRetry } from './use-retry.ts'

export interface Loaded<T> {
  /** Undefined: not loaded yet. While it is loaded again, the one before stays. */
  readonly value: T | undefined
  readonly retry: Retry
  readonly reload: () => void
}

/** `load` must stay the same function as long as it loads the same. */
export function useLoaded<T>(client: Hyperslab, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const loader = useLoader<T>()
  const [version, setVersion] = useState(0)
  const retry = useRetry(client)
  const { attempt, fail, succeed } = retry
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt or version loads again
  useEffect(
    () => loader.load(undefined, load, { succeed, fail }),
    [loader, load, version, attempt, fail, succeed],
  )
  const reload = useCallback(() => setVersion(before => before + 1), [])
  return { value: loader.loadedOf(undefined).value, retry, reload }
}

/** A loader whose changes draw the component again. */
export function useLoader<Value>(): Loader<Value> {
  const [loader] = useState(() => new Loader<Value>())
  useSyncExternalStore(loader.watch, loader.state)
  return loader
}
