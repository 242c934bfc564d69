// What the command says when it fails. What its user can put right is told in one line; a stack is for defects.

import { HyperslabError } from '../errors.ts'
import { ImportNotUndone } from '../transfer/import-file.ts'

/** What the user of the command can put right. The command ends with `exitCode`. */
export class UsageError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.name = 'UsageError'
    this.exitCode = exitCode
  }
}

/** The one line about a failure that can be expected; undefined: a defect. */
export function foreseen(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof HyperslabError) return error.message
  if (error instanceof ImportNotUndone) {
    return error.errors.every(one => foreseen(one) !== undefined) ? error.message : undefined
  }
  // What the system refuses ("EACCES: permission denied, open 'x.h5'"); codes of Node's own are misuse.
  const isSystemError = error instanceof Error && 'code' in error && !String(error.code).startsWith('ERR_')
  return isSystemError ? error.message : undefined
}
