// Users.

import { BOOLEAN, list, object, type Schema, type Schemas, STRING } from '../../../message/schema.ts'

const USER: Readonly<Record<string, Schema>> = {
  name: STRING,
  admin: { ...BOOLEAN, description: 'True: an administrator, with all permissions.' },
  groups: list(STRING, 'The groups of the user, without `g:`.'),
  disabled: { ...BOOLEAN, description: 'True: the user cannot log in, and the name stays taken.' },
  stored: { ...BOOLEAN, description: 'False: the password is in the password file.' },
  'displayName?': { ...STRING, description: 'The name that the identity provider shows.' },
  'issuer?': { ...STRING, description: 'The identity provider at which the user logs in.' },
}

const EXAMPLE_USER = { name: 'ann', admin: false, groups: ['lab'], disabled: false, stored: true }

export const userSchemas: Schemas = {
  User: { ...object(USER), examples: [EXAMPLE_USER] },
  UserList: { ...object({ users: list(object(USER)) }), examples: [{ users: [EXAMPLE_USER] }] },
  NewUser: {
    ...object({ password: STRING, 'admin?': BOOLEAN }),
    examples: [{ password: 'a secret' }],
  },
  ChangedUser: {
    ...object({
      'password?': { ...STRING, description: 'A new password: sessions that began with another one end.' },
      'admin?': BOOLEAN,
      'disabled?': { ...BOOLEAN, description: 'False: the user can log in again.' },
    }),
    examples: [{ admin: true }],
  },
  FirstAccount: {
    ...object({ name: STRING, password: STRING, 'code?': STRING }),
    examples: [{ name: 'root', password: 'a secret', code: '0123456789abcdef0123456789abcdef' }],
  },
  DisabledUser: {
    ...object({ name: STRING, 'disabled?': { const: true }, 'removed?': { const: true } }),
    examples: [{ name: 'ann', disabled: true }],
  },
  NewPassword: {
    ...object({ password: { ...STRING, description: 'The present password.' }, new: STRING }),
    examples: [{ password: 'old secret', new: 'new secret' }],
  },
}
