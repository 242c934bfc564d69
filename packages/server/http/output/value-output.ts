// The answer to a read of values: the pieces from the store, as bytes or as the JSON of the dialect.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Dataspace, extentsOf, isReferenceLayout, product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, isVariableSize } from '@hyperslab/model/datatype'
import { JsonValueWriter, stringifyJson } from '@hyperslab/model/json'
import { type Elements, type Piece, type ReferenceSyntax, toNullPadded } from '@hyperslab/model/values'
import { storedElements } from '@hyperslab/views/formats'
import { BinaryValueWriter } from '../../service/binary/binary-writer.ts'
import type { SelectionRequest } from '../../service/selection/request.ts'
import type { ValueStatistics } from '../../service/values/reductions.ts'
import { areUtf8, type SelectedValues } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { OCTETS } from '../message/content-types.ts'
import { tagOf } from '../message/entity-tag.ts'
import type { ByteStream, Reply } from '../message/message.ts'
import { joined } from '../message/pieces.ts'
import type { Answer } from '../route/route.ts'
import { isSentAsBytes } from './binary-types.ts'

/**
 * The reply to a read: bytes when the request accepts them and the dialect has them for the type, unless it asks for
 * JSON; else JSON, without dimensions of extent 1 if it is `reduced`.
 */
export function valueReply(
  values: SelectedValues,
  answer: Answer,
  { reduced, form }: { readonly reduced: boolean; readonly form?: 'json' | undefined },
): Reply {
  const { place, dialect, target, acceptsBytes } = answer
  const { rules, present } = dialect
  const { dataset, shape, type } = values
  const members = present.values.read(place, dataset.id, target.rawQuery)
  if (shape === undefined) {
    if (rules.values.null === 'null') return { status: 200, body: { value: null, ...members } }
    throw noValues()
  }
  const asBytes = form === undefined && acceptsBytes
  if (asBytes && hasBytes(values, answer)) {
    return { status: 200, stream: bytesOf(values, shape, answer) }
  }
  requireJsonForm(type, dialect)
  return {
    status: 200,
    stream: jsonOf(values, shownShape(shape, reduced), answer, stringifyJson(members, place.nonFinite)),
  }
}

/** Throws if values of the type have no JSON form in the dialect; `accept` is the form of bytes to ask for instead. */
export function requireJsonForm(type: Datatype, { rules }: Dialect, accept = OCTETS): void {
  if (rules.values.opaque === 'base64' || type.class !== 'H5T_OPAQUE') return
  throw new HyperslabError(
    'type-unsupported',
    `opaque values have no JSON form: read them with Accept: ${accept}`,
  )
}

/** The shape of values; `null-dataspace` if there are none. */
export function requireShape({ shape }: Pick<SelectedValues, 'shape'>): readonly number[] {
  if (shape === undefined) throw noValues()
  return shape
}

function noValues(): HyperslabError {
  return new HyperslabError('null-dataspace', 'a dataset with a null dataspace has no values')
}

/** Statistics of values, in JSON. */
export function statisticsReply(
  { dataset }: SelectedValues,
  statistics: ValueStatistics | undefined,
  { place, dialect, target }: Answer,
): Reply {
  if (!statistics) throw noValues()
  const { present } = dialect
  const { histogram, ...summary } = statistics
  return {
    status: 200,
    body: {
      ...summary,
      ...(histogram && { histogram: { ...histogram } }),
      ...present.values.read(place, dataset.id, target.rawQuery),
    },
  }
}

/** Whether a request that accepts bytes gets them: some clients rely on JSON in certain cases (classic 7.8). */
function hasBytes({ type, dataset, request }: SelectedValues, { dialect, method }: Answer): boolean {
  const { values: rules } = dialect.rules
  if (!isSentAsBytes(type, rules)) return false
  if (rules.binaryMethods === 'get' && method !== 'GET') return false
  return rules.binaryOfOne || spannedCount(request, dataset.space) > 1
}

/** The number of elements between start and stop, whatever the step; one for a scalar, which ignores `select`. */
function spannedCount(request: SelectionRequest, space: Dataspace): number {
  const spans = extentsOf(space).map((extent, dimension) => {
    const item = request.kind === 'select' ? request.items[dimension] : {}
    if (item instanceof Float64Array) return item.length
    const { start = 0, stop = extent } = item
    return Math.max(0, stop - start)
  })
  return product(spans)
}

