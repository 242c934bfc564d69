// Selections that are stored as region references, in an attribute or as an element of a dataset (hsds-values 21).

import { HyperslabError } from '@hyperslab/base/errors'
import { type Dataspace, product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectReference } from '@hyperslab/model/names'
import { planParts, type Selection, selectionCount } from '@hyperslab/model/selection'
import {
  type Block,
  decodeRegionReference,
  type Elements,
  type RegionReference,
  slotLength,
  slotStart,
} from '@hyperslab/model/values'
import type { Context, OpenDomain } from '../context.ts'
import { SELECT_ALL, type SelectionRequest } from '../selection/request.ts'
import { resolveSelection } from '../selection/resolve.ts'
import { readValues } from '../values/values.ts'
import { piecesOf } from './attribute-value.ts'
import { getAttribute } from './attributes.ts'

/** The location of a region reference. */
export interface RegionSource {
  readonly owner: ObjectReference
  /** Absent: the owner is a dataset, and the reference is among its values. */
  readonly attribute?: string
  /** The selection of the element that is the reference; it must be one. */
  readonly element: SelectionRequest
}

/** The selection of the region, as a request would name it; undefined for the null reference. */
export async function selectionOfRegion(
  context: Context,
  domain: OpenDomain,
  source: RegionSource,
): Promise<SelectionRequest | undefined> {
  const stored =
    source.attribute === undefined
      ? await elementOfDataset(context, domain, source)
      : await elementOfAttribute(context, domain, source, source.attribute)
  if (stored === undefined) return undefined
  const { elements, index } = stored
  const length = slotLength(elements.data, 8 * index)
  if (length === 0) return undefined
  const start = slotStart(elements.data, 8 * index)
  const region = decodeRegionReference(elements.heap.subarray(start, start + length))
  if (typeof region === 'string') {
    throw new HyperslabError('malformed-value', 'regionref: the stored string is not a region reference')
  }
  return requestOf(region)
}

/** One of some elements. */
interface StoredElement {
  readonly elements: Elements
  readonly index: number
}

async function elementOfDataset(
  context: Context,
  domain: OpenDomain,
  { owner, element }: RegionSource,
): Promise<StoredElement | undefined> {
  const { type, shape, elements: all } = await readValues(context, domain, owner.id, { selection: element })
  requireRegions(type)
  requireOne(shape ? product(shape) : 0)
  for await (const elements of all) return { elements, index: 0 }
  return undefined
}

async function elementOfAttribute(
  context: Context,
  domain: OpenDomain,
  { owner, element }: RegionSource,
  name: string,
): Promise<StoredElement | undefined> {
  const { type, space, value } = await getAttribute(context, domain, owner, name)
  requireRegions(type)
  const selection = resolveSelection(element, space)
  requireOne(selectionCount(selection))
  let index = indexOf(selection, space)
  if (value === undefined) return undefined
  for await (const elements of piecesOf(value)) {
    if (index < elements.count) return { elements, index }
    index -= elements.count
  }
  return undefined
}

/** The position of the one selected element in row-major order. */
function indexOf(selection: Selection, space: Dataspace): number {
  const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
  const [part] = planParts(selection, { dims, chunkDims: dims })
  return part.first
}

function requireRegions(type: Datatype): void {
  if (type.class === 'H5T_REFERENCE' && type.base === 'H5T_STD_REF_DSETREG') return
  throw new HyperslabError('type-mismatch', 'regionref: the stored values are not region references')
}

function requireOne(count: number): void {
  if (count === 1) return
  throw new HyperslabError(
    'malformed-selection',
    `regionref: \`select\` must select one region reference, not ${count}`,
  )
}

/** The most elements of several blocks, which are selected one by one. @limit safety, entries */
const MAX_LISTED = 2 ** 22

function requestOf(region: RegionReference): SelectionRequest {
  switch (region.selectType) {
    case 'H5S_SEL_ALL':
      return SELECT_ALL
    case 'H5S_SEL_NONE':
      return { kind: 'points', coordinates: new Float64Array(0) }
    case 'H5S_SEL_POINTS': {
      const { points } = region
      return { kind: 'points', rank: points[0].length, coordinates: Float64Array.from(points.flat()) }
    }
    case 'H5S_SEL_HYPERSLABS': {
      const [block, ...others] = region.blocks
      if (others.length > 0) return selectPointsOf(region.blocks)
      const items = block.first.map((start, d) => ({ start, stop: block.last[d] + 1 }))
      return { kind: 'select', grammar: 'lists', items }
    }
  }
}

/** The elements of each block in row-major order, one block after another. */
function selectPointsOf(blocks: readonly Block[]): SelectionRequest {
  const sizes = blocks.map(({ first, last }) => product(first.map((start, d) => last[d] - start + 1)))
  const count = sizes.reduce((sum, size) => sum + size, 0)
  if (count > MAX_LISTED) {
    throw new HyperslabError(
      'selection-too-large',
      `regionref: the region has several blocks with ${count} elements; at most ${MAX_LISTED} can be selected`,
    )
  }
  const rank = blocks[0].first.length
  const coordinates = new Float64Array(count * rank)
  let offset = 0
  for (const { first, last } of blocks) {
    const point = [...first]
    for (;;) {
      coordinates.set(point, offset)
      offset += rank
      let d = rank - 1
      while (d >= 0 && ++point[d] > last[d]) {
        point[d] = first[d]
        d--
      }
      if (d < 0) break
    }
  }
  return { kind: 'points', rank, coordinates }
}
