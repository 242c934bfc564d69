// Waiting for a result for some time only: the work goes on.

import { type CancelTimer, SYSTEM_CLOCK } from '@hyperslab/base/clock'

/** The result of the work; undefined if it does not come within the time. */
export async function unlessLate<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let cancel: CancelTimer | undefined
  const late = new Promise<undefined>(resolve => {
    cancel = SYSTEM_CLOCK.after(milliseconds, () => setImmediate(() => resolve(undefined)))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel?.()
  }
}
