// Conflicts: files that cannot be joined as they are.

import { HyperslabError } from '@hyperslab/base/errors'
import type { JoinConflict, JoinReview } from '@hyperslab/store/store'

/** A source, or a file that is left out. */
export type JoinWarning = JoinReview['warnings'][number]

/** Conflicts that are listed: one family of files can have millions. @limit memory, conflicts */
const MAX_CONFLICTS = 100

/** Lists the conflict; without a list, it is the error `file-unreadable`. */
export function reportConflict(conflicts: JoinConflict[] | undefined, conflict: JoinConflict): void {
  if (!conflicts) throw refused(conflict.reason)
  if (conflicts.length < MAX_CONFLICTS) conflicts.push(conflict)
}

/** Warnings that are listed: a folder can have millions of other files. @limit memory, warnings */
const MAX_WARNINGS = 100

/** Lists the warning; without a list, it is dropped. */
export function warn(warnings: JoinWarning[] | undefined, path: string, message: string): void {
  if (warnings && warnings.length < MAX_WARNINGS) warnings.push({ path, message })
}

/** The reason why a definition has no joined file. */
export function refused(reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', `the files cannot be joined: ${reason}`)
}
