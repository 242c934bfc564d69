// Objects by their paths: `GET /?h5path=` for one and `POST /` for several (hsds-objects 8.10 and 8.2). A client reads
// one level of a tree with these two requests (clients 5.4). And all paths of a domain, for a search (common 29).

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { isJsonList, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import type { Context, OpenDomain } from '../../service/context.ts'
import { type Description, type DescriptionParts, describe } from '../../service/descriptions/descriptions.ts'
import { openDomain } from '../../service/domains/domains.ts'
import {
  type Following,
  type LocatedObject,
  locateAll,
  locateEach,
  resultOrError,
} from '../../service/links/paths.ts'
import { openObject } from '../../service/objects/objects.ts'
import { type PathBelow, pathsBelow } from '../../service/objects/paths-below.ts'
import { readTogether } from '../../service/objects/read-together.ts'
import type { Dialect, FoundPresentation, ShownValues } from '../dialect/dialect.ts'
import { placeIn } from '../dialect/hrefs.ts'
import { kindOf, objectBody } from '../input/members.ts'
import { type StreamedMembers, streamJson } from '../message/json-stream.ts'
import type { Reply } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { errorBody } from '../output/error-body.ts'
import { LISTING } from '../route/common-parameters.ts'
import { flagQuery, optionalQuery, type ParameterValues } from '../route/parameter.ts'
import { type Answer, type Route, readRoute } from '../route/route.ts'
import { SHOWN_VALUES, shownValues } from '../route/shown-values.ts'

/** Objects whose links and attributes are read together. @limit memory, objects */
const DESCRIBED_AT_ONCE = 16

/** Parameters that decide how paths are followed, and which members of the objects at their ends are shown. */
export const PATH_OPTIONS = {
  start: optionalQuery({
    name: 'parent_id',
    description: 'The id of the group where relative paths begin; without it, the root group.',
    schema: STRING,
    parse: parseStart,
  }),
  soft: flagQuery('follow_soft_links', 'Soft links are followed.'),
  external: flagQuery('follow_external_links', 'External links are followed.'),
  links: flagQuery('include_links', 'Groups come with their links.'),
  attributes: flagQuery('include_attrs', 'Objects come with their attributes.'),
  byCreation: LISTING.byCreation,
  ...SHOWN_VALUES,
}

function parseStart(text: string, dialect: Dialect): ObjectId {
  const { kind = 'group', id } = dialect.parseTarget(text)
  if (kind === 'group') return id
  throw new HyperslabError(
    'object-not-found',
    `parent_id=${text} must be the id of a group, not of a ${kind}`,
  )
}

type PathOptions = ParameterValues<typeof PATH_OPTIONS>

function followingOf({ start, soft, external }: PathOptions): Following {
  return { ...(start !== undefined && { start }), following: { soft, external } }
}

function wantedOf({ links, attributes, byCreation }: PathOptions): DescriptionParts {
  return { links, attributes, order: byCreation ? 'created' : 'name' }
}

/** Paths of one request. @limit safety, paths */
const MAX_PATHS = 10_000

/** `{"h5paths": [path, ...]}` */
function pathsIn(body: JsonObject): readonly string[] {
  const paths = body.get('h5paths')
  if (!isJsonList(paths)) {
    const found = paths === undefined ? 'it is missing' : `not ${kindOf(paths)}`
    throw new HyperslabError('malformed-body', `body.h5paths must be a list of paths, ${found}`)
  }
  if (paths.length > MAX_PATHS) {
    const message =
      `a request must not have more than ${MAX_PATHS} paths, this one has ${paths.length}: send ` +
      'several requests'
    throw new HyperslabError('body-too-large', message)
  }
  return paths.map(pathString)
}

function pathString(path: JsonValue, position: number): string {
  if (typeof path === 'string') return path
  throw new HyperslabError('malformed-body', `body.h5paths[${position}] must be a string`)
}

/** An object, and the domain that it was found in. */
export interface FoundObject {
  readonly domain: OpenDomain
  readonly view: Description
  readonly shown: ShownValues
}

/** The object at a path of the domain, or of a domain to which external links lead. */
export async function findObject(
  context: Context,
  domain: DomainPath,
  path: string,
  options: PathOptions,
): Promise<FoundObject> {
  const located = await locateAll(context, await openDomain(context, domain), [path], followingOf(options))
  const [found] = located.values()
  const view = await describe(context, found, wantedOf(options))
  return { domain: found.domain, view, shown: shownValues(options) }
}

export function foundReply({ domain, view, shown }: FoundObject, { place, dialect }: Answer): Reply {
  const present = presentOf(dialect)
  const domainPlace = placeIn(place, domain.entry.path, domain.root.id)
  return {
    status: 200,
    body: { ...present.object(domainPlace, view, shown), hrefs: present.hrefs(domainPlace) },
  }
}

export function presentOf({ name, presentFound }: Dialect): FoundPresentation {
  if (presentFound) return presentFound
  throw new Error(`the ${name} dialect does not know paths`)
}

/** Text that is sent together, in characters: twice as much each time, so that the first paths come soon. */
const TEXT_LENGTHS = { first: 2 ** 13, most: 2 ** 18 }

/** A path in a line: a client that reads while it comes divides the text at the ends of lines. */
async function* pathLines(
  paths: AsyncIterable<PathBelow>,
  { formatId }: Dialect,
): AsyncGenerator<Uint8Array> {
  let text = '['
  let separator = '\n'
  let length = TEXT_LENGTHS.first
  for await (const { path, object } of paths) {
    const { kind = 'link' } = object ?? {}
    const item = object?.kind === 'group' ? [path, kind, formatId(object)] : [path, kind]
    text += separator + JSON.stringify(item)
    separator = ',\n'
    if (text.length < length) continue
    length = Math.min(2 * length, TEXT_LENGTHS.most)
    if (isTurnOver()) await nextTurn()
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}\n]`)
}

const listPathsRoute = readRoute({
  name: 'list-paths',
  method: 'GET',
  path: '/paths',
  summary: 'Lists the paths of all objects and links below the root group, with their kinds.',
  access: 'read',
  parameters: {},
  answers: { 200: { description: 'The paths, those near the root first.', json: 'PathList' } },
  async run(context, domain) {
    const root = await openObject(context, domain, 'group', domain.root.id, 'read')
    return pathsBelow(context, { domain, object: root }, '/')
  },
  respond: (paths, { dialect }) => ({
    status: 200,
    stream: { contentType: dialect.jsonContentType, isUntagged: true, pieces: pathLines(paths, dialect) },
  }),
})

export const pathRoutes: readonly Route[] = [
  listPathsRoute,
  readRoute({
    name: 'get-objects-by-path',
    method: 'POST',
    path: '/',
    summary: 'Describes the objects at several paths.',
    access: 'read',
    accessTo: ({ start }) => start && { kind: 'group', id: start },
    only: 'hsds',
    parameters: {
      ...PATH_OPTIONS,
      errors: flagQuery(
        'include_errors',
        'A path that leads nowhere has its error, and does not fail the request.',
      ),
    },
    body: {
      description: 'The paths.',
      required: true,
      json: 'PathQuery',
      read: async body => pathsIn(objectBody(await body.json())),
    },
    answers: {
      200: {
        description:
          'The objects by their paths, in the order of the body; with `include_errors` also errors.',
        json: 'FoundObjects',
      },
    },
    async run(context, domain, { body: paths, errors, ...options }) {
      const from = followingOf(options)
      if (errors) return { context, located: await locateEach(context, domain, paths, from) }
      // All objects are found before the first one is sent, so that a path that leads nowhere is an error answer.
      return { context, located: await locateAll(context, domain, paths, from) }
    },
    respond({ context, located }, { place, dialect }, { errors, ...options }) {
      const present = presentOf(dialect)
      const shown = async ({ domain, object }: LocatedObject) => {
        const view = await describe(context, { domain, object }, wantedOf(options))
        return present.object(placeIn(place, domain.entry.path, domain.root.id), view, shownValues(options))
      }
      const member = async ([path, found]: readonly [string, LocatedObject | HyperslabError]) => {
        const body =
          found instanceof HyperslabError
            ? found
            : await (errors ? resultOrError(shown(found)) : shown(found))
        return [path, body instanceof HyperslabError ? errorBody(body, dialect) : body] as const
      }
      const members: StreamedMembers = readTogether(located, member, DESCRIBED_AT_ONCE)
      const pieces = streamJson({ h5paths: members }, place.nonFinite)
      return { status: 200, stream: { contentType: dialect.jsonContentType, pieces } }
    },
  }),
]
