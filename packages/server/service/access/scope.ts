// The scope of a token or a share: it takes away from the permissions of its user, and never adds any. A request with a
// token for reading changes nothing; one with a token for a domain or folder reaches no other one, by whatever way it
// is named.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isWithin } from '@hyperslab/model/names'
import type { Caller } from '../context.ts'
import type { Scope } from '../logins.ts'

type ScopeHolder = Pick<Caller, 'scope' | 'sharedBy'>

/** Whether the domain or folder at the path is one that the caller's token is for. */
export function isInScope({ scope }: ScopeHolder, path: DomainPath): boolean {
  return scope?.within === undefined || isWithin(scope.within, path)
}

export function requireInScope(caller: ScopeHolder, path: DomainPath): void {
  if (caller.scope === undefined || isInScope(caller, path)) return
  throw beyondScope(caller, `${path} is outside of it`)
}

/** Throws if the caller's token is for reading only. */
export function requireWriteScope(caller: ScopeHolder): void {
  if (caller.scope?.writes === false) throw beyondScope(caller, 'this request writes')
}

/** Throws if the caller's token is for a domain or folder only; `subject` is what belongs to none. */
export function requireWholeScope(caller: ScopeHolder, subject: string): void {
  if (caller.scope?.within !== undefined) throw beyondScope(caller, `it does not contain ${subject}`)
}

/** Throws if the request has a token or a share; `subject` is what neither is good for. */
export function requireNoToken(caller: ScopeHolder, subject: string): void {
  if (caller.scope !== undefined) throw beyondScope(caller, `a ${nounOf(caller)} is not good for ${subject}`)
}

function beyondScope(caller: ScopeHolder, problem: string): HyperslabError {
  const scope = caller.scope && formatScope(caller.scope)
  return new HyperslabError('scope-exceeded', `the scope of the ${nounOf(caller)} is "${scope}": ${problem}`)
}

function nounOf({ sharedBy }: ScopeHolder): string {
  return sharedBy ? 'share' : 'token'
}

/** Throws if the caller's share is for one dataset; `subject` is what shows more. */
export function requireWholeDomain(caller: ScopeHolder, subject: string): void {
  if (caller.scope?.h5path !== undefined) throw beyondScope(caller, `it does not contain ${subject}`)
}

export function formatScope({ writes, within, h5path }: Scope): string {
  return `${writes ? 'read and write' : 'read'} ${within ?? 'all'}${h5path === undefined ? '' : ` ${h5path}`}`
}
