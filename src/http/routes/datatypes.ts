// Committed datatypes: `/datatypes` and `/datatypes/:id`.

import { HyperslabError } from '../../errors.ts'
import { createDatatype } from '../../service/datatypes.ts'
import { getObject } from '../../service/objects.ts'
import { objectBody } from '../body/members.ts'
import { parseTypeUse } from '../body/type-use.ts'
import { idOf, newLinkOf } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'

export const datatypeRoutes: readonly Route[] = [
  writeRoute({
    name: 'create-datatype',
    method: 'POST',
    path: '/datatypes',
    access: 'create',
    async parse(request) {
      const body = objectBody(await request.body.json())
      const use = parseTypeUse(body.get('type'), request.dialect)
      if (!('type' in use)) {
        throw new HyperslabError(
          'malformed-type',
          'body.type must define a type, not name a committed datatype',
        )
      }
      const link = newLinkOf(request, body)
      return { type: use.type, ...(link !== undefined && { link }) }
    },
    run: createDatatype,
    respond: (view, { place, request: { dialect } }) => ({
      status: 201,
      body: dialect.present.datatypeCreated(place, view),
    }),
  }),

  readRoute({
    name: 'get-datatype',
    method: 'GET',
    path: '/datatypes/:id',
    access: 'read',
    parse: request => idOf(request, 'datatype'),
    run: (context, domain, id) => getObject(context, domain, 'datatype', id),
    respond: (view, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.datatype(place, view),
    }),
  }),
]
