// Values that a body brings beside its JSON: as the parts of a multipart body, or as the files of an archive of NumPy
// (.npz), which may be a part as well. They are decoded when they are written.

import { inTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { excerpt, MEMORY, readRange, type StoredText } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'
import { FORMATS, filesInZip, readNpyHeader, requireArray } from '@hyperslab/views/formats'
import { within } from '../../service/values/several-values.ts'
import type { WriteRequest } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isBinary, mediaType } from '../message/content-types.ts'
import { type BodyPart, isMultipart, partsOf } from '../message/multipart.ts'
import { type RequestBody, SPOOL_IN_MEMORY } from '../message/request-body.ts'
import { elementsOfBytes } from '../output/binary-types.ts'
import { elementsOfJson, requireByteCount, type WriteTarget } from './value-input.ts'

const ARCHIVE = 'application/zip'
const { contentType: NPY, extension: NPY_EXTENSION } = FORMATS.npy

/** The forms of a body beside JSON, by their content types. */
export const FORM_BODIES: Readonly<Record<string, string>> = {
  'multipart/mixed':
    'A part for each dataset, with its path or id as the name: the elements as bytes, JSON or a file of NumPy. Or first the list in JSON, then a part for each of its items without a value.',
  'multipart/form-data': 'The same.',
  [ARCHIVE]: 'An archive with a file of NumPy for each dataset, named by its path or id.',
}

/** The elements of one dataset. */
export interface ValuePart {
  /** The path or id of the dataset. */
  readonly name: string | undefined
  /** Its place in the body, for messages. */
  readonly location: string
  readonly decode: (target: WriteTarget, dialect: Dialect) => WriteRequest['decode']
}

/** Values of a body beside JSON. */
export interface BodyParts {
  /** The JSON that says what the parts are; undefined: their names do. */
  readonly list: StoredText | undefined
  /** The parts in their order. Each is decoded before the next one is taken. */
  readonly parts: AsyncIterator<ValuePart>
  /** True: the parts can be decoded once, because the body is not read before. */
  readonly once: boolean
}

/** The name of the field with the list. */
const LIST = 'values'

/** Memory that a part takes until the request is answered. */
const BYTES_OF_PART = 4 * MEMORY.container

/**
 * The parts of a body, at most `maxCount`; undefined: it is JSON. A multipart body that is too long for memory is read
 * as it arrives.
 */
export async function readParts(body: RequestBody, maxCount: number): Promise<BodyParts | undefined> {
  const { contentType = '' } = body
  const type = mediaType(contentType)
  if (type === ARCHIVE) {
    const files = await filesOf(await body.spool(), body, maxCount)
    return { list: undefined, parts: inTurns(files), once: false }
  }
  if (!isMultipart(type)) return undefined
  const once = !body.isShort(SPOOL_IN_MEMORY)
  const all = partsOf(body.bytes(), contentType)
  const first = (await all.next()).value ?? undefined
  // A part of an answer has the name of a file instead.
  const hasList = first && (first.name ?? (first.fileName === undefined ? LIST : '')) === LIST
  const list = hasList ? await body.keep(first.bytes) : undefined
  const parts = atMost(maxCount, valuesOf(hasList ? undefined : first, all, body, maxCount, !once))
  if (once) return { list, parts, once }
  const kept: ValuePart[] = []
  for await (const part of parts) kept.push(part)
  return { list, parts: inTurns(kept), once }
}

async function* atMost(maxCount: number, parts: AsyncIterable<ValuePart>): AsyncGenerator<ValuePart> {
  let count = 0
  for await (const part of parts) {
    if (++count > maxCount) {
      throw new HyperslabError(
        'body-too-large',
        `the body must not have more than ${maxCount} values: send several requests`,
      )
    }
    yield part
  }
}

/** The values of the parts of a multipart body. */
async function* valuesOf(
  first: BodyPart | undefined,
  others: AsyncIterable<BodyPart>,
  body: RequestBody,
  maxCount: number,
  isKept: boolean,
): AsyncGenerator<ValuePart> {
  let number = first ? 0 : 1
  const parts = first ? withFirst(first, others) : others
  for await (const part of parts) {
    body.memory.take(BYTES_OF_PART)
    const location = `part ${++number}`
    // The directory of an archive is at its end.
    if (mediaType(part.contentType ?? '') === ARCHIVE) {
      yield* await within(location, async () => filesOf(await body.keep(part.bytes), body, maxCount))
    } else {
      // The header of a file of NumPy says how many elements there must be.
      const isRead = isKept || mediaType(part.contentType ?? '') === NPY
      yield valuePart(part, location, body, isRead ? await body.keep(part.bytes) : undefined)
    }
  }
}

async function* withFirst(first: BodyPart, others: AsyncIterable<BodyPart>): AsyncGenerator<BodyPart> {
  yield first
  yield* others
}

async function filesOf(
  archive: StoredText,
  { maxJson, memory }: RequestBody,
  maxCount: number,
): Promise<readonly ValuePart[]> {
  const files = await filesInZip(archive, maxCount, maxJson)
  memory.take(files.length * BYTES_OF_PART)
  return files.map(({ name: fileName, file, bytes }) => {
    const name = fileName.endsWith(NPY_EXTENSION) ? fileName.slice(0, -NPY_EXTENSION.length) : fileName
    const decode: ValuePart['decode'] = (_, dialect) => (type, shape) =>
      elementsOfNpy(dialect, type, shape, file, bytes)
    return { name, location: `the file ${excerpt(fileName)}`, decode }
  })
}

/** `text`: the bytes of the part, if they are kept. */
function valuePart(
  part: BodyPart,
  location: string,
  body: RequestBody,
  text: StoredText | undefined,
): ValuePart {
  const { contentType, name = part.fileName } = part
  let kept = text
  const decode: ValuePart['decode'] = (target, dialect) =>
    async function* (type, shape) {
      // Elements that are repeated are read again.
      if (target.elementCount !== undefined) kept ??= await body.keep(part.bytes)
      const text = kept
      const bytes = () => (text ? readRange(text, { from: 0, to: text.length }) : part.bytes)
      if (text && mediaType(contentType ?? '') === NPY) {
        yield* elementsOfNpy(dialect, type, shape, text, bytes)
      } else if (!isBinary({ contentType }, dialect)) {
        yield* elementsOfJson(dialect, target, type, shape, bytes())
      } else {
        requireByteCount(type, shape, text?.length)
        yield* elementsOfBytes(dialect, type, product(shape), bytes())
      }
    }
  return { name, location, decode }
}

/** The elements in a file of NumPy, whose `bytes` are read from its beginning. */
async function* elementsOfNpy(
  dialect: Dialect,
  type: Datatype,
  shape: readonly number[],
  file: StoredText,
  bytes: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Elements> {
  const header = await readNpyHeader(file)
  requireArray(header, type, shape)
  requireByteCount(type, shape, file.length - header.length)
  yield* elementsOfBytes(dialect, type, product(shape), without(header.length, bytes()))
}

/** The bytes without the first ones. */
async function* without(count: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const piece of bytes) {
    if (left < piece.length) yield piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}
