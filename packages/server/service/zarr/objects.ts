// Objects and attributes as the Zarr view reads them: many at once, and none fails because of another one.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'
import type { ListedAttribute, ObjectDetails } from '@hyperslab/store/store'
import type { ShownAttribute } from '@hyperslab/views/zarr'
import type { Context } from '../context.ts'
import { resultOrError } from '../links/paths.ts'

/** Objects whose details are read together for consolidated metadata. @limit memory, objects */
export const DETAILS_AT_ONCE = 64

/** The details of objects, or the reasons why they cannot be read; undefined: an object is deleted. */
export async function* readDetails(
  { reader, signal }: Context,
  ids: readonly ObjectId[],
): AsyncGenerator<readonly [id: ObjectId, details: ObjectDetails | HyperslabError | undefined]> {
  for (let first = 0; first < ids.length; first += DETAILS_AT_ONCE) {
    signal.throwIfAborted()
    const some = ids.slice(first, first + DETAILS_AT_ONCE)
    const all = await resultOrError(reader.details(some))
    for (const [i, id] of some.entries()) {
      if (!(all instanceof HyperslabError)) yield [id, all[i]]
      else {
        const one = await resultOrError(reader.details([id]))
        yield [id, one instanceof HyperslabError ? one : one[0]]
      }
    }
    await nextTurn()
  }
}

/** The attributes of an object. `known`: those that were read with it. */
export async function readAttributes(
  { reader }: Context,
  id: ObjectId,
  known?: readonly ListedAttribute[],
): Promise<readonly ShownAttribute[]> {
  if (known) return known.flatMap(shownAttribute)
  const attributes: ShownAttribute[] = []
  for await (const attribute of reader.attributes(id)) {
    attributes.push(...shownAttribute(attribute))
    await nextTurn()
  }
  return attributes
}

/** Nothing for an attribute that cannot be read; long values are left out. */
function shownAttribute(attribute: ListedAttribute): ShownAttribute[] {
  if ('reason' in attribute) return []
  const { name, type, space, value } = attribute
  return [{ name, type, space, ...(value && 'data' in value && { value }) }]
}
