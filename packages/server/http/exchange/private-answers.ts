// Caching of answers: those that depend on the caller are kept by no shared cache.

import type { Reply, Request } from '../message/message.ts'
import type { SentShare } from '../message/share-address.ts'
import { START_PAGE } from '../routes/pages.ts'

/** Caching of an error: the object may be there a moment later. */
export const PRIVATE = 'private, no-cache'

/** The reply as shared caches may not keep it. */
export function privately(reply: Reply, share: SentShare | undefined): Reply {
  // A live answer is kept nowhere.
  if ('live' in reply) return reply
  const {
    'Cache-Control': given = share ? 'no-cache' : '',
    'Referrer-Policy': referrers,
    ...headers
  } = reply.headers ?? {}
  const caching = ['private', given.replace(/^(public|private)(, )?/, '')].filter(part => part !== '')
  // The head of answers to shares has the policy of referrers already.
  const policy = share || referrers === undefined ? {} : { 'Referrer-Policy': referrers }
  return { ...reply, headers: { ...headers, ...policy, 'Cache-Control': caching.join(', ') } }
}

/** The reply as any cache may keep it, if it asks whether it is still right: data are those of now. */
export function openly(reply: Reply, isData: boolean): Reply {
  if ('live' in reply || !isData || reply.headers?.['Cache-Control'] !== undefined) return reply
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'public, no-cache' } }
}

/**
 * The relative address, for a browser that opens the address of a share itself, of the page with the shared view. An
 * address without a slash at its end gets one first: else relative ones would leave the share.
 */
export function beginningOf(
  { secret, hasSlash }: SentShare,
  { target, identity }: Request,
): string | undefined {
  const { path, rawQuery } = target
  if (!hasSlash) return `${secret}/${rawQuery === '' ? '' : `?${rawQuery}`}`
  return path === '/' && rawQuery === '' ? `.${START_PAGE}?${identity.login?.view ?? ''}` : undefined
}
