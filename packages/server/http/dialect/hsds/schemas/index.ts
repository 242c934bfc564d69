// The schemas of the hsds dialect, by resource.

import { object, type Schemas } from '../../../message/schema.ts'
import { COMMON_SCHEMAS } from '../../schemas/index.ts'
import { aclSchemas } from './acls.ts'
import { attributeSchemas } from './attributes.ts'
import { typeSchemas } from './datatypes.ts'
import { domainSchemas } from './domains.ts'
import { foundSchemas } from './found.ts'
import { linkSchemas } from './links.ts'
import { objectSchemas } from './objects.ts'
import { valueSchemas } from './values.ts'

export const hsdsSchemas: Schemas = {
  ...COMMON_SCHEMAS,
  Done: { ...object({}, 'An empty object.'), examples: [{}] },
  ...attributeSchemas,
  ...domainSchemas,
  ...foundSchemas,
  ...linkSchemas,
  ...valueSchemas,
  ...aclSchemas,
  ...objectSchemas,
  ...typeSchemas,
}
