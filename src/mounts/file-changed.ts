// The error of an answer that may be of two states of a file.

import { HyperslabError } from '../errors.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'

export function fileChanged(path: DomainPath): HyperslabError {
  return new HyperslabError(
    'file-changed',
    `the file of the domain ${path} was changed while it was read: send the request again`,
    { subject: path },
  )
}
