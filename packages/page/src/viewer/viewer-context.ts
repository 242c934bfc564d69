// What all parts of the viewer share: the contents of the domain, and the retry of requests that failed.

import { RequestError } from '@hyperslab/client'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { isUnreachable } from '../common/errors.ts'
import type { Retry } from '../common/use-retry.ts'
import type { Session } from '../shell/session.ts'
import type { Contents } from './data/contents.ts'

export interface ViewerState {
  readonly session: Session
  readonly contents: Contents
  readonly retry: Retry
  /** Changes when something of the domain has changed: objects and lists are read again. */
  readonly version: number
  /** Changes are shown as they happen. */
  readonly isLive: boolean
}

export const ViewerContext = createContext<ViewerState | undefined>(undefined)

export function useViewer(): ViewerState {
  const state = useContext(ViewerContext)
  if (state === undefined) throw new Error('a part of the viewer is outside of it')
  return state
}

export interface Loaded<Value> {
  /** The latest value, also while a newer one is loaded. */
  readonly value: Value | undefined
  /** The reason why the newest value could not be loaded. */
  readonly error: unknown
  readonly isLoading: boolean
}

/**
 * Loads a value again whenever one of `keys` changes; the former request is aborted. With the first key the value goes
 * too: it is of another object.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly [unknown, ...unknown[]],
): Loaded<Value> {
  const { attempt, fail } = useViewer().retry
  const [subject] = keys
  const [state, setState] = useState<Loaded<Value> & { readonly subject: unknown }>({ ...NOTHING, subject })
  const latest = useRef(load)
  latest.current = load
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say when to load again
  useEffect(() => {
    const abort = new AbortController()
    const keep = (before: typeof state) => (Object.is(before.subject, subject) ? before.value : undefined)
    setState(before => ({ value: keep(before), error: undefined, isLoading: true, subject }))
    latest.current(abort.signal).then(
      value => {
        if (!abort.signal.aborted) setState({ value, error: undefined, isLoading: false, subject })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        setState(before => ({ value: keep(before), error, isLoading: false, subject }))
        if (isOfService(error)) fail(error)
      },
    )
    return () => abort.abort()
  }, [...keys, attempt, fail])
  return Object.is(state.subject, subject) ? state : LOADING
}

const NOTHING = { value: undefined, error: undefined, isLoading: true }
const LOADING: Loaded<never> = NOTHING

/** The service could not answer now: what is missing is not missing for good. */
function isOfService(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof RequestError && error.status >= 500)
}
