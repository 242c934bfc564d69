// Creating datasets, and their shape and type. Listing, describing and deleting them is in objects.ts.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import { createDataset, type NewDataset } from '../../service/creation/datasets.ts'
import { getObject } from '../../service/objects/objects.ts'
import { type ExtentsChange, setShape } from '../../service/values/extents.ts'
import type { DecodeValues } from '../../service/values/values.ts'
import type { Rules } from '../dialect/rules.ts'
import {
  CREATION,
  type CreationGrammar,
  createAll,
  creationPropertiesIn,
  creationReply,
  parseCreation,
  parseNewObject,
} from '../input/creation-input.ts'
import { decodeTree, readDatasetBody } from '../input/first-values.ts'
import { creationOptionsIn, objectBody } from '../input/members.ts'
import { parseShape } from '../input/shapes.ts'
import { parseTypeUse } from '../input/type-use.ts'
import { jsonReply } from '../message/message.ts'
import { createdIn } from '../route/changes.ts'
import { pathId } from '../route/common-parameters.ts'
import { type Route, readRoute, writeRoute } from '../route/route.ts'

const DATASET = { id: pathId('dataset') }

/** The new extents: one number for rank 1, or one for each dimension. */
function parseExtents(shape: JsonValue | undefined): readonly number[] {
  const space = shape === undefined ? undefined : parseShape(shape, undefined)
  if (space?.class === 'H5S_SIMPLE') return space.dims
  throw new HyperslabError(
    'malformed-shape',
    'body.shape must be the new extents: a number, or a list of numbers',
  )
}

/** New extents or, if the dialect allows it, the growth of one dimension (hsds-values 5). */
function parseExtentsChange(body: JsonObject, { datasets }: Rules): ExtentsChange {
  if (!datasets.extends || !body.has('extend')) return parseExtents(body.get('shape'))
  if (body.has('shape')) {
    throw new HyperslabError(
      'malformed-shape',
      'body.shape and body.extend exclude each other: send one of them',
    )
  }
  const extend = parseWhole(body, 'extend')
  if (extend === 0) throw new HyperslabError('malformed-shape', 'body.extend must be at least 1')
  return { extend, dimension: body.has('extend_dim') ? parseWhole(body, 'extend_dim') : 0 }
}

/** A number, or its digits as a string. */
function parseWhole(body: JsonObject, name: string): number {
  const value = body.get(name)
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new HyperslabError(
    'malformed-shape',
    `body.${name} must be a whole number, not ${excerpt(value ?? null)}`,
  )
}

async function parseNewDataset(
  body: JsonObject,
  grammar: CreationGrammar,
  streamed: DecodeValues | undefined,
): Promise<NewDataset> {
  const { dialect } = grammar
  const creationProperties = creationPropertiesIn(body)
  const value = creationOptionsIn(body, dialect).get('value')
  const values = value === undefined || value === null ? streamed : decodeTree(dialect, value)
  return {
    ...(await parseNewObject(body, grammar)),
    type: parseTypeUse(body.get('type'), dialect),
    space: dialect.parseShape(body.get('shape'), body.get('maxdims')),
    creationRules: dialect.rules.datasets.creation,
    ...(creationProperties !== undefined && { creationProperties }),
    ...(values && { values }),
  }
}

export const datasetRoutes: readonly Route[] = [
  writeRoute({
    name: 'create-dataset',
    method: 'POST',
    path: '/datasets',
    summary: 'Creates a dataset; in the hsds dialect also several.',
    access: 'create',
    parameters: CREATION,
    body: {
      description: 'The type and shape, the creation properties, and where the dataset is linked.',
      required: true,
      json: 'NewDataset',
      async read(body, dialect, { implicit }) {
        const { json, values } = await readDatasetBody(body, dialect)
        const grammar = { kind: 'dataset', dialect, implicit } as const
        return parseCreation(json, grammar, item => parseNewDataset(item, grammar, values))
      },
    },
    answers: { 201: { description: 'The dataset, or the datasets.', json: 'DatasetCreated' } },
    run: (context, domain, { body }) =>
      createAll(context, body, (input, place) => createDataset(context, domain, input, place)),
    respond: (views, { place, dialect }, { body }) =>
      creationReply(
        views,
        view => dialect.present.datasets.created(place, view),
        () => createdIn(views, body.items, dialect),
      ),
  }),

  readRoute({
    name: 'get-shape',
    method: 'GET',
    path: '/datasets/:id/shape',
    summary: 'Reads the shape of a dataset.',
    access: 'read',
    parameters: DATASET,
    answers: { 200: { description: 'The shape.', json: 'ShapeAnswer' } },
    run: (context, domain, { id }) => getObject(context, domain, 'dataset', id),
    respond: (view, { place, dialect }) => jsonReply(dialect.present.datasets.shape(place, view)),
  }),

  readRoute({
    name: 'get-type',
    method: 'GET',
    path: '/datasets/:id/type',
    summary: 'Reads the type of the elements of a dataset.',
    access: 'read',
    parameters: DATASET,
    answers: { 200: { description: 'The type.', json: 'TypeAnswer' } },
    run: (context, domain, { id }) => getObject(context, domain, 'dataset', id),
    respond: ({ object }, { place, dialect }) => jsonReply(dialect.present.datasets.type(place, object)),
  }),

  writeRoute({
    name: 'put-shape',
    method: 'PUT',
    path: '/datasets/:id/shape',
    summary: 'Changes the extents of a dataset.',
    access: 'update',
    parameters: DATASET,
    body: {
      description: 'The new extents, or by how much one dimension grows.',
      required: true,
      json: 'ShapeChange',
      read: async (body, { rules }) => parseExtentsChange(objectBody(await body.json()), rules),
    },
    answers: {
      200: { description: 'The shape is changed.', json: 'ShapeChanged', only: 'classic' },
      201: { description: 'The shape is changed.', json: 'ShapeChanged', only: 'hsds' },
    },
    run: (context, domain, { id, body: change }, { rules }) =>
      setShape(context, domain, id, change, { shrink: rules.datasets.shrinks }),
    respond: (change, { place, dialect }) =>
      jsonReply(
        dialect.present.datasets.shapeChanged(place, change),
        dialect.rules.datasets.shapeChangedStatus,
      ),
  }),
]
