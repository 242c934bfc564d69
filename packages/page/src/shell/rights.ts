// What the user may do in a domain or folder, so that the page offers only possible actions.

import { RequestError } from '@hyperslab/client'
import type { Session } from './session.ts'

export interface Rights {
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
  /** Of the access control list. */
  readonly readACL: boolean
}

/** Undefined: no user has logged in where that is needed. */
export async function rightsIn(
  { client, user, isOpen }: Pick<Session, 'client' | 'user' | 'isOpen'>,
  domain: string,
  signal: AbortSignal,
): Promise<Rights | undefined> {
  if (user === undefined) return isOpen ? { ...every(true), readACL: false } : undefined
  try {
    const parameters = { user: user.name, domain, effective: 1 }
    return (await client.request('GET /acls/{user}', parameters, { signal })).acl
  } catch (error) {
    // In a missing place the user can do nothing. In one that the user may not read, it may be possible.
    return every(!(error instanceof RequestError && (error.status === 404 || error.status === 410)))
  }
}

function every(right: boolean): Rights {
  return { create: right, update: right, delete: right, readACL: right }
}
