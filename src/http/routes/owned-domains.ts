// PUT and DELETE of `/` in the hsds dialect (contract 20, 8.3 and 8.4): domains and folders that belong to somebody,
// are made in folders that are there, and at the top level by administrators only.

import { HyperslabError } from '../../errors.ts'
import { type DomainPath, isTopLevel, parentOf } from '../../hdf5/domain-path.ts'
import type { JsonObject, JsonValue } from '../../hdf5/json.ts'
import { isRoot, type ObjectId } from '../../hdf5/object-id.ts'
import type { Context } from '../../service/context.ts'
import { createDomain, deleteDomain, flushDomain } from '../../service/domains.ts'
import { isObject, kindOf, optionalObjectBody, requiredText } from '../body/members.ts'
import { flag } from '../parameters.ts'
import { namespaceWriteRoute, type Request, type Route } from '../route.ts'

interface Creation {
  readonly folder: boolean
  readonly owner?: string
  readonly rootId?: ObjectId
  readonly creationProperties?: JsonValue
}

/** What a PUT asks for: to make the domain, or that what was written to it is safe. */
type Put = { readonly create: Creation } | { readonly flush: true; readonly isAnswered: boolean }

/** An option of the body or, if the body does not tell it, of the query. */
function option(request: Request, body: JsonObject, name: string): boolean {
  const value = body.get(name)
  return value === undefined ? flag(request, name) : value === true || value === 1
}

async function putOf(request: Request): Promise<Put> {
  const body = optionalObjectBody(await request.body.json())
  if (option(request, body, 'flush') || option(request, body, 'rescan')) {
    return { flush: true, isAnswered: option(request, body, 'getdnids') }
  }
  // Without it clients would take an empty domain for the one that they want to share.
  if (body.has('linked_domain')) throw unsupported('linked_domain')
  const owner = body.get('owner')
  if (owner !== undefined && typeof owner !== 'string') {
    throw new HyperslabError('malformed-body', `body.owner must be a user's name, not ${kindOf(owner)}`)
  }
  const group = body.get('group')
  const creationProperties = isObject(group) ? group.get('creationProperties') : undefined
  const folder = option(request, body, 'folder')
  const rootId = body.has('root_id') ? rootIdOf(request, body) : undefined
  if (folder && rootId !== undefined) {
    throw new HyperslabError('malformed-body', 'a folder has no root group: body.root_id is for domains')
  }
  return {
    create: {
      folder,
      ...(owner !== undefined && { owner }),
      ...(rootId !== undefined && { rootId }),
      ...(creationProperties !== undefined && { creationProperties }),
    },
  }
}

/** Contract 35, 4.5: a root group is recognised by the digits of its id. */
function rootIdOf({ dialect }: Request, body: JsonObject): ObjectId {
  const text = requiredText(body, 'root_id', 'malformed-id')
  const id = dialect.parseId(text, 'group')
  if (isRoot(id)) return id
  throw new HyperslabError('malformed-id', `${text} is not the id of a root group`, { subject: text })
}

function unsupported(name: string): HyperslabError {
  return new HyperslabError('option-unsupported', `this server does not have the option ${name}`)
}

function requireName(path: DomainPath): void {
  if (!isTopLevel(path)) return
  throw new HyperslabError('domain-not-named', 'the request names no domain or folder')
}

function requireBelowTop({ caller }: Context, path: DomainPath, verb: string): void {
  if (caller.admin || !isTopLevel(parentOf(path))) return
  throw new HyperslabError('permission-denied', `only an administrator may ${verb} ${path} at the top level`)
}

export const ownedDomainRoutes: readonly Route[] = [
  namespaceWriteRoute({
    name: 'create-domain',
    method: 'PUT',
    path: '/',
    access: 'create',
    only: 'hsds',
    parse: putOf,
    async run(context, path, put) {
      requireName(path)
      if ('flush' in put) return { flushed: await flushDomain(context, path) }
      requireBelowTop(context, path, 'create')
      const owner = put.create.owner ?? context.caller.name
      const input = {
        ...put.create,
        ...(owner !== undefined && { owner }),
        createParents: false,
        closed: true,
      }
      return { created: await createDomain(context, path, input) }
    },
    respond({ flushed, created }, { place, request: { dialect } }, put) {
      if (created !== undefined) {
        const body = dialect.present.domainCreated({ ...place, root: created.entry.root }, created)
        return { status: 201, body }
      }
      // Without a body for those who do not ask for one (contract 40, 9.2).
      if (!('flush' in put && put.isAnswered)) return { status: 204 }
      return { status: 200, body: dialect.present.domain({ ...place, root: flushed.entry.root }, flushed) }
    },
  }),

  namespaceWriteRoute({
    name: 'delete-domain',
    method: 'DELETE',
    path: '/',
    access: 'delete',
    only: 'hsds',
    async parse(request) {
      const body = optionalObjectBody(await request.body.json())
      // With it the objects are to be kept, without it they would be gone.
      if (option(request, body, 'keep_root')) throw unsupported('keep_root')
      if (option(request, body, 'meta_only')) throw unsupported('meta_only')
    },
    async run(context, path) {
      requireName(path)
      requireBelowTop(context, path, 'delete')
      await deleteDomain(context, path)
    },
    respond: (_, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.domainDeleted(place),
    }),
  }),
]
