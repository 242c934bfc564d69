// The members `join`, `dry_run` and `forget` of the body for a joined domain (common 34).

import { HyperslabError } from '@hyperslab/base/errors'
import { type JsonObject, type JsonOutput, stringifyJson } from '@hyperslab/model/json'
import { type DomainPath, parseDomainPath } from '@hyperslab/model/names'
import { requiredString } from './members.ts'

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
