// Values: `/datasets/:id/value`.

import { HyperslabError } from '../../errors.ts'
import { selectionOfRegion } from '../../service/attributes/regions.ts'
import { queryValues, updateWhere } from '../../service/values/queries.ts'
import { readValues, writeValues } from '../../service/values/values.ts'
import { queryInUrl, queryRules } from '../body/query-input.ts'
import { foundReply, updatedReply } from '../body/query-output.ts'
import { valueInput } from '../body/value-input.ts'
import { valueReply } from '../body/value-output.ts'
import { fieldsOf, readRequestInBody, regionInQuery, selectionInQuery } from '../body/value-selection.ts'
import { oldReadRoute, oldWriteRoute } from '../old-route.ts'
import { idOf, requireWholeLimit } from '../parameters.ts'
import type { Route } from '../route.ts'

const PATH = '/datasets/:id/value'

export const valueRoutes: readonly Route[] = [
  oldReadRoute({
    name: 'get-value',
    method: 'GET',
    path: PATH,
    access: 'read',
    parse(request) {
      requireWholeLimit(request)
      const id = idOf(request, 'dataset')
      const fields = fieldsOf(request)
      const query = queryInUrl(request)
      if (query !== undefined) return { id, search: { ...query, fields }, rules: queryRules(request) }
      return { id, region: regionInQuery(request), values: { selection: selectionInQuery(request), fields } }
    },
    async run(context, domain, { id, ...input }) {
      if (input.search !== undefined) {
        return { found: await queryValues(context, domain, id, input.search, input.rules) }
      }
      const { region, values } = input
      if (region === undefined) return { values: await readValues(context, domain, id, values) }
      const selection = await selectionOfRegion(context, domain, region)
      return { values: selection && (await readValues(context, domain, id, { ...values, selection })) }
    },
    respond({ found, values }, answer) {
      if (found !== undefined) return foundReply(found, answer)
      // The null reference selects nothing that there could be a value of (hsds-values 21).
      return values === undefined ? { status: 204 } : valueReply(values, answer)
    },
  }),

  oldReadRoute({
    name: 'read-points',
    method: 'POST',
    path: PATH,
    access: 'read',
    streamsBody: true,
    parse: async request => ({
      id: idOf(request, 'dataset'),
      values: await readRequestInBody(request),
    }),
    async run(context, domain, { id, values }) {
      const selected = await readValues(context, domain, id, values)
      if (selected.dataset.space.class === 'H5S_SIMPLE') return selected
      throw new HyperslabError('malformed-selection', 'a dataset without dimensions has no points and ranges')
    },
    respond: valueReply,
  }),

  oldWriteRoute({
    name: 'put-value',
    method: 'PUT',
    path: PATH,
    access: 'update',
    streamsBody: true,
    parse: async request => ({
      id: idOf(request, 'dataset'),
      rules: request.dialect.rules,
      queryRules: queryRules(request),
      region: regionInQuery(request),
      input: await valueInput(request),
    }),
    once: ({ input }) => 'once' in input && input.once,
    async run(context, domain, { id, rules, queryRules, region, input }) {
      if ('updateOf' in input) {
        const elementsWanted = rules.queries.rows === 'index-first'
        return updateWhere(context, domain, id, input.updateOf, { ...queryRules, elementsWanted })
      }
      const { write } = input
      const selection = region ? await selectionOfRegion(context, domain, region) : write.selection
      if (selection === undefined) {
        throw new HyperslabError('malformed-selection', 'regionref: the null reference selects nothing')
      }
      await writeValues(
        context,
        domain,
        id,
        { ...write, selection },
        {
          checkReferences: rules.objects.checksReferences,
          refuseNothing: !rules.values.writesNothing,
        },
      )
      return undefined
    },
    respond(updated, answer, { id }) {
      if (updated !== undefined) return updatedReply(updated, answer)
      const { place, request } = answer
      return { status: 200, body: request.dialect.present.values.written(place, id) }
    },
  }),
]
