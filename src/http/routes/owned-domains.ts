// PUT and DELETE of `/` in the hsds dialect (hsds-objects 8.3 and 8.4): domains and folders that belong to somebody,
// are made in folders that are there, and at the top level by administrators only.

import { HyperslabError } from '../../errors.ts'
import { type Bucket, bucketOf, type DomainPath, isTopLevel, parentOf } from '../../hdf5/domain-path.ts'
import type { JsonObject, JsonValue } from '../../hdf5/json.ts'
import { userName } from '../../hdf5/names.ts'
import { isRoot, type ObjectId } from '../../hdf5/object-id.ts'
import { requireAdmin } from '../../service/access/access.ts'
import { requirePathAccess } from '../../service/acls.ts'
import type { Context } from '../../service/context.ts'
import { createDomain, requireCreation } from '../../service/domains/domain-creation.ts'
import { deleteDomain, flushDomain, rescanDomain } from '../../service/domains/domains.ts'
import { creationPropertiesIn } from '../body/creation-input.ts'
import { isObject, kindOf, optionalObjectBody, requiredText } from '../body/members.ts'
import { bucketNamed, parseBucketPath } from '../dialect/buckets.ts'
import type { Request } from '../message.ts'
import { oldNamespaceWriteRoute } from '../old-route.ts'
import { flag, requireNamed } from '../parameters.ts'
import type { Route } from '../route.ts'

interface Creation {
  readonly folder: boolean
  readonly owner?: string
  readonly rootId?: ObjectId
  readonly creationProperties?: JsonValue
  /** The domain whose root group is shared; `bucket` is that of the new name. */
  readonly linked?: (bucket: Bucket) => DomainPath
}

/** What a PUT asks for: to make the domain, or that what was written to it is safe and counted. */
type Put = { readonly asksForNodes: boolean } & (
  | { readonly create: Creation }
  | { readonly flush: true; readonly rescan: boolean }
)

/** An option of the body or, if the body does not tell it, of the query. */
function option(request: Request, body: JsonObject, name: string): boolean {
  return body.has(name) ? isTrue(body, name) : flag(request, name)
}

/**
 * Flags of a body are real booleans, or 0 and 1 (hsds-objects 1.3): with another a domain could be made for a folder.
 */
function isTrue(body: JsonObject, name: string): boolean {
  const value = body.get(name) ?? false
  if (value === true || value === 1) return true
  if (value === false || value === 0) return false
  throw new HyperslabError('malformed-body', `body.${name} must be true or false, not ${kindOf(value)}`)
}

async function putOf(request: Request): Promise<Put> {
  const body = optionalObjectBody(await request.body.json())
  const asksForNodes = option(request, body, 'getdnids')
  const rescan = option(request, body, 'rescan')
  if (rescan || option(request, body, 'flush')) return { flush: true, rescan, asksForNodes }
  const owner = body.get('owner')
  if (owner !== undefined && typeof owner !== 'string') {
    throw new HyperslabError('malformed-body', `body.owner must be a user's name, not ${kindOf(owner)}`)
  }
  const group = body.get('group') ?? new Map()
  if (!isObject(group)) {
    throw new HyperslabError('malformed-body', `body.group must be an object, not ${kindOf(group)}`)
  }
  const creationProperties = creationPropertiesIn(group)
  const folder = option(request, body, 'folder')
  const rootId = body.has('root_id') ? rootIdOf(request, body) : undefined
  if (folder && rootId !== undefined) {
    throw new HyperslabError('malformed-body', 'a folder has no root group: body.root_id is for domains')
  }
  const linked = body.has('linked_domain') ? linkedDomainOf(request, body) : undefined
  if (linked && (folder || rootId !== undefined)) {
    throw new HyperslabError(
      'malformed-body',
      `body.linked_domain gives the domain its root group: ${folder ? 'a folder has none' : 'body.root_id is for a new one'}`,
    )
  }
  return {
    asksForNodes,
    create: {
      folder,
      ...(owner !== undefined && { owner: userName(owner) }),
      ...(rootId !== undefined && { rootId }),
      ...(creationProperties !== undefined && { creationProperties }),
      ...(linked && { linked }),
    },
  }
}

