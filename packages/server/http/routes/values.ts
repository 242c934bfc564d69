// Values: `/datasets/:id/value`, and `/value` for a dataset that a path names (common 32).

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import { selectionOfRegion } from '../../service/attributes/regions.ts'
import type { Context, OpenDomain } from '../../service/context.ts'
import { maskValues } from '../../service/values/masked-values.ts'
import { type FoundValues, queryValues, updateWhere } from '../../service/values/queries.ts'
import {
  markMissing,
  reduceValues,
  summarizeValues,
  takePart,
  type ValueStatistics,
} from '../../service/values/reductions.ts'
import { findDataset, within } from '../../service/values/several-values.ts'
import { readValues, type SelectedValues, writeValues } from '../../service/values/values.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { placeIn } from '../dialect/hrefs.ts'
import { queryRules } from '../input/query-input.ts'
import { valueInput } from '../input/value-input.ts'
import { readRequestInBody } from '../input/value-selection.ts'
import type { Reply } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { foundReply, updatedReply } from '../output/query-output.ts'
import {
  FORMAT,
  FORMAT_ANSWERS,
  foundFileReply,
  isFile,
  type QueryFile,
  queryFile,
  type ValueFile,
  valueFile,
  valueFileReply,
} from '../output/value-formats.ts'
import { statisticsReply, valueReply } from '../output/value-output.ts'
import { pathId } from '../route/common-parameters.ts'
import type { Parameter, ParameterValues } from '../route/parameter.ts'
import { type Answer, type Route, readRoute, writeRoute } from '../route/route.ts'
import {
  BINS,
  COLOUR_MAP,
  COLOUR_RANGE,
  FIELDS,
  MASK,
  MISSING,
  NO_REGION,
  PART,
  QUERY,
  QUERY_LIMIT,
  REDUCE,
  REDUCE_DIM,
  REGION,
  requireNoOtherChoice,
  SELECT,
  STATISTICS,
  VALID,
  WRITE_OPTIONS,
} from '../route/value-parameters.ts'

const PATH = '/datasets/:id/value'
const DATASET = { dataset: pathId('dataset') }

/** Parameters that decide the form of the selected elements, and their reduction. */
const OUTPUT = {
  format: FORMAT,
  part: PART,
  missing: MISSING,
  valid: VALID,
  mask: MASK,
  reduce: REDUCE,
  reduced: REDUCE_DIM,
  statistics: STATISTICS,
  bins: BINS,
  map: COLOUR_MAP,
  range: COLOUR_RANGE,
}
type Output = ParameterValues<typeof OUTPUT>

/** Parameters of a read by GET, beside the name of the dataset. */
const READ = {
  fields: FIELDS,
  query: QUERY,
  region: REGION,
  select: SELECT,
  ...OUTPUT,
}
/** It must be a number even without a query (classic 7.8; hsds-values 6). */
const LIMIT = { limit: QUERY_LIMIT }
type Read = ParameterValues<typeof LIMIT & typeof READ>

const READ_ANSWERS = {
  200: {
    description: 'The elements; of a query also their indexes. Or statistics of them.',
    json: 'ValueOrStatistics',
    bytes: 'The elements in the order of their indexes, in the type of the dataset.',
    formats: FORMAT_ANSWERS,
  },
  204: { description: 'The region reference is null: it selects nothing.', only: 'hsds' },
} as const

const H5PATH: Parameter<string> = {
  name: 'h5path',
  in: 'query',
  description: 'The path of the dataset from the root group, along links of all kinds.',
  schema: { ...STRING, examples: ['/entry/data'] },
  read({ target }) {
    const path = target.query.get('h5path')
    if (path) return path
    throw new HyperslabError(
      'malformed-parameter',
      'h5path must be the path of a dataset: h5path=/entry/data',
    )
  },
}

interface PreparedValues {
  readonly values: SelectedValues
  /** Absent: the answer is JSON or bytes by the rules of the dialect. */
  readonly file?: ValueFile
  readonly statistics?: ValueStatistics | undefined
}

function requireForm({ statistics, format }: Output): void {
  if (!statistics || !isFile(format)) return
  throw new HyperslabError('format-unsupported', `statistics are JSON: ask without format=${format}`)
}

async function prepare(
  context: Context,
  domain: OpenDomain,
  selected: SelectedValues,
  { part, missing, valid, mask, reduce, statistics, bins, format }: Output,
): Promise<PreparedValues> {
  const numbers = part ? takePart(context, selected, part) : selected
  const present = missing || valid ? markMissing(context, numbers, { missing, valid }) : numbers
  const good = mask ? await maskValues(context, domain, present, mask) : present
  const values = reduce ? reduceValues(context, good, reduce) : good
  if (statistics) return { values, statistics: await summarizeValues(values, bins ?? 64) }
  if (!isFile(format)) return { values }
  return { values, file: await valueFile(context, domain, selected.dataset.id, format) }
}

function respondWith({ values, file, statistics }: PreparedValues, answer: Answer, output: Output): Reply {
  const { reduced, format, map, range } = output
  if (output.statistics) return statisticsReply(values, statistics, answer)
  if (file) return valueFileReply(values, file, { map, range }, answer)
  return valueReply(values, answer, { reduced, form: isFile(format) ? undefined : format })
}

/** Elements that a GET reads, in the form that it asks for; all members absent: its region reference is null. */
interface Readings {
  readonly found?: FoundValues
  readonly queryFile?: QueryFile
  readonly prepared?: PreparedValues
}

