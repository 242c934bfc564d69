// Creating datasets, and their shape and type. Listing, describing and deleting them is in objects.ts.

import { HyperslabError } from '../../errors.ts'
import { parseShape } from '../../hdf5/dataspace.ts'
import { excerpt, type JsonObject, type JsonValue } from '../../hdf5/json.ts'
import { createDataset, type NewDataset } from '../../service/creation/datasets.ts'
import { getObject } from '../../service/objects/objects.ts'
import { type ExtentsChange, setShape } from '../../service/values/extents.ts'
import type { DecodeValues } from '../../service/values/values.ts'
import { createAll, created, creationOf, creationPropertiesIn, newObject } from '../body/creation-input.ts'
import { datasetBody, decodeTree } from '../body/first-values.ts'
import { objectBody } from '../body/members.ts'
import { parseTypeUse } from '../body/type-use.ts'
import type { Rules } from '../dialect/rules.ts'
import type { Reply, Request } from '../message.ts'
import { oldReadRoute, oldWriteRoute } from '../old-route.ts'
import { idOf } from '../parameters.ts'
import type { Answer, Route } from '../route.ts'

type DatasetView = Awaited<ReturnType<typeof getObject<'dataset'>>>

/** A route that shows a part of a dataset. */
function getPart(name: string, path: string, respond: (view: DatasetView, answer: Answer) => Reply): Route {
  return oldReadRoute({
    name,
    method: 'GET',
    path,
    access: 'read',
    parse: (request: Request) => idOf(request, 'dataset'),
    run: (context, domain, id) => getObject(context, domain, 'dataset', id),
    respond,
  })
}

/** The extents that a body asks for: one number for rank 1, or one a dimension. */
function extents(shape: JsonValue | undefined): readonly number[] {
  const space = shape === undefined ? undefined : parseShape(shape, undefined)
  if (space?.class === 'H5S_SIMPLE') return space.dims
  throw new HyperslabError(
    'malformed-shape',
    'body.shape must give the new extents: a number, or a list of them',
  )
}

/** New extents or, where the dialect has it, by how much one dimension grows (hsds-values 5). */
function extentsChange(body: JsonObject, { datasets }: Rules): ExtentsChange {
  if (!datasets.extends || !body.has('extend')) return extents(body.get('shape'))
  if (body.has('shape')) {
    throw new HyperslabError('malformed-shape', 'body.shape and body.extend exclude each other')
  }
  const extend = wholeNumber(body, 'extend')
  if (extend === 0) throw new HyperslabError('malformed-shape', 'body.extend must be at least 1')
  return { extend, dimension: body.has('extend_dim') ? wholeNumber(body, 'extend_dim') : 0 }
}

/** A number, or its digits as a text. */
function wholeNumber(body: JsonObject, name: string): number {
  const value = body.get(name)
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new HyperslabError(
    'malformed-shape',
    `body.${name} must be a whole number, not ${excerpt(value ?? null)}`,
  )
}

async function newDataset(
  request: Request,
  body: JsonObject,
  streamed: DecodeValues | undefined,
): Promise<NewDataset> {
  const { dialect } = request
  const creationProperties = creationPropertiesIn(body)
  const value = body.get('value')
  const values = value === undefined || value === null ? streamed : decodeTree(dialect, value)
  return {
    ...(await newObject(request, 'dataset', body)),
    type: parseTypeUse(body.get('type'), dialect),
    space: dialect.parseShape(body.get('shape'), body.get('maxdims')),
    creationRules: dialect.rules.datasets.creation,
    ...(creationProperties !== undefined && { creationProperties }),
    ...(values && dialect.rules.objects.creationOptions && { values }),
  }
}

export const datasetRoutes: readonly Route[] = [
  oldWriteRoute({
    name: 'create-dataset',
    method: 'POST',
    path: '/datasets',
    access: 'create',
    async parse(request) {
      const { json, values } = await datasetBody(request)
      return creationOf(request, 'dataset', json, body => newDataset(request, body, values))
    },
    run: (context, domain, creation) => createAll(creation, input => createDataset(context, domain, input)),
    respond: (views, { place, request: { dialect } }) =>
      created(views, view => dialect.present.datasets.created(place, view)),
  }),

  getPart('get-shape', '/datasets/:id/shape', (view, { place, request: { dialect } }) => ({
    status: 200,
    body: dialect.present.datasets.shape(place, view),
  })),

  getPart('get-type', '/datasets/:id/type', (view, { place, request: { dialect } }) => ({
    status: 200,
    body: dialect.present.datasets.type(place, view.object),
  })),

  oldWriteRoute({
    name: 'put-shape',
    method: 'PUT',
    path: '/datasets/:id/shape',
    access: 'update',
    async parse(request) {
      const body = objectBody(await request.body.json())
      return {
        id: idOf(request, 'dataset'),
        change: extentsChange(body, request.dialect.rules),
        shrink: request.dialect.rules.datasets.shrinks,
      }
    },
    run: (context, domain, { id, change, shrink }) => setShape(context, domain, id, change, { shrink }),
    respond: (change, { place, request: { dialect } }) => ({
      status: dialect.rules.datasets.shapeChangedStatus,
      body: dialect.present.datasets.shapeChanged(place, change),
    }),
  }),
]
