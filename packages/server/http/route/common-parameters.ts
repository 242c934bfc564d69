// The parameters that several routes have in common.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  attributeName,
  type DomainPath,
  type Glob,
  isCollection,
  isTopLevel,
  kindOfCollection,
  linkTitle,
  type ObjectId,
  type ObjectKind,
  type ObjectReference,
  parseGlob,
} from '@hyperslab/model/names'
import { isAnonymous } from '../../service/context.ts'
import type { Listing } from '../../service/listing.ts'
import { aclName } from '../../service/user-names.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { RequestHead } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { noSuchPath } from '../message/target.ts'
import { flagQuery, optionalQuery, type Parameter, type ParameterValues } from './parameter.ts'

/** The id in the path, of the kind that the route is about. `/groups/` and `/groups//links` are unknown paths. */
export function pathId(kind: ObjectKind): Parameter<ObjectId> {
  return {
    name: 'id',
    in: 'path',
    description: `The id of the ${kind}.`,
    schema: STRING,
    read: head => idOf(head, kind),
  }
}

/** The object of `/:collection/:id/...`. */
export const PATH_OBJECT: Parameter<ObjectReference> = {
  name: 'id',
  in: 'path',
  description: 'The id of the object.',
  schema: STRING,
  read: objectOf,
}

/**
 * The attribute name in the path: all that follows `/attributes/`, slashes included (clients 3.8), up to the `part` of
 * the attribute, if the path names one.
 */
export function pathAttributeName(part?: 'value'): Parameter<string> {
  return {
    name: 'name',
    in: 'path',
    description: 'The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.',
    schema: { type: 'string', minLength: 1 },
    read(head) {
      const raw = head.target.segments.slice(3, part === undefined ? undefined : -1)
      requireNames(head, raw)
      return attributeName(head.dialect.decodeName(raw.join('/')))
    },
  }
}

/** The link title in the path: the fourth segment, and nothing may follow it. */
export const LINK_TITLE: Parameter<string> = {
  name: 'title',
  in: 'path',
  description: 'The title of the link, percent-encoded.',
  schema: { type: 'string', minLength: 1 },
  read(head) {
    const [raw = '', ...rest] = head.target.segments.slice(3)
    requireNames(head, [raw], rest)
    if (rest.length > 0) {
      throw new HyperslabError(
        'malformed-name',
        'the path must end with the title of the link, which holds no slash',
      )
    }
    return linkTitle(head.dialect.decodeName(raw))
  },
}

/** The user name of an access control item: the last segment of the path. */
export const USER_NAME: Parameter<string> = {
  name: 'user',
  in: 'path',
  description: 'The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.',
  schema: { type: 'string', minLength: 1 },
  read(head) {
    const name = head.target.segments.at(-1) ?? ''
    requireNames(head, [name])
    return aclName(head.dialect.decodeName(name))
  },
}

/** The parameters of every listing. */
export const LISTING = {
  limit: {
    ...optionalQuery({
      name: 'Limit',
      description: 'The largest number of items; absent, 0 or, in the classic dialect, negative: all.',
      schema: { type: 'string', pattern: '^\\s*[+-]?[0-9]+\\s*$', examples: ['100'] },
      parse(text, { rules }) {
        const limit = wholeLimit(text)
        if (limit < 0 && rules.listings.negativeLimit === 'error') {
          throw new HyperslabError('malformed-parameter', `Limit=${text} must not be negative`)
        }
        return limit > 0 ? limit : undefined
      },
    }),
  },
  marker: optionalQuery({
    name: 'Marker',
    description: 'The listing begins behind this item: a name, or an id where ids are listed.',
    schema: STRING,
    parse: text => text,
  }),
  byCreation: flagQuery(
    'CreateOrder',
    'Items come in the order of their creation, not of their names.',
    'hsds',
  ),
} as const

/** The request of a listing from its parameters. */
export function listingOf(
  { limit, marker, byCreation }: ParameterValues<typeof LISTING>,
  { rules }: Dialect,
): Listing {
  const { unknownMarker } = rules.listings
  return { limit, marker, order: byCreation ? 'created' : 'name', unknownMarker }
}

export const PATTERN: Parameter<Glob | undefined> = optionalQuery({
  name: 'pattern',
  description: 'Only items whose names match it: `*`, `?`, `[abc]`, `[!abc]`.',
  schema: STRING,
  only: 'hsds',
  parse: parseGlob,
})

export const FOLLOW_LINKS: Parameter<boolean> = flagQuery(
  'follow_links',
  'Also for all groups that hard links reach from this one: the answer is a map by id.',
  'hsds',
)

/**
 * Names in the query, separated by `separator`; the parameter may come several times, which adds names (hsds-objects
 * 1.3). `parse` checks one name; `decode` makes the names with their separators from the text of the parameter.
 */
export function namesQuery(
  name: 'titles' | 'attr_names',
  parse: (text: string) => string,
  decode: (text: string, head: RequestHead) => string = text => text,
): { readonly separator: Parameter<string>; readonly names: Parameter<readonly string[]> } {
  return {
    separator: {
      name: 'separator',
      in: 'query',
      description: `The string between two names in ${name}; a slash by default.`,
      schema: STRING,
      read: separatorOf,
    },
    names: {
      name,
      in: 'query',
      description: 'The names, separated by slashes or by the separator. It may come several times.',
      schema: STRING,
      read(head) {
        const texts = head.target.query.getAll(name).filter(text => text !== '')
        if (texts.length === 0) {
          throw new HyperslabError('malformed-parameter', `the query must have names in "${name}"`)
        }
        const separator = separatorOf(head)
        return texts.flatMap(text => decode(text, head).split(separator)).map(parse)
      },
    },
  }
}

function separatorOf({ target }: RequestHead): string {
  return target.query.get('separator') || '/'
}

/** Throws if a request about one domain or folder names none: its path is then the top level. */
export function requireNamed(path: DomainPath): void {
  if (!isTopLevel(path)) return
  throw new HyperslabError('domain-not-named', 'the request must name a domain or folder: by ?domain=/path')
}

/** The id in the path, of the kind that the route is about. `/groups/` and `/groups//links` are unknown paths. */
export function idOf(request: RequestHead, kind: ObjectKind): ObjectId {
  const { id = '' } = request.parameters
  if (id === '') throw noSuchPath(request.target)
  return request.dialect.parseId(id, kind)
}

/** The object of `/:collection/:id/...`. */
export function objectOf(request: RequestHead): ObjectReference {
  const [collection = ''] = request.target.segments
  if (!isCollection(collection)) throw noSuchPath(request.target)
  const kind = kindOfCollection(collection)
  return { kind, id: idOf(request, kind) }
}

/**
 * Throws, in a dialect with exact paths, for a path without a name at its end, or with more segments after it
 * (hsds-objects 2).
 */
function requireNames(
  { dialect, target }: RequestHead,
  names: readonly string[],
  rest: readonly string[] = [],
): void {
  const isExact = !names.includes('') && rest.length === 0
  if (dialect.rules.requests.exactPaths && !isExact) throw noSuchPath(target)
}

/** The number in `Limit`. */
export function wholeLimit(text: string): number {
  const limit = /^\s*[+-]?\d{1,300}\s*$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isNaN(limit)) return limit
  throw new HyperslabError('malformed-parameter', `Limit=${text} must be a whole number`)
}

/** Whether the request has no caller that it names. */
export const IS_ANONYMOUS: Parameter<boolean> = {
  name: 'Authorization',
  in: 'header',
  description: 'Caches may share the answers to requests without credentials.',
  schema: STRING,
  read: ({ caller }) => isAnonymous(caller),
}
