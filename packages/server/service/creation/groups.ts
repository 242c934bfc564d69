// Creating groups. Reading and deleting them is in objects.ts, their links in links.ts.

import type { JsonValue } from '@hyperslab/model/json'
import type { Group } from '@hyperslab/store/store'
import type { OpenDomain, WriteContext } from '../context.ts'
import { type LinkRequest, putLinks } from '../links/links.ts'
import { type ObjectView, viewOf } from '../objects/objects.ts'
import { addObject, type BatchPlace, type NewObject, requireNewObject } from './creation.ts'

export interface NewGroup extends NewObject {
  /** Stored as sent. */
  readonly creationProperties?: JsonValue | undefined
  /** The first links of the group. */
  readonly links?: ReadonlyMap<string, LinkRequest> | undefined
}

export async function createGroup(
  context: WriteContext,
  domain: OpenDomain,
  input: NewGroup,
  place?: BatchPlace,
): Promise<ObjectView<Group>> {
  const { creationProperties, links } = input
  const { id, link } = await requireNewObject(context, domain, input, place)
  const group: Group = {
    kind: 'group',
    id,
    created: context.now,
    acl: [],
    ...(creationProperties !== undefined && { creationProperties }),
  }
  const view = await addObject(context, domain, group, link, input, place)
  if (!links?.size) return view
  await putLinks(context, domain, [{ owner: group, items: links }], { same: 'conflict' })
  return viewOf(context, group)
}
