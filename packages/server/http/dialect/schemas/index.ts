// The schemas that both dialects have, by resource: the file of a schema is named like that of its routes.

import type { Schemas } from '../../message/schema.ts'
import { allLoginSchemas } from './account/all-logins.ts'
import { loginSchemas } from './account/logins.ts'
import { providerSchemas } from './account/providers.ts'
import { sessionSchemas } from './account/sessions.ts'
import { shareSchemas } from './account/shares.ts'
import { tokenSchemas } from './account/tokens.ts'
import { userSchemas } from './account/users.ts'
import { aclSchemas } from './acls.ts'
import { auditSchemas } from './audit.ts'
import { commonSchemas } from './common.ts'
import { domainSchemas } from './domains.ts'
import { eventSchemas } from './events.ts'
import { h5groveSchemas } from './h5grove.ts'
import { pathSchemas } from './paths.ts'
import { quotaSchemas } from './quotas.ts'
import { requestSchemas } from './requests.ts'
import { serviceSchemas } from './service.ts'
import { thumbnailSchemas } from './thumbnail.ts'
import { usageSchemas } from './usage.ts'
import { valueSchemas } from './values.ts'
import { zarrSchemas } from './zarr.ts'

export const COMMON_SCHEMAS: Schemas = {
  ...aclSchemas,
  ...allLoginSchemas,
  ...auditSchemas,
  ...commonSchemas,
  ...domainSchemas,
  ...eventSchemas,
  ...h5groveSchemas,
  ...loginSchemas,
  ...pathSchemas,
  ...providerSchemas,
  ...serviceSchemas,
  ...quotaSchemas,
  ...requestSchemas,
  ...sessionSchemas,
  ...shareSchemas,
  ...thumbnailSchemas,
  ...tokenSchemas,
  ...usageSchemas,
  ...userSchemas,
  ...valueSchemas,
  ...zarrSchemas,
}
