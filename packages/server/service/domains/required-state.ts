// The state that a request requires of its domain (common 9): what several requests read, or one reads and another one
// writes, is then of one moment, or the client knows that it is not.

import { HyperslabError } from '@hyperslab/base/errors'
import { requirePermission } from '../access/access.ts'
import type { Context, OpenDomain } from '../context.ts'

/**
 * Throws `state-changed` unless the domain has the state that the request requires, if it requires one; undefined: the
 * request is about no domain. In a write this reads the record of the state, so that the write runs again, or fails,
 * when anything in the domain changes before it is committed.
 */
export async function requireRequiredState(context: Context, domain: OpenDomain | undefined): Promise<void> {
  const { requiredState, reader } = context
  if (requiredState === undefined) return
  if (domain === undefined || domain.entry.computed) {
    const message = 'only a domain has a state: leave out If-State and state'
    throw new HyperslabError('malformed-precondition', message)
  }
  requirePermission(context, 'read', domain)
  const { state } = await reader.state(domain.root.id)
  if (state === requiredState) return
  throw new HyperslabError(
    'state-changed',
    `the domain ${domain.entry.path} has changed since the state ${requiredState}: its state is ${state}`,
    { subject: domain.entry.path },
  )
}
