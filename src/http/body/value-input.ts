// Values on their way in: where a request puts them, and the elements that it brings, from JSON or bytes.

import { HyperslabError } from '../../errors.ts'
import { product } from '../../hdf5/dataspace.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import { elementSize, isVariableSize } from '../../hdf5/datatype/layout.ts'
import { excerpt, type JsonObject, type JsonValue } from '../../hdf5/json.ts'
import { scanElements } from '../../hdf5/values/json-scanner.ts'
import { AT_LEAST, BROADCAST, COUNT_ONLY } from '../../hdf5/values/nesting.ts'
import { type ByteRange, decodeBase64Text, readRange, splitValueBody } from '../../hdf5/values/value-body.ts'
import type { UpdateOf } from '../../service/values/queries.ts'
import type { Append, DecodeValues, WriteRequest } from '../../service/values/values.ts'
import type { Request } from '../message.ts'
import { elementsOfBytes, requireStored } from './binary-types.ts'
import { isBinary } from './content-types.ts'
import { updateOf } from './query-input.ts'
import { fieldsOf, pointsIn, selectionInBody, selectionInQuery } from './value-selection.ts'

export type ValueInput =
  | {
      readonly write: WriteRequest
      /** True when the elements can be read only once. */
      readonly once: boolean
    }
  | { readonly updateOf: UpdateOf }

/** Bytes up to this many are kept, so that a write can be repeated after a conflict. */
const KEPT_BYTES = 1 << 20

/** A query, in the URL or in a JSON body, chooses the elements to change. */
export async function valueInput(request: Request): Promise<ValueInput> {
  refuseMisplaced(request)
  const hasQuery = request.dialect.rules.queries.updates && Boolean(request.target.query.get('query'))
  if (isBinary(request.body, request.dialect)) {
    if (!hasQuery) return binaryInput(request)
    throw new HyperslabError('malformed-body', 'what a query sets is given as JSON, not as bytes')
  }
  if (hasQuery) return { updateOf: updateOf(request, await request.body.json()) }
  return jsonInput(request)
}

/** What a body of values tells, and an URL does not. */
const BODY_MEMBERS = ['start', 'stop', 'step', 'points', 'value']
/** What only a dialect with options of values knows. */
const OPTIONS = ['append', 'append_dim', 'element_count', 'fields', 'query', 'regionref']

/**
 * Names that are not known are ignored, for clients send names of their own (classic 7.10; hsds-values 7). But whoever
 * chooses some elements by a name that means so elsewhere does not want all of them overwritten.
 */
function refuseMisplaced(request: Request): void {
  const { query } = request.target
  const name = BODY_MEMBERS.find(name => query.get(name))
  if (name !== undefined) {
    throw new HyperslabError('malformed-parameter', `${name} belongs in the body of a write, not in the URL`)
  }
  refuseForeign(request, name => query.get(name))
}

function refuseForeign({ dialect }: Request, given: (name: string) => JsonValue | undefined): void {
  if (dialect.rules.values.options) return
  const name = OPTIONS.find(name => (given(name) ?? '') !== '')
  if (name === undefined) return
  throw new HyperslabError('malformed-parameter', `this dialect has no option "${name}" of writes`)
}

/**
 * The bytes are taken as they arrive, and so only once, unless they are few or needed again: elements that are
 * repeated, and those that are appended, which writers who append at the same time do one after another.
 */
async function binaryInput(request: Request): Promise<ValueInput> {
  const { body } = request
  const selection = appendOf(request) ?? selectionInQuery(request)
  const elementCount = numberOf(request, 'element_count', 1)
  const isShort = body.announcedLength !== undefined && body.announcedLength <= KEPT_BYTES
  const isKept = isShort || selection.kind === 'append' || elementCount !== undefined
  const kept = isKept ? await body.spool() : undefined
  const length = kept?.length ?? body.announcedLength
  const decode: DecodeValues = (type, shape) => {
    requireLength(type, shape, length)
    const bytes = kept === undefined ? body.bytes() : readRange(kept, { from: 0, to: kept.length })
    return elementsOfBytes(request.dialect, type, product(shape), bytes)
  }
  return { write: { selection, fields: fieldsOf(request), elementCount, decode }, once: kept === undefined }
}

/** The body is spooled first, because what it selects may stand behind its values. */
async function jsonInput(request: Request): Promise<ValueInput> {
  const { rules } = request.dialect
  const spooled = await request.body.spool()
  const { members, value, valueBase64, points } = await splitValueBody(
    spooled,
    request.body.maxJson,
    request.body.memory,
  )
  refuseForeign(request, name => members.get(name))
  if (rules.queries.updates && (members.get('query') ?? '') !== '') {
    return { updateOf: updateOf(request, await request.body.jsonOf(spooled)) }
  }
  const selection =
    appendOf(request, members, points) ??
    selectionInBody(request, members, points && (await pointsIn(request, spooled, points)))
  const elementCount = numberOf(request, 'element_count', 1, members)
  const nesting = rules.values.countsOnly ? COUNT_ONLY : selection.kind === 'points' ? AT_LEAST : BROADCAST
  const decode: DecodeValues = (type, shape) => {
    if (value !== undefined) {
      requireStored(type, rules)
      return scanElements(type, shape, readRange(spooled, value), request.dialect.references, nesting)
    }
    if (valueBase64 !== undefined) {
      const bytes = decodeBase64Text(readRange(spooled, valueBase64))
      return elementsOfBytes(request.dialect, type, product(shape), bytes)
    }
    throw new HyperslabError(
      'malformed-body',
      'the body needs `value` or `value_base64`, which cannot be null',
    )
  }
  return { write: { selection, fields: fieldsOf(request, members), elementCount, decode }, once: false }
}

/** What is wrong with the length of the bytes is told before they are read. */
function requireLength(type: Datatype, shape: readonly number[], length: number | undefined): void {
  const needed = product(shape) * elementSize(type)
  if (length === undefined || length === needed || isVariableSize(type)) return
  throw new HyperslabError(
    'value-count-mismatch',
    `${product(shape)} elements of ${elementSize(type)} bytes are ${needed} bytes, the body has ${length}`,
  )
}

/** Members that select something, and so do not go with `append` (hsds-values 7.5). */
const SELECTING = ['select', 'start', 'stop', 'step', 'query', 'regionref']

/** `append` and `append_dim`, in the body or else in the query. */
function appendOf(request: Request, members?: JsonObject, points?: ByteRange): Append | undefined {
  const extend = numberOf(request, 'append', 1, members)
  if (extend === undefined) return undefined
  const selects = (name: string) => (members?.get(name) ?? request.target.query.get(name) ?? '') !== ''
  const other = points ? 'points' : SELECTING.find(selects)
  if (other !== undefined) {
    throw new HyperslabError('malformed-selection', `append cannot go together with ${other}`)
  }
  return { kind: 'append', extend, dimension: numberOf(request, 'append_dim', 0, members) ?? 0 }
}

/** A whole number, `least` or more, in the body or else in the query. */
function numberOf(
  { target, dialect }: Request,
  name: string,
  least: number,
  members?: JsonObject,
): number | undefined {
  if (!dialect.rules.values.options) return undefined
  const text = target.query.get(name) || undefined
  const given = members?.get(name) ?? (text && /^\d+$/.test(text) ? Number(text) : text)
  if (given === undefined) return undefined
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= least) return given
  throw new HyperslabError(
    'malformed-parameter',
    `${name} must be a whole number from ${least} on, not ${excerpt(given)}`,
  )
}
