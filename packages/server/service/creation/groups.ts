// Creating groups. Reading and deleting them is in objects.ts, their links in links.ts.

import type { JsonValue } from '@hyperslab/model/json'
import type { Group } from '@hyperslab/store/store'
import type { OpenDomain, WriteContext } from '../context.ts'
import { type LinkRequest, putLinks } from '../links/links.ts'
import { type ObjectView, viewOf } from '../objects/objects.ts'
import { type BatchPlace, createObject, type NewObject } from './creation.ts'

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
  const view = await createObject<Group>(context, domain, input, place, base => ({
    kind: 'group',
    ...base,
    ...(creationProperties !== undefined && { creationProperties }),
  }))
  if (!links?.size) return view
  await putLinks(context, domain, [{ owner: view.object, items: links }], { same: 'conflict' })
  return viewOf(context, view.object)
}
