// The errors of a request that reads a mounted domain whose file cannot be read. The request was right: so the codes
// for a file that a caller sends become codes of the domain.

import { type ErrorCode, HyperslabError } from '../errors.ts'

/** `path`: of the domain, or of a file that it names. */
export function fileChanged(path: string, cause?: unknown): HyperslabError {
  return new HyperslabError(
    'file-changed',
    `the file of ${path} was changed or deleted while it was read: send the request again`,
    { subject: path, cause },
  )
}

/** `cause`: why the file cannot be read, which was changed a moment ago. */
export function fileIncomplete(path: string, cause: HyperslabError): HyperslabError {
  return new HyperslabError(
    'file-changed',
    `the file of ${path} was changed a moment ago, and may not be complete yet (${cause.message}): send the ` +
      'request again',
    { subject: path, cause },
  )
}

/** Whether it says that the file does not give what was asked for. */
export function isUnreadable(error: unknown): error is HyperslabError {
  return error instanceof HyperslabError && ['domain-unreadable', 'values-unreadable'].includes(error.code)
}

const DOMAIN_CODES: Readonly<Partial<Record<ErrorCode, ErrorCode>>> = {
  'not-hdf5': 'domain-unreadable',
  'file-unreadable': 'domain-unreadable',
  'file-damaged': 'domain-unreadable',
  'file-open-for-writing': 'domain-open-for-writing',
  // A name in the file: those of the request are checked before.
  'malformed-name': 'domain-unreadable',
}

/** `path`: of the domain that was asked for. Errors that are not about its file stay as they are. */
export function domainError(error: HyperslabError, path: string): HyperslabError {
  const code = DOMAIN_CODES[error.code]
  return code === undefined ? error : new HyperslabError(code, error.message, { subject: path, cause: error })
}
