// The parts of the page for administrators: their names, and what each gets.

import type { AdminPart, Place } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'

export const ADMIN_TITLES: Readonly<Record<AdminPart, string>> = {
  users: 'Users',
  logins: 'Logins',
  use: 'Use and quotas',
  requests: 'Running requests',
  changes: 'Log of changes',
  health: 'Health',
}

export interface AdminPartProps {
  readonly session: Session
  /** What it shows, from the address. */
  readonly query: URLSearchParams
  readonly go: (place: Place) => void
}

/** The place of a part that shows what the fields of a form say; empty ones are left out. */
export function placeOf(part: AdminPart, fields: Iterable<readonly [string, unknown]>): Place {
  const query = new URLSearchParams()
  for (const [name, value] of fields) if (value !== '') query.set(name, String(value))
  return { kind: 'admin', part, ...(query.size > 0 && { view: query.toString() }) }
}
