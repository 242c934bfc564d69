// The message of a failure, and the button that tries again.

import { mayPass } from './retry.ts'
import type { Retry } from './use-retry.ts'

export interface TryAgainProps {
  readonly retry: Retry
  /** A sentence that describes the failure. */
  readonly message: string
}

export function TryAgain({ retry: { failure, retry }, message }: TryAgainProps) {
  if (failure === undefined) return null
  return (
    <p role="alert" className="error">
      {message} {mayPass(failure) ? 'The page tries again when the service answers. ' : ''}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  )
}
