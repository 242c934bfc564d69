// Access control lists, as both dialects have them.

import { PERMISSIONS } from '@hyperslab/model/names'
import { BOOLEAN, COUNT, list, object, ref, type Schema, type Schemas, STRING } from '../../message/schema.ts'
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
  AccessChange: {
    ...object({
      'owner?': {
        ...STRING,
        description: 'The new owner: its item gets all flags, and that of the former owner is removed.',
      },
      'acls?': { ...list(ref('NewAcl'), 'Items, each with the name of its user.'), minItems: 1 },
      'remove?': list(STRING, 'Names whose items are removed, where a list has them.'),
      'below?': { ...BOOLEAN, description: 'Everything below is changed too.' },
      'owned_by?': { ...STRING, description: 'Only what this user owns is changed.' },
      'force?': { ...BOOLEAN, description: 'Names that no account and no group has are allowed.' },
    }),
    description: 'At least one of `owner`, `acls` and `remove`.',
    examples: [
      { owner: 'bob', owned_by: 'ann', below: true },
      { acls: [{ userName: 'g:lab', read: true }], below: true },
    ],
  },
  AccessChanged: {
    ...object({
      changed: { ...COUNT, description: 'Domains and folders that have another owner or list now.' },
      unchanged: { ...COUNT, description: 'Domains and folders that were as requested before.' },
      'next?': {
        ...STRING,
        description: '`Marker` of the request that goes on; absent: all is done.',
      },
    }),
    examples: [{ changed: 4000, unchanged: 2 }],
  },
}