async function read(
  context: Context,
  domain: OpenDomain,
  dataset: ObjectId,
  input: Read,
  dialect: Dialect,
): Promise<Readings> {
  const { query, limit, region, select, fields, format, statistics } = input
  requireForm(input)
  if (query !== undefined) {
    const other = (['part', 'missing', 'valid', 'mask', 'reduce'] as const).find(name => input[name])
    requireNoOtherChoice(other ?? (statistics ? 'statistics' : undefined))
    const search = { query, selection: select, limit, fields }
    const found = await queryValues(context, domain, dataset, search, queryRules(dialect))
    if (!isFile(format)) return { found }
    const file = await valueFile(context, domain, dataset, format)
    return { found, queryFile: await queryFile(file, found) }
  }
  const selection = region ? await selectionOfRegion(context, domain, { ...region, element: select }) : select
  // The null reference selects no elements, so there is no value (hsds-values 21).
  if (selection === undefined) return {}
  const selected = await readValues(context, domain, dataset, { selection, fields })
  return { prepared: await prepare(context, domain, selected, input) }
}

function respondToRead({ found, queryFile, prepared }: Readings, answer: Answer, input: Read): Reply {
  if (found && queryFile) return foundFileReply(found, queryFile, answer)
  if (found) return foundReply(found, answer, isFile(input.format) ? undefined : input.format)
  return prepared ? respondWith(prepared, answer, input) : { status: 204 }
}

export const valueRoutes: readonly Route[] = [
  readRoute({
    name: 'get-value',
    method: 'GET',
    path: PATH,
    summary: 'Reads the selected elements of a dataset, or those of them that a query finds.',
    access: 'read',
    answersValues: true,
    parameters: { ...LIMIT, ...DATASET, ...READ },
    answers: READ_ANSWERS,
    run: (context, domain, input, dialect) => read(context, domain, input.dataset, input, dialect),
    respond: respondToRead,
  }),

  readRoute({
    name: 'get-value-by-path',
    method: 'GET',
    path: '/value',
    summary: 'Reads the selected elements of the dataset at a path, or those of them that a query finds.',
    access: 'read',
    answersValues: true,
    parameters: { ...LIMIT, h5path: H5PATH, ...READ },
    answers: READ_ANSWERS,
    run: (context, domain, input, dialect) =>
      within(`h5path=${excerpt(input.h5path)}`, async () => {
        const dataset = await findDataset(context, domain, input)
        return { dataset, readings: await read(context, dataset.domain, dataset.id, input, dialect) }
      }),
    respond({ dataset: { domain }, readings }, answer, input) {
      const place = placeIn(answer.place, domain.entry.path, domain.root.id)
      return respondToRead(readings, { ...answer, place }, input)
    },
  }),

  readRoute({
    name: 'read-points',
    method: 'POST',
    path: PATH,
    summary: 'Reads the elements of a dataset that the body selects.',
    access: 'read',
    answersValues: true,
    streamsBody: true,
    parameters: { ...DATASET, region: NO_REGION, select: SELECT, fields: FIELDS, ...OUTPUT },
    body: {
      description: 'What is read: points or, in the hsds dialect, another selection.',
      required: true,
      json: 'PointQuery',
      bytes: 'Points: for each its index in each dimension, as unsigned 64-bit integers, little-endian.',
      read: readRequestInBody,
    },
    answers: {
      200: {
        description: 'The elements. Or statistics of them.',
        json: 'ValueOrStatistics',
        bytes:
          'In the hsds dialect: the elements in the order in which they are selected, in the type of the dataset.',
        formats: FORMAT_ANSWERS,
      },
    },
    async run(context, domain, input) {
      requireForm(input)
      const selected = await readValues(context, domain, input.dataset, input.body)
      if (selected.dataset.space.class === 'H5S_SIMPLE') return prepare(context, domain, selected, input)
      throw new HyperslabError(
        'malformed-selection',
        'the dataset must have dimensions: a scalar has no points and ranges',
      )
    },
    respond: respondWith,
  }),

  writeRoute({
    name: 'put-value',
    method: 'PUT',
    path: PATH,
    summary: 'Writes the selected elements of a dataset, or those of them that a query finds.',
    access: 'update',
    answersValues: true,
    streamsBody: true,
    parameters: { ...DATASET, ...WRITE_OPTIONS },
    body: {
      description: 'The elements and, unless the query selects them, which they are.',
      required: true,
      json: 'ValueInput',
      bytes: 'The elements in the order of their indexes, in the type of the dataset.',
      read: valueInput,
    },
    answers: {
      200: {
        description: 'The elements are written.',
        json: 'ValueWritten',
        bytes:
          'For a query in the hsds dialect: the indexes of the elements, as 64-bit integers, little-endian.',
      },
    },
    once: ({ body }) => 'once' in body && body.once,
    async run(context, domain, { dataset, region, select, body }, dialect) {
      const { rules } = dialect
      if ('updateOf' in body) {
        return updateWhere(context, domain, dataset, body.updateOf, {
          ...queryRules(dialect),
          elementsWanted: rules.queries.updated === 'elements',
        })
      }
      const { write } = body
      const selection = region
        ? await selectionOfRegion(context, domain, { ...region, element: select })
        : write.selection
      if (selection === undefined) {
        throw new HyperslabError(
          'malformed-selection',
          'regionref must not be the null reference: it selects nothing',
        )
      }
      await writeValues(
        context,
        domain,
        dataset,
        { ...write, selection },
        {
          checkReferences: rules.objects.checksReferences,
          refuseNothing: !rules.values.writesNothing,
        },
      )
      return undefined
    },
    respond(updated, answer, { dataset }) {
      if (updated !== undefined) return updatedReply(updated, answer)
      const { place, dialect } = answer
      return { status: 200, body: dialect.present.values.written(place, dataset) }
    },
  }),
]
