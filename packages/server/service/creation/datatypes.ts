// Creating committed datatypes. Reading and deleting them is in objects.ts, using them in committed-type.ts.

import type { JsonValue } from '@hyperslab/model/json'
import type { CommittedDatatype } from '@hyperslab/store/store'
import type { OpenDomain, WriteContext } from '../context.ts'
import type { GivenType } from '../objects/committed-type.ts'
import type { ObjectView } from '../objects/objects.ts'
import { type BatchPlace, createObject, type NewObject } from './creation.ts'

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
  return createObject<CommittedDatatype>(context, domain, input, place, base => ({
    kind: 'datatype',
    ...base,
    type,
    ...(givenType && { givenType }),
    ...(creationProperties !== undefined && { creationProperties }),
  }))
}
