// Parts of groups and datasets that the classic dialect has no route for mean the object (classic 2).

import { COLLECTIONS, type ObjectKind } from '@hyperslab/model/names'
import { describeObject } from '../../../../service/descriptions/descriptions.ts'
import { jsonReply } from '../../../message/message.ts'
import { STRING } from '../../../message/schema.ts'
import { pathId } from '../../../route/common-parameters.ts'
import type { Parameter } from '../../../route/parameter.ts'
import { type Route, readRoute } from '../../../route/route.ts'
import { DATASET, descriptionFlags, GROUP, type KindRoutes, wantedMembers } from '../../../routes/objects.ts'

function getPartRoute<K extends ObjectKind>({ kind, schema, present }: KindRoutes<K>): Route {
  return readRoute({
    name: `get-${kind}-part`,
    method: 'GET',
    path: `/${COLLECTIONS[kind]}/:id/*`,
    summary: `Describes a ${kind}, whatever unknown part of it the path names.`,
    access: 'read',
    repeatable: true,
    only: 'classic',
    parameters: { id: pathId(kind), part: UNKNOWN_PART, ...descriptionFlags(kind) },
    answers: { 200: { description: `The ${kind}.`, json: schema } },
    run: (context, domain, { id, part: _, ...flags }) =>
      describeObject(context, domain, kind, id, wantedMembers(flags)),
    respond: (view, { place, dialect }) => jsonReply(present(dialect, place, view)),
  })
}

const UNKNOWN_PART: Parameter<undefined> = {
  name: 'part',
  in: 'path',
  description: 'Any other path; it has no effect.',
  schema: STRING,
  read: () => undefined,
}

export const partRoutes: readonly Route[] = [getPartRoute(GROUP), getPartRoute(DATASET)]
