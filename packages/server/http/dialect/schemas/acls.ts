// Access control lists, as both dialects have them.

import { PERMISSIONS } from '@hyperslab/model/names'
import { BOOLEAN, list, ref, type Schema, type Schemas } from '../../message/schema.ts'

/** The flags of an access control item, each of this schema. */
export function permissionFlags(flag: Schema = BOOLEAN): Readonly<Record<string, Schema>> {
  return Object.fromEntries(PERMISSIONS.map(permission => [permission, flag]))
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
