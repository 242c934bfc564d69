// Removing a node of the Zarr view: the link to it, and the object if nothing else leads to it.

import { requireWritable } from '../access/access.ts'
import type { WriteContext } from '../context.ts'
import { deleteLink } from '../links/links.ts'
import type { LocatedObject } from '../links/paths.ts'
import { deleteObject } from '../objects/objects.ts'
import type { WritePlace } from './write-place.ts'

/** The links of a group that is removed go with it; what only they led to is not reached any more. */
export async function removeMember(
  context: WriteContext,
  { group, title }: NonNullable<WritePlace['link']>,
  { domain, object }: LocatedObject,
): Promise<void> {
  requireWritable(group.domain)
  const link = await context.reader.link(group.object.id, title)
  await deleteLink(context, group.domain, group.object.id, title)
  if (link?.target.class !== 'H5L_TYPE_HARD') return
  for await (const _ of context.reader.linksTo(object.id)) return
  await deleteObject(context, domain, object.kind, object.id, { links: false })
}
