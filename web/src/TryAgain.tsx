// That something has failed, and the button that asks for it again.

import { mayPass, type Retry } from './use-retry.ts'

export interface TryAgainProps {
  readonly retry: Retry
  /** What has failed, as a sentence. */
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
