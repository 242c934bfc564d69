// The homes of users in the classic dialect (classic 12.2): folders of one folder, each with the name of a user. There
// is a home for each account, and for nobody else. The other dialect has folders only.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, namesBelow } from '@hyperslab/model/names'
import type { Context } from '../context.ts'

/**
 * Throws when the path is a home, or in a home, of a user without an account. A domain beside the homes is one like any
 * other; so are domains in homes where the service has no accounts at all.
 */
export async function requireHome(context: Context, homes: DomainPath, path: DomainPath): Promise<void> {
  const [user, ...below] = namesBelow(homes, path) ?? []
  const { isKnownUser, hasAccounts } = context.settings
  if (user === undefined || isKnownUser(user)) return
  const mayBeDomain = below.length === 0 || hasAccounts?.() === false
  if (mayBeDomain && (await context.reader.domain(path))?.root !== undefined) return
  throw new HyperslabError('domain-not-found', `there is no domain ${path}: no user has the name "${user}"`, {
    subject: path,
  })
}
