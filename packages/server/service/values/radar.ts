// Attributes that the groups around a dataset of a weather radar give it. The rule is that of the page:
// `packages/meaning/radar.ts`.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Attributes, readRadar } from '@hyperslab/meaning/meaning'
import { readKnownAttributes } from '../attributes/known-attributes.ts'
import type { Context, OpenDomain } from '../context.ts'
import { ALL_LINKS, locateAll, resultOrError } from '../links/paths.ts'

const NAMES = ['gain', 'offset', 'nodata', 'undetect', 'quantity']

/** Undefined: the dataset at the path is of no radar. Groups that the caller may not read say nothing. */
export async function readRadarAttributes(
  context: Context,
  domain: OpenDomain,
  path: string,
): Promise<Attributes | undefined> {
  const read = async (group: string): Promise<Attributes> => {
    const found = await resultOrError(locateAll(context, domain, [group], { following: ALL_LINKS }))
    if (found instanceof HyperslabError) return new Map()
    const [located] = found.values()
    return located ? readKnownAttributes(context, located.object.id, NAMES) : new Map()
  }
  return (await readRadar(path, read))?.attributes
}