/** In the bucket that `linked_bucket` or the path itself names, else in that of the new name. */
function linkedDomainOf({ buckets }: Request, body: JsonObject): (bucket: Bucket) => DomainPath {
  const path = requiredText(body, 'linked_domain', 'malformed-domain')
  const name = body.has('linked_bucket') ? requiredText(body, 'linked_bucket', 'malformed-parameter') : ''
  return bucket => parseBucketPath(path, name === '' ? bucket : bucketNamed(name, buckets), buckets)
}

/** hsds-objects 17.5: a root group is recognised by the digits of its id. */
function rootIdOf({ dialect }: Request, body: JsonObject): ObjectId {
  const text = requiredText(body, 'root_id', 'malformed-id')
  const id = dialect.parseId(text, 'group')
  if (isRoot(id)) return id
  throw new HyperslabError('malformed-id', `${text} is not the id of a root group`, { subject: text })
}

function requireBelowTop(context: Context, path: DomainPath, verb: string): void {
  if (isTopLevel(parentOf(path))) requireAdmin(context, `${verb} ${path} at the top level`)
}

/** A domain that is there can be flushed, another one can be created. */
async function permitPut(context: Context, path: DomainPath): Promise<void> {
  requireNamed(path)
  const entry = await context.reader.domain(path)
  if (entry?.root !== undefined) return requirePathAccess(context, path, 'update')
  requireBelowTop(context, path, 'create')
  await requireCreation(context, path)
}

export const ownedDomainRoutes: readonly Route[] = [
  oldNamespaceWriteRoute({
    name: 'create-domain',
    method: 'PUT',
    path: '/',
    access: 'create',
    only: 'hsds',
    permit: permitPut,
    parse: putOf,
    async run(context, path, put) {
      requireNamed(path)
      if ('flush' in put) {
        if (put.rescan) await rescanDomain(context, path)
        else await flushDomain(context, path)
        return
      }
      requireBelowTop(context, path, 'create')
      const { linked, ...create } = put.create
      const owner = create.owner ?? context.caller.name
      return createDomain(context, path, {
        ...create,
        ...(linked && { linked: linked(bucketOf(path)) }),
        ...(owner !== undefined && { owner }),
        createParents: false,
        closed: true,
      })
    },
    respond(created, { place, request: { dialect } }, { asksForNodes }) {
      const nodes = asksForNodes ? dialect.present.domains.dataNodes() : undefined
      if (created) {
        const body = dialect.present.domains.created({ ...place, root: created.entry.root }, created)
        return { status: 201, body: { ...body, ...nodes } }
      }
      // Without a body for those who do not ask for one (clients 9.2).
      return nodes ? { status: 200, body: nodes } : { status: 204 }
    },
  }),

  oldNamespaceWriteRoute({
    name: 'delete-domain',
    method: 'DELETE',
    path: '/',
    access: 'delete',
    only: 'hsds',
    async permit(context, path) {
      requireNamed(path)
      requireBelowTop(context, path, 'delete')
      await requirePathAccess(context, path, 'delete')
    },
    async parse(request) {
      const json = await request.body.json()
      // The options of a body replace those of the query (hsds-objects 8.4).
      const isInBody = json !== undefined && json !== null
      const body = optionalObjectBody(json)
      const asks = (name: string): boolean => (isInBody ? isTrue(body, name) : flag(request, name))
      return { keepsContents: asks('keep_root'), changesNothing: asks('meta_only') }
    },
    async run(context, path, options) {
      requireNamed(path)
      requireBelowTop(context, path, 'delete')
      await deleteDomain(context, path, options)
    },
    respond: (_, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.domains.deleted(place),
    }),
  }),
]
