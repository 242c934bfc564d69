// Routes of shares: a user makes, lists and revokes addresses that show a domain or folder to people without an
// account. They need a user that has logged in, like those of tokens.

import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { DEFAULT_BUCKET, isWellFormed } from '@hyperslab/model/names'
import type { Store } from '@hyperslab/store/store'
import type { ServiceSettings } from '../../../service/context.ts'
import type { ListedShare, Logins, ProvedUser, ShareRequest } from '../../../service/logins.ts'
import { requireSharing } from '../../../service/shares.ts'
import { type Buckets, parseBucketPath } from '../../dialect/buckets.ts'
import type { NamingSettings } from '../../dialect/dialect.ts'
import { baseOf } from '../../dialect/place.ts'
import { requiredString } from '../../input/members.ts'
import type { Request } from '../../message/message.ts'
import { sharePrefix } from '../../message/share-address.ts'
import type { Route } from '../../route/route.ts'
import { createRoute, endRoute, listRoute } from './own-logins.ts'
import { formatTime, requiredEnd } from './times.ts'

export interface ShareFacts {
  readonly clock: Clock
  readonly store: Pick<Store, 'read'>
  readonly settings: ServiceSettings
  readonly logins: Logins
  readonly naming: NamingSettings
  /** The origins whose pages may show pages of the service in a frame. */
  readonly frameAncestors: readonly string[]
}

/** Characters of the note of a share. @limit safety, characters */
const MAX_NOTE = 500
/** Characters of the query that a share opens the page with. @limit safety, characters */
const MAX_VIEW = 2000
/** RFC 3986, 3.4, and the brackets that browsers leave in it. */
const QUERY = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]]*$/

export function shareRoutes(facts: ShareFacts): Route[] {
  const { clock, logins } = facts
  return [
    listRoute('share', {
      summary: 'Lists the shares of the caller, without their addresses.',
      json: 'ShareList',
      list: async name => (await logins.listShares(name)).map(shownShare),
    }),
    createRoute('share', {
      summary:
        'Makes a share: an address by which anybody can read a domain or folder. It is shown in this answer only.',
      description: 'What it shows, until when, and a note for the caller.',
      json: { body: 'NewShare', answer: 'CreatedShare' },
      clock,
      parse: parseShareRequest,
      create: (user, wanted, request) => createShare(facts, user, wanted, request),
    }),
    endRoute('share', {
      name: 'revoke-share',
      summary: 'Revokes a share of the caller: its address shows nothing from then on.',
      ended: 'It is revoked.',
      state: 'is accepted',
      logins,
    }),
  ]
}

async function createShare(
  { store, settings, logins, naming, frameAncestors }: ShareFacts,
  user: ProvedUser,
  wanted: WantedShare,
  { caller, headers }: Request,
) {
  const signal = { throwIfAborted() {} }
  const { within, h5path: path } = wanted
  requireAllowedFrames(wanted.frameAncestors ?? [], frameAncestors)
  const { kind, h5path } = await store.read(reader =>
    requireSharing({ reader, caller, settings, signal }, within, path),
  )
  const place = `${kind}=${encodeURIComponent(within)}`
  const view = h5path === undefined ? place : `${place}&path=${encodeURIComponent(h5path)}`
  const share = { view, ...wanted, ...(h5path !== undefined && { h5path }) }
  const { id, secret, created, end } = await logins.createShare(user, share)
  const address = `${baseOf(headers, naming)}${sharePrefix(secret)}/`
  const shown = shownShare({ id, ...share, created, end, uses: 0 })
  return { body: { ...shown, address }, changed: () => auditedShare(shown) }
}

/** Throws for an origin that the administrator does not allow. */
function requireAllowedFrames(chosen: readonly string[], allowed: readonly string[]): void {
  const other = chosen.find(origin => !allowed.includes(origin))
  if (other === undefined) return
  const those = allowed.length === 0 ? 'none' : allowed.join(', ')
  throw new HyperslabError(
    'malformed-body',
    `body.frame_ancestors must have origins of the setting frame_ancestors (${those}), not ${excerpt(other)}`,
  )
}

function shownShare(share: ListedShare) {
  const { id, within, h5path, note, view, frameAncestors, created, end, uses, used } = share
  return {
    id,
    domain: within,
    ...(h5path !== undefined && { h5path }),
    note,
    view,
    ...(frameAncestors && { frame_ancestors: frameAncestors }),
    created: formatTime(created),
    end: formatTime(end),
    uses,
    ...(used !== undefined && { used: formatTime(used) }),
  }
}

/** The view and the note are the business of its user. */
function auditedShare({ id, domain, h5path, end }: ReturnType<typeof shownShare>) {
  return { id, domain, end, ...(h5path !== undefined && { h5path }) }
}

type WantedShare = Omit<ShareRequest, 'view'> & Partial<Pick<ShareRequest, 'view'>>

function parseShareRequest(body: JsonObject, buckets: Buckets, now: number): WantedShare {
  const domain = requiredString(body, 'domain', 'malformed-body')
  const within = parseBucketPath(domain, DEFAULT_BUCKET, buckets)
  const end = requiredEnd(body, now)
  const note = body.has('note') ? requiredString(body, 'note', 'malformed-body') : ''
  if (!/^\P{Cc}*$/u.test(note) || !isWellFormed(note) || note.length > MAX_NOTE) {
    const rule = `have at most ${MAX_NOTE} characters, without control characters`
    throw new HyperslabError('malformed-body', `body.note must ${rule}`)
  }
  const chosen = {
    within,
    end,
    note,
    ...(body.has('h5path') && { h5path: requiredString(body, 'h5path', 'malformed-body') }),
    ...(body.has('frame_ancestors') && { frameAncestors: originsIn(body) }),
  }
  if (!body.has('view')) return chosen
  const view = requiredString(body, 'view', 'malformed-body')
  if (!QUERY.test(view) || view.length > MAX_VIEW) {
    const rule = `be the query of an address of the page, percent-encoded, of at most ${MAX_VIEW} characters`
    throw new HyperslabError('malformed-body', `body.view must ${rule}`)
  }
  return { ...chosen, view }
}

/** The member `frame_ancestors` of a body. */
function originsIn(body: JsonObject): readonly string[] {
  const origins = body.get('frame_ancestors')
  if (Array.isArray(origins) && origins.every(origin => typeof origin === 'string')) return origins
  throw new HyperslabError('malformed-body', 'body.frame_ancestors must be a list of origins')
}
