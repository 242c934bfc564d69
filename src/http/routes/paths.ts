// Objects by their paths: `GET /?h5path=` for one and `POST /` for several (hsds-objects 8.10 and 8.2). One level of a
// tree costs a client these two requests (clients 5.4).

import { HyperslabError } from '../../errors.ts'
import type { DomainPath } from '../../hdf5/domain-path.ts'
import { isJsonList } from '../../hdf5/json.ts'
import type { ObjectId, ObjectReference } from '../../hdf5/object-id.ts'
import type { Context, OpenDomain } from '../../service/context.ts'
import { type Description, describe, type Wanted } from '../../service/descriptions/descriptions.ts'
import { openDomain } from '../../service/domains/domains.ts'
import { type Following, locateAll } from '../../service/links/paths.ts'
import { type StreamedMembers, streamJson } from '../body/json-stream.ts'
import { kindOf, objectBody } from '../body/members.ts'
import type { PresentFound } from '../dialect/dialect.ts'
import { placeIn } from '../dialect/hrefs.ts'
import type { Reply, Request, RequestHead } from '../message.ts'
import { oldReadRoute } from '../old-route.ts'
import { flag, oldListingOf } from '../parameters.ts'
import type { Answer, Route } from '../route.ts'

/** What to look for, and what to tell of it. */
export interface PathsQuery {
  readonly paths: readonly string[]
  /** Where relative paths begin; absent: at the root group. */
  readonly start?: ObjectId
  readonly following: Following
  readonly wanted: Wanted
}

const MAX_PATHS = 10_000

/** What a request about the domain asks for instead of it, if the dialect knows paths. */
export function pathIn(request: Request): PathsQuery | undefined {
  const path = request.target.query.get('h5path')
  return path && request.dialect.presentFound ? queryOf(request, [path]) : undefined
}

function queryOf(request: Request, paths: readonly string[]): PathsQuery {
  const start = startOf(request)
  return {
    paths,
    ...(start !== undefined && { start }),
    following: { soft: flag(request, 'follow_soft_links'), external: flag(request, 'follow_external_links') },
    wanted: {
      links: flag(request, 'include_links'),
      attributes: flag(request, 'include_attrs'),
      order: oldListingOf(request).order,
    },
  }
}

/** The caller must be able to read the group where paths begin. */
function groupOfPaths(request: Request): ObjectReference | undefined {
  const id = startOf(request)
  return id && { kind: 'group', id }
}

function startOf({ dialect, target }: Request): ObjectId | undefined {
  const text = target.query.get('parent_id')
  if (!text) return undefined
  const { kind = 'group', id } = dialect.parseTarget(text)
  if (kind === 'group') return id
  throw new HyperslabError('object-not-found', `parent_id=${text} is the id of a ${kind}, not of a group`)
}

async function pathsOf(request: Request): Promise<PathsQuery> {
  const paths = objectBody(await request.body.json()).get('h5paths')
  if (!isJsonList(paths)) {
    const what = paths === undefined ? 'it is missing' : `not ${kindOf(paths)}`
    throw new HyperslabError('malformed-body', `body.h5paths must be a list of paths, ${what}`)
  }
  if (paths.length > MAX_PATHS) {
    const message = `a request asks for at most ${MAX_PATHS} paths, not ${paths.length}`
    throw new HyperslabError('body-too-large', message)
  }
  return queryOf(request, paths.map(pathText))
}

function pathText(path: unknown, position: number): string {
  if (typeof path === 'string') return path
  throw new HyperslabError('malformed-body', `body.h5paths[${position}] must be a text`)
}

/** The object at the only path that is asked for, and the domain that it was found in. */
export interface FoundObject {
  readonly domain: OpenDomain
  readonly view: Description
}

export async function findObject(
  context: Context,
  path: DomainPath,
  query: PathsQuery,
): Promise<FoundObject> {
  const [found] = (await locateAll(context, await openDomain(context, path), query.paths, query)).values()
  return { domain: found.domain, view: await describe(context, found, query.wanted) }
}

export function foundReply({ domain, view }: FoundObject, { place, request }: Answer): Reply {
  const present = presentOf(request)
  const there = placeIn(place, domain.entry.path, domain.root.id)
  return { status: 200, body: { ...present.object(there, view), hrefs: present.hrefs(there) } }
}

export function presentOf({ dialect }: RequestHead): PresentFound {
  if (dialect.presentFound) return dialect.presentFound
  throw new Error(`the ${dialect.name} dialect does not know paths`)
}

export const pathRoutes: readonly Route[] = [
  oldReadRoute({
    name: 'get-objects-by-path',
    method: 'POST',
    path: '/',
    access: 'read',
    accessTo: groupOfPaths,
    only: 'hsds',
    parse: pathsOf,
    async run(context, domain, query) {
      // All are found before the first is sent, so that a path that leads nowhere is told in time.
      return { context, located: await locateAll(context, domain, query.paths, query) }
    },
    respond({ context, located }, { place, request }, { wanted }) {
      async function* members(): StreamedMembers {
        for (const [path, { domain, object }] of located) {
          const view = await describe(context, { domain, object }, wanted)
          yield [path, presentOf(request).object(placeIn(place, domain.entry.path, domain.root.id), view)]
        }
      }
      const pieces = streamJson({ h5paths: members() }, place.nonFinite)
      return { status: 200, stream: { contentType: request.dialect.jsonContentType, pieces } }
    },
  }),
]
