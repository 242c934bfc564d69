// Creating groups. Reading and deleting them is in objects.ts, their links in links.ts.

import type { JsonValue } from '../hdf5/json.ts'
import { newObjectId } from '../hdf5/object-id.ts'
import type { Group } from '../storage/store.ts'
import type { OpenDomain, WriteContext } from './context.ts'
import { addObject, type NewLink, type ObjectView, requireCreation } from './objects.ts'

export interface NewGroup {
  readonly link?: NewLink
  /** Kept word for word. */
  readonly creationProperties?: JsonValue
}

export async function createGroup(
  context: WriteContext,
  domain: OpenDomain,
  input: NewGroup,
): Promise<ObjectView<Group>> {
  const { link, creationProperties } = input
  await requireCreation(context, domain, link)
  const group: Group = {
    kind: 'group',
    id: newObjectId(domain.root.id, context.random),
    created: context.now,
    acl: [],
    ...(creationProperties !== undefined && { creationProperties }),
  }
  return addObject(context, group, link)
}
