// The routes that only the classic dialect has.

import type { DomainFiles } from '@hyperslab/files/export'
import type { Route } from '../../../route/route.ts'
import { aclRoutes } from './acls.ts'
import { attributeRoutes } from './attributes.ts'
import { domainRoutes } from './domains.ts'
import { partRoutes } from './objects.ts'

export function classicRoutes(files: DomainFiles): readonly Route[] {
  return [...domainRoutes(files), ...partRoutes, ...attributeRoutes, ...aclRoutes]
}
