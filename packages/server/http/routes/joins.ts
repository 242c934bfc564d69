// Joined domains in requests and answers: the members `join` and `dry_run` of a new domain (common 34).

import { HyperslabError } from '@hyperslab/base/errors'
import { type JsonObject, type JsonOutput, stringifyJson } from '@hyperslab/model/json'
import { type DomainPath, parseDomainPath } from '@hyperslab/model/names'
import type { JoinReview } from '@hyperslab/store/store'
import type { Body } from '../dialect/dialect.ts'
import { requiredString } from '../input/members.ts'

/** The definition in a body, as JSON. */
export function joinIn(body: JsonObject): string | undefined {
  const join = body.get('join')
  if (join === undefined) {
    if (body.has('dry_run'))
      throw new HyperslabError('malformed-body', 'body.dry_run must be absent: it is for a body with join')
    return undefined
  }
  const other = OTHERS.find(name => body.has(name))
  if (other === undefined) return stringifyJson(join as JsonOutput)
  throw new HyperslabError('malformed-body', `body.${other} must be absent where body.join is a definition`)
}

/** The file that a joined domain forgets. */
export function forgottenIn(body: JsonObject): DomainPath {
  const other = [...body.keys()].find(name => name !== 'forget')
  if (other !== undefined)
    throw new HyperslabError('malformed-body', `body.${other} must be absent: body.forget is alone`)
  return parseDomainPath(requiredString(body, 'forget', 'malformed-domain'))
}

const OTHERS = ['folder', 'group', 'root_id', 'linked_domain', 'linked_bucket']

/** Files of a review that are named: their number is there too. @limit memory, files */
const MAX_NAMED = 1000

export function presentReview({ files, length, datasets, conflicts }: JoinReview): Body {
  return {
    files: files.length,
    names: files.slice(0, MAX_NAMED),
    length,
    datasets: datasets.map(({ path, shape, axis }) => ({ path, shape, axis })),
    conflicts: conflicts.map(({ files, object, reason }) => ({
      files,
      ...(object !== undefined && { object }),
      reason,
    })),
  }
}
