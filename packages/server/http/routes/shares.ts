// Routes of shares: a user makes, lists and revokes addresses that show a domain or folder to people without an
// account. They need a user that has logged in, like those of tokens.

import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { DEFAULT_BUCKET, isWellFormed } from '@hyperslab/model/names'
import type { ServiceSettings } from '../../service/context.ts'
import type { ListedShare, Logins, ShareRequest } from '../../service/logins.ts'
import type { Store } from '../../service/model.ts'
import { requireSharing } from '../../service/shares.ts'
import { type Buckets, parseBucketPath } from '../dialect/buckets.ts'
import { baseOf } from '../dialect/choose.ts'
import type { NamingSettings } from '../dialect/dialect.ts'
import { objectBody, requiredString } from '../input/members.ts'
import { sharePrefix } from '../message/share-address.ts'
import { type Route, serviceRoute } from '../route/route.ts'
import { formatTime, LOGIN_ID, requiredEnd, requireUser } from './logins.ts'

export interface ShareFacts {
  readonly clock: Clock
  readonly store: Pick<Store, 'read'>
  readonly settings: ServiceSettings
  readonly logins: Logins
  readonly naming: NamingSettings
  /** The origins whose pages may show pages of the service in a frame. */
  readonly frameAncestors: readonly string[]
}

/** Characters of the note of a share. */
const MAX_NOTE = 500
/** Characters of the query that a share opens the page with. */
const MAX_VIEW = 2000
/** RFC 3986, 3.4, and the brackets that browsers leave in it. */
const QUERY = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]]*$/

export function shareRoutes({ clock, store, settings, logins, naming, frameAncestors }: ShareFacts): Route[] {
  return [
    serviceRoute({
      name: 'list-shares',
      method: 'GET',
      path: '/shares',
      summary: 'Lists the shares of the caller, without their addresses.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      answers: { 200: { description: 'The shares, the newest first.', json: 'ShareList' } },
      async answer(_, request) {
        const { name } = requireUser(request, 'shares')
        return { status: 200, body: { shares: (await logins.listShares(name)).map(shownShare) } }
      },
    }),
    serviceRoute({
      name: 'create-share',
      method: 'POST',
      path: '/shares',
      summary:
        'Makes a share: an address by which anybody can read a domain or folder. It is shown in this answer only.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      permit: request => {
        requireUser(request, 'shares')
      },
      body: {
        description: 'What it shows, until when, and a note for the caller.',
        required: true,
        json: 'NewShare',
        read: async (body, _dialect, _values, buckets) =>
          parseShareRequest(objectBody(await body.json()), buckets, clock.now()),
      },
      answers: { 201: { description: 'The share.', json: 'CreatedShare' } },
      async answer({ body: wanted }, request) {
        const { caller, headers } = request
        const user = requireUser(request, 'shares')
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
        return { status: 201, body: { ...shownShare({ id, ...share, created, end, uses: 0 }), address } }
      },
    }),
    serviceRoute({
      name: 'revoke-share',
      method: 'DELETE',
      path: '/shares/:id',
      summary: 'Revokes a share of the caller: its address shows nothing from then on.',
      access: 'none',
      identifies: 'yes',
      parameters: { id: LOGIN_ID },
      answers: { 200: { description: 'It is revoked.', json: 'EndedLogins' } },
      async answer({ id }, request) {
        const { name } = requireUser(request, 'shares')
        if (await logins.end(name, 'share', id)) return { status: 200, body: { ended: 1 } }
        const problem = `${name} has no share ${excerpt(id)} that is accepted: GET /shares lists the shares`
        throw new HyperslabError('share-not-found', problem, { subject: id })
      },
    }),
  ]
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
