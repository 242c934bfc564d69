// PUT and DELETE of `/` in the hsds dialect (hsds-objects 8.3 and 8.4): domains and folders have an owner, are created
// in folders that exist, and at the top level by administrators only.

import { HyperslabError } from '@hyperslab/base/errors'
import { isJsonObject, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import { type Bucket, bucketOf, type DomainPath, isRoot, type ObjectId } from '@hyperslab/model/names'
import { requireInScope } from '../../service/access/scope.ts'
import { requirePathAccess } from '../../service/acls.ts'
import type { Context } from '../../service/context.ts'
import {
  type CreatedDomain,
  createDomain,
  forgetFile,
  requireBelowTop,
  requireCreation,
  reviewJoin,
} from '../../service/domains/domain-creation.ts'
import { moveDomain } from '../../service/domains/domain-move.ts'
import { type Deletion, deleteDomain, flushDomain, rescanDomain } from '../../service/domains/domains.ts'
import { userName } from '../../service/user-names.ts'
import { type Buckets, bucketNamed, parseBucketPath } from '../dialect/buckets.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { creationPropertiesIn } from '../input/creation-input.ts'
import { forgottenIn, joinIn } from '../input/join-input.ts'
import { kindOf, objectBody, optionalObjectBody, requiredString } from '../input/members.ts'
import type { RequestHead } from '../message/message.ts'
import { presentReview, presentWarnings } from '../output/join-review.ts'
import { requireNamed } from '../route/common-parameters.ts'
import { flagQuery, type ParameterValues } from '../route/parameter.ts'
import { namespaceWriteRoute, type Route, type UploadRequest } from '../route/route.ts'
import { FILE_PATH, UPLOAD, UPLOAD_OPTIONS, uploadRequest } from './domain-files.ts'

interface DomainCreation {
  readonly folder: boolean
  readonly owner?: string
  readonly rootId?: ObjectId
  readonly creationProperties?: JsonValue
  /** The domain whose root group is shared. */
  readonly linked?: PathFrom
  /** The definition of a joined domain, as JSON. */
  readonly join?: string
}

/** A path in the bucket of the new name, unless it names another one. */
type PathFrom = (bucket: Bucket) => DomainPath

/** The operation of a PUT: it creates the domain or folder, gives it another path, or flushes a domain. */
type PutRequest = { readonly nodes: boolean } & (
  | { readonly create: DomainCreation }
  /** A file whose place in a joined domain is closed. */
  | { readonly forget: DomainPath }
  /** Says what the files of a definition would be, and creates nothing. */
  | { readonly review: string }
  | { readonly moveFrom: PathFrom }
  | { readonly flush: true; readonly rescan: boolean }
)

/** The answer to clients that ask for data nodes and compare the answers; it never changes. */
export const DATA_NODES = { dn_ids: ['dn-001'] }

const IN_BODY = 'Counts where the body has no such option.'

const PUT_OPTIONS = {
  folder: flagQuery('folder', `A folder is created, not a domain. ${IN_BODY}`),
  flush: flagQuery('flush', `Nothing is created; what was written to the domain is durable. ${IN_BODY}`),
  rescan: flagQuery('rescan', `Like flush, and the statistics of the domain are exact. ${IN_BODY}`),
  getdnids: flagQuery('getdnids', `The answer has \`dn_ids\`. ${IN_BODY}`),
}

const DELETE_OPTIONS = {
  keep_root: flagQuery(
    'keep_root',
    'The contents stay, under the other names of the domain. Counts without a body.',
  ),
  meta_only: flagQuery('meta_only', 'Nothing is deleted. Counts without a body.'),
}

/**
 * Flags of a body are booleans, or 0 and 1 (hsds-objects 1.3). Another value is an error: otherwise a domain could be
 * created instead of a folder.
 */
function booleanIn(body: JsonObject, name: string): boolean {
  const value = body.get(name) ?? false
  if (value === true || value === 1) return true
  if (value === false || value === 0) return false
  throw new HyperslabError('malformed-body', `body.${name} must be true or false, not ${kindOf(value)}`)
}

function putOf(
  body: JsonObject,
  query: ParameterValues<typeof PUT_OPTIONS>,
  dialect: Dialect,
  buckets: Buckets,
): PutRequest {
  const option = (name: keyof typeof query) => (body.has(name) ? booleanIn(body, name) : query[name])
  const nodes = option('getdnids')
  const rescan = option('rescan')
  if (rescan || option('flush')) return { flush: true, rescan, nodes }
  if (body.has('moved_from')) return { moveFrom: movedFrom(body, buckets), nodes }
  if (body.has('forget')) return { forget: forgottenIn(body), nodes }
  const join = joinIn(body)
  if (join !== undefined && booleanIn(body, 'dry_run')) return { review: join, nodes }
  const owner = body.get('owner')
  if (owner !== undefined && typeof owner !== 'string') {
    throw new HyperslabError('malformed-body', `body.owner must be the name of a user, not ${kindOf(owner)}`)
  }
  const group = body.get('group') ?? new Map()
  if (!isJsonObject(group)) {
    throw new HyperslabError('malformed-body', `body.group must be an object, not ${kindOf(group)}`)
  }
  const creationProperties = creationPropertiesIn(group)
  const folder = option('folder')
  const rootId = body.has('root_id') ? rootIdOf(body, dialect) : undefined
  if (folder && rootId !== undefined) {
    throw new HyperslabError('malformed-body', 'body.root_id must be absent: a folder has no root group')
  }
  const linked = body.has('linked_domain') ? linkedDomainOf(body, buckets) : undefined
  if (linked && (folder || rootId !== undefined)) {
    throw new HyperslabError(
      'malformed-body',
      'body.linked_domain must be absent: ' +
        `${folder ? 'a folder has no root group' : 'body.root_id is for a new root group'}`,
    )
  }
  return {
    nodes,
    create: {
      folder,
      ...(owner !== undefined && { owner: userName(owner) }),
      ...(rootId !== undefined && { rootId }),
      ...(creationProperties !== undefined && { creationProperties }),
      ...(linked && { linked }),
      ...(join !== undefined && { join }),
    },
  }
}

function movedFrom(body: JsonObject, buckets: Buckets): PathFrom {
  const other = CREATION_OPTIONS.find(name => body.has(name))
  if (other !== undefined) {
    throw new HyperslabError('malformed-body', `body.${other} must be absent: a move changes the path only`)
  }
  const path = requiredString(body, 'moved_from', 'malformed-domain')
  return bucket => parseBucketPath(path, bucket, buckets)
}

const CREATION_OPTIONS = ['folder', 'owner', 'group', 'root_id', 'linked_domain', 'linked_bucket', 'join']

/** The linked domain: in the bucket that `linked_bucket` or the path itself names, else in that of the new name. */
function linkedDomainOf(body: JsonObject, buckets: Buckets): PathFrom {
  const path = requiredString(body, 'linked_domain', 'malformed-domain')
  const name = body.has('linked_bucket') ? requiredString(body, 'linked_bucket', 'malformed-parameter') : ''
  return bucket => parseBucketPath(path, name === '' ? bucket : bucketNamed(name, buckets), buckets)
}

/** The id of a root group; the digits of an id show whether it is one (hsds-objects 17.5). */
function rootIdOf(body: JsonObject, dialect: Dialect): ObjectId {
  const text = requiredString(body, 'root_id', 'malformed-id')
  const id = dialect.parseId(text, 'group')
  if (isRoot(id)) return id
  throw new HyperslabError('malformed-id', `body.root_id=${text} must be the id of a root group`, {
    subject: text,
  })
}

/** For the audit: the former path, or the options of what is new. */
function detailsOf(put: PutRequest, path: DomainPath) {
  if ('moveFrom' in put) return { movedFrom: put.moveFrom(bucketOf(path)) }
  if ('forget' in put) return { forgotten: put.forget }
  if (!('create' in put)) return {}
  const { folder, owner, linked, join } = put.create
  return {
    ...(folder && { folder }),
    ...(owner !== undefined && { owner }),
    ...(linked && { linkedDomain: linked(bucketOf(path)) }),
    ...(join !== undefined && { join }),
  }
}

/** Throws unless the caller may flush an existing domain, or create a new one. */
async function permitPut(context: Context, path: DomainPath): Promise<void> {
  requireNamed(path)
  const entry = await context.reader.domain(path)
  if (entry?.root !== undefined) return requirePathAccess(context, path, 'update')
  await requireBelowTop(context, path, 'create')
  await requireCreation(context, path)
}

/** An upload whose domain belongs to the caller. */
function ownedUpload(values: ParameterValues<typeof UPLOAD_OPTIONS>, head: RequestHead): UploadRequest {
  const permit = async (context: Context, path: DomainPath) => {
    requireNamed(path)
    await requireBelowTop(context, path, 'create')
  }
  return uploadRequest(values, head, permit, ({ caller }) => ({
    createParents: false,
    ...(caller.name !== undefined && { owner: caller.name, closed: true }),
  }))
}

/** The path of a domain that is to be changed. */
function changedPath({
  path,
  state,
  isFolder,
}: ParameterValues<{ path: typeof FILE_PATH }>['path']): DomainPath {
  if (state === undefined && !isFolder) return path
  const rule = isFolder
    ? 'the path of a file must not end with a slash'
    : 'a state of a domain cannot be changed'
  throw new HyperslabError('malformed-path', rule)
}

/** Domains as files of a file server: both dialects answer alike. */
export const fileWriteRoutes: readonly Route[] = [
  namespaceWriteRoute({
    name: 'put-domain-file',
    method: 'PUT',
    path: '/h5/*',
    hasDomainInPath: true,
    summary: 'Makes an HDF5 file the domain at a path, in the place of one that is there.',
    access: 'create',
    parameters: { path: FILE_PATH, strict: UPLOAD_OPTIONS.strict, linkedFiles: UPLOAD_OPTIONS.linkedFiles },
    upload: UPLOAD,
    streamsBody: true,
    uploadOf({ path: given, ...options }, head) {
      const path = changedPath(given)
      const upload = ownedUpload({ ...options, replace: true }, head)
      return {
        ...upload,
        path,
        async publish(...published) {
          await upload.publish(...published)
          return (_, losses) => ({
            status: 201,
            body: { domain: path, warnings: losses.map(({ path, message }) => ({ path, message })) },
            changed: () => ({ path, upload: true }),
          })
        },
      }
    },
    answers: { 201: { description: 'The domain.', json: 'StoredFile' } },
    run: () => Promise.reject(new Error('every body of this route is a file')),
    respond: () => ({ status: 201 }),
  }),
  namespaceWriteRoute({
    name: 'delete-domain-file',
    method: 'DELETE',
    path: '/h5/*',
    hasDomainInPath: true,
    summary: 'Deletes the domain at a path.',
    access: 'delete',
    parameters: { path: FILE_PATH },
    answers: { 204: { description: 'The domain is deleted.' } },
    async run(context, _, { path: given }) {
      const path = changedPath(given)
      requireInScope(context.caller, path)
      await requireBelowTop(context, path, 'delete')
      await deleteDomain(context, path)
      return path
    },
    respond: path => ({ status: 204, changed: () => ({ path }) }),
  }),
]

export const ownedDomainRoutes: readonly Route[] = [
  namespaceWriteRoute({
    name: 'create-domain',
    method: 'PUT',
    path: '/',
    summary: 'Creates a domain or folder, also a domain of an HDF5 file, moves one, or flushes a domain.',
    access: 'create',
    only: 'hsds',
    permit: permitPut,
    parameters: { ...PUT_OPTIONS, ...UPLOAD_OPTIONS },
    upload: UPLOAD,
    uploadOf(values, head) {
      const other = (['folder', 'flush', 'rescan'] as const).find(name => values[name])
      if (other !== undefined) {
        const rule = `${other} must be absent where the body is an HDF5 file, which becomes a domain`
        throw new HyperslabError('malformed-parameter', rule)
      }
      return ownedUpload(values, head)
    },
    body: {
      description: 'Options.',
      required: false,
      json: 'NewDomain',
      read: async (body, dialect, query, buckets) =>
        putOf(optionalObjectBody(await body.json(), dialect), query, dialect, buckets),
    },
    answers: {
      200: {
        description: 'The domain is flushed, with `getdnids`; or the review of a definition, with `dry_run`.',
        json: 'PutDone',
      },
      201: { description: 'The new domain or folder, or the one that moved.', json: 'DomainCreated' },
      204: { description: 'The domain is flushed; or the place of a file is closed.' },
    },
    async run(context, path, { body: put }) {
      requireNamed(path)
      if ('flush' in put) {
        if (put.rescan) await rescanDomain(context, path)
        else await flushDomain(context, path)
        return
      }
      if ('forget' in put) {
        await forgetFile(context, path, put.forget)
        return { forgot: path }
      }
      await requireBelowTop(context, path, 'create')
      if ('moveFrom' in put) {
        const from = put.moveFrom(bucketOf(path))
        await requireBelowTop(context, from, 'move')
        return moveDomain(context, from, path)
      }
      if ('review' in put) return { review: await reviewJoin(context, path, put.review) }
      const { linked, ...create } = put.create
      const owner = create.owner ?? context.caller.name
      return createDomain(context, path, {
        ...create,
        ...(linked && { linked: linked(bucketOf(path)) }),
        // In an open service a domain has no owner, so the setting default_acl decides, as for imports.
        ...(owner !== undefined && { owner, closed: true }),
        createParents: false,
      })
    },
    respond(created, { place, dialect }, { body: put }) {
      const nodes = put.nodes ? DATA_NODES : undefined
      if (created && 'forgot' in created) {
        const path = created.forgot
        return { status: 204, changed: () => ({ path, ...detailsOf(put, path) }) }
      }
      if (created && 'review' in created) return { status: 200, body: presentReview(created.review) }
      if (created) {
        const body = dialect.present.domains.created({ ...place, root: created.entry.root }, created)
        const changed = () => ({ path: created.entry.path, ...detailsOf(put, created.entry.path) })
        const { warnings = [] }: CreatedDomain = created
        const said = warnings.length > 0 && { warnings: presentWarnings(warnings) }
        return { status: 201, body: { ...body, ...nodes, ...said }, changed }
      }
      // Clients that do not ask for the nodes expect no body (clients 9.2).
      return nodes ? { status: 200, body: nodes } : { status: 204 }
    },
  }),

  namespaceWriteRoute({
    name: 'delete-domain',
    method: 'DELETE',
    path: '/',
    summary: 'Deletes a domain, or a folder that is empty.',
    access: 'delete',
    only: 'hsds',
    async permit(context, path) {
      requireNamed(path)
      await requireBelowTop(context, path, 'delete')
      await requirePathAccess(context, path, 'delete')
    },
    parameters: DELETE_OPTIONS,
    body: {
      description: 'Options. They replace those of the query.',
      required: false,
      json: 'DomainDeletion',
      async read(body, _, query): Promise<Deletion> {
        const json = await body.json()
        if (json === undefined || json === null) {
          return { keepsContents: query.keep_root, changesNothing: query.meta_only }
        }
        const options = objectBody(json)
        return {
          keepsContents: booleanIn(options, 'keep_root'),
          changesNothing: booleanIn(options, 'meta_only'),
        }
      },
    },
    answers: { 200: { description: 'The domain or folder is deleted.', json: 'Done' } },
    async run(context, path, { body: deletion }) {
      requireNamed(path)
      await requireBelowTop(context, path, 'delete')
      await deleteDomain(context, path, deletion)
    },
    respond: (_, __, { body: deletion }) => ({ status: 200, body: {}, changed: () => ({ ...deletion }) }),
  }),
]
