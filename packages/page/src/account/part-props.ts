// What each part of the account gets.

import type { Session } from '../shell/session.ts'

/** Needs a user, whose client it sends requests with. */
export interface AccountPartProps {
  readonly session: Session
}
