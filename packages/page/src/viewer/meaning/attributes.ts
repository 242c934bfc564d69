// The attributes of an object as metadata: exact values, since they come as bytes, in bounded number and size. What is
// larger or cannot be read is listed without a value.

import type { Api, Collection, Datatype, Domain, Elements, Hyperslab } from '@hyperslab/client'
import {
  bytesOfBase64,
  decodeElements,
  elementsFromJson,
  extentsOf,
  numberForm,
  parseDatatype,
  productOf,
} from '@hyperslab/client/elements'
import type { Attribute as MeaningAttribute } from '@hyperslab/meaning/meaning'

/** A domain, and the server that it is on. */
export interface DomainSource {
  readonly client: Hyperslab
  readonly domain: Domain
}

export interface Attribute extends MeaningAttribute {
  readonly name: string
  readonly type: Datatype
  /** Undefined: a null dataspace. */
  readonly shape: readonly number[] | undefined
  /** Undefined: it is not loaded, for the reason. */
  readonly data: Elements | undefined
  readonly reason?: string
}

export type Attributes = ReadonlyMap<string, Attribute>

/** Attributes of one object that are read. @limit safety, attributes */
const MAX_ATTRIBUTES = 1000
/** Bytes of a value that is read with the others; an element of variable size counts 512. @limit memory, bytes */
const MAX_VALUE_BYTES = 65_536

/** The first attributes of an object. One that has none costs no request. */
export async function readAttributes(
  { client, domain }: DomainSource,
  collection: Collection,
  { id, attributeCount }: Pick<Api.FoundObject, 'id' | 'attributeCount'>,
  signal?: AbortSignal,
): Promise<Attributes> {
  if (attributeCount === 0) return new Map()
  const parameters = {
    id,
    domain: domain.pathOf(id),
    IncludeData: 1,
    max_data_size: MAX_VALUE_BYTES,
    encoding: 'base64' as const,
    ignore_nan: 1,
    Limit: MAX_ATTRIBUTES,
  }
  const { attributes } = await client.request(`GET /${collection}/{id}/attributes`, parameters, { signal })
  // The attributes of one object are a list.
  const items = Array.isArray(attributes) ? attributes : []
  return new Map(items.map(item => [item.name, attributeOf(item)]))
}

function attributeOf(item: Api.AttributeItem): Attribute {
  if ('unreadable' in item) {
    const type: Datatype = { class: 'H5T_OPAQUE', size: 0 }
    return { name: item.name, type, shape: undefined, data: undefined, reason: item.unreadable }
  }
  const type = parseDatatype(item.type)
  const shape = extentsOf(item.shape)
  const value = { name: item.name, type, form: numberForm(type), shape }
  if (shape === undefined) return { ...value, data: [] }
  if (item.value === undefined) return { ...value, data: undefined, reason: 'The value is large.' }
  const data =
    item.encoding === 'base64'
      ? decodeElements(type, productOf(shape), bytesOfBase64(String(item.value)))
      : elementsFromJson(type, shape, item.value)
  return { ...value, data }
}
