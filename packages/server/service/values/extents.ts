// Changing the extents of datasets.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  extentsOf,
  isReferenceLayout,
  product,
  type SimpleDataspace,
  UNLIMITED,
} from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import type { Dataset } from '@hyperslab/store/store'
import { requireWritable } from '../access/access.ts'
import type { OpenDomain, WriteContext } from '../context.ts'
import { type ObjectView, openObject, viewOf } from '../objects/objects.ts'

/** The requested change: new extents, or more of one dimension. */
export type ExtentsChange = readonly number[] | { readonly extend: number; readonly dimension: number }

/** A dataset whose extents were changed, and its extents before. */
export interface ShapeChange extends ObjectView<Dataset> {
  readonly before: readonly number[]
}

/** Sets new extents within the maximum ones; new elements read as the fill value (classic 7.6). */
export async function setShape(
  context: WriteContext,
  domain: OpenDomain,
  id: ObjectId,
  change: ExtentsChange,
  options: { readonly shrink: boolean },
): Promise<ShapeChange> {
  requireWritable(domain)
  const dataset = await openObject(context, domain, 'dataset', id, 'update')
  const before = extentsOf(dataset.space)
  const changed = await changeExtents(context, dataset, change, options)
  return { ...(await viewOf(context, changed)), before }
}

/** Changes the extents of a dataset; an error when it cannot have them. */
export async function changeExtents(
  context: WriteContext,
  dataset: Dataset,
  change: ExtentsChange,
  options: { readonly shrink: boolean },
): Promise<Dataset> {
  const space = requireExtensible(dataset)
  const dims = 'extend' in change ? extendDimension(space.dims, change) : change
  requireExtents(space, dims, options)
  await context.writer.setExtents(dataset, dims, context.signal)
  return { ...dataset, space: { ...space, dims } }
}

function extendDimension(
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
  const fixed = (reason: string) => new HyperslabError('not-extensible', reason, { subject: id })
  if (space.class !== 'H5S_SIMPLE') {
    const name = space.class === 'H5S_NULL' ? 'null' : 'scalar'
    throw fixed(`a dataset with a ${name} dataspace has no extents to change`)
  }
  if (isReferenceLayout(creationProperties.layout))
    throw fixed('the values of the dataset are stored in another file: its extents are fixed')
  const { maxdims } = space
  if (!maxdims) throw fixed('the dataset was created without maxdims: its extents are fixed')
  return { ...space, maxdims }
}

/** Throws unless the dataset can have these extents. */
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
      `extent ${extent} of dimension ${dimension} is above its maximum ${maximum}`,
    )
  }
  if (extent < current && !shrink) {
    throw new HyperslabError(
      'extent-out-of-bounds',
      `extent ${extent} of dimension ${dimension} is below the current ${current}: a dataset can only grow`,
    )
  }
}
