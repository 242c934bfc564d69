// A line of the audit for a request: the user, the address, the operation, and what it has changed. It has names, ids
// and flags, never credentials, bodies or values; of the query only the parameters that the route declares.

import type { IncomingMessage } from 'node:http'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { Identity } from '../auth/authenticate.ts'
import type { Dialect, NamingSettings } from '../dialect/dialect.ts'
import type { Reply } from '../message/message.ts'
import type { Target } from '../message/target.ts'
import { isWrite, type Route } from '../route/route.ts'
import { loggedDomain, loggedOrigin } from './access-log.ts'
import type { AuditEntry } from './audit-log.ts'

/** Characters of all names in a line; the rest is left out, with a mark. @limit safety, characters */
const MAX_CHARACTERS = 65_536

/** A request that the audit tells of. */
export interface AuditedRequest {
  readonly id: string
  readonly incoming: IncomingMessage
  readonly target: Target
  /** Parameters of the path, undecoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly dialect: Dialect
  /** Undefined: the request was refused before it was known. */
  readonly route: Route | undefined
  /** Undefined: the credentials were refused. */
  readonly identity: Identity | undefined
  readonly address: string
  /** Bytes of the body. */
  readonly received: number
}

/** Errors of requests that begin with credentials which are not right, whatever they ask for. */
const WRONG_LOGINS: ReadonlySet<ErrorCode> = new Set(['wrong-credentials', 'login-failed'])

/**
 * The line of a request whose result is known and not sent yet; undefined: it has changed nothing, nor was it refused
 * for a lack of rights.
 */
export function auditEntry(
  request: AuditedRequest,
  result: Reply | HyperslabError,
  naming: NamingSettings,
): AuditEntry | undefined {
  const { route } = request
  const writes = route !== undefined && isWrite(route)
  if (!(result instanceof HyperslabError)) {
    const { status, changed } = result
    if ((!writes && changed === undefined) || status >= 400) return undefined
    return entryOf(request, { outcome: 'done', status }, naming, changed)
  }
  const { code } = result
  const status = request.dialect.statusOf(result, route?.name)
  if (!(writes || WRONG_LOGINS.has(code)) || (status !== 401 && status !== 403)) return undefined
  return entryOf(request, { outcome: 'refused', status, code }, naming)
}

function entryOf(
  { id, incoming, target, parameters, dialect, route, identity, address, received }: AuditedRequest,
  end: { readonly outcome: 'done' | 'refused'; readonly status: number; readonly code?: string },
  naming: NamingSettings,
  changed?: Reply['changed'],
): AuditEntry {
  const isOfDomain = route !== undefined && route.opens !== 'nothing'
  return {
    id,
    ...end,
    ...(route && { operation: route.name }),
    method: incoming.method,
    dialect: dialect.name,
    ...(identity && callerIn(identity)),
    address,
    ...loggedOrigin(incoming, end.status),
    ...(isOfDomain && loggedDomain(target, incoming, dialect, naming)),
    what: shortened({ ...(route && namedIn(route, target, parameters, dialect)), ...changed?.() }),
    received,
  }
}

/** The user, and how the user was proved. */
function callerIn({ caller, login, providerGroups }: Identity): AuditEntry {
  if (login?.kind === 'share') return { login: 'share', loginId: login.id, sharedBy: login.name }
  const { name, admin } = caller
  if (name === undefined) return { login: admin ? 'open' : 'none' }
  if (login === undefined) return { user: name, login: providerGroups ? 'provider' : 'password' }
  return { user: name, login: login.kind, loginId: login.id, ...(login.label && { token: login.label }) }
}

/** The parameters that the route declares: those of the path decoded, those of the query as they came. */
function namedIn(
  { parameters: declared }: Route,
  target: Target,
  parameters: AuditedRequest['parameters'],
  dialect: Dialect,
): AuditEntry {
  const list = Object.values(declared)
  const rest = list.find(({ name, in: place }) => place === 'path' && !(name in parameters))?.name ?? 'path'
  const inPath = Object.entries(parameters).map(([name, raw]) => [
    name === '*' ? rest : name,
    decoded(raw, dialect),
  ])
  const inQuery = list.flatMap(({ name, in: place }) => {
    const texts = place === 'query' ? target.query.getAll(name) : []
    return texts.length === 0 ? [] : [[name, texts.length === 1 ? texts[0] : texts]]
  })
  return {
    ...('id' in parameters && { collection: target.segments[0] }),
    ...Object.fromEntries([...inPath, ...inQuery]),
  }
}

function decoded(raw: string, dialect: Dialect): string {
  try {
    return dialect.decodeName(raw)
  } catch {
    // The request is refused for it.
    return raw
  }
}

/** The value with its first characters only, if it has too many. */
function shortened(value: unknown, left = { characters: MAX_CHARACTERS }): unknown {
  if (typeof value === 'string') {
    const text = value.slice(0, left.characters)
    left.characters -= text.length
    return text.length < value.length ? `${text}...` : text
  }
  if (Array.isArray(value)) {
    const kept: unknown[] = []
    for (const item of value) {
      if (left.characters <= 0) return [...kept, `... and ${value.length - kept.length} more`]
      kept.push(shortened(item, left))
    }
    return kept
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item, left)]))
}
