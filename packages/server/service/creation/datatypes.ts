// Creating committed datatypes. Reading and deleting them is in objects.ts, using them in committed-type.ts.

import type { JsonValue } from '@hyperslab/model/json'
import type { CommittedDatatype } from '@hyperslab/store/store'
import type { OpenDomain, WriteContext } from '../context.ts'
import type { GivenType } from '../objects/committed-type.ts'
import type { ObjectView } from '../objects/objects.ts'
import { addObject, type BatchPlace, type NewObject, requireNewObject } from './creation.ts'

export interface NewDatatype extends NewObject, GivenType {
  /** Stored as sent. */
  readonly creationProperties?: JsonValue
}

export async function createDatatype(
  context: WriteContext,
  domain: OpenDomain,
  input: NewDatatype,
  place?: BatchPlace,
): Promise<ObjectView<CommittedDatatype>> {
  const { type, givenType, creationProperties } = input
  const { id, link } = await requireNewObject(context, domain, input, place)
  const datatype: CommittedDatatype = {
    kind: 'datatype',
    id,
    created: context.now,
    acl: [],
    type,
    ...(givenType && { givenType }),
    ...(creationProperties !== undefined && { creationProperties }),
  }
  return addObject(context, domain, datatype, link, input, place)
}
