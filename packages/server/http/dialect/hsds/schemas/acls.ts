// Access control lists in the hsds dialect (hsds-objects 4 and 9).

import { BOOLEAN, object, oneOf, type Schemas, STRING } from '../../../message/schema.ts'
import { ACL_EXAMPLE, aclAnswers, permissionFlags } from '../../schemas/acls.ts'

const ITEM = { ...ACL_EXAMPLE, domain: 'hyperslab/home/ann/tall.h5' }
const hrefs = [{ href: 'http://127.0.0.1:5101/acls?domain=/home/ann/tall.h5', rel: 'self' }]
const MEMBERS = { userName: STRING, ...permissionFlags(), 'domain?': STRING }

export const aclSchemas: Schemas = {
  AclItem: {
    ...oneOf(object(MEMBERS), object({ username: STRING, ...MEMBERS })),
    description:
      'The flags of a user. `domain` is the domain or folder that a request put the item on. Items of objects have the name twice.',
    examples: [ITEM, { username: 'ann', ...ITEM }],
  },
  ...aclAnswers(ITEM, hrefs),
  AclPut: { ...object({}), examples: [{}] },
  NewAcl: {
    type: 'object',
    description: 'At least one flag.',
    properties: { userName: STRING, username: STRING, domain: STRING, ...permissionFlags(BOOLEAN) },
    examples: [{ read: true, update: false }],
  },
}
