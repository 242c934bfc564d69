// The messages of errors for users.

/** The service did not answer. The viewer shows messages of errors as they are, and browsers have others. */
export function unreachable(): TypeError {
  return new TypeError(UNREACHABLE)
}

const UNREACHABLE = 'The service cannot be reached.'

export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message === UNREACHABLE
}

export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return UNREACHABLE
  return error instanceof Error ? error.message : String(error)
}
