// Sessions, tokens and shares of all users, for administrators.

import { BOOLEAN, COUNT, list, object, type Schemas, STRING, word } from '../../../message/schema.ts'
import { EXAMPLE_TIME, TIME } from './times.ts'

export const allLoginSchemas: Schemas = {
  LoginList: {
    ...object({
      logins: list(
        object({
          id: STRING,
          user: STRING,
          kind: word('session', 'share', 'token'),
          'title?': { ...STRING, description: 'The name of a token, or the program of a session.' },
          'writes?': { ...BOOLEAN, description: 'Whether a token is for writing, too.' },
          'within?': {
            ...STRING,
            description: 'The domain or folder of a token or share; absent: all.',
          },
          created: TIME,
          end: TIME,
          'used?': { ...TIME, description: 'The last use that was noted; absent: there was none.' },
          'uses?': { ...COUNT, description: 'Requests with a token, or by the address of a share.' },
        }),
      ),
      'next?': {
        ...STRING,
        description: '`Marker` of the request for further ones; absent: there are none.',
      },
    }),
    examples: [
      {
        logins: [
          {
            id: '5f1c2a3b4d5e6f70',
            user: 'ann',
            kind: 'token',
            title: 'beamline 7',
            writes: false,
            created: EXAMPLE_TIME,
            end: EXAMPLE_TIME,
          },
        ],
      },
    ],
  },
}
