// All routes, as data. The router, docs/routes.md and the permission matrix are made from this list.

import type { DomainFiles } from '@hyperslab/files/export'
import { classicRoutes } from '../dialect/classic/routes/index.ts'
import type { Route } from '../route/route.ts'
import { accessRoute } from './access/access.ts'
import { aclRoutes } from './access/acls.ts'
import { allLoginRoutes } from './account/all-logins.ts'
import { type FirstAccountFacts, firstAccountRoute } from './account/first-account.ts'
import { type LoginFacts, loginRoutes } from './account/logins.ts'
import { type ProviderFacts, providerRoutes } from './account/providers.ts'
import { sessionRoutes } from './account/sessions.ts'
import { type ShareFacts, shareRoutes } from './account/shares.ts'
import { tokenRoutes } from './account/tokens.ts'
import { type UserFacts, userRoutes } from './account/users.ts'
import { attributeRoutes } from './attributes.ts'
import { datasetRoutes } from './datasets.ts'
import { datatypeRoutes } from './datatypes.ts'
import type { FileFacts } from './domain-files.ts'
import { fileWriteRoutes, ownedDomainRoutes } from './domain-writes.ts'
import { domainRoutes } from './domains.ts'
import { type EventFacts, eventRoutes } from './events.ts'
import { groupRoutes } from './groups.ts'
import { h5groveRoutes } from './h5grove.ts'
import { linkRoutes } from './links.ts'
import { objectRoutes } from './objects.ts'
import { type Pages, pageRoutes } from './pages.ts'
import { pathRoutes } from './paths.ts'
import { queryRoutes } from './queries.ts'
import { type AuditFacts, auditRoute } from './service/audit.ts'
import { type QuotaFacts, quotaRoutes } from './service/quotas.ts'
import { type RunningFacts, requestRoutes } from './service/requests.ts'
import { type ServiceFacts, serviceRoutes } from './service/service.ts'
import { severalValuesRoutes } from './several-values.ts'
import { thumbnailRoute } from './thumbnail.ts'
import { usageRoute } from './usage.ts'
import { valueRoutes } from './values.ts'
import { referencesRoute, zarrRoutes, zarrWriteRoutes } from './zarr.ts'

/** The parts and settings that routes use. */
export type RouteFacts = ServiceFacts &
  RunningFacts &
  QuotaFacts &
  LoginFacts &
  ProviderFacts &
  UserFacts &
  FirstAccountFacts &
  AuditFacts &
  ShareFacts &
  EventFacts &
  FileFacts

export function routesOf(facts: RouteFacts, files: DomainFiles, pages: Pages): readonly Route[] {
  const routes: readonly Route[] = [
    ...serviceRoutes(facts, () => routes),
    ...requestRoutes(facts),
    auditRoute(facts),
    ...quotaRoutes(facts),
    ...loginRoutes(facts),
    ...sessionRoutes(facts),
    ...tokenRoutes(facts),
    ...allLoginRoutes(facts),
    ...providerRoutes(facts),
    firstAccountRoute(facts),
    ...userRoutes(facts),
    ...shareRoutes(facts),
    ...pageRoutes(pages),
    ...domainRoutes(files, facts),
    thumbnailRoute,
    usageRoute,
    ...ownedDomainRoutes,
    ...fileWriteRoutes,
    ...pathRoutes,
    ...objectRoutes,
    ...groupRoutes,
    ...linkRoutes,
    ...datasetRoutes,
    ...valueRoutes,
    ...severalValuesRoutes,
    ...queryRoutes,
    ...datatypeRoutes,
    ...attributeRoutes,
    ...aclRoutes,
    accessRoute,
    ...eventRoutes(facts),
    ...zarrRoutes(),
    ...zarrWriteRoutes(),
    referencesRoute(),
    ...h5groveRoutes,
    ...classicRoutes(files),
  ]
  return routes
}
