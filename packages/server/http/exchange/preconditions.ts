// Conditions of writes: `If-Match` and `If-None-Match` of PUT and DELETE (RFC 9110, 13.1). The entity tags are those
// that GET of the same path gives: its route runs within the transaction of the write, just before the write itself. So
// the records that it has read become expectations of the commit, and of two writers with the same tag exactly one
// succeeds.
//
// GET has several forms, each with a tag of its own: JSON or bytes, with non-finite numbers as words or as strings,
// with the parameters of the write's query or with those that name the domain only. A client need not write with the
// headers that it has read with, so the tag of any of these forms counts: they change together.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Context } from '../../service/context.ts'
import type { Place } from '../dialect/hrefs.ts'
import { OCTETS } from '../message/content-types.ts'
import { areNaming, type EntityTags, parseEntityTags } from '../message/entity-tag.ts'
import type { Request } from '../message/message.ts'
import { parseTarget } from '../message/target.ts'
import type { NamespaceReadRoute, ReadRoute, Respond, Route } from '../route/route.ts'
import { entityTagOfReply } from './reply.ts'
import type { RequestedDomain } from './requested-domain.ts'

export interface Preconditions {
  readonly match: EntityTags | undefined
  readonly noneMatch: EntityTags | undefined
}

/** The conditions of a write; undefined: it has none. */
export function preconditionsOf({ method, headers }: Request): Preconditions | undefined {
  if (method !== 'PUT' && method !== 'DELETE') return undefined
  const match = readTags('If-Match', headers['if-match'])
  const noneMatch = readTags('If-None-Match', headers['if-none-match'])
  return match === undefined && noneMatch === undefined ? undefined : { match, noneMatch }
}

function readTags(name: string, header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined
  const tags = parseEntityTags(header)
  if (tags !== undefined) return tags
  throw new HyperslabError(
    'malformed-precondition',
    `${name} must be * or a list of entity tags in quotes, as the header Etag has them`,
  )
}

/** Throws `precondition-failed` unless the conditions hold for the answer that GET of the same path would have now. */
export async function requirePreconditions(
  { match, noneMatch }: Preconditions,
  get: Route | undefined,
  request: Request,
  context: Context,
  domain: RequestedDomain,
): Promise<void> {
  const tags = tagsNow(get, request, context, domain)
  if (match !== undefined && !(await isAnyOf(tags, match, 'strong'))) {
    throw failed(
      request,
      match === '*' ? 'If-Match: the path does not exist' : 'If-Match does not name the current entity tag',
    )
  }
  if (noneMatch !== undefined && (await isAnyOf(tags, noneMatch, 'weak'))) {
    const reason =
      noneMatch === '*'
        ? 'If-None-Match: the path exists already'
        : 'If-None-Match names the current entity tag'
    throw failed(request, reason)
  }
}

function failed({ target }: Request, reason: string): HyperslabError {
  return new HyperslabError(
    'precondition-failed',
    `${reason}, so nothing was done: GET ${target.path} again for its tag`,
  )
}

/** Whether one of the tags matches; `*` matches any existing state. */
async function isAnyOf(
  tags: () => AsyncIterable<string | undefined>,
  wanted: EntityTags,
  comparison: 'weak' | 'strong',
): Promise<boolean> {
  for await (const tag of tags()) {
    if (areNaming(wanted, tag, comparison)) return true
  }
  return false
}

/**
 * The tag of each form of the current state, undefined for a form without a tag; nothing if the resource does not
 * exist.
 */
function tagsNow(
  get: Route | undefined,
  request: Request,
  context: Context,
  domain: RequestedDomain,
): () => AsyncIterable<string | undefined> {
  if (get?.opens !== 'reader' && get?.opens !== 'namespace-reader') {
    const problem =
      `${request.method} of this path cannot have If-Match or If-None-Match, for it has no GET: ` +
      'leave them out'
    throw new HyperslabError('option-unsupported', problem)
  }
  return async function* () {
    for (const form of formsOf(request)) {
      try {
        yield await tagOf(get, form, context, domain)
      } catch (error) {
        if (!(error instanceof HyperslabError)) throw error
        if (error.kind === 'missing' || error.kind === 'gone') return
        // GET may reject this form and answer another one.
        if (error.kind !== 'invalid' && error.kind !== 'unsupported') throw error
      }
    }
  }
}

async function tagOf(
  get: ReadRoute | NamespaceReadRoute,
  request: Request,
  context: Context,
  domain: RequestedDomain,
): Promise<string | undefined> {
  const tag = (respond: Respond, place: Place): Promise<string | undefined> =>
    entityTagOfReply(request, respond(place), place.nonFinite)
  if (get.opens === 'reader') {
    const parsed = await get.readHead(request).readBody()
    const opened = await domain.open(context)
    return tag(await parsed.run(context, opened), domain.placeAt(get, opened, request))
  }
  const parsed = await get.readHead(request).readBody()
  return tag(
    await parsed.run(context, await domain.resolve(context)),
    domain.placeAt(get, undefined, request),
  )
}

const NAMING_PARAMETERS = /^(domain|host|bucket)=/

/** The GET requests of the same path, from the likeliest on. */
function* formsOf(request: Request): Iterable<Request> {
  const { target, headers } = request
  const naming = target.rawQuery.split('&').filter(pair => NAMING_PARAMETERS.test(pair))
  const named = parseTarget(`${target.path}?${naming.join('&')}`)
  const { accept: _, origin: __, 'sec-fetch-mode': ___, ...plain } = headers
  const accepts = [headers, plain, { ...plain, accept: 'application/json' }, { ...plain, accept: OCTETS }]
  for (const target of named.rawQuery === request.target.rawQuery ? [named] : [request.target, named]) {
    for (const headers of accepts) yield { ...request, method: 'GET', target, headers }
  }
}
