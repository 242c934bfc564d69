// Creating datasets and changing their extents. Values are in values.ts.

import { HyperslabError } from '../errors.ts'
import {
  type CreationProperties,
  type CreationRules,
  parseCreationProperties,
} from '../hdf5/creation-properties.ts'
import { isReferenceLayout } from '../hdf5/dataset-layout.ts'
import { type Dataspace, extentsOf, product, type SimpleDataspace, UNLIMITED } from '../hdf5/dataspace.ts'
import { excerpt, isJsonObject, type JsonValue } from '../hdf5/json.ts'
import { type ObjectId, parsePrefixed } from '../hdf5/object-id.ts'
import type { Dataset } from '../storage/store.ts'
import { requireWritable } from './access.ts'
import { resolveType, type TypeUse } from './committed-type.ts'
import type { OpenDomain, WriteContext } from './context.ts'
import { addObject, type NewObject, requirePlace } from './creation.ts'
import { requireMember } from './members.ts'
import { type ObjectView, openObject, viewOf } from './objects.ts'
import { type DecodeValues, writeFirstValues } from './values.ts'

const INDIRECT = 'H5D_CHUNKED_REF_INDIRECT'

export interface NewDataset extends NewObject {
  readonly type: TypeUse
  readonly space: Dataspace
  readonly creationProperties?: JsonValue
  /** How creation properties are understood; absent: as HDF5/JSON. */
  readonly creationRules?: CreationRules
  /** What to write into it at once. */
  readonly values?: DecodeValues
}

export async function createDataset(
  context: WriteContext,
  domain: OpenDomain,
  input: NewDataset,
): Promise<ObjectView<Dataset>> {
  const { space, values } = input
  const { id, link } = await requirePlace(context, domain, input)
  const resolved = await resolveType(context, domain, input.type)
  const creationProperties = parseCreationProperties(
    input.creationProperties,
    resolved.type,
    space,
    input.creationRules,
  )
  await requireChunkTable(context, domain, creationProperties, extentsOf(space).length)
  const dataset: Dataset = {
    kind: 'dataset',
    id,
    created: context.now,
    acl: [],
    ...resolved,
    space,
    creationProperties,
  }
  const view = await addObject(context, domain, dataset, link, input)
  if (!values) return view
  await writeFirstValues(context, dataset, values)
  return viewOf(context, dataset)
}

/** Of a dataset whose chunks are listed by another one: that must be there and have an element for each chunk. */
async function requireChunkTable(
  context: WriteContext,
  domain: OpenDomain,
  { layout, json }: CreationProperties,
  rank: number,
): Promise<void> {
  if (layout !== INDIRECT) return
  const members = json.get('layout')
  const text = isJsonObject(members) ? members.get('chunk_table') : undefined
  const reference = typeof text === 'string' ? parsePrefixed(text) : undefined
  const refused = (why: string) =>
    new HyperslabError('malformed-creation-properties', `layout.chunk_table ${why}`)
  if (reference?.kind !== 'dataset')
    throw refused(`must be the id of a dataset, not ${excerpt(text ?? null)}`)
  const table = await requireMember(context, domain, reference.id, 'dataset')
  if (table.space.class === 'H5S_NULL' || extentsOf(table.space).length !== rank) {
    throw refused(`is the id of a dataset of another rank than ${rank}`)
  }
  if (table.creationProperties.layout === INDIRECT) throw refused('lies in a file elsewhere itself')
}

/** What is asked of the extents: new ones, or more of one dimension. */
export type ExtentsChange = readonly number[] | { readonly extend: number; readonly dimension: number }

/** A dataset whose extents were changed, and those it had. */
export interface ShapeChange extends ObjectView<Dataset> {
  readonly before: readonly number[]
}

/** New extents within the maximum ones; what is added reads as the fill value (contract 10, 7.6). */
export async function setShape(
  context: WriteContext,
  domain: OpenDomain,
  id: ObjectId,
  change: ExtentsChange,
  options: { readonly shrink: boolean },
): Promise<ShapeChange> {
  requireWritable(domain)
  const dataset = await openObject(context, domain, 'dataset', id, 'update')
  const space = requireExtensible(dataset)
  const dims = 'extend' in change ? extended(space.dims, change) : change
  requireExtents(space, dims, options)
  await context.writer.setExtents(dataset, dims)
  const view = await viewOf(context, { ...dataset, space: { ...space, dims } })
  return { ...view, before: space.dims }
}

function extended(
  dims: readonly number[],
  { extend, dimension }: { readonly extend: number; readonly dimension: number },
): readonly number[] {
  if (dimension >= dims.length) {
    throw new HyperslabError(
      'malformed-shape',
      `dimension ${dimension} cannot be extended: the dataset has rank ${dims.length}`,
    )
  }
  const extents = dims.map((extent, index) => (index === dimension ? extent + extend : extent))
  if (extents.every(Number.isSafeInteger)) return extents
  throw new HyperslabError('malformed-shape', `an extent is at most 2^53 - 1, not ${extents[dimension]}`)
}

type ExtensibleSpace = SimpleDataspace & Required<Pick<SimpleDataspace, 'maxdims'>>

function requireExtensible({ id, space, creationProperties }: Dataset): ExtensibleSpace {
  const fixed = (why: string) => new HyperslabError('not-extensible', why, { subject: id })
  if (space.class !== 'H5S_SIMPLE') {
    const name = space.class === 'H5S_NULL' ? 'null' : 'scalar'
    throw fixed(`a dataset with a ${name} dataspace has no extents to change`)
  }
  if (isReferenceLayout(creationProperties.layout))
    throw fixed('the values of the dataset lie in a file elsewhere')
  const { maxdims } = space
  if (!maxdims) throw fixed('the dataset was created without maxdims: its extents are fixed')
  return { ...space, maxdims }
}

/** The dataset can take these extents. */
function requireExtents(
  { dims: current, maxdims }: ExtensibleSpace,
  dims: readonly number[],
  options: { readonly shrink: boolean },
): void {
  if (dims.length !== current.length) {
    throw new HyperslabError(
      'malformed-shape',
      `the shape [${dims.join(', ')}] has rank ${dims.length}, the dataset has rank ${current.length}`,
    )
  }
  dims.forEach((extent, dimension) => {
    requireExtent(dimension, extent, current[dimension], maxdims[dimension], options.shrink)
  })
  product(dims)
}

function requireExtent(
  dimension: number,
  extent: number,
  current: number,
  maximum: number | typeof UNLIMITED,
  shrink: boolean,
): void {
  if (maximum !== UNLIMITED && extent > maximum) {
    throw new HyperslabError(
      'extent-out-of-bounds',
      `extent ${extent} of dimension ${dimension} is beyond its maximum ${maximum}`,
    )
  }
  if (extent < current && !shrink) {
    throw new HyperslabError(
      'extent-out-of-bounds',
      `extent ${extent} of dimension ${dimension} is below the current ${current}: a dataset can only grow`,
    )
  }
}
