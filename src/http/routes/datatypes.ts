// Creating committed datatypes. Listing, describing and deleting them is in objects.ts.

import { HyperslabError } from '../../errors.ts'
import type { JsonObject } from '../../hdf5/json.ts'
import { createDatatype, type NewDatatype } from '../../service/creation/datatypes.ts'
import { createAll, created, creationOf, creationPropertiesIn, newObject } from '../body/creation-input.ts'
import { parseTypeUse } from '../body/type-use.ts'
import type { Request } from '../message.ts'
import { oldWriteRoute } from '../old-route.ts'
import type { Route } from '../route.ts'

async function newDatatype(request: Request, body: JsonObject): Promise<NewDatatype> {
  const use = parseTypeUse(body.get('type'), request.dialect)
  if (!('type' in use)) {
    throw new HyperslabError('malformed-type', 'body.type must define a type, not name a committed datatype')
  }
  const creationProperties = creationPropertiesIn(body)
  return {
    ...(await newObject(request, 'datatype', body)),
    ...use,
    ...(creationProperties !== undefined && { creationProperties }),
  }
}

export const datatypeRoutes: readonly Route[] = [
  oldWriteRoute({
    name: 'create-datatype',
    method: 'POST',
    path: '/datatypes',
    access: 'create',
    async parse(request) {
      const json = await request.body.json()
      return creationOf(request, 'datatype', json, body => newDatatype(request, body))
    },
    run: (context, domain, creation) => createAll(creation, input => createDatatype(context, domain, input)),
    respond: (views, { place, request: { dialect } }) =>
      created(views, view => dialect.present.datatypes.created(place, view)),
  }),
]
