// The route by which administrators read the end of the audit.

import { hostname } from 'node:os'
import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonOutput } from '@hyperslab/model/json'
import { STRING } from '../../message/schema.ts'
import { LISTING } from '../../route/common-parameters.ts'
import { optionalQuery } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import type { AuditLog } from '../../watch/audit-log.ts'
import { lastEntries } from '../../watch/audit-search.ts'
import { requireAdministrator } from '../account/users.ts'

export interface AuditFacts {
  /** Absent: there is no audit. */
  readonly audit?: Pick<AuditLog, 'file'>
}

/** Lines of one answer. @limit safety, lines */
const MAX_LINES = 1000

const text = (name: string, description: string) =>
  optionalQuery({ name, description, schema: STRING, parse: given => given })

export function auditRoute({ audit }: AuditFacts): Route {
  return serviceRoute({
    name: 'list-audit',
    method: 'GET',
    path: '/audit',
    summary: 'Gives the last lines of the audit that fit, for administrators.',
    identifies: 'yes',
    permit: request => requireAdministrator(request, 'the audit'),
    parameters: {
      within: text(
        'within',
        'The path of a domain, or of a folder: the lines about it and what is below it.',
      ),
      user: text(
        'user',
        'The name of a user: the lines of requests of that user, also those that were refused.',
      ),
      limit: LISTING.limit,
    },
    answers: { 200: { description: 'The lines, the newest first.', json: 'AuditLines' } },
    async answer({ within, user, limit = MAX_LINES }, { target }) {
      const file = audit?.file
      if (file === undefined) {
        const problem = `${target.path} needs an audit in a file: the setting audit names one`
        throw new HyperslabError('audit-not-kept', problem)
      }
      const found = await lastEntries(file, { domain: within, user }, Math.min(limit, MAX_LINES))
      const entries = found.entries as readonly JsonOutput[] // parsed from JSON
      return { status: 200, body: { node: hostname(), entries, complete: found.complete } }
    },
  })
}
