// Values in formats of other programs: which one a request asks for, and the answers. The dialects' own forms, JSON and bytes, are in
// value-output.ts and query-output.ts.

import { HyperslabError } from '../../errors.ts'
import type { ColourMap } from '../../formats/colour-maps.ts'
import { CsvWriter, rowLengthOf } from '../../formats/csv.ts'
import { requireRows } from '../../formats/extents.ts'
import { encodeNpyHeader } from '../../formats/npy.ts'
import { type Colours, encodePng, pngMatrix } from '../../formats/png.ts'
import { encodeTiffHeader } from '../../formats/tiff.ts'
import { product } from '../../hdf5/dataspace.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import { elementSize } from '../../hdf5/datatype/layout.ts'
import { FILE_EXTENSION, fileNameOf } from '../../hdf5/domain-path.ts'
import { excerpt } from '../../hdf5/json.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import { withCoordinates } from '../../hdf5/query/rows.ts'
import { toNullPadded } from '../../hdf5/values/binary.ts'
import type { Elements, Piece } from '../../hdf5/values/elements.ts'
import type { Context, OpenDomain } from '../../service/context.ts'
import { pathTo } from '../../service/objects/reachable.ts'
import type { FoundValues } from '../../service/values/queries.ts'
import { findRange } from '../../service/values/reductions.ts'
import { repeatable, type SelectedValues } from '../../service/values/values.ts'
import { mediaType } from '../message/content-types.ts'
import type { RequestHead, StreamReply } from '../message/message.ts'
import { joined } from '../message/pieces.ts'
import type { Parameter } from '../route/parameter.ts'
import type { Answer } from '../route/route.ts'
import { attachment } from './attachment.ts'
import { rowsOf } from './query-output.ts'
import { requireShape, requireUtf8, valuesTag } from './value-output.ts'

type FormatName = 'csv' | 'npy' | 'arrow' | 'png' | 'tiff'

interface Format {
  readonly contentType: string
  /** Of the names of files. */
  readonly extension: string
  readonly description: string
}

const FORMATS: Readonly<Record<FormatName, Format>> = {
  csv: {
    contentType: 'text/csv',
    extension: '.csv',
    description:
      'The elements as CSV: of a compound a row each, with a first line of names; else rows and columns.',
  },
  npy: {
    contentType: 'application/x-npy',
    extension: '.npy',
    description: 'The elements as a file of NumPy; those of a query with their coordinates.',
  },
  arrow: {
    contentType: 'application/vnd.apache.arrow.stream',
    extension: '.arrows',
    description:
      'The elements of one dimension as an Arrow IPC stream: the members of a compound are columns; else there is one, `value`.',
  },
  png: {
    contentType: 'image/png',
    extension: '.png',
    description: 'A matrix of numbers as an image, a colour for each; NaN is transparent.',
  },
  tiff: {
    contentType: 'image/tiff',
    extension: '.tiff',
    description: 'A matrix of numbers as an image that has the numbers themselves.',
  },
}

/** The content types of the answers, and what they mean. */
export const FORMAT_ANSWERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(FORMATS).map(({ contentType, description }) => [contentType, description]),
)

/** Which form an answer has: one of these formats, always JSON, or (undefined) JSON or bytes by the rules of the dialect. */
export const FORMAT: Parameter<FormatName | 'json' | undefined> = {
  name: 'format',
  in: 'query',
  description: `The form of the answer; without it, the first of ${Object.keys(FORMAT_ANSWERS).join(', ')} in an \`Accept\` without \`text/html\`, else JSON or bytes.`,
  schema: { type: 'string', enum: ['json', ...Object.keys(FORMATS)] },
  read({ target, headers: { accept = '' } }: RequestHead) {
    const format = target.query.get('format')
    if (format === null || format === '') {
      const types = accept.split(',').map(mediaType)
      // A browser that follows a link shows JSON too; some name `image/png` before it.
      if (types.includes('text/html')) return undefined
      return types.map(formatOfType).find(name => name !== undefined)
    }
    if (format === 'json' || isFormat(format)) return format
    const names = ['json', ...Object.keys(FORMATS)].join(', ')
    throw new HyperslabError('malformed-parameter', `format=${excerpt(format)} must be one of ${names}`)
  },
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name)
}

/** Whether the form is a file of another program. */
export function isFile(form: FormatName | 'json' | undefined): form is FormatName {
  return form !== undefined && form !== 'json'
}

function formatOfType(type: string): FormatName | undefined {
  return Object.keys(FORMATS)
    .filter(isFormat)
    .find(name => FORMATS[name].contentType === type)
}

/** Which file an answer is. */
export interface ValueFile {
  readonly format: FormatName
  readonly name: string
}

/** Named after the domain and, if the caller may read a path to it, the dataset. */
export async function valueFile(
  context: Context,
  domain: OpenDomain,
  dataset: ObjectId,
  format: FormatName,
): Promise<ValueFile> {
  const fileName = fileNameOf(domain.entry.path)
  const stem = fileName.endsWith(FILE_EXTENSION) ? fileName.slice(0, -FILE_EXTENSION.length) : fileName
  const [path] = await pathTo(context, domain, dataset)
  const title = path?.slice(path.lastIndexOf('/') + 1)
  return { format, name: `${stem}${title === undefined ? '' : `-${title}`}${FORMATS[format].extension}` }
}

