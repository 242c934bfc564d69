// Failures of the disk and of the system under a store. They are not defects of the service: the answer reports that
// the storage failed, without paths, so that the caller can try again; the cause is for the log.

import { HyperslabError } from '@hyperslab/base/errors'
import { systemCode } from '@hyperslab/base/files'

/** The codes of a full disk and of a used-up quota. */
export const FULL = ['ENOSPC', 'EDQUOT']

/** Failures that may pass, or that an operator can repair. An absent file is not one of them, but damage. */
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

/** A long time, since damaged values stay damaged until an operator restores them. */
const DAMAGE_RETRY_SECONDS = 60

export function storageFull(cause: unknown): HyperslabError {
  return new HyperslabError('storage-full', 'the disk of the data folder is full; nothing was changed', {
    cause,
  })
}

/** The error for the caller: a new one if the reason why a file could not be used is outside the service. */
export function fileError(error: unknown): unknown {
  const code = systemCode(error) ?? ''
  if (FULL.includes(code)) return storageFull(error)
  return FAILURES.includes(code) ? storageFailed(code, error) : error
}

/** The error of stored values that are not those that were written. `rule` names them; an operator can restore them. */
export function valuesDamaged(rule: string, cause?: unknown): HyperslabError {
  return new HyperslabError('values-damaged', rule, { cause, retryAfter: DAMAGE_RETRY_SECONDS })
}

/** The error of a missing blob: a record named it, so its values are lost. */
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
