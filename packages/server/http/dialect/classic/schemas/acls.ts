// Access control lists in the classic dialect (classic 10).

import { ANY, list, object, ref, type Schemas, STRING } from '../../../message/schema.ts'
import { permissionFlags } from '../../schemas/acls.ts'
import { HREFS } from '../../schemas/common.ts'

const ITEM = {
  userName: 'ann',
  create: true,
  read: true,
  update: true,
  delete: false,
  readACL: false,
  updateACL: false,
}
const hrefs = [{ href: 'http://tall.example.org/acls', rel: 'self' }]

/** Flags that are sent count by their truth: 0, "", null and empty lists are false. */
const NEW_ITEM = { userName: STRING, username: STRING, domain: STRING, ...permissionFlags(ANY) }

export const aclSchemas: Schemas = {
  AclItem: { ...object({ userName: STRING, ...permissionFlags() }), examples: [ITEM] },
  AclList: {
    ...object({ acls: list(ref('AclItem')), hrefs: HREFS }),
    examples: [{ acls: [ITEM], hrefs }],
  },
  Acl: { ...object({ acl: ref('AclItem'), hrefs: HREFS }), examples: [{ acl: ITEM, hrefs }] },
  AclPut: { ...object({ hrefs: HREFS }), examples: [{ hrefs }] },
  NewAcl: {
    type: 'object',
    description: 'At least one flag. Values count by their truth.',
    properties: NEW_ITEM,
    examples: [{ read: true, update: false }],
  },
}
