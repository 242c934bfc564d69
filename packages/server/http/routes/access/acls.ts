// Access control lists: of an object, and under `/acls` of the root group, in the hsds dialect also of a folder. That
// dialect changes lists under `/acls` only; the lists of objects can be read there (hsds-objects 2; clients 3.3).

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, isJsonObject, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import {
  DEFAULT_USER,
  type DomainPath,
  type ObjectId,
  type ObjectReference,
  PERMISSIONS,
  type Permission,
} from '@hyperslab/model/names'
import {
  type AclChange,
  type AclOwner,
  type ChangedItem,
  deleteAclItem,
  findAclOwner,
  getAclItem,
  getOwnPermissions,
  listAcl,
  MAX_ITEMS,
  putAclItems,
  requirePathAccess,
} from '../../../service/acls.ts'
import type { Context, OpenDomain, WriteContext } from '../../../service/context.ts'
import { aclName } from '../../../service/user-names.ts'
import type { Dialect } from '../../dialect/dialect.ts'
import type { Rules } from '../../dialect/rules.ts'
import { kindOf, objectBody } from '../../input/members.ts'
import { type JsonReply, jsonReply } from '../../message/message.ts'
import { itemsIn } from '../../route/changes.ts'
import { PATH_OBJECT, requireNamed, USER_NAME } from '../../route/common-parameters.ts'
import { flagQuery, type Parameter, type Parameters } from '../../route/parameter.ts'
import {
  type Answer,
  type Definition,
  namespaceReadRoute,
  namespaceWriteRoute,
  type Route,
  readRoute,
  writeRoute,
} from '../../route/route.ts'

/**
 * The flags of a body. In the classic dialect any value counts by its truth (classic 10.3), in the hsds dialect it must
 * be a boolean (hsds-objects 9). A misspelled flag is an error, because the caller would not notice that it has no
 * effect.
 */
function permissionsIn(item: JsonObject, { acls }: Rules): Partial<Record<Permission, boolean>> {
  requireFlags(item, acls.flags === 'boolean')
  const named = PERMISSIONS.filter(permission => item.has(permission))
  if (named.length === 0) {
    throw new HyperslabError(
      'malformed-acl',
      `an item must have at least one of the flags ${PERMISSIONS.join(', ')}`,
    )
  }
  return Object.fromEntries(named.map(permission => [permission, isTruthy(item.get(permission))]))
}

/** Members of an item other than its flags; they are allowed so that an item of an answer can be sent back. */
const NAME_MEMBERS: ReadonlySet<string> = new Set(['userName', 'username', 'domain'])

function requireFlags(item: JsonObject, mustBeBooleans: boolean): void {
  for (const [name, value] of item) {
    if (NAME_MEMBERS.has(name)) continue
    if (!PERMISSIONS.some(permission => permission === name)) {
      throw new HyperslabError(
        'malformed-acl',
        `an item must not have a member ${excerpt(name)}: its flags are ${PERMISSIONS.join(', ')}`,
      )
    }
    if (mustBeBooleans && typeof value !== 'boolean') {
      throw new HyperslabError('malformed-acl', `${name} must be true or false, not ${kindOf(value)}`)
    }
  }
}

function isTruthy(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isJsonObject(value) ? value.size > 0 : Boolean(value)
}

/** The user name in an item, if it has one (common 8). */
function nameIn(item: JsonObject): JsonValue | undefined {
  return item.get('userName') ?? item.get('username')
}

/** Throws if the body names another user than the path. */
function requireName(item: JsonObject, userName: string): void {
  const name = nameIn(item)
  if (name === undefined || name === userName) return
  throw new HyperslabError(
    'malformed-acl',
    `the user of the body must be that of the path, "${userName}", not ${excerpt(name)}`,
  )
}

/** `{"acls": [item, ...]}`: several items at once (classic 10.4). */
export function changesIn(body: JsonObject, rules: Rules): readonly AclChange[] {
  const items = body.get('acls')
  if (!Array.isArray(items) || items.length === 0) {
    throw new HyperslabError('malformed-acl', 'body.acls must be a list of at least one item')
  }
  if (items.length > MAX_ITEMS) {
    throw new HyperslabError(
      'malformed-acl',
      `body.acls must have at most ${MAX_ITEMS} items, not ${items.length}`,
    )
  }
  return items.map((item: JsonValue, index) => {
    if (!isJsonObject(item)) {
      throw new HyperslabError('malformed-acl', `body.acls[${index}] must be an object, not ${kindOf(item)}`)
    }
    const userName = nameIn(item)
    if (typeof userName !== 'string') {
      throw new HyperslabError('malformed-acl', `body.acls[${index}].userName must be the name of a user`)
    }
    return { userName: aclName(userName), permissions: permissionsIn(item, rules) }
  })
}

