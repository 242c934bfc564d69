// Values in formats of other programs (packages/views/formats): the requested format, and the answers. The dialects'
// own forms, JSON and bytes, are in value-output.ts and query-output.ts.

import { HyperslabError } from '@hyperslab/base/errors'
import type { ColourMap } from '@hyperslab/meaning/colour-maps'
import { excerpt } from '@hyperslab/model/json'
import { FILE_EXTENSION, type ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import {
  FORMATS,
  type FormatInput,
  type FormatName,
  type ImageColours,
  isFormatName,
  type Range,
} from '@hyperslab/views/formats'
import type { Context, OpenDomain } from '../../service/context.ts'
import { fileNameOf } from '../../service/domains/path-names.ts'
import { pathTo } from '../../service/objects/path-to.ts'
import { withCoordinates } from '../../service/query/rows.ts'
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

/** The content types of the answers, with their meanings. */
export const FORMAT_ANSWERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(FORMATS).map(({ contentType, description }) => [contentType, description]),
)

/**
 * The requested form of an answer: one of these formats, JSON, or (undefined) JSON or bytes by the rules of the
 * dialect.
 */
export const FORMAT: Parameter<FormatName | 'json' | undefined> = {
  name: 'format',
  in: 'query',
  description:
    `The form of the answer; without it, the first of ${Object.keys(FORMAT_ANSWERS).join(', ')} in ` +
    `an \`Accept\` without \`text/html\`, else JSON or bytes.`,
  schema: { type: 'string', enum: ['json', ...Object.keys(FORMATS)] },
  read({ target, headers: { accept = '' } }: RequestHead) {
    const format = target.query.get('format')
    if (format === null || format === '') {
      const types = accept.split(',').map(mediaType)
      // A browser that follows a link shows JSON too; some name `image/png` before it.
      if (types.includes('text/html')) return undefined
      return types.map(formatOfType).find(name => name !== undefined)
    }
    if (format === 'json' || isFormatName(format)) return format
    const names = ['json', ...Object.keys(FORMATS)].join(', ')
    throw new HyperslabError('malformed-parameter', `format=${excerpt(format)} must be one of ${names}`)
  },
}

/** Whether the form is a file of another program. */
export function isFile(form: FormatName | 'json' | undefined): form is FormatName {
  return form !== undefined && form !== 'json'
}

function formatOfType(type: string): FormatName | undefined {
  return Object.keys(FORMATS)
    .filter(isFormatName)
    .find(name => FORMATS[name].contentType === type)
}

/** The format and the name of an answer that is a file. */
export interface ValueFile {
  readonly format: FormatName
  readonly name: string
}

/** The name of a domain without the extension of HDF5 files. */
export function stemOf({ entry }: OpenDomain): string {
  const name = fileNameOf(entry.path)
  return name.endsWith(FILE_EXTENSION) ? name.slice(0, -FILE_EXTENSION.length) : name
}

/** The file, named after the domain and, if the caller may read a path to it, the dataset. */
export async function valueFile(
  context: Context,
  domain: OpenDomain,
  dataset: ObjectId,
  format: FormatName,
): Promise<ValueFile> {
  const stem = stemOf(domain)
  const [path] = await pathTo(context, domain, dataset)
  const title = path?.slice(path.lastIndexOf('/') + 1)
  return { format, name: `${stem}${title === undefined ? '' : `-${title}`}${FORMATS[format].extension}` }
}

/**
 * The colours of an image; without a range, the first and the last colour are those of the extremes, which are found
 * first.
 */
export interface ImageOptions {
  readonly map?: ColourMap | undefined
  readonly range?: Range | undefined
}

/** The selected elements. `format-unsupported` if the format cannot hold them. */
export function valueFileReply(
  values: SelectedValues,
  file: ValueFile,
  { map = 'Cubehelix', range }: ImageOptions,
  answer: Answer,
): StreamReply {
  const { type, pieces } = values
  const image = { map, range: async () => range ?? (await findRange(type, pieces)) }
  return fileReply(values, { ...values, shape: requireShape(values), image }, file, answer)
}

/** The elements that a query finds, and their number if the format needs it first. */
export interface QueryFile extends ValueFile {
  readonly count: number | undefined
}

/** The file with the count of a first search, if the format needs it. */
export async function queryFile(file: ValueFile, { rank, coordinates }: FoundValues): Promise<QueryFile> {
  const { rows } = FORMATS[file.format]
  if (rows === 'no') {
    const names = Object.keys(FORMATS).filter(name => isFormatName(name) && FORMATS[name].rows !== 'no')
    throw new HyperslabError(
      'format-unsupported',
      `format=${file.format} cannot hold the elements that a query finds: ask for one of ${names.join(', ')}`,
    )
  }
  if (rows === 'yes') return { ...file, count: undefined }
  let count = 0
  for await (const batch of coordinates) count += batch.length / rank
  return { ...file, count }
}

/** The elements that a query finds, each after its coordinates. `format-unsupported` if the format cannot hold them. */
export function foundFileReply(values: FoundValues, file: QueryFile, answer: Answer): StreamReply {
  const { rank, found } = values
  const elements = repeatable(() => elementsOf(rowsOf(values.type, rank, found)))
  const rows = {
    type: withCoordinates(values.type, rank),
    shape: file.count === undefined ? undefined : [file.count],
    pieces: elements,
    elements,
    image: NO_IMAGE,
  }
  return fileReply(values, rows, file, answer)
}

const NO_IMAGE: ImageColours = { map: 'Cubehelix', range: async () => undefined }

async function* elementsOf(rows: AsyncIterable<{ readonly elements: Elements }>): AsyncGenerator<Elements> {
  for await (const { elements } of rows) yield elements
}

function fileReply(
  source: Pick<SelectedValues, 'dataset' | 'status'>,
  values: Pick<FormatInput, 'type' | 'shape' | 'pieces' | 'elements' | 'partOf' | 'image'>,
  { format, name }: ValueFile,
  answer: Answer,
): StreamReply {
  const { contentType: plain, encode } = FORMATS[format]
  const {
    contentType = plain,
    length,
    bytes,
    bytesOf,
  } = encode({
    ...values,
    references: answer.dialect.references,
    requireUtf8: name => requireUtf8(values.type, values.elements, name),
  })
  const stream = {
    contentType,
    ...valuesTag(source, answer, contentType),
    ...(length === undefined ? { pieces: joined(bytes) } : { length, pieces: bytes }),
    ...(bytesOf && { piecesOf: bytesOf }),
  }
  return { status: 200, headers: attachment(name), stream }
}