/** The values as bytes, for a type that the dialect has bytes for. */
export function bytesOf(values: SelectedValues, shape: readonly number[], answer: Answer): ByteStream {
  const { type, elements } = values
  const tag = valuesTag(values, answer, OCTETS)
  if (isVariableSize(type)) {
    const { references } = answer.dialect
    return { contentType: OCTETS, ...tag, pieces: joined(variableBytes(type, elements, references)) }
  }
  const { bytes, bytesOf, ...rest } = storedElements(new Uint8Array(0), product(shape), values)
  return { contentType: OCTETS, ...tag, ...rest, pieces: bytes, ...(bytesOf && { piecesOf: bytesOf }) }
}

async function* variableBytes(
  type: Datatype,
  pieces: AsyncIterable<Elements>,
  references: ReferenceSyntax,
): AsyncGenerator<Uint8Array> {
  const writer = new BinaryValueWriter(type, references)
  for await (const piece of pieces) yield* writer.write({ ...piece, data: toNullPadded(type, piece.data) })
  yield* writer.finish()
}

/** `{"value": ..., the rest}`; the rest comes as text that begins with a brace. */
function jsonOf(
  values: SelectedValues,
  shape: readonly number[],
  answer: Answer,
  members: string,
): ByteStream {
  const { type } = values
  const { dialect } = answer
  const estimatedLength = isVariableSize(type) ? undefined : product(shape) * jsonBytesPerElement(type)
  return {
    contentType: dialect.jsonContentType,
    ...(estimatedLength !== undefined && { estimatedLength }),
    ...valuesTag(values, answer, dialect.jsonContentType),
    pieces: joined(jsonText(values, shape, answer, members)),
  }
}

/**
 * The JSON of the elements; with the text of other members, `{"value": ..., the rest}`, whose strings are checked
 * first. One generator for both: a second one around it would be a wait more for each piece.
 */
export async function* jsonText(
  { type, pieces }: SelectedValues,
  shape: readonly number[],
  { place, dialect }: Answer,
  members?: string,
): AsyncGenerator<Uint8Array> {
  const writer = new JsonValueWriter(type, shape, dialect.valueStyle(place, 'dataset'))
  if (members !== undefined) {
    if (dialect.rules.values.nonUtf8Text === 'error') await requireUtf8(type, pieces, 'JSON')
    yield Buffer.from('{"value":')
  }
  for await (const piece of pieces) yield* writer.write(piece)
  yield writer.finish()
  if (members !== undefined) yield Buffer.from(`,${members.slice(1)}`)
}

/** The approximate length of an element in JSON: a byte becomes a number of up to three digits, with its comma. */
function jsonBytesPerElement(type: Datatype): number {
  return 4 * elementSize(type)
}

/**
 * The shape of an answer; if `reduced`, a result of rank 2 or more loses its dimensions of extent 1 (hsds-values 6).
 */
function shownShape(shape: readonly number[], reduced: boolean): readonly number[] {
  return reduced && shape.length > 1 ? shape.filter(extent => extent !== 1) : shape
}

/** Reads all strings before anything is sent: an answer that has begun cannot become an error (hsds-values 13.2). */
export async function requireUtf8(
  type: Datatype,
  pieces: AsyncIterable<Piece>,
  format: string,
  accept = OCTETS,
): Promise<void> {
  if (await areUtf8(type, pieces)) return
  throw new HyperslabError(
    'text-not-utf8',
    `the values have strings that are not UTF-8, for which ${format} has no form: read them with Accept: ${accept}`,
  )
}

/** The entity tag of values of a dataset. Absent where they are in another file, which changes without the dataset. */
export function valuesTag(
  { dataset, status }: Pick<SelectedValues, 'dataset' | 'status'>,
  answer: Answer,
  contentType: string,
): Pick<ByteStream, 'entityTag'> {
  const { version } = status
  if (version === undefined || isReferenceLayout(dataset.creationProperties.layout)) return {}
  return { entityTag: entityTag(answer, `${dataset.id} ${version}`, contentType) }
}

/** The entity tag, which changes with the dataset and with all of the request that determines the bytes. */
export function entityTag({ place, target }: Answer, version: string, contentType: string): string {
  const shaping = [version, contentType, place.base, place.nonFinite, target.path, target.rawQuery]
  return tagOf(shaping.join('\n'))
}
