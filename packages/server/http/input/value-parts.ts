// Values that a body brings beside its JSON: as the parts of a multipart body, or as the files of an archive of NumPy
// (.npz), which may be a part as well. They stay in the stored body, and are decoded when they are written.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { excerpt, MEMORY, type MemoryCount, readRange, type StoredText } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'
import { FORMATS, filesInZip, readNpyHeader, requireArray } from '@hyperslab/views/formats'
import { within } from '../../service/values/several-values.ts'
import type { WriteRequest } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isBinary, mediaType } from '../message/content-types.ts'
import { type BodyPart, isMultipart, partsOf } from '../message/multipart.ts'
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

export interface BodyParts {
  /** The JSON that says what the parts are; undefined: their names do. */
  readonly list: StoredText | undefined
  readonly parts: readonly ValuePart[]
}

/** The name of the field with the list. */
const LIST = 'values'

/** Bounds of a body: the number of its parts, and bytes of the directory of an archive. */
interface Bounds {
  readonly maxCount: number
  readonly maxBytes: number
  readonly memory: MemoryCount
}

/** The parts of a stored body of that content type; undefined: it is JSON. */
export async function readParts(
  body: StoredText,
  contentType = '',
  bounds: Bounds,
): Promise<BodyParts | undefined> {
  const type = mediaType(contentType)
  if (type === ARCHIVE) return { list: undefined, parts: await filesOf(body, bounds) }
  if (!isMultipart(type)) return undefined
  const all = await partsOf(body, contentType, bounds.maxCount + 1)
  bounds.memory.take(all.length * BYTES_OF_PART)
  const first = all.at(0)
  // A part of an answer has the name of a file instead.
  const hasList = first !== undefined && (first.name ?? (first.fileName === undefined ? LIST : '')) === LIST
  const parts: ValuePart[] = []
  for (const [i, part] of all.entries()) {
    if (i === 0 && hasList) continue
    const location = `part ${i + 1}`
    if (mediaType(part.contentType ?? '') !== ARCHIVE) parts.push(valuePart(part, location))
    else parts.push(...(await within(location, () => filesOf(part.text, bounds))))
  }
  if (parts.length <= bounds.maxCount) return { list: hasList ? first.text : undefined, parts }
  throw new HyperslabError(
    'body-too-large',
    `the body must not have more than ${bounds.maxCount} values: send several requests`,
  )
}

/** Memory that a part takes until the request is answered. */
const BYTES_OF_PART = 4 * MEMORY.container

async function filesOf(
  archive: StoredText,
  { maxCount, maxBytes, memory }: Bounds,
): Promise<readonly ValuePart[]> {
  const files = await filesInZip(archive, maxCount, maxBytes)
  memory.take(files.length * BYTES_OF_PART)
  return files.map(({ name: fileName, file, bytes }) => {
    const name = fileName.endsWith(NPY_EXTENSION) ? fileName.slice(0, -NPY_EXTENSION.length) : fileName
    const decode: ValuePart['decode'] = (_, dialect) => (type, shape) =>
      elementsOfNpy(dialect, type, shape, file, bytes)
    return { name, location: `the file ${excerpt(fileName)}`, decode }
  })
}

function valuePart({ contentType, name, fileName, text }: BodyPart, location: string): ValuePart {
  const bytes = () => readRange(text, { from: 0, to: text.length })
  return {
    name: name ?? fileName,
    location,
    decode: (target, dialect) => (type, shape) => {
      if (mediaType(contentType ?? '') === NPY) return elementsOfNpy(dialect, type, shape, text, bytes)
      if (!isBinary({ contentType }, dialect)) return elementsOfJson(dialect, target, type, shape, bytes())
      requireByteCount(type, shape, text.length)
      return elementsOfBytes(dialect, type, product(shape), bytes())
    },
  }
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
