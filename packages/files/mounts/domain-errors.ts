// The errors of a request that reads a mounted domain whose file cannot be read. The request was right, so the codes
// for an uploaded file become codes of the domain.

import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'

/** The error of a changed file; `path` is that of the domain, or of a file that it names. */
export function fileChanged(path: string, cause?: unknown): HyperslabError {
  return new HyperslabError(
    'file-changed',
    `the file of ${path} was changed or deleted while it was read: send the request again`,
    { subject: path, cause },
  )
}

/** The error of a file that cannot be read and was changed a moment ago; `cause` is the reason. */
export function fileIncomplete(path: string, cause: HyperslabError): HyperslabError {
  return new HyperslabError(
    'file-changed',
    `the file of ${path} was changed a moment ago, and may not be complete yet (${cause.message}): send the ` +
      'request again',
    { subject: path, cause },
  )
}

/** Whether the error means that the file cannot give the requested part. */
export function isUnreadable(error: unknown): error is HyperslabError {
  return error instanceof HyperslabError && ['domain-unreadable', 'values-unreadable'].includes(error.code)
}

const DOMAIN_CODES: Readonly<Partial<Record<ErrorCode, ErrorCode>>> = {
  'not-hdf5': 'domain-unreadable',
  'file-unreadable': 'domain-unreadable',
  'file-damaged': 'domain-unreadable',
  'file-open-for-writing': 'domain-open-for-writing',
  // The name is one in the file, since those of the request are checked before.
  'malformed-name': 'domain-unreadable',
}

/** The error as one of the domain at `path`. Errors that are not about its file are unchanged. */
export function domainError(error: HyperslabError, path: string): HyperslabError {
  const code = DOMAIN_CODES[error.code]
  return code === undefined ? error : new HyperslabError(code, error.message, { subject: path, cause: error })
}
