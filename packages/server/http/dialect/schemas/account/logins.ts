// The caller, and how it has logged in.

import { BOOLEAN, COUNT, object, type Schemas, STRING, word } from '../../../message/schema.ts'
import { H5PATH, VIEW } from './shares.ts'
import { EXAMPLE_TIME, TIME } from './times.ts'
import { SCOPE } from './tokens.ts'

export const loginSchemas: Schemas = {
  Login: {
    ...object({
      username: STRING,
      isadmin: BOOLEAN,
      login: {
        ...word('none', 'password', 'provider', 'session', 'share', 'token'),
        description: 'How the caller has logged in.',
      },
      'accounts?': {
        ...BOOLEAN,
        description:
          'Only of a caller that has not logged in. False: nobody can, since there are no accounts.',
      },
      'id?': { ...STRING, description: 'The id of the session or token.' },
      'end?': TIME,
      'scope?': {
        ...object({ ...SCOPE, 'h5path?': H5PATH }),
        description: 'The scope of the token or share.',
      },
      'view?': VIEW,
      'displayName?': { ...STRING, description: 'The name that the identity provider shows.' },
      'logout?': {
        ...STRING,
        description:
          'After the end of a session: the address at which the user logs out of the identity provider.',
      },
    }),
    examples: [
      { username: 'ann', isadmin: false, login: 'session', id: '5f1c2a3b4d5e6f70', end: EXAMPLE_TIME },
    ],
  },
  EndedLogins: {
    ...object({ ended: { ...COUNT, description: 'How many have ended.' } }),
    examples: [{ ended: 1 }],
  },
}