/** The colours of an image; without a range, the first and the last colour are those of the extremes, which are found first. */
export interface ImageOptions {
  readonly map?: ColourMap | undefined
  readonly range?: Pick<Colours, 'min' | 'max'> | undefined
}

/** The selected elements. `format-unsupported` if the format cannot hold them. */
export function valueFileReply(
  values: SelectedValues,
  file: ValueFile,
  { map = 'cubehelix', range }: ImageOptions,
  answer: Answer,
): StreamReply {
  const { type, pieces, elements } = values
  const shape = requireShape(values)
  switch (file.format) {
    case 'csv':
      return csvReply(values, type, rowLengthOf(type, shape), pieces, file, answer)
    case 'npy':
      return arrayReply(values, encodeNpyHeader(type, shape), product(shape), file, answer)
    case 'arrow':
      requireRows(shape, 'an Arrow stream')
      return arrowReply(values, type, product(shape), elements, file, answer)
    case 'png': {
      const matrix = pngMatrix(type, shape)
      async function* image(): AsyncGenerator<Uint8Array> {
        const { min, max } = range ?? (await findRange(type, pieces)) ?? { min: 0, max: 0 }
        yield* encodePng(matrix, pieces, { min, max, map })
      }
      return fileReply(values, file, FORMATS.png.contentType, joined(image()), answer)
    }
    case 'tiff':
      return arrayReply(values, encodeTiffHeader(type, shape), product(shape), file, answer)
  }
}

/** The elements that a query finds, and how many they are where the format must say so first. */
export interface QueryFile extends ValueFile {
  readonly count: number | undefined
}

/** Searches once to count, if the format needs that. */
export async function queryFile(file: ValueFile, { rank, coordinates }: FoundValues): Promise<QueryFile> {
  if (file.format === 'csv' || file.format === 'arrow') return { ...file, count: undefined }
  if (file.format !== 'npy') {
    throw new HyperslabError(
      'format-unsupported',
      `what a query finds is no ${file.format}: ask for csv, npy or arrow`,
    )
  }
  let count = 0
  for await (const batch of coordinates) count += batch.length / rank
  return { ...file, count }
}

/** The elements that a query finds, each behind its coordinates. `format-unsupported` if the format cannot hold them. */
export function foundFileReply(values: FoundValues, file: QueryFile, answer: Answer): StreamReply {
  const { rank, found } = values
  const type = withCoordinates(values.type, rank)
  const elements = repeatable(() => elementsOf(rowsOf(values.type, rank, found)))
  if (file.format === 'arrow') return arrowReply(values, type, undefined, elements, file, answer)
  if (file.count === undefined) return csvReply(values, type, 1, elements, file, answer)
  return arrayReply(
    { ...values, type, elements },
    encodeNpyHeader(type, [file.count]),
    file.count,
    file,
    answer,
  )
}

async function* elementsOf(rows: AsyncIterable<{ readonly elements: Elements }>): AsyncGenerator<Elements> {
  for await (const { elements } of rows) yield elements
}

type Source = Pick<SelectedValues, 'dataset' | 'status'>

function csvReply(
  source: Source,
  type: Datatype,
  rowLength: number,
  pieces: AsyncIterable<Piece>,
  file: ValueFile,
  answer: Answer,
): StreamReply {
  const writer = new CsvWriter(type, rowLength, answer.dialect.references)
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield writer.header()
    for await (const piece of pieces) yield* writer.write(piece)
    yield writer.finish()
  }
  const header = writer.hasHeader ? 'present' : 'absent'
  const contentType = `${FORMATS.csv.contentType}; charset=utf-8; header=${header}`
  return fileReply(source, file, contentType, joined(bytes()), answer)
}

/** `count`: of all elements, if it is known. */
function arrowReply(
  source: Source,
  type: Datatype,
  count: number | undefined,
  elements: AsyncIterable<Elements>,
  file: ValueFile,
  answer: Answer,
): StreamReply {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    await requireUtf8(type, elements, 'Arrow')
    const { ArrowWriter } = await import('../../formats/arrow.ts')
    const writer = new ArrowWriter(type, count, answer.dialect.references)
    yield writer.header()
    for await (const piece of elements) yield* writer.write(piece)
    yield* writer.finish()
  }
  return fileReply(source, file, FORMATS.arrow.contentType, joined(bytes()), answer)
}

function fileReply(
  source: Source,
  { name }: ValueFile,
  contentType: string,
  pieces: AsyncIterable<Uint8Array>,
  answer: Answer,
  length?: number,
): StreamReply {
  const stream = {
    contentType,
    ...(length !== undefined && { length }),
    ...valuesTag(source, answer, contentType),
    pieces,
  }
  return { status: 200, headers: attachment(name), stream }
}

/** A header, and `count` elements as they are stored. */
function arrayReply(
  { type, elements, ...source }: Source & Pick<SelectedValues, 'type' | 'elements'>,
  header: Uint8Array,
  count: number,
  file: ValueFile,
  answer: Answer,
): StreamReply {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let before: Uint8Array | undefined = header
    for await (const { data } of elements) {
      // Values that cannot be read are an error of their own as long as nothing is sent.
      if (before) yield before
      before = undefined
      yield toNullPadded(type, data)
    }
    if (before) yield before
  }
  const length = header.length + count * elementSize(type)
  return fileReply(source, file, FORMATS[file.format].contentType, bytes(), answer, length)
}
