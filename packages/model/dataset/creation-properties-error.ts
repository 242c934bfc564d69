// The error of every part of a dataset's creation properties: layout, filters, fill value, initializer.

import { HyperslabError } from '@hyperslab/base/errors'

export function malformedCreationProperties(message: string, cause?: unknown): HyperslabError {
  return new HyperslabError('malformed-creation-properties', message, { cause })
}
