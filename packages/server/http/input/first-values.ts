// The body that creates a dataset. Its `value` may be large: it is decoded from its range of the body. In a list of
// datasets it is part of the parsed body, whose size is limited.

import { type JsonValue, readRange, scanElements, splitValueBody, stringifyJson } from '@hyperslab/model/json'
import { COUNT_ONLY } from '@hyperslab/model/values'
import type { DecodeValues } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type RequestBody, SHORT_BODY, type SpooledBody } from '../message/request-body.ts'
import { requireStored } from '../output/binary-types.ts'

const LIST = '['.charCodeAt(0)
const BLANKS = [' ', '\t', '\r', '\n'].map(blank => blank.charCodeAt(0))

export interface DatasetBody {
  readonly json: JsonValue | undefined
  /** The values of a body that is one object; absent: they are in `json`, or there are none. */
  readonly values?: DecodeValues
}

export async function readDatasetBody(body: RequestBody, dialect: Dialect): Promise<DatasetBody> {
  const isShort = body.announcedLength !== undefined && body.announcedLength <= SHORT_BODY
  if (isShort || !dialect.rules.objects.creationOptions) return { json: await body.json() }
  const spooled = await body.spool()
  if (spooled.length <= SHORT_BODY || (await isList(spooled))) return { json: await body.jsonOf(spooled) }
  const { members, value } = await splitValueBody(spooled, body.maxJson, body.memory)
  await body.checked(members)
  if (value === undefined) return { json: members }
  return { json: members, values: decodeText(dialect, () => readRange(spooled, value)) }
}

/** Values that were parsed with the rest of a body. */
export function decodeTree(dialect: Dialect, value: JsonValue): DecodeValues {
  return decodeText(dialect, () => textOf(value))
}

/** Decodes values from text. Only their count must fit, as in PUT. */
function decodeText({ references, rules }: Dialect, text: () => AsyncIterable<Uint8Array>): DecodeValues {
  return (type, shape) => {
    requireStored(type, rules.values)
    return scanElements(type, shape, text(), references, COUNT_ONLY)
  }
}

async function* textOf(value: JsonValue): AsyncGenerator<Uint8Array> {
  yield Buffer.from(stringifyJson(value))
}

async function isList(body: SpooledBody): Promise<boolean> {
  const block = new Uint8Array(256)
  for (let offset = 0; offset < body.length; ) {
    const read = await body.read(offset, block)
    const first = block.subarray(0, read).find(byte => !BLANKS.includes(byte))
    if (first !== undefined) return first === LIST
    offset += read
  }
  return false
}
