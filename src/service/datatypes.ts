// Creating committed datatypes. Reading and deleting them is in objects.ts, using them in committed-type.ts.

import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { newObjectId } from '../hdf5/object-id.ts'
import type { CommittedDatatype } from '../storage/store.ts'
import type { OpenDomain, WriteContext } from './context.ts'
import { addObject, type NewLink, type ObjectView, requireCreation } from './objects.ts'

export interface NewDatatype {
  readonly type: Datatype
  readonly link?: NewLink
}

export async function createDatatype(
  context: WriteContext,
  domain: OpenDomain,
  input: NewDatatype,
): Promise<ObjectView<CommittedDatatype>> {
  const { type, link } = input
  await requireCreation(context, domain, link)
  const id = newObjectId(domain.root.id, context.random)
  return addObject(context, { kind: 'datatype', id, created: context.now, acl: [], type }, link)
}
