// The body of a write of values: their selection, and the elements, from JSON or bytes.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'
import {
  type ByteRange,
  decodeBase64Text,
  excerpt,
  type JsonObject,
  readRange,
  type StoredText,
  scanElements,
  splitValueBody,
  type ValueBody,
} from '@hyperslab/model/json'
import { AT_LEAST, BROADCAST, COUNT_ONLY, type Piece } from '@hyperslab/model/values'
import { likelyName } from '../../nearest-name.ts'
import { SELECT_ALL } from '../../service/selection/request.ts'
import type { UpdateOf } from '../../service/values/queries.ts'
import type { Append, DecodeValues, WriteRequest } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isBinary } from '../message/content-types.ts'
import type { RequestBody } from '../message/request-body.ts'
import { elementsOfBytes, requireStored } from '../output/binary-types.ts'
import { noSuchOption, requireNumber, type WriteParameters } from '../route/value-parameters.ts'
import { decodeOnce } from './kept-elements.ts'
import { updateOf } from './query-input.ts'
import { fieldsIn, optionsIn, readPoints, selectionInBody } from './value-selection.ts'

export type ValueInput =
  | {
      readonly write: WriteRequest
      /** True when the elements can be read only once. */
      readonly once: boolean
    }
  | { readonly updateOf: UpdateOf }

/** Bytes of the longest body that is read as a whole before its write begins, which can then be repeated. */
const KEPT_BYTES = 1 << 20

/** The input of a write of values. A query, in the URL or in a JSON body, chooses the elements to change. */
export async function valueInput(
  body: RequestBody,
  dialect: Dialect,
  parameters: WriteParameters,
): Promise<ValueInput> {
  const { query } = parameters
  if (isBinary(body, dialect)) {
    if (query === undefined) return binaryInput(body, dialect, parameters)
    throw new HyperslabError(
      'malformed-body',
      'the value that a query sets must be sent as JSON, not as bytes',
    )
  }
  if (query !== undefined) return { updateOf: updateOf(await body.json(), dialect, parameters) }
  return jsonInput(body, dialect, parameters)
}

/** Members of a JSON body with elements, beside the options. */
const MEMBERS = ['value', 'value_base64', 'points', 'select', 'start', 'stop', 'step']

/** Members that only a dialect with such options knows. */
const OPTIONS = ['append', 'append_dim', 'element_count', 'fields', 'query', 'regionref']

/** The members that may be options. They are rejected if the dialect has none, as in the query (classic 7.10). */
function requireOptions(members: JsonObject, dialect: Dialect): JsonObject {
  const options = optionsIn(members, dialect)
  const unknown = OPTIONS.find(name => isPresent(members, name) && !isPresent(options, name))
  if (unknown !== undefined) throw noSuchOption(unknown)
  return options
}

/** Members that are compared with the options: a body has a few. @limit safety, members */
const MAX_COMPARED = 64

/** Throws for a member that resembles an option: without it the elements might be written elsewhere. */
function requireMeant(options: JsonObject): void {
  const known = [...MEMBERS, ...OPTIONS]
  for (const name of [...options.keys()].slice(0, MAX_COMPARED)) {
    const meant = known.includes(name) ? undefined : likelyName(name, known)
    if (meant === undefined) continue
    const rule = `it has no meaning, and resembles "${meant}"`
    throw new HyperslabError('malformed-body', `body must not have ${excerpt(name)}: ${rule}`)
  }
}

function isPresent(members: JsonObject, name: string): boolean {
  return (members.get(name) ?? '') !== ''
}

/** Bytes are read as they arrive, and so only once, unless they are few, or repeated, for which they are read again. */
async function binaryInput(
  body: RequestBody,
  dialect: Dialect,
  parameters: WriteParameters,
): Promise<ValueInput> {
  const { region, select, fields } = parameters
  const selection = appendIn(new Map(), undefined, parameters) ?? (region ? SELECT_ALL : select)
  const elementCount = parameters.elementCount()
  const spooled = body.isShort(KEPT_BYTES) || elementCount !== undefined ? await body.spool() : undefined
  const length = spooled?.length ?? body.announcedLength
  const decode: DecodeValues = (type, shape) => {
    requireByteCount(type, shape, length)
    const bytes = spooled === undefined ? body.bytes() : readRange(spooled, { from: 0, to: spooled.length })
    return elementsOfBytes(dialect, type, product(shape), bytes)
  }
  const decoding = spooled ? { decode } : decodeOnce(body, decode)
  return { write: { selection, fields, elementCount, ...decoding }, once: spooled === undefined }
}

