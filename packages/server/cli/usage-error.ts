// The errors of the command. One that the user can correct is printed as one line; a stack is printed for defects.

import { HyperslabError } from '@hyperslab/base/errors'
import { ImportNotUndone } from '@hyperslab/files/import'

/** The exit code when everything was imported or exported except the parts that warnings name. */
export const INCOMPLETE = 3

/** An error that the user of the command can correct. The command ends with `exitCode`. */
export class UsageError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.name = 'UsageError'
    this.exitCode = exitCode
  }
}

/** The exit code when the records of a store cannot be read, the same as for a wrong command: nothing was done. */
const RECORDS_DAMAGED = 2

/** The exit code with which the command ends after the error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return error.exitCode
  return error instanceof HyperslabError && error.code === 'records-damaged' ? RECORDS_DAMAGED : 1
}

/** The message of an expected failure; undefined: a defect. */
export function foreseen(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof HyperslabError) return error.message
  if (error instanceof ImportNotUndone) {
    return error.errors.every(one => foreseen(one) !== undefined) ? error.message : undefined
  }
  // Errors of the system ("EACCES: permission denied, open 'x.h5'"); Node's own codes mean a defect.
  const isSystemError = error instanceof Error && 'code' in error && !String(error.code).startsWith('ERR_')
  return isSystemError ? error.message : undefined
}
