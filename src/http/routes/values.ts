// Values: `/datasets/:id/value`.

import { HyperslabError } from '../../errors.ts'
import { selectionOfRegion } from '../../service/attributes/regions.ts'
import { queryValues, updateWhere } from '../../service/values/queries.ts'
import { reduceValues, summarizeValues } from '../../service/values/reductions.ts'
import { readValues, writeValues } from '../../service/values/values.ts'
import { queryRules } from '../body/query-input.ts'
import { foundReply, hasRows, updatedReply } from '../body/query-output.ts'
import {
  FORMAT,
  FORMAT_ANSWERS,
  foundFile,
  foundFileReply,
  isFile,
  valueFile,
  valueFileReply,
} from '../body/value-formats.ts'
import { valueInput } from '../body/value-input.ts'
import { statisticsReply, valueReply } from '../body/value-output.ts'
import { readRequestInBody } from '../body/value-selection.ts'
import { pathId } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'
import {
  BINS,
  COLOUR_MAP,
  COLOUR_RANGE,
  FIELDS,
  NO_REGION,
  QUERY,
  QUERY_LIMIT,
  REDUCE,
  REDUCE_DIM,
  REGION,
  requireNoOtherChoice,
  SELECT,
  STATISTICS,
  WRITE_OPTIONS,
} from '../value-parameters.ts'

const PATH = '/datasets/:id/value'
const DATASET = { dataset: pathId('dataset') }

export const valueRoutes: readonly Route[] = [
  readRoute({
    name: 'get-value',
    method: 'GET',
    path: PATH,
    summary: 'Reads the selected elements of a dataset, or those of them that a query finds.',
    access: 'read',
    parameters: {
      // It must be a number even where no query makes use of it (classic 7.8; hsds-values 6).
      limit: QUERY_LIMIT,
      ...DATASET,
      fields: FIELDS,
      format: FORMAT,
      query: QUERY,
      region: REGION,
      select: SELECT,
      reduce: REDUCE,
      reduced: REDUCE_DIM,
      statistics: STATISTICS,
      bins: BINS,
      map: COLOUR_MAP,
      range: COLOUR_RANGE,
    },
    answers: {
      200: {
        description: 'The elements; of a query also their indexes. Or statistics of them.',
        json: 'ValueOrStatistics',
        bytes: 'The elements in the order of their indexes, in the type of the dataset.',
        formats: FORMAT_ANSWERS,
      },
      204: { description: 'The region reference is null: it selects nothing.', only: 'hsds' },
    },
    async run(context, domain, input, dialect) {
      const { dataset, query, limit, region, select, fields, format, reduce, statistics, bins } = input
      if (statistics && isFile(format)) {
        throw new HyperslabError('format-unsupported', `statistics are JSON: ask without format=${format}`)
      }
      if (query !== undefined) {
        requireNoOtherChoice(reduce ? 'reduce' : statistics ? 'statistics' : undefined)
        const search = { query, selection: select, limit, fields }
        const found = await queryValues(context, domain, dataset, search, queryRules(dialect))
        if (!isFile(format)) return { found }
        const file = await valueFile(context, domain, dataset, format)
        return { found, foundFile: await foundFile(file, found) }
      }
      const selection = region
        ? await selectionOfRegion(context, domain, { ...region, element: select })
        : select
      // The null reference selects nothing, so there is no value (hsds-values 21).
      if (selection === undefined) return {}
      const selected = await readValues(context, domain, dataset, { selection, fields })
      const values = reduce ? reduceValues(selected, reduce) : selected
      if (statistics) return { values, summary: { statistics: await summarizeValues(values, bins ?? 64) } }
      if (!isFile(format)) return { values }
      return { values, file: await valueFile(context, domain, dataset, format) }
    },
    respond({ found, foundFile, values, file, summary }, answer, { reduced, format, map, range }) {
      const form = isFile(format) ? undefined : format
      if (found) return foundFile ? foundFileReply(found, foundFile, answer) : foundReply(found, answer, form)
      if (!values) return { status: 204 }
      if (summary) return statisticsReply(values, summary.statistics, answer)
      return file
        ? valueFileReply(values, file, { map, range }, answer)
        : valueReply(values, answer, { reduced, form })
    },
  }),

  readRoute({
    name: 'read-points',
    method: 'POST',
    path: PATH,
    summary: 'Reads the elements of a dataset that the body selects.',
    access: 'read',
    streamsBody: true,
    parameters: { ...DATASET, region: NO_REGION, select: SELECT, fields: FIELDS, reduced: REDUCE_DIM },
    body: {
      description: 'What is read: points or, in the hsds dialect, another selection.',
      required: true,
      json: 'PointQuery',
      bytes: 'Points: for each its index in each dimension, as unsigned 64-bit integers, little-endian.',
      read: readRequestInBody,
    },
    answers: {
      200: {
        description: 'The elements.',
        json: 'Value',
        bytes:
          'In the hsds dialect: the elements in the order in which they are selected, in the type of the dataset.',
      },
    },
    async run(context, domain, { dataset, body }) {
      const selected = await readValues(context, domain, dataset, body)
      if (selected.dataset.space.class === 'H5S_SIMPLE') return selected
      throw new HyperslabError(
        'malformed-selection',
        'the dataset must have dimensions: a scalar has no points and ranges',
      )
    },
    respond: (values, answer, { reduced }) => valueReply(values, answer, { reduced }),
  }),

  writeRoute({
    name: 'put-value',
    method: 'PUT',
    path: PATH,
    summary: 'Writes the selected elements of a dataset, or those of them that a query finds.',
    access: 'update',
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
          'Of a query, in the hsds dialect: the indexes of the elements, as 64-bit integers, little-endian.',
      },
    },
    once: ({ body }) => 'once' in body && body.once,
    async run(context, domain, { dataset, region, select, body }, dialect) {
      const { rules } = dialect
      if ('updateOf' in body) {
        return updateWhere(context, domain, dataset, body.updateOf, {
          ...queryRules(dialect),
          elementsWanted: hasRows(dialect),
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
      const { place, request } = answer
      return { status: 200, body: request.dialect.present.values.written(place, dataset) }
    },
  }),
]
