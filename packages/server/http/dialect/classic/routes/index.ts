// The routes that only the classic dialect has.

import type { DomainFiles } from '@hyperslab/files/export'
import type { Route } from '../../../route/route.ts'
import { OF_OBJECT, OF_ROOT, readsAt, writesAt } from '../../../routes/access/acls.ts'
import { attributeAt, listAttributesAt, VALUE_PATH } from '../../../routes/attributes.ts'
import { domainRoutes } from './domains.ts'
import { partRoutes } from './objects.ts'

export function classicRoutes(files: DomainFiles): readonly Route[] {
  return [
    ...domainRoutes(files),
    ...partRoutes,
    // A path without the name lists attributes, like one without the slash (classic 3.5).
    listAttributesAt('/:collection/:id/attributes/', 'classic'),
    // Names in the path may contain slashes, and end with any word.
    ...attributeAt(VALUE_PATH, 'classic'),
    // Access control lists: of the root group, and of objects (classic 10).
    ...[OF_ROOT, OF_OBJECT].flatMap(location => [
      ...readsAt('classic', location),
      ...writesAt('classic', location),
    ]),
  ]
}
