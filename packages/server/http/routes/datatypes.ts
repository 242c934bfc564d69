// Creating committed datatypes. Listing, describing and deleting them is in objects.ts.

import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonObject } from '@hyperslab/model/json'
import { createDatatype, type NewDatatype } from '../../service/creation/datatypes.ts'
import {
  CREATION,
  type CreationGrammar,
  createAll,
  creationPropertiesIn,
  creationReply,
  parseCreation,
  parseNewObject,
} from '../input/creation-input.ts'
import { parseTypeUse } from '../input/type-use.ts'
import { createdIn } from '../route/changes.ts'
import { type Route, writeRoute } from '../route/route.ts'

async function parseNewDatatype(body: JsonObject, grammar: CreationGrammar): Promise<NewDatatype> {
  const use = parseTypeUse(body.get('type'), grammar.dialect)
  if (!('type' in use)) {
    throw new HyperslabError('malformed-type', 'body.type must define a type, not name a committed datatype')
  }
  const creationProperties = creationPropertiesIn(body)
  return {
    ...(await parseNewObject(body, grammar)),
    ...use,
    ...(creationProperties !== undefined && { creationProperties }),
  }
}

export const datatypeRoutes: readonly Route[] = [
  writeRoute({
    name: 'create-datatype',
    method: 'POST',
    path: '/datatypes',
    summary: 'Commits a datatype; in the hsds dialect also several.',
    access: 'create',
    parameters: CREATION,
    body: {
      description: 'The type, and where the committed datatype is linked.',
      required: true,
      json: 'NewDatatype',
      async read(body, dialect, { implicit }) {
        const grammar = { kind: 'datatype', dialect, implicit } as const
        return parseCreation(await body.json(), grammar, item => parseNewDatatype(item, grammar))
      },
    },
    answers: {
      201: { description: 'The committed datatype, or the committed datatypes.', json: 'DatatypeCreated' },
    },
    run: (context, domain, { body }) =>
      createAll(context, body, (input, place) => createDatatype(context, domain, input, place)),
    respond: (views, { place, dialect }, { body }) =>
      creationReply(
        views,
        view => dialect.present.datatypes.created(place, view),
        () => createdIn(views, body.items, dialect),
      ),
  }),
]
