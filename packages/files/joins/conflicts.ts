// Conflicts: files that cannot be joined as they are.

import { HyperslabError } from '@hyperslab/base/errors'
import type { JoinConflict } from '@hyperslab/store/store'

/** Conflicts that are listed: one family of files can have millions. @limit memory, conflicts */
const MAX_CONFLICTS = 100

/** Lists the conflict; without a list, it is the error `file-unreadable`. */
export function reportConflict(conflicts: JoinConflict[] | undefined, conflict: JoinConflict): void {
  if (!conflicts) throw refused(conflict.reason)
  if (conflicts.length < MAX_CONFLICTS) conflicts.push(conflict)
}

/** The reason why a definition has no joined file. */
export function refused(reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', `the files cannot be joined: ${reason}`)
}
