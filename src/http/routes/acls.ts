// Access control lists: of an object, and under `/acls` of the root group. The hsds dialect knows `/acls` only.

import { HyperslabError } from '../../errors.ts'
import { type Acl, PERMISSIONS, type Permission } from '../../hdf5/acl.ts'
import { excerpt, type JsonObject, type JsonValue } from '../../hdf5/json.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import { type AclChange, getAclItem, listAcl, putAclItems } from '../../service/acls.ts'
import type { OpenDomain } from '../../service/context.ts'
import { isObject, kindOf, objectBody } from '../body/members.ts'
import type { Rules } from '../dialect/dialect.ts'
import { objectOf, userNameOf } from '../parameters.ts'
import { type Answer, type Request, type Route, readRoute, writeRoute } from '../route.ts'

/** The flags of a body; values count by truth (contract 10, 10.3), or must be booleans (20, section 9). */
function permissionsIn(json: JsonObject, { strictBodies }: Rules): Partial<Record<Permission, boolean>> {
  if (strictBodies) requireFlags(json)
  const named = PERMISSIONS.filter(permission => json.has(permission))
  if (named.length === 0) {
    throw new HyperslabError(
      'malformed-acl',
      `an item needs one at least of the flags ${PERMISSIONS.join(', ')}`,
    )
  }
  return Object.fromEntries(named.map(permission => [permission, isTrue(json.get(permission))]))
}

const ITEM_MEMBERS: ReadonlySet<string> = new Set([...PERMISSIONS, 'userName', 'username'])

function requireFlags(json: JsonObject): void {
  for (const [name, value] of json) {
    if (!ITEM_MEMBERS.has(name)) {
      throw new HyperslabError('malformed-acl', `an item has no member ${excerpt(name)}`)
    }
    if (typeof value !== 'boolean' && !name.startsWith('user')) {
      throw new HyperslabError('malformed-acl', `${name} must be true or false, not ${kindOf(value)}`)
    }
  }
}

function isTrue(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? value.size > 0 : Boolean(value)
}

/** `{"acls": [item, ...]}`: several items at once (contract 00, decision 19). */
function changesIn(body: JsonObject, rules: Rules): readonly AclChange[] {
  const items = body.get('acls')
  if (!Array.isArray(items) || items.length === 0) {
    throw new HyperslabError('malformed-acl', 'body.acls must be a list of items, one at least')
  }
  return items.map((item: JsonValue, index) => {
    if (!isObject(item)) {
      throw new HyperslabError('malformed-acl', `body.acls[${index}] must be an object, not ${kindOf(item)}`)
    }
    const userName = item.get('userName') ?? item.get('username')
    if (typeof userName !== 'string' || userName === '') {
      throw new HyperslabError('malformed-acl', `body.acls[${index}].userName must be a user's name`)
    }
    return { userName, permissions: permissionsIn(item, rules) }
  })
}

/** Which object's list is meant: told by the path, or the root group, which only the open domain tells. */
interface AclPath {
  readonly path: string
  readonly only?: 'classic'
  readonly objectOf: (request: Request) => ObjectReference | undefined
}

function objectIn(domain: OpenDomain, object: ObjectReference | undefined): ObjectReference {
  return object ?? { kind: 'group', id: domain.root.id }
}

function aclRoutesAt({ path, only, objectOf }: AclPath): Route[] {
  const dialects = only && { only }
  const present = (answer: Answer) => answer.request.dialect.present
  return [
    readRoute({
      name: 'list-acl',
      method: 'GET',
      path: `${path}/acls`,
      access: 'readACL',
      ...dialects,
      parse: request => objectOf(request),
      async run(context, domain, asked): Promise<{ object: ObjectReference; acl: Acl }> {
        const object = objectIn(domain, asked)
        return { object, acl: await listAcl(context, domain, object) }
      },
      respond: ({ object, acl }, answer) => ({
        status: 200,
        body: present(answer).acls(answer.place, object, acl),
      }),
    }),

    readRoute({
      name: 'get-acl-item',
      method: 'GET',
      path: `${path}/acls/:user`,
      access: 'readACL',
      ...dialects,
      parse: request => ({
        asked: objectOf(request),
        userName: userNameOf(request),
        items: request.dialect.rules.aclItems,
      }),
      async run(context, domain, { asked, userName, items }) {
        const object = objectIn(domain, asked)
        return { object, item: await getAclItem(context, domain, object, userName, { items }) }
      },
      respond: ({ object, item }, answer) => ({
        status: 200,
        body: present(answer).acl(answer.place, object, item),
      }),
    }),

    writeRoute({
      name: 'put-acl-item',
      method: 'PUT',
      path: `${path}/acls/:user`,
      access: 'updateACL',
      ...dialects,
      parse: async request => ({
        asked: objectOf(request),
        userName: userNameOf(request),
        permissions: permissionsIn(objectBody(await request.body.json()), request.dialect.rules),
      }),
      async run(context, domain, { asked, userName, permissions }) {
        const object = objectIn(domain, asked)
        await putAclItems(context, domain, object, [{ userName, permissions }])
        return object
      },
      respond: (object, answer, { userName }) => ({
        status: 201,
        body: present(answer).aclPut(answer.place, object, userName),
      }),
    }),

    writeRoute({
      name: 'put-acl',
      method: 'PUT',
      path: `${path}/acls`,
      access: 'updateACL',
      ...dialects,
      parse: async request => ({
        asked: objectOf(request),
        changes: changesIn(objectBody(await request.body.json()), request.dialect.rules),
      }),
      async run(context, domain, { asked, changes }) {
        const object = objectIn(domain, asked)
        await putAclItems(context, domain, object, changes)
        return object
      },
      respond: (object, answer) => ({
        status: answer.request.dialect.rules.aclPutMany,
        body: present(answer).aclPut(answer.place, object, undefined),
      }),
    }),
  ]
}

export const aclRoutes: readonly Route[] = [
  ...aclRoutesAt({ path: '', objectOf: () => undefined }),
  ...aclRoutesAt({ path: '/:collection/:id', only: 'classic', objectOf }),
]
