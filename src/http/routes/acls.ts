// Access control lists: of an object, and under `/acls` of the root group, in the hsds dialect also of a folder. That
// dialect changes lists under `/acls` only; what holds for an object it tells (hsds-objects 2; clients 3.3).

import { HyperslabError } from '../../errors.ts'
import { PERMISSIONS, type Permission } from '../../hdf5/acl.ts'
import type { DomainPath } from '../../hdf5/domain-path.ts'
import { excerpt, type JsonObject, type JsonValue } from '../../hdf5/json.ts'
import { aclName } from '../../hdf5/names.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import {
  type AclChange,
  getAclItem,
  type Listed,
  listAcl,
  listedAt,
  putAclItems,
  requirePathAccess,
} from '../../service/acls.ts'
import type { Context, OpenDomain, WriteContext } from '../../service/context.ts'
import { isObject, kindOf, objectBody } from '../body/members.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { RequestRules, Rules } from '../dialect/rules.ts'
import type { Reply, Request } from '../message.ts'
import {
  oldNamespaceReadRoute,
  oldNamespaceWriteRoute,
  oldReadRoute,
  oldWriteRoute,
  type RouteData,
} from '../old-route.ts'
import { objectOf, requireNamed, userNameOf } from '../parameters.ts'
import type { Answer, Route } from '../route.ts'

/**
 * The flags of a body; values count by truth (classic 10.3), or must be booleans (hsds-objects 9). A flag that is
 * misspelled would not hold, and nobody would notice.
 */
function permissionsIn(json: JsonObject, { requests }: Rules): Partial<Record<Permission, boolean>> {
  requireFlags(json, requests)
  const named = PERMISSIONS.filter(permission => json.has(permission))
  if (named.length === 0) {
    throw new HyperslabError(
      'malformed-acl',
      `an item needs one at least of the flags ${PERMISSIONS.join(', ')}`,
    )
  }
  return Object.fromEntries(named.map(permission => [permission, isTrue(json.get(permission))]))
}

/** An item may be sent back as it came. */
const NAME_MEMBERS: ReadonlySet<string> = new Set(['userName', 'username', 'domain'])

function requireFlags(json: JsonObject, { strictBodies }: RequestRules): void {
  for (const [name, value] of json) {
    if (NAME_MEMBERS.has(name)) continue
    if (!PERMISSIONS.some(permission => permission === name)) {
      throw new HyperslabError(
        'malformed-acl',
        `an item has no member ${excerpt(name)}: its flags are ${PERMISSIONS.join(', ')}`,
      )
    }
    if (strictBodies && typeof value !== 'boolean') {
      throw new HyperslabError('malformed-acl', `${name} must be true or false, not ${kindOf(value)}`)
    }
  }
}

function isTrue(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? value.size > 0 : Boolean(value)
}

/** Whose item a body is, if it says so (common 8). */
function nameIn(item: JsonObject): JsonValue | undefined {
  return item.get('userName') ?? item.get('username')
}

/** The path names the user; a body that names another is a mistake. */
function requireName(body: JsonObject, userName: string): void {
  const named = nameIn(body)
  if (named === undefined || named === userName) return
  throw new HyperslabError('malformed-acl', `the path names "${userName}" and the body ${excerpt(named)}`)
}

/** No list has more items. */
const MAX_CHANGES = 1000

/** `{"acls": [item, ...]}`: several items at once (classic 10.4). */
function changesIn(body: JsonObject, rules: Rules): readonly AclChange[] {
  const items = body.get('acls')
  if (!Array.isArray(items) || items.length === 0) {
    throw new HyperslabError('malformed-acl', 'body.acls must be a list of items, one at least')
  }
  if (items.length > MAX_CHANGES) {
    throw new HyperslabError(
      'malformed-acl',
      `body.acls has at most ${MAX_CHANGES} items, not ${items.length}`,
    )
  }
  return items.map((item: JsonValue, index) => {
    if (!isObject(item)) {
      throw new HyperslabError('malformed-acl', `body.acls[${index}] must be an object, not ${kindOf(item)}`)
    }
    const userName = nameIn(item)
    if (typeof userName !== 'string') {
      throw new HyperslabError('malformed-acl', `body.acls[${index}].userName must be a user's name`)
    }
    return { userName: aclName(userName), permissions: permissionsIn(item, rules) }
  })
}

/** Routes to the lists of one dialect at one path: how a list is found there, within which a route reads or writes. */
interface AclPath {
  readonly path: string
  read<Input, Output>(route: AclRoute<Context, Input, Output>): Route
  write<Input, Output>(route: AclRoute<WriteContext, Input, Output>): Route
}

interface AclRoute<In extends Context, Input, Output>
  extends Pick<RouteData, 'name' | 'method' | 'path' | 'access'> {
  readonly parse: (request: Request) => Input | Promise<Input>
  readonly run: (context: In, listed: Listed, input: Input, rules: Rules) => Promise<Output>
  /** The object is that whose list the path names; none where that is the place itself, which knows its root group. */
  readonly respond: (
    output: Output,
    answer: Answer,
    object: ObjectReference | undefined,
    input: Input,
  ) => Reply
}

