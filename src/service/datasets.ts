// Creating datasets and changing their extents. Values are in values.ts.

import { HyperslabError } from '../errors.ts'
import { parseCreationProperties } from '../hdf5/creation-properties.ts'
import { type Dataspace, product, type SimpleDataspace, UNLIMITED } from '../hdf5/dataspace.ts'
import type { JsonValue } from '../hdf5/json.ts'
import { newObjectId, type ObjectId } from '../hdf5/object-id.ts'
import type { ReferenceSyntax } from '../hdf5/values/references.ts'
import type { Dataset } from '../storage/store.ts'
import { requireWritable } from './access.ts'
import { resolveType, type TypeUse } from './committed-type.ts'
import type { OpenDomain, WriteContext } from './context.ts'
import { addObject, type NewLink, type ObjectView, openObject, requireCreation, viewOf } from './objects.ts'

export interface NewDataset {
  readonly type: TypeUse
  readonly space: Dataspace
  readonly creationProperties?: JsonValue
  /** How ids are spelled inside a fill value; absent: prefixed. */
  readonly references?: ReferenceSyntax
  readonly link?: NewLink
}

export async function createDataset(
  context: WriteContext,
  domain: OpenDomain,
  input: NewDataset,
): Promise<ObjectView<Dataset>> {
  const { space, link } = input
  await requireCreation(context, domain, link)
  const resolved = await resolveType(context, domain, input.type)
  const dataset: Dataset = {
    kind: 'dataset',
    id: newObjectId(domain.root.id, context.random),
    created: context.now,
    acl: [],
    ...resolved,
    space,
    creationProperties: parseCreationProperties(
      input.creationProperties,
      resolved.type,
      space,
      input.references,
    ),
  }
  return addObject(context, dataset, link)
}

/** New extents within the maximum ones; what is added reads as the fill value (contract 10, 7.6). */
export async function setShape(
  context: WriteContext,
  domain: OpenDomain,
  id: ObjectId,
  dims: readonly number[],
  options: { readonly shrink: boolean },
): Promise<ObjectView<Dataset>> {
  requireWritable(domain)
  const dataset = await openObject(context, domain, 'dataset', id, 'update')
  const space = requireExtents(dataset, dims, options)
  await context.writer.setExtents(dataset, dims)
  return viewOf(context, { ...dataset, space: { ...space, dims } })
}

/** The dataspace of the dataset, if it can take these extents. */
function requireExtents(
  { id, space }: Dataset,
  dims: readonly number[],
  options: { readonly shrink: boolean },
): SimpleDataspace {
  if (space.class !== 'H5S_SIMPLE') {
    const name = space.class === 'H5S_NULL' ? 'null' : 'scalar'
    throw new HyperslabError(
      'not-extensible',
      `a dataset with a ${name} dataspace has no extents to change`,
      {
        subject: id,
      },
    )
  }
  const { maxdims } = space
  if (!maxdims) {
    throw new HyperslabError(
      'not-extensible',
      'the dataset was created without maxdims: its extents are fixed',
      {
        subject: id,
      },
    )
  }
  if (dims.length !== space.dims.length) {
    throw new HyperslabError(
      'malformed-shape',
      `the shape [${dims.join(', ')}] has rank ${dims.length}, the dataset has rank ${space.dims.length}`,
      { subject: id },
    )
  }
  dims.forEach((extent, dimension) => {
    requireExtent(dimension, extent, space.dims[dimension], maxdims[dimension], options.shrink)
  })
  product(dims)
  return space
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
