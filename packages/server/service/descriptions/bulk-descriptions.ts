// Describing every object of a domain at once. Memory holds only the state of the walk: links and attributes of an
// object with many of them are iterated too, and must be consumed before the next object.

import { inTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, isReferenceLayout, product } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import { compareUtf8 } from '@hyperslab/model/names'
import { type Elements, EMPTY_HEAP } from '@hyperslab/model/values'
import type { Dataset, HdfObject, ListedAttribute, ListedLink } from '@hyperslab/store/store'
import type { Context, OpenDomain } from '../context.ts'
import { withLivingType, withLivingTypes } from '../objects/committed-type.ts'
import type { ObjectView } from '../objects/objects.ts'
import { listingOrder, readableObjects, type WalkedObject } from '../objects/reachable.ts'
import { readTogether } from '../objects/read-together.ts'
import { SELECT_ALL } from '../selection/request.ts'
import { resolveSelection } from '../selection/resolve.ts'

export interface BulkDescription extends ObjectView {
  /** Present for groups only. */
  readonly links?: readonly ListedLink[] | AsyncIterable<ListedLink>
  readonly attributes?: readonly ListedAttribute[] | AsyncIterable<ListedAttribute>
  /** Present for small datasets only. */
  readonly value?: Elements
}

export interface BulkParts {
  readonly attributes: boolean
  /** Links and attributes in the order of their creation, whatever the order of the object is. */
  readonly byCreation: boolean
}

/** The objects that hard links reach from the root group and the caller may read, each once (hsds-objects 8.11). */
export function describeDomain(
  context: Context,
  domain: OpenDomain,
  parts: BulkParts,
): AsyncGenerator<BulkDescription> {
  const orderOf = (object: HdfObject) => (parts.byCreation ? 'created' : listingOrder(object))
  const objects = readableObjects(context, domain, orderOf)
  return readTogether(objects, found => describe(context, domain, found, parts, orderOf(found.object)))
}

async function describe(
  context: Context,
  domain: OpenDomain,
  { object: stored, status, links, attributes }: WalkedObject,
  parts: BulkParts,
  order: 'name' | 'created',
): Promise<BulkDescription> {
  const { reader } = context
  const { id, kind } = stored
  const object = await withLivingType(context, domain, stored)
  const value = kind === 'dataset' ? await smallValue(context, stored) : undefined
  return {
    object,
    status: status ?? (await reader.status(id)),
    ...(kind === 'group' && { links: links ?? inTurns(reader.links(id, { order })) }),
    ...(parts.attributes && {
      attributes: attributes
        ? await withLivingTypes(context, domain, order === 'name' ? byName(attributes) : attributes)
        : living(context, domain, inTurns(reader.attributes(id, { order }))),
    }),
    ...(value && { value }),
  }
}

function byName(attributes: readonly ListedAttribute[]): readonly ListedAttribute[] {
  return attributes.length > 1 ? [...attributes].sort((a, b) => compareUtf8(a.name, b.name)) : attributes
}

async function* living(
  context: Context,
  domain: OpenDomain,
  attributes: AsyncIterable<ListedAttribute>,
): AsyncGenerator<ListedAttribute> {
  for await (const attribute of attributes) yield withLivingType(context, domain, attribute)
}

/** The most bytes of a value that is part of the description, if it is in one chunk (hsds-objects 8.11). */
const SMALL_BYTES = 4096

/** The value of a dataset; undefined if it is large, stored elsewhere, or cannot be read. */
async function smallValue({ reader, signal }: Context, dataset: Dataset): Promise<Elements | undefined> {
  const { id, type, space, creationProperties, unreadable } = dataset
  if (space.class === 'H5S_NULL' || unreadable !== undefined) return undefined
  if (isReferenceLayout(creationProperties.layout)) return undefined
  const extents = extentsOf(space)
  const count = product(extents)
  if (count * elementSize(type) > SMALL_BYTES) return undefined
  const { chunkDims } = creationProperties
  if (extents.some((extent, dimension) => extent > (chunkDims?.[dimension] ?? extent))) return undefined
  // The size of elements of variable size is unknown before they are read.
  if (isVariableSize(type) && (await reader.allocation(id)).bytes > SMALL_BYTES) return undefined
  try {
    return await readSmall(count, reader.readValues(dataset, resolveSelection(SELECT_ALL, space), signal))
  } catch (error) {
    // A request for the value alone gets this error.
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

/** The first piece of a small value is all of it. */
async function readSmall(count: number, pieces: AsyncIterable<Elements>): Promise<Elements | undefined> {
  if (count === 0) return { count, data: new Uint8Array(0), heap: EMPTY_HEAP }
  for await (const { data, heap } of pieces) return { count, data: data.slice(), heap: heap.slice() }
  return undefined
}
