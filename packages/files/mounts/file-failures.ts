// Failures of the system when files are opened: they do not exist, must not be read, or cannot be read now.

import { HyperslabError } from '@hyperslab/base/errors'
import { fileChanged } from './domain-errors.ts'

/**
 * Codes of absent files. They include files that were deleted on another machine, and pipes and devices without their
 * other end.
 */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'ENODEV', 'ESTALE']
const NOT_READABLE = ['EACCES', 'EPERM', 'EIO']

/**
 * The permissions of a file or folder, or a broken disk, do not let this process read it: an operator can repair this.
 */
export class NotReadable extends Error {}

/** The result; undefined for an absent file. Throws `NotReadable`, or the errors of `fileFailure`. */
export async function unlessAbsent<T>(work: Promise<T>, name: string): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const code = codeOf(error)
    if (code !== undefined && ABSENT.includes(code)) return undefined
    if (code !== undefined && NOT_READABLE.includes(code)) throw new NotReadable(code, { cause: error })
    throw fileFailure(error, name)
  }
}

/** The same, but undefined also for a file that this process must not read. */
export async function unlessInvisible<T>(work: Promise<T>, name: string): Promise<T | undefined> {
  try {
    return await unlessAbsent(work, name)
  } catch (error) {
    if (error instanceof NotReadable) return undefined
    throw error
  }
}

/** The error to throw for a failure at a file: `file-changed` or `storage-failed` for one of the system. */
export function fileFailure(error: unknown, name: string): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  if (code === 'ESTALE') return fileChanged(name, error)
  return new HyperslabError('storage-failed', `the file of ${name} cannot be read now (${code})`, {
    subject: name,
    cause: error,
  })
}

/** The code of an error of the system, for example `ENOENT`. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errno' in error && 'code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