const present = (answer: Answer) => answer.request.dialect.present

function readsAt({ path, read }: AclPath): Route[] {
  return [
    read({
      name: 'list-acl',
      method: 'GET',
      path: `${path}/acls`,
      access: 'readACL',
      parse: () => undefined,
      run: (context, listed, _, { acls: { inherited } }) => listAcl(context, listed, { inherited }),
      respond: (acl, answer, object) => ({
        status: 200,
        body: present(answer).acls.list(answer.place, object, acl),
      }),
    }),

    read({
      name: 'get-acl-item',
      method: 'GET',
      path: `${path}/acls/:user`,
      access: 'readACL',
      parse: userNameOf,
      run: (context, listed, userName, { acls: { items } }) =>
        getAclItem(context, listed, userName, { items }),
      respond: (item, answer, object) => ({
        status: 200,
        body: present(answer).acls.shown(answer.place, object, item),
      }),
    }),
  ]
}

function writesAt({ path, write }: AclPath): Route[] {
  return [
    write({
      name: 'put-acl-item',
      method: 'PUT',
      path: `${path}/acls/:user`,
      access: 'updateACL',
      async parse(request): Promise<AclChange> {
        const { rules } = request.dialect
        const userName = userNameOf(request)
        const body = objectBody(await request.body.json())
        if (rules.requests.strictBodies) requireName(body, userName)
        return { userName, permissions: permissionsIn(body, rules) }
      },
      run: (context, listed, change, { acls: { names } }) =>
        putAclItems(context, listed, [change], { names }),
      respond: (_, answer, object, { userName }) => ({
        status: 201,
        body: present(answer).acls.put(answer.place, object, userName),
      }),
    }),

    write({
      name: 'put-acl',
      method: 'PUT',
      path: `${path}/acls`,
      access: 'updateACL',
      parse: async request => changesIn(objectBody(await request.body.json()), request.dialect.rules),
      run: (context, listed, changes, { acls: { names } }) =>
        putAclItems(context, listed, changes, { names }),
      respond: (_, answer, object) => ({
        status: answer.request.dialect.rules.acls.putManyStatus,
        body: present(answer).acls.put(answer.place, object, undefined),
      }),
    }),
  ]
}

/** Lists of objects, told by the path, or of the root group. */
function inDomain(
  only: 'classic' | 'hsds',
  path: string,
  objectOf: (request: Request) => ObjectReference | undefined,
): AclPath {
  function within<In extends Context, Input, Output>(route: AclRoute<In, Input, Output>) {
    return {
      ...route,
      only,
      parse: async (request: Request) => ({
        asked: objectOf(request),
        rules: request.dialect.rules,
        input: await route.parse(request),
      }),
      async run(context: In, domain: OpenDomain, { asked, rules, input }: Parsed<Input>) {
        const object = asked ?? { kind: 'group', id: domain.root.id }
        return { object, output: await route.run(context, { domain, object }, input, rules) }
      },
      respond: ({ object, output }: Found<Output>, answer: Answer, { input }: Parsed<Input>) =>
        route.respond(output, answer, object, input),
    }
  }
  return { path, read: route => oldReadRoute(within(route)), write: route => oldWriteRoute(within(route)) }
}

interface Parsed<Input> {
  readonly asked: ObjectReference | undefined
  readonly rules: Rules
  readonly input: Input
}

interface Found<Output> {
  readonly object: ObjectReference
  readonly output: Output
}

/** The hsds dialect: the list of a domain or of a folder. */
function inNamespace(): AclPath {
  function within<In extends Context, Input, Output>(route: AclRoute<In, Input, Output>) {
    return {
      ...route,
      only: 'hsds' as const,
      permit(context: Context, path: DomainPath) {
        requireNamed(path)
        return requirePathAccess(context, path, 'updateACL')
      },
      async run(context: In, path: DomainPath, input: Input, { rules }: Dialect) {
        requireNamed(path)
        const listed = await listedAt(context, path)
        return { listed, output: await route.run(context, listed, input, rules) }
      },
      respond(
        { listed, output }: { readonly listed: Listed; readonly output: Output },
        { place, request }: Answer,
        input: Input,
      ) {
        const root = 'folder' in listed ? undefined : listed.domain.root.id
        return route.respond(output, { place: { ...place, root }, request }, undefined, input)
      },
    }
  }
  return {
    path: '',
    read: route => oldNamespaceReadRoute(within(route)),
    write: route => oldNamespaceWriteRoute(within(route)),
  }
}

const CLASSIC = [inDomain('classic', '', () => undefined), inDomain('classic', '/:collection/:id', objectOf)]

export const aclRoutes: readonly Route[] = [
  ...[...CLASSIC, inNamespace()].flatMap(place => [...readsAt(place), ...writesAt(place)]),
  ...readsAt(inDomain('hsds', '/:collection/:id', objectOf)),
]
