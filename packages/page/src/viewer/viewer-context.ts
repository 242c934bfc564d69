// What all parts of the viewer share: the contents of the domain, and the retry of requests that failed.

import { RequestError } from '@hyperslab/client'
import { createContext, useContext, useEffect, useRef } from 'react'
import { isUnreachable } from '../common/errors.ts'
import type { Loaded } from '../common/loader.ts'
import { useLoader } from '../common/use-loaded.ts'
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
  /** Many files are read as this domain. */
  readonly isJoined: boolean
}

export const ViewerContext = createContext<ViewerState | undefined>(undefined)

export function useViewer(): ViewerState {
  const state = useContext(ViewerContext)
  if (state === undefined) throw new Error('a part of the viewer is outside of it')
  return state
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
  const loader = useLoader<Value>()
  const latest = useRef(load)
  latest.current = load
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say when to load again
  useEffect(() => {
    const failed = (error: unknown) => {
      if (isOfService(error)) fail(error)
    }
    return loader.load(subject, latest.current, { fail: failed })
  }, [...keys, attempt, fail])
  return loader.loadedOf(subject)
}

/** The service could not answer now: what is missing is not missing for good. */
function isOfService(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof RequestError && error.status >= 500)
}
