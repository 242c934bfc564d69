// Creating datasets. Their extents are in extents.ts, their values in values.ts.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  type CreationProperties,
  type CreationRules,
  type Dataspace,
  extentsOf,
  parseChunkLocator,
  parseCreationProperties,
} from '@hyperslab/model/dataset'
import { excerpt, isJsonObject, type JsonValue } from '@hyperslab/model/json'
import { parsePrefixed } from '@hyperslab/model/names'
import type { Dataset } from '@hyperslab/store/store'
import type { OpenDomain, WriteContext } from '../context.ts'
import { resolveType, type TypeUse } from '../objects/committed-type.ts'
import { requireMember } from '../objects/members.ts'
import { type ObjectView, viewOf } from '../objects/objects.ts'
import { type DecodeValues, writeFirstValues } from '../values/values.ts'
import { fillChunkTable } from './chunk-locator.ts'
import { type BatchPlace, createObject, type NewObject } from './creation.ts'

const INDIRECT = 'H5D_CHUNKED_REF_INDIRECT'

export interface NewDataset extends NewObject {
  readonly type: TypeUse
  readonly space: Dataspace
  readonly creationProperties?: JsonValue
  /** The rules for parsing creation properties; absent: those of HDF5/JSON. */
  readonly creationRules?: CreationRules
  /** The first values to write. */
  readonly values?: DecodeValues
}

export async function createDataset(
  context: WriteContext,
  domain: OpenDomain,
  input: NewDataset,
  place?: BatchPlace,
): Promise<ObjectView<Dataset>> {
  const { space, values, creationRules } = input
  const view = await createObject<Dataset>(context, domain, input, place, async base => {
    const resolved = await resolveType(context, domain, input.type)
    const creationProperties = parseCreationProperties(
      input.creationProperties,
      resolved.type,
      space,
      creationRules,
    )
    await requireChunkTable(context, domain, creationProperties, extentsOf(space).length)
    return { kind: 'dataset', ...base, ...resolved, space, creationProperties }
  })
  const dataset = view.object
  const locator = creationRules?.initializers ? parseChunkLocator(dataset.creationProperties.json) : undefined
  if (locator) await fillChunkTable(context, dataset, locator)
  if (values) await writeFirstValues(context, dataset, values)
  return locator || values ? viewOf(context, dataset) : view
}

/**
 * Throws, for a dataset whose chunks another dataset lists, unless that one exists and has an element for each chunk.
 */
async function requireChunkTable(
  context: WriteContext,
  domain: OpenDomain,
  { layout, json }: CreationProperties,
  rank: number,
): Promise<void> {
  if (layout !== INDIRECT) return
  const members = json.get('layout')
  const text = isJsonObject(members) ? members.get('chunk_table') : undefined
  const reference = typeof text === 'string' ? parsePrefixed(text) : undefined
  const wrongTable = (reason: string) =>
    new HyperslabError('malformed-creation-properties', `layout.chunk_table ${reason}`)
  if (reference?.kind !== 'dataset')
    throw wrongTable(`must be the id of a dataset, not ${excerpt(text ?? null)}`)
  const table = await requireMember(context, domain, reference.id, 'dataset')
  if (table.space.class === 'H5S_NULL' || extentsOf(table.space).length !== rank) {
    throw wrongTable(`must be the id of a dataset of rank ${rank}`)
  }
  if (table.creationProperties.layout === INDIRECT)
    throw wrongTable('must not be stored in another file itself')
}
