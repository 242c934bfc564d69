// An action that the user has requested, as a component shows it: it runs, or has failed.

import { useCallback, useState } from 'react'
import { messageOf } from './errors.ts'

export interface Action {
  readonly isRunning: boolean
  readonly error?: string | undefined
}

/** Runs one action at a time. A failed one leaves its message. */
export function useAction(): readonly [Action, (action: () => Promise<void>) => Promise<void>] {
  const [state, setState] = useState<Action>({ isRunning: false })
  const run = useCallback(async (action: () => Promise<void>) => {
    setState({ isRunning: true })
    try {
      await action()
      setState({ isRunning: false })
    } catch (error) {
      setState({ isRunning: false, error: messageOf(error) })
    }
  }, [])
  return [state, run]
}
