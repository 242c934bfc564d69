// Removing a node of the Zarr view: the link to it, and the object if nothing else leads to it.

import type { ObjectId } from '@hyperslab/model/names'
import { requireWritable } from '../access/access.ts'
import type { WriteContext } from '../context.ts'
import { deleteLink } from '../links/links.ts'
import type { LocatedObject } from '../links/paths.ts'
import { deleteObject } from '../objects/objects.ts'
import type { DimensionScales } from './dimension-scales.ts'
import type { WritePlace } from './write-place.ts'

/** The links of a group that is removed go with it; what only they led to is not reached any more. */
export async function removeMember(
  context: WriteContext,
  { group, title }: NonNullable<WritePlace['link']>,
  { domain, object }: LocatedObject,
  scales: DimensionScales,
): Promise<void> {
  requireWritable(group.domain)
  const link = await context.reader.link(group.object.id, title)
  const isLast = link?.target.class === 'H5L_TYPE_HARD' && (await isOnlyLink(context, object.id))
  if (isLast && object.kind === 'dataset') await scales.release(domain, object)
  await deleteLink(context, group.domain, group.object.id, title)
  if (isLast) await deleteObject(context, domain, object.kind, object.id, { links: false })
}

async function isOnlyLink({ reader }: WriteContext, id: ObjectId): Promise<boolean> {
  let count = 0
  for await (const _ of reader.linksTo(id)) if (++count > 1) return false
  return true
}
