// The error of an answer that may be of two states of a file.

import { HyperslabError } from '../errors.ts'

/** `path`: of the domain, or of a file that it names. */
export function fileChanged(path: string, cause?: unknown): HyperslabError {
  return new HyperslabError(
    'file-changed',
    `the file of ${path} was changed or deleted while it was read: send the request again`,
    { subject: path, cause },
  )
}
