// The attributes of an object as metadata: exact values, since they come as bytes, in bounded number and size. What is
// larger or cannot be read is listed without a value.

import type { Api, Datatype, Domain, Elements, Hyperslab } from '@hyperslab/client'
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
import { messageOf } from '../../common/errors.ts'

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
export const MAX_VALUE_BYTES = 65_536

/** The first attributes of a dataset. */
export async function readAttributes(
  { client, domain }: DomainSource,
  id: string,
  signal?: AbortSignal,
): Promise<Attributes> {
  const parameters = {
    id,
    domain: domain.pathOf(id),
    IncludeData: 1,
    max_data_size: MAX_VALUE_BYTES,
    encoding: 'base64' as const,
    ignore_nan: 1,
    Limit: MAX_ATTRIBUTES,
  }
  const { attributes } = await client.request('GET /datasets/{id}/attributes', parameters, { signal })
  // The attributes of one object are a list.
  return attributesIn(Array.isArray(attributes) ? attributes : [])
}

/** The first of the attributes that an answer has, which were requested with values of at most `MAX_VALUE_BYTES`. */
export function attributesIn(items: readonly Api.AttributeItem[]): Attributes {
  return new Map(items.slice(0, MAX_ATTRIBUTES).map(item => [item.name, attributeIn(item)]))
}

function attributeIn(item: Api.AttributeItem): Attribute {
  const unknown = { name: item.name, type: NO_TYPE, shape: undefined, data: undefined }
  if ('unreadable' in item) return { ...unknown, reason: item.unreadable }
  try {
    return attributeOf(item)
  } catch (error) {
    return { ...unknown, reason: messageOf(error) }
  }
}

const NO_TYPE: Datatype = { class: 'H5T_OPAQUE', size: 0 }

function attributeOf(item: Exclude<Api.AttributeItem, { readonly unreadable: string }>): Attribute {
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