/** Spools the body first, because the members that select may come after its values. */
async function jsonInput(
  body: RequestBody,
  dialect: Dialect,
  parameters: WriteParameters,
): Promise<ValueInput> {
  const spooled = await body.spool()
  const parts = await splitValueBody(spooled, body.maxJson, body.memory)
  const options = requireOptions(parts.members, dialect)
  if (isPresent(options, 'query')) {
    return { updateOf: updateOf(await body.jsonOf(spooled), dialect, parameters) }
  }
  requireMeant(options)
  return { write: await writeInJson(body, spooled, parts, dialect, parameters), once: false }
}

/** The write that the parts ask for; `text` is the JSON that they were split from: the body, or an item of it. */
export async function writeInJson(
  body: RequestBody,
  text: StoredText,
  parts: ValueBody,
  dialect: Dialect,
  parameters: WriteParameters,
): Promise<WriteRequest> {
  const { value, valueBase64 } = parts
  const target = await targetInJson(body, text, parts, dialect, parameters)
  const decode: DecodeValues = (type, shape) => {
    if (value !== undefined) return elementsOfJson(dialect, target, type, shape, readRange(text, value))
    if (valueBase64 !== undefined) {
      const bytes = decodeBase64Text(readRange(text, valueBase64))
      return elementsOfBytes(dialect, type, product(shape), bytes)
    }
    throw new HyperslabError(
      'malformed-body',
      'the body must have `value` or `value_base64`, which must not be null',
    )
  }
  return { ...target, decode }
}

/** A write without its values. */
export type WriteTarget = Omit<WriteRequest, 'decode'>

/** The elements that the parts of a body select for a write. */
export async function targetInJson(
  body: RequestBody,
  text: StoredText,
  { members, points }: ValueBody,
  dialect: Dialect,
  parameters: WriteParameters,
): Promise<WriteTarget> {
  const grammar = dialect.rules.values.selections
  const options = requireOptions(members, dialect)
  const selection =
    appendIn(options, points, parameters) ??
    selectionInBody(members, points && (await readPoints(body, text, points, grammar)), parameters, grammar)
  const elementCount = wholeNumberIn(options, 'element_count', 1) ?? parameters.elementCount()
  const fields = fieldsIn(options, parameters.fields)
  return { selection, fields, elementCount }
}

/** The elements that the JSON of a value represents. */
export function elementsOfJson(
  { rules, references }: Dialect,
  { selection }: WriteTarget,
  type: Datatype,
  shape: readonly number[],
  json: AsyncIterable<Uint8Array>,
): AsyncIterable<Piece> {
  requireStored(type, rules.values)
  const nesting = rules.values.countsOnly ? COUNT_ONLY : selection.kind === 'points' ? AT_LEAST : BROADCAST
  return scanElements(type, shape, json, references, nesting)
}

/** Throws for a wrong length before the bytes are read. */
export function requireByteCount(type: Datatype, shape: readonly number[], length: number | undefined): void {
  const needed = product(shape) * elementSize(type)
  if (length === undefined || length === needed || isVariableSize(type)) return
  throw new HyperslabError(
    'value-count-mismatch',
    `${product(shape)} elements of ${elementSize(type)} bytes are ${needed} bytes, and ${length} were sent`,
  )
}

/** Members that select elements, and so exclude `append` (hsds-values 7.5). */
const SELECTING = ['select', 'start', 'stop', 'step', 'query', 'regionref']

/** `append` and `append_dim`, in the body or else in the query. */
function appendIn(
  members: JsonObject,
  points: ByteRange | undefined,
  { append, appendDim, region, select }: WriteParameters,
): Append | undefined {
  const extend = wholeNumberIn(members, 'append', 1) ?? append()
  if (extend === undefined) return undefined
  const inBody = points ? 'points' : SELECTING.find(name => isPresent(members, name))
  const other = inBody ?? (region ? 'regionref' : select.kind === 'all' ? undefined : 'select')
  if (other !== undefined) {
    throw new HyperslabError(
      'malformed-selection',
      `append cannot go together with ${other}: leave one of them out`,
    )
  }
  return { kind: 'append', extend, dimension: wholeNumberIn(members, 'append_dim', 0) ?? appendDim() ?? 0 }
}

/** A whole number in a body; undefined where it is absent or null. */
function wholeNumberIn(members: JsonObject, name: string, min: number): number | undefined {
  const number = members.get(name) ?? undefined
  return number === undefined ? undefined : requireNumber(name, min, number)
}
