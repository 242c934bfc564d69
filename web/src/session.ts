// The user whose requests the page sends.

import type { Hyperslab } from '../../client/index.ts'

export interface User {
  readonly name: string
  /** Passes every permission check. */
  readonly isAdmin: boolean
  /** Only in the memory of the page: it is gone when the page is. */
  readonly authorization: string
}

export interface Session {
  /** Undefined: no user has logged in. */
  readonly user: User | undefined
  readonly client: Hyperslab
}
