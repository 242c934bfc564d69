// The reading of a drawing that comes in parts, for a component: the user may stop it, and go on.

import { useState } from 'react'

export interface Reading {
  readonly isStopped: boolean
  /** Stops the reading, or goes on. */
  readonly toggle: () => void
}

/** What was read stays. Other elements than the `wanted` ones are read at once. */
export function useReading(wanted: string): Reading {
  const [stopped, setStopped] = useState<string>()
  const isStopped = stopped === wanted
  return { isStopped, toggle: () => setStopped(isStopped ? undefined : wanted) }
}
