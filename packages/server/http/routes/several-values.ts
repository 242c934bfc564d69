// Values of several datasets in one request: `/values` (common 21; docs/decisions/078).

import { readSeveralValues, writeSeveralValues } from '../../service/values/several-values.ts'
import { readsInBody, writesInBody } from '../input/several-values-input.ts'
import { FORM_BODIES } from '../input/value-parts.ts'
import { FORM, FORM_ANSWERS, requireForms, severalValuesReply } from '../output/several-values-output.ts'
import { stemOf } from '../output/value-formats.ts'
import { type Route, readRoute, writeRoute } from '../route/route.ts'

const PATH = '/values'

export const severalValuesRoutes: readonly Route[] = [
  readRoute({
    name: 'read-several-values',
    method: 'POST',
    path: PATH,
    summary: 'Reads selected elements of several datasets, all as of one moment.',
    access: 'read',
    answersValues: true,
    streamsBody: true,
    parameters: { form: FORM },
    body: {
      description: 'The datasets, and the elements of each that are read.',
      required: true,
      json: 'ValuesQuery',
      read: readsInBody,
    },
    answers: {
      200: { description: 'The elements of each.', json: 'Values', formats: FORM_ANSWERS },
    },
    async run(context, domain, { body, form }, dialect) {
      const items = await readSeveralValues(context, domain, body)
      await requireForms(items, form, dialect)
      return { items, stem: stemOf(domain) }
    },
    respond: ({ items, stem }, answer, { form }) => severalValuesReply(items, form, stem, answer),
  }),

  writeRoute({
    name: 'put-several-values',
    method: 'PUT',
    path: PATH,
    summary: 'Writes selected elements of several datasets, all or none.',
    access: 'update',
    streamsBody: true,
    parameters: {},
    body: {
      description: 'The datasets with the elements to write, in the order in which they are written.',
      required: true,
      json: 'NewValues',
      formats: FORM_BODIES,
      read: writesInBody,
    },
    answers: { 200: { description: 'All elements are written.', json: 'ValuesWritten' } },
    once: ({ body }) => body.once,
    async run(context, domain, { body }, { rules }) {
      await writeSeveralValues(context, domain, body.items, {
        checkReferences: rules.objects.checksReferences,
        refuseNothing: !rules.values.writesNothing,
      })
      await body.end()
    },
    respond: (_, { place, dialect }) => ({ status: 200, body: dialect.present.values.severalWritten(place) }),
  }),
]
