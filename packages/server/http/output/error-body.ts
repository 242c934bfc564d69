// An error as JSON `{status, code, message}`: as the answer to a request, or for one of the objects that an answer is
// about.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId, ObjectKind } from '@hyperslab/model/names'
import type { Dialect } from '../dialect/dialect.ts'
import { withoutSecrets } from '../message/share-address.ts'

export interface ErrorBody {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly [name: string]: string | number
}

/** The JSON of an error; `operation` is the name of the route, if one had begun. */
export function errorBody(error: HyperslabError, dialect: Dialect, operation?: string): ErrorBody {
  const { code, message } = error
  // The client may have put a secret where a name belongs.
  const shown = withoutSecrets(respellIds(message, dialect))
  return { status: dialect.statusOf(error, operation), code, message: shown }
}

/** The message with its ids in the spelling of the dialect: the service writes 32 digits after the kind. */
function respellIds(message: string, { formatId }: Dialect): string {
  const ids = /\b(group|dataset|datatype) ([0-9a-f]{32})\b/g
  return message.replace(ids, (_, kind: ObjectKind, id: ObjectId) => `${kind} ${formatId({ kind, id })}`)
}
