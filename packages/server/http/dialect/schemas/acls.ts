// Access control lists, as both dialects have them.

import { PERMISSIONS } from '@hyperslab/model/names'
import { BOOLEAN, list, object, ref, type Schema, type Schemas } from '../../message/schema.ts'
import { HREFS } from './common.ts'

/** The flags of an access control item, each of this schema. */
export function permissionFlags(flag: Schema = BOOLEAN): Readonly<Record<string, Schema>> {
  return Object.fromEntries(PERMISSIONS.map(permission => [permission, flag]))
}

export const ACL_EXAMPLE = {
  userName: 'ann',
  create: true,
  read: true,
  update: true,
  delete: false,
  readACL: false,
  updateACL: false,
}

/** The answers with one item and with all; the dialects differ in the items. */
export function aclAnswers(example: object, hrefs: readonly object[]): Schemas {
  return {
    AclList: {
      ...object({ acls: list(ref('AclItem')), hrefs: HREFS }),
      examples: [{ acls: [example], hrefs }],
    },
    Acl: { ...object({ acl: ref('AclItem'), hrefs: HREFS }), examples: [{ acl: example, hrefs }] },
  }
}

export const aclSchemas: Schemas = {
  NewAclList: {
    type: 'object',
    description: 'Items, each with the name of its user and at least one flag.',
    properties: { acls: { ...list(ref('NewAcl')), minItems: 1 } },
    required: ['acls'],
    examples: [{ acls: [{ userName: 'ann', read: true }] }],
  },
}
