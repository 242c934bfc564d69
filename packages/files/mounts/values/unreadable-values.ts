// The error that names the values that cannot be read, and the reason.

import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'

/** Errors for a part of a file that the reader cannot read: the request was right. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set([
  'file-unreadable',
  'file-damaged',
  'type-unsupported',
  'values-unreadable',
])

/** `name`: of the dataset, for the message. Other errors, of the source or defects of the service, are unchanged. */
export function unreadableValues(error: unknown, name: string, dataset: ObjectId): unknown {
  if (!(error instanceof HyperslabError) || !UNREADABLE.has(error.code)) return error
  const message = `the values of ${name} cannot be read: ${error.message}`
  return new HyperslabError('values-unreadable', message, { subject: dataset, cause: error })
}

/** The items, whose errors are those of values that cannot be read. */
export async function* orUnreadable<T>(
  items: AsyncIterable<T>,
  name: string,
  dataset: ObjectId,
): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw unreadableValues(error, name, dataset)
  }
}
