// Addresses that name a state of a domain: they answer as long as the domain has it, and 410 afterwards
// (docs/decisions/065).

import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainState } from '@hyperslab/store/store'
import type { Context, OpenDomain } from '../context.ts'

/** The first part of a path that names a state. */
const PINNED = /^~([0-9a-f]{32})$/

export interface PinnedPath {
  /** Absent: the path names no state. */
  readonly state?: string
  /** The parts after the state. */
  readonly parts: readonly string[]
}

export function parsePinned(parts: readonly string[]): PinnedPath {
  const state = PINNED.exec(parts[0] ?? '')?.[1]
  return state === undefined ? { parts } : { state, parts: parts.slice(1) }
}

/** Throws `domain-changed` unless the domain has the state, of values or, with `form`, of the bytes of its file. */
export async function requireState(
  { reader }: Context,
  { entry, root }: OpenDomain,
  state: string,
  kind: keyof DomainState = 'state',
): Promise<void> {
  const now = (await reader.state(root.id))[kind]
  if (now === state) return
  const message = `the domain ${entry.path} has changed since the state ${state}: read it without ~${state}, or as ~${now}`
  throw new HyperslabError('domain-changed', message, { subject: entry.path })
}
