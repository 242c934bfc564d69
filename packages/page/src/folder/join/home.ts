// The folder for what a user makes of files that are elsewhere.

import { rightsIn } from '../../shell/rights.ts'
import type { Session } from '../../shell/session.ts'

/** The user's home, or the top level where they may create there; undefined: neither. It ends with a slash. */
export async function newFolderFor(
  session: Pick<Session, 'client' | 'user' | 'isOpen'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { user, isOpen } = session
  if (user === undefined) return isOpen ? '/' : undefined
  const home = `/home/${user.name}`
  const rights = await rightsIn(session, home, signal)
  if (rights?.create) return `${home}/`
  return user.isAdmin ? '/' : undefined
}
