// Access control lists in the hsds dialect (hsds-objects 4 and 9).

import { BOOLEAN, list, object, oneOf, ref, type Schemas, STRING } from '../../../message/schema.ts'
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
  domain: 'hyperslab/home/ann/tall.h5',
}
const hrefs = [{ href: 'http://127.0.0.1:5101/acls?domain=/home/ann/tall.h5', rel: 'self' }]
const MEMBERS = { userName: STRING, ...permissionFlags(), 'domain?': STRING }

export const aclSchemas: Schemas = {
  AclItem: {
    ...oneOf(object(MEMBERS), object({ username: STRING, ...MEMBERS })),
    description:
      'The flags of a user. `domain` is the domain or folder that a request put the item on. Items of objects have the name twice.',
    examples: [ITEM, { username: 'ann', ...ITEM }],
  },
  AclList: {
    ...object({ acls: list(ref('AclItem')), hrefs: HREFS }),
    examples: [{ acls: [ITEM], hrefs }],
  },
  Acl: { ...object({ acl: ref('AclItem'), hrefs: HREFS }), examples: [{ acl: ITEM, hrefs }] },
  AclPut: { ...object({}), examples: [{}] },
  NewAcl: {
    type: 'object',
    description: 'At least one flag.',
    properties: { userName: STRING, username: STRING, domain: STRING, ...permissionFlags(BOOLEAN) },
    examples: [{ read: true, update: false }],
  },
}
