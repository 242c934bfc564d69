// Pictures of a domain, or of a dataset and a part of it: `/thumbnail`.

import { HyperslabError } from '@hyperslab/base/errors'
import { isReferenceLayout } from '@hyperslab/model/dataset'
import { excerpt } from '@hyperslab/model/json'
import { SINGLE_NAMES } from '@hyperslab/model/reduction'
import {
  type Axis,
  drawColours,
  drawField,
  drawLine,
  encodeDrawing,
  LEAST,
  SCALES,
} from '@hyperslab/views/formats'
import { fileNameOf } from '../../service/domains/path-names.ts'
import {
  type IsKnown,
  listFirstDatasets,
  readObjectPicture,
  readThumbnail,
  type Subject,
  type Thumbnail,
} from '../../service/values/thumbnail.ts'
import { isKnown, tagOf } from '../message/entity-tag.ts'
import type { RequestHead } from '../message/message.ts'
import { slices } from '../message/pieces.ts'
import { STRING } from '../message/schema.ts'
import { attachment } from '../output/attachment.ts'
import { IS_ANONYMOUS } from '../route/common-parameters.ts'
import { optionalQuery, type Parameter, type ParameterValues, wordQuery } from '../route/parameter.ts'
import { readRoute } from '../route/route.ts'
import { COLOUR_MAP, SELECT } from '../route/value-parameters.ts'

const PNG = 'image/png'
/** Points of a picture in each direction: its numbers are held. @limit memory, points */
const MAX_SIDE = 1024
const MIN_SIDE = 8

const PARAMETERS = {
  objectPath: optionalQuery({
    name: 'h5path',
    description:
      'The path of a dataset, along all links. Without it and `object`, the picture is of the domain.',
    schema: STRING,
    parse: text => text,
  }),
  object: optionalQuery({
    name: 'object',
    description: 'The id of a dataset.',
    schema: STRING,
    parse: (text, dialect) => dialect.parseId(text, 'dataset'),
  }),
  path: optionalQuery<undefined>({
    name: 'path',
    description: 'Must be absent: the path of a dataset is `h5path`.',
    schema: { type: 'string', maxLength: 0 },
    parse() {
      throw new HyperslabError(
        'malformed-parameter',
        'path must be absent: send the path of a dataset as h5path',
      )
    },
  }),
  select: SELECT,
  width: side('width', 'The width of an image at most, and that of a line, in points. 128 by default.'),
  height: side(
    'height',
    'The height of an image at most, and that of a line. By default the width; of a line, half.',
  ),
  reduce: wordQuery(
    'reduce',
    SINGLE_NAMES,
    'The number that is shown of the elements that share a point: the mean by default, and for a line the smallest and largest.',
  ),
  map: { ...COLOUR_MAP, description: 'The colours of an image; viridis by default.' },
  min: end('min', 'The number that gets the first colour, or is at the bottom; by default the smallest one.'),
  max: end('max', 'The number that gets the last colour, or is at the top; by default the largest one.'),
  format: wordQuery(
    'format',
    ['png', 'json'],
    'The picture, `png`, by default; or the datasets of a domain to look at first, `json`.',
  ),
  scale: wordQuery('scale', SCALES, 'How numbers lie between `min` and `max`; linear by default.'),
  isAnonymous: IS_ANONYMOUS,
  known: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of the pictures that the client has.',
    schema: STRING,
    read: (head: RequestHead) => ({
      tagOf: (...of) => pictureTag(head, ...of),
      isKnown: (...of) => {
        const tag = pictureTag(head, ...of)
        return tag !== undefined && isKnown(head, tag)
      },
    }),
  } satisfies Parameter<KnownPictures>,
}

interface KnownPictures {
  readonly tagOf: (...parameters: Parameters<IsKnown>) => string | undefined
  readonly isKnown: IsKnown
}

/** The tag changes with the dataset and with the request. Undefined: its values are elsewhere. */
function pictureTag(
  { target, dialect }: RequestHead,
  ...[{ id, creationProperties }, { version }, look, around]: Parameters<IsKnown>
): string | undefined {
  if (version === undefined || isReferenceLayout(creationProperties.layout)) return undefined
  const given = JSON.stringify([look, ...[...(around ?? [])].map(([name, { data }]) => [name, String(data)])])
  return tagOf(`picture ${dialect.name} ${id} ${version} ${given} ${target.rawQuery}`)
}

function side(name: string, description: string): Parameter<number | undefined> {
  return optionalQuery({
    name,
    description,
    schema: { type: 'string', pattern: '^[0-9]{1,4}$', examples: ['640'] },
    parse(text) {
      const points = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
      if (points >= MIN_SIDE && points <= MAX_SIDE) return points
      const message = `${name}=${excerpt(text)} must be a whole number from ${MIN_SIDE} to ${MAX_SIDE}`
      throw new HyperslabError('malformed-parameter', message)
    },
  })
}

