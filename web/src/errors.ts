// The messages of errors for users.

import { UnreachableError } from '../../client/index.ts'

/** The service did not answer. The viewer shows messages of errors as they are, and browsers have others. */
export function unreachable(): UnreachableError {
  return new UnreachableError('The service cannot be reached.')
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof UnreachableError
}

export function messageOf(error: unknown): string {
  // An answer that is cut off is a TypeError too.
  if (error instanceof TypeError) return unreachable().message
  return error instanceof Error ? error.message : String(error)
}
