// The schemas of the classic dialect, by resource.

import type { Schemas } from '../../../message/schema.ts'
import { COMMON_SCHEMAS } from '../../schemas/index.ts'
import { aclSchemas } from './acls.ts'
import { attributeSchemas } from './attributes.ts'
import { typeSchemas } from './datatypes.ts'
import { domainSchemas } from './domains.ts'
import { linkSchemas } from './links.ts'
import { objectSchemas } from './objects.ts'
import { valueSchemas } from './values.ts'

export const classicSchemas: Schemas = {
  ...COMMON_SCHEMAS,
  ...attributeSchemas,
  ...domainSchemas,
  ...linkSchemas,
  ...valueSchemas,
  ...aclSchemas,
  ...objectSchemas,
  ...typeSchemas,
}