/** The owner of a list: the open domain, or a path of the namespace. */
type Subject = OpenDomain | DomainPath

const EFFECTIVE = flagQuery(
  'effective',
  'The item says what the caller, whose name is in the path, may do, whatever item the list has.',
)

/** The lists at one path, and how routes to them are made. */
interface AclLocation {
  readonly path: string
  /** The object in the path; without it the list is that of the domain or folder. */
  readonly object: { readonly object?: Parameter<ObjectReference> }
  /** The parameter by which callers ask for their own permissions, where it exists. */
  readonly own: { readonly effective?: Parameter<boolean> }
  read<const P extends Parameters, B, Output>(definition: Definition<Context, Subject, P, B, Output>): Route
  write<const P extends Parameters, B, Output>(
    definition: Definition<WriteContext, Subject, P, B, Output>,
  ): Route
}

const IN_DOMAIN = { read: readRoute, write: writeRoute }
/** The list of the root group. */
export const OF_ROOT: AclLocation = { path: '', object: {}, own: {}, ...IN_DOMAIN }
/** The list of the object in the path. */
export const OF_OBJECT: AclLocation = {
  path: '/:collection/:id',
  object: { object: PATH_OBJECT },
  own: {},
  ...IN_DOMAIN,
}

/** The list of a domain or of a folder. */
const OF_NAMESPACE: AclLocation = {
  path: '',
  object: {},
  own: { effective: EFFECTIVE },
  read: namespaceReadRoute,
  write: definition =>
    namespaceWriteRoute({
      ...definition,
      permit(context, path) {
        requireNamed(path)
        return requirePathAccess(context, path, 'updateACL')
      },
    }),
}

/** A list, and the ids that its hrefs need. */
interface LocatedList {
  readonly listed: AclOwner
  /** The root group, which a folder does not have. */
  readonly root: ObjectId | undefined
  /** The object that hrefs name; undefined: they name the domain or folder. */
  readonly object: ObjectReference | undefined
}

async function findList(
  context: Context,
  subject: Subject,
  object: ObjectReference | undefined,
): Promise<LocatedList> {
  if (typeof subject === 'string') {
    requireNamed(subject)
    const listed = await findAclOwner(context, subject)
    return { listed, root: 'folder' in listed ? undefined : listed.domain.root.id, object: undefined }
  }
  const root = subject.root.id
  const owner = object ?? { kind: 'group', id: root }
  return { listed: { domain: subject, object: owner }, root, object: owner }
}

function requireOwnName({ caller }: Context, userName: string): void {
  if (userName === (caller.name ?? DEFAULT_USER)) return
  throw new HyperslabError(
    'malformed-parameter',
    `effective must be absent, or the user of the path must be the caller, not "${userName}"`,
  )
}

export function readsAt(only: Dialect['name'], { path, object, own, read }: AclLocation): readonly Route[] {
  return [
    read({
      name: 'list-acl',
      method: 'GET',
      path: `${path}/acls`,
      summary: 'Lists the items of an access control list.',
      access: 'readACL',
      only,
      parameters: object,
      answers: { 200: { description: 'The items.', json: 'AclList' } },
      async run(context, subject, input, { rules }) {
        const list = await findList(context, subject, input.object)
        const { inherited } = rules.acls
        return { list, acl: await listAcl(context, list.listed, { inherited }) }
      },
      respond: ({ list, acl }, { place, dialect }) =>
        jsonReply(dialect.present.acls.list({ ...place, root: list.root }, list.object, acl)),
    }),

    read({
      name: 'get-acl-item',
      method: 'GET',
      path: `${path}/acls/:user`,
      summary: 'Describes the item of a user.',
      access: 'readACL',
      only,
      parameters: { ...object, user: USER_NAME, ...own },
      answers: { 200: { description: 'The item.', json: 'Acl' } },
      async run(context, subject, input, { rules }) {
        const list = await findList(context, subject, input.object)
        const { items } = rules.acls
        if (input.effective) {
          requireOwnName(context, input.user)
          return { list, item: await getOwnPermissions(context, list.listed) }
        }
        return { list, item: await getAclItem(context, list.listed, input.user, { items }) }
      },
      respond: ({ list, item }, { place, dialect }) =>
        jsonReply(dialect.present.acls.shown({ ...place, root: list.root }, list.object, item)),
    }),
  ]
}

