// Selected values without those that a mask says to be bad: a dataset of the same domain that covers their last
// dimensions, as `pixel_mask` covers each image of a detector.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, product } from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import { requireNumeric } from '@hyperslab/model/reduction'
import type { Dataset } from '@hyperslab/store/store'
import type { Context, OpenDomain } from '../context.ts'
import { openObject } from '../objects/objects.ts'
import { Mask, MaskMarker } from '../reduction/mask.ts'
import type { SelectionRequest } from '../selection/request.ts'
import { changedValues, markMissing } from './reductions.ts'
import { readValues, type SelectedValues } from './values.ts'

/** Selected elements of a mask, which are kept as bits while values are read. @limit memory, elements */
const MAX_MASK = 2 ** 26

/**
 * Floats of which those are NaN whose place in the mask is not 0. Throws `malformed-parameter` unless the mask has the
 * last extents of the dataset, `malformed-selection` unless ranges are selected, `selection-too-large` if more of the
 * mask is selected than fits into memory, `type-unsupported` unless both have numbers.
 */
export async function maskValues(
  context: Context,
  domain: OpenDomain,
  values: SelectedValues,
  id: ObjectId,
): Promise<SelectedValues> {
  if (values.shape === undefined) return values
  const mask = await readMask(context, domain, values, id)
  const numbers = markMissing(context, values, {})
  const { version: ofMask } = mask.status
  const { version, ...status } = numbers.status
  return {
    ...changedValues(context, numbers, () => new MaskMarker(numbers.type, mask.bits)),
    // Entity tags change with the mask.
    status: version && ofMask ? { ...status, version: `${version} ${ofMask}` } : status,
  }
}

async function readMask(context: Context, domain: OpenDomain, values: SelectedValues, id: ObjectId) {
  const { signal } = context
  const { space, type } = await openObject(context, domain, 'dataset', id, 'read')
  const extents = extentsOf(space)
  requireNumeric(type, 'mask')
  requireLastExtents(extents, values.dataset, id)
  const selection = lastOf(values.request, extents.length)
  const selected = await readValues(context, domain, id, { selection })
  const count = product(selected.shape ?? [])
  if (count > MAX_MASK) {
    throw new HyperslabError(
      'selection-too-large',
      `mask=${id}: ${count} of its elements are selected, more than ${MAX_MASK}: select less`,
    )
  }
  const bits = new Mask(type, count)
  for await (const piece of selected.pieces) {
    for (const _ of bits.fill(piece)) {
      signal.throwIfAborted()
      if (isTurnOver()) await nextTurn()
    }
  }
  return { bits, status: selected.status }
}

function requireLastExtents(extents: readonly number[], { id, space }: Dataset, mask: ObjectId): void {
  const all = extentsOf(space)
  if (extents.length > 0 && extents.join() === all.slice(-extents.length).join()) return
  throw new HyperslabError(
    'malformed-parameter',
    `mask=${mask} has the extents [${extents.join(', ')}]: they must be the last ones of the dataset ${id}, ` +
      `[${all.join(', ')}]`,
  )
}

/** The selection in the last dimensions. */
function lastOf(request: SelectionRequest, rank: number): SelectionRequest {
  if (request.kind === 'all') return request
  if (request.kind === 'hyperslab') {
    const [start, stop, step] = [request.start, request.stop, request.step].map(list => list?.slice(-rank))
    return { kind: 'hyperslab', ...(start && { start }), ...(stop && { stop }), ...(step && { step }) }
  }
  if (request.kind === 'select' && !request.items.some(item => item instanceof Float64Array))
    return { ...request, items: request.items.slice(-rank) }
  throw new HyperslabError(
    'malformed-selection',
    'a mask goes with ranges: points and lists of coordinates have no last dimensions',
  )
}
