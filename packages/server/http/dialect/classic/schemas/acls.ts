// Access control lists in the classic dialect (classic 10).

import { ANY, object, type Schemas, STRING } from '../../../message/schema.ts'
import { ACL_EXAMPLE, aclAnswers, permissionFlags } from '../../schemas/acls.ts'
import { HREFS } from '../../schemas/common.ts'

const hrefs = [{ href: 'http://tall.example.org/acls', rel: 'self' }]

/** Flags that are sent count by their truth: 0, "", null and empty lists are false. */
const NEW_ITEM = { userName: STRING, username: STRING, domain: STRING, ...permissionFlags(ANY) }

export const aclSchemas: Schemas = {
  AclItem: { ...object({ userName: STRING, ...permissionFlags() }), examples: [ACL_EXAMPLE] },
  ...aclAnswers(ACL_EXAMPLE, hrefs),
  AclPut: { ...object({ hrefs: HREFS }), examples: [{ hrefs }] },
  NewAcl: {
    type: 'object',
    description: 'At least one flag. Values count by their truth.',
    properties: NEW_ITEM,
    examples: [{ read: true, update: false }],
  },
}
