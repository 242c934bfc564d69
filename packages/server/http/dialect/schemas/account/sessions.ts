// Sessions of users.

import { BOOLEAN, list, object, type Schemas, STRING } from '../../../message/schema.ts'
import { EXAMPLE_TIME, TIME } from './times.ts'

export const sessionSchemas: Schemas = {
  SessionList: {
    ...object({
      sessions: list(
        object({
          id: STRING,
          client: { ...STRING, description: 'The program that has logged in, as it names itself.' },
          current: { ...BOOLEAN, description: 'True: the session of the request.' },
          created: TIME,
          used: { ...TIME, description: 'The last use that was noted.' },
          end: TIME,
        }),
      ),
    }),
    examples: [
      {
        sessions: [
          {
            id: '5f1c2a3b4d5e6f70',
            client: 'Mozilla/5.0',
            current: true,
            created: EXAMPLE_TIME,
            used: EXAMPLE_TIME,
            end: EXAMPLE_TIME,
          },
        ],
      },
    ],
  },
}
