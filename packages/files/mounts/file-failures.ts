// Failures of the system when files are opened: they do not exist, must not be read, or cannot be read now.

import { HyperslabError } from '@hyperslab/base/errors'
import { systemCode } from '@hyperslab/base/files'
import { fileChanged } from './domain-errors.ts'

/** Codes of absent files. They include pipes and devices without their other end. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'ENODEV']
const NOT_READABLE = ['EACCES', 'EPERM']

/** The permissions of a file or folder do not let this process read it: an operator can repair this. */
export class NotReadable extends Error {}

/** The result; undefined for an absent file. Throws `NotReadable`, or the errors of `fileFailure`. */
export async function unlessAbsent<T>(work: Promise<T>, name: string): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const code = systemCode(error)
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

/** Whether the error is that of a file whose file system answers with failures, rather than not at all. */
export function isOfFailedCalls(error: unknown): error is HyperslabError {
  return (
    error instanceof HyperslabError &&
    error.code === 'file-unavailable' &&
    systemCode(error.cause) !== undefined
  )
}

/** The error to throw for a failure at a file: `storage-failed` for one of the system. */
export function fileFailure(error: unknown, name: string): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return new HyperslabError('storage-failed', `the file of ${name} cannot be read now (${code})`, {
    subject: name,
    cause: error,
  })
}

/** The same for an open file: `file-changed` when another machine has deleted it. Its path leads to the new one. */
export function openFileFailure(error: unknown, name: string): unknown {
  const code = systemCode(isOfFailedCalls(error) ? error.cause : error)
  return code === 'ESTALE' ? fileChanged(name, error) : fileFailure(error, name)
}