export function writesAt(only: Dialect['name'], location: AclLocation): readonly Route[] {
  return [putItemAt(only, location), putItemsAt(only, location), deleteItemAt(only, location)]
}

function putItemAt(only: Dialect['name'], { path, object, write }: AclLocation): Route {
  return write({
    name: 'put-acl-item',
    method: 'PUT',
    path: `${path}/acls/:user`,
    summary: 'Creates or changes the item of a user. Flags that are not sent stay as they are.',
    access: 'updateACL',
    only,
    parameters: { ...object, user: USER_NAME },
    body: {
      description: 'The flags to set.',
      required: true,
      json: 'NewAcl',
      async read(body, { rules }, { user }): Promise<AclChange> {
        const item = objectBody(await body.json())
        if (rules.acls.otherName === 'error') requireName(item, user)
        return { userName: user, permissions: permissionsIn(item, rules) }
      },
    },
    answers: { 201: { description: 'The item is stored.', json: 'AclPut' } },
    run: (context, subject, input, { rules }) =>
      putItems(context, subject, input.object, [input.body], rules),
    respond: (list, answer, { user }) => changedReply(201, list, answer, user),
  })
}

function putItemsAt(only: Dialect['name'], { path, object, write }: AclLocation): Route {
  return write({
    name: 'put-acl',
    method: 'PUT',
    path: `${path}/acls`,
    summary: 'Creates or changes the items of several users. Items of other users stay as they are.',
    access: 'updateACL',
    only,
    parameters: object,
    body: {
      description: 'The items.',
      required: true,
      json: 'NewAclList',
      read: async (body, { rules }) => changesIn(objectBody(await body.json()), rules),
    },
    answers: {
      200: { description: 'The items are stored.', json: 'AclPut', only: 'classic' },
      201: { description: 'The items are stored.', json: 'AclPut', only: 'hsds' },
    },
    run: (context, subject, input, { rules }) => putItems(context, subject, input.object, input.body, rules),
    respond: (list, answer) => changedReply(answer.dialect.rules.acls.putManyStatus, list, answer, undefined),
  })
}

function deleteItemAt(only: Dialect['name'], { path, object, write }: AclLocation): Route {
  return write({
    name: 'delete-acl-item',
    method: 'DELETE',
    path: `${path}/acls/:user`,
    summary: 'Removes the item of a user.',
    access: 'updateACL',
    only,
    parameters: { ...object, user: USER_NAME },
    answers: { 200: { description: 'The item is removed.', json: 'AclPut' } },
    async run(context, subject, input) {
      const list = await findList(context, subject, input.object)
      return { ...list, items: await deleteAclItem(context, list.listed, input.user) }
    },
    respond: (list, answer, { user }) => changedReply(200, list, answer, user),
  })
}

async function putItems(
  context: WriteContext,
  subject: Subject,
  object: ObjectReference | undefined,
  changes: readonly AclChange[],
  { acls }: Rules,
): Promise<ChangedList> {
  const list = await findList(context, subject, object)
  return { ...list, items: await putAclItems(context, list.listed, changes, { names: acls.names }) }
}

interface ChangedList extends LocatedList {
  readonly items: readonly ChangedItem[]
}

/** The reply after a change of the item of a user, or of several. */
function changedReply(
  status: number,
  { root, object, items }: ChangedList,
  { place, dialect }: Answer,
  user: string | undefined,
): JsonReply {
  const body = dialect.present.acls.put({ ...place, root }, object, user)
  return { status, body, changed: () => ({ items: itemsIn(items) }) }
}

export const aclRoutes: readonly Route[] = [
  ...readsAt('hsds', OF_NAMESPACE),
  ...writesAt('hsds', OF_NAMESPACE),
  ...readsAt('hsds', OF_OBJECT),
]
