// Routes of quotas: administrators list, set and remove them; other users see those on what they own.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { DEFAULT_BUCKET } from '@hyperslab/model/names'
import type { NewQuota, QuotaLimits, QuotaScope, Store } from '@hyperslab/store/store'
import { requireWriteScope } from '../../../service/access/scope.ts'
import { listQuotas, removeQuota, setQuota } from '../../../service/quotas.ts'
import { type Buckets, parseBucketFolder } from '../../dialect/buckets.ts'
import { presentQuota } from '../../dialect/schemas/quotas.ts'
import { objectBody, requiredString } from '../../input/members.ts'
import type { Request, RequestHead } from '../../message/message.ts'
import type { Parameter } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { requireFigures } from '../../watch/metrics.ts'

export interface QuotaFacts {
  readonly store: Pick<Store, 'read' | 'write'>
}

/** The scope that the parameters `folder` and `owner` name. */
const SCOPE: Parameter<QuotaScope> = {
  name: 'folder',
  in: 'query',
  description: 'The folder of the quota; or its owner, by `owner`.',
  schema: { type: 'string', examples: ['/lab'] },
  read({ target, buckets }: RequestHead) {
    const [folder, owner] = [target.query.get('folder'), target.query.get('owner')]
    return scopeOf(folder ?? undefined, owner ?? undefined, buckets, 'the query')
  },
}

const OWNER: Parameter<string | undefined> = {
  name: 'owner',
  in: 'query',
  description: 'The owner of the quota.',
  schema: { type: 'string', examples: ['ann'] },
  read: ({ target }) => target.query.get('owner') ?? undefined,
}

export function quotaRoutes({ store }: QuotaFacts): readonly Route[] {
  return [
    serviceRoute({
      name: 'list-quotas',
      method: 'GET',
      path: '/quotas',
      summary:
        'Lists the quotas and what is used of them: administrators get all, other users those on what they own.',
      identifies: 'yes',
      answers: { 200: { description: 'The quotas.', json: 'QuotaList' } },
      async answer(_, { caller }) {
        const quotas = await store.read(reader => listQuotas(reader, caller))
        return { status: 200, body: { quotas: quotas.map(presentQuota) } }
      },
    }),
    serviceRoute({
      name: 'put-quota',
      method: 'PUT',
      path: '/quotas',
      summary: 'Sets the quota of a folder or of an owner, for administrators. It may be below what is used.',
      identifies: 'yes',
      permit: requireAdministrator,
      body: {
        description: 'The folder or the owner, and its limits.',
        required: true,
        json: 'NewQuota',
        read: async (body, _dialect, _values, buckets) => parseQuota(objectBody(await body.json()), buckets),
      },
      answers: { 200: { description: 'The quota, which is enforced from now on.', json: 'Quota' } },
      async answer({ body }) {
        const quota = await setQuota(store, body)
        return { status: 200, body: presentQuota(quota), changed: () => ({ ...body }) }
      },
    }),
    serviceRoute({
      name: 'delete-quota',
      method: 'DELETE',
      path: '/quotas',
      summary: 'Removes the quota of a folder or of an owner, for administrators.',
      identifies: 'yes',
      parameters: { scope: SCOPE, owner: OWNER },
      permit: requireAdministrator,
      answers: { 200: { description: 'It is removed.', json: 'RemovedQuotas' } },
      async answer({ scope }) {
        await removeQuota(store, scope)
        return { status: 200, body: { removed: 1 }, changed: () => ({ ...scope }) }
      },
    }),
  ]
}

function requireAdministrator(request: Request): void {
  const { caller } = request
  requireFigures(caller, 'admin', {
    subject: 'quotas',
    message: 'only administrators may set and remove quotas',
  })
  requireWriteScope(caller)
}

function scopeOf(
  folder: string | undefined,
  owner: string | undefined,
  buckets: Buckets,
  where: string,
): QuotaScope {
  if ((folder === undefined) === (owner === undefined))
    throw new HyperslabError('malformed-body', `${where} must name either a "folder" or an "owner"`)
  if (folder !== undefined) return { folder: parseBucketFolder(folder, DEFAULT_BUCKET, buckets) }
  if (owner) return { owner }
  throw new HyperslabError('malformed-body', 'an owner has at least one character')
}

function parseQuota(body: JsonObject, buckets: Buckets): NewQuota {
  const text = (name: string) => (body.has(name) ? requiredString(body, name, 'malformed-body') : undefined)
  const scope = scopeOf(text('folder'), text('owner'), buckets, 'the body')
  const limits: QuotaLimits = { ...limitIn(body, 'bytes'), ...limitIn(body, 'objects') }
  if (Object.keys(limits).length > 0) return { ...scope, ...limits }
  throw new HyperslabError('malformed-body', 'the body must have "bytes" or "objects": a quota has a limit')
}

function limitIn(body: JsonObject, name: 'bytes' | 'objects'): QuotaLimits {
  if (!body.has(name)) return {}
  const limit = Number(body.get(name))
  if (typeof body.get(name) === 'number' && Number.isSafeInteger(limit) && limit >= 0)
    return { [name]: limit }
  const given = excerpt(String(body.get(name)))
  throw new HyperslabError(
    'malformed-body',
    `body.${name} must be a whole number from 0 to 2^53 - 1, not ${given}`,
  )
}
