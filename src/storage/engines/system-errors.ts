// Failures of the disk and of the system under a store. They are no defects of the service: the answer says that the
// storage failed, without paths, so that the caller can try again; the cause is for the log.

import { HyperslabError } from '../../errors.ts'

/** What the system calls a full disk and a used-up quota. */
export const FULL = ['ENOSPC', 'EDQUOT']

/** Failures that may pass, or that an operator can mend. What is absent is damage, and none of these. */
const FAILURES = [
  'EACCES',
  'EBUSY',
  'EFBIG',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOMEM',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
]

/** Nothing mends damaged values by itself. */
const DAMAGE_RETRY_SECONDS = 60

export function storageFull(cause: unknown): HyperslabError {
  return new HyperslabError('storage-full', 'the disk of the data folder is full; nothing was changed', {
    cause,
  })
}

/** The error for the caller: another one if a file could not be used for a reason that is outside of the service. */
export function fileError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (FULL.includes(code)) return storageFull(error)
  return FAILURES.includes(code) ? storageFailed(code, error) : error
}

/** Stored values that are not as they were written. `rule` names them; an operator can restore them. */
export function valuesDamaged(rule: string, cause?: unknown): HyperslabError {
  return new HyperslabError('values-damaged', rule, { cause, retryAfter: DAMAGE_RETRY_SECONDS })
}

/** A record named the blob, so its values are lost. */
export function noBlob(name: string, cause?: unknown): HyperslabError {
  return valuesDamaged(`There is no blob ${name}: the values in it are lost until it is restored`, cause)
}

export function storageFailed(code: string, cause: unknown, retryAfter?: number): HyperslabError {
  const message = `the storage of the service failed (${code}); its log has the cause: try again later`
  return new HyperslabError('storage-failed', message, {
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}