function end(name: string, description: string): Parameter<number | undefined> {
  return optionalQuery({
    name,
    description,
    schema: { type: 'string', examples: ['0.5'] },
    parse(text) {
      const number = text.trim() === '' ? Number.NaN : Number(text)
      if (Number.isFinite(number)) return number
      throw new HyperslabError('malformed-parameter', `${name}=${excerpt(text)} must be a finite number`)
    },
  })
}

type Input = ParameterValues<typeof PARAMETERS>

/** Undefined: the picture is of the domain. */
function subjectOf({ objectPath, object, select }: Input): Subject | undefined {
  if (objectPath !== undefined && object !== undefined) {
    const message = 'object and h5path both name a dataset: send one of them'
    throw new HyperslabError('malformed-parameter', message)
  }
  if (object !== undefined) return { id: object }
  if (objectPath !== undefined) return { path: objectPath }
  if (select.kind === 'all') return undefined
  throw new HyperslabError('malformed-parameter', 'select needs a dataset: name it by h5path or object')
}

function axisOf({ min, max, scale = 'linear' }: Input): Axis {
  if (min !== undefined && max !== undefined && min >= max)
    throw new HyperslabError('malformed-parameter', `min=${min} must be less than max=${max}`)
  for (const [name, value] of [
    ['min', min],
    ['max', max],
  ] as const) {
    if (value === undefined || value >= LEAST[scale]) continue
    const rule = scale === 'log' ? 'above 0' : '0 or more'
    throw new HyperslabError('malformed-parameter', `${name}=${value} must be ${rule} with scale=${scale}`)
  }
  return { min, max, scale }
}

async function draw({ picture }: Thumbnail, axis: Axis, map: Input['map'] = 'Viridis'): Promise<Buffer> {
  if (!picture) return Buffer.alloc(0)
  if (picture.kind === 'line') return encodeDrawing(drawLine(picture, picture, axis))
  const { numbers, channels } = picture
  if (picture.kind === 'colours') return encodeDrawing(drawColours(picture, channels, numbers))
  return encodeDrawing(drawField(picture, numbers, { ...axis, map }))
}

export const thumbnailRoute = readRoute({
  name: 'get-thumbnail',
  method: 'GET',
  path: '/thumbnail',
  summary:
    'Gives a picture of a dataset or a part of it; or of a domain: the default plot of a NeXus file, else its first dataset that says something.',
  access: 'read',
  parameters: PARAMETERS,
  answers: {
    200: {
      description:
        'The picture. Or the paths of datasets to look at first: that of the picture of the domain, and others.',
      json: 'FirstDatasets',
      formats: { [PNG]: 'A field in colours, an image of colours as it is, or a line; NaN is transparent.' },
    },
    204: { description: 'The dataset has no elements, or the domain no dataset that can be shown.' },
  },
  async run(context, domain, input) {
    const { select, width, height, reduce, known, map } = input
    const axis = axisOf(input)
    const subject = subjectOf(input)
    if (input.format === 'json') {
      if (!subject) return { paths: await listFirstDatasets(context, domain) }
      throw new HyperslabError('malformed-parameter', 'format=json is of a domain, and needs no dataset')
    }
    const request = { selection: select, width, height, reduce }
    const found = subject
      ? await readObjectPicture(context, domain, subject, request, known.isKnown)
      : await readThumbnail(context, domain, request, known.isKnown)
    if (!found) return undefined
    const { dataset, status, look, around } = found
    const isFree = [input.min, input.max, input.scale].every(given => given === undefined)
    const bytes = await draw(found, isFree ? { scale: look?.scale ?? 'linear' } : axis, map)
    return {
      bytes,
      tag: known.tagOf(dataset, status, look, around) ?? tagOf(bytes),
      name: fileNameOf(domain.entry.path),
    }
  },
  respond(drawn, { place, dialect }, { isAnonymous }) {
    if (!drawn) return { status: 204 }
    if ('paths' in drawn) {
      const datasets = drawn.paths.map(h5path => ({ h5path }))
      return { status: 200, body: { datasets, ...dialect.present.values.several(place, '/thumbnail') } }
    }
    const { bytes, tag, name } = drawn
    return {
      status: 200,
      headers: {
        ...attachment(`${name}.png`, 'inline'),
        'Cache-Control': `${isAnonymous ? '' : 'private, '}no-cache`,
      },
      stream: { contentType: PNG, length: bytes.length, entityTag: tag, pieces: slices(bytes) },
    }
  },
})
