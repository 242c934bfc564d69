// Tokens of users.

import { BOOLEAN, list, object, type Schema, type Schemas, STRING } from '../../../message/schema.ts'
import { EXAMPLE_TIME, TIME, USES } from './times.ts'

export const SCOPE: Readonly<Record<string, Schema>> = {
  writes: BOOLEAN,
  'within?': {
    ...STRING,
    description: 'The path of a domain, or of a folder, with all below it; absent: all domains and folders.',
  },
}

const TOKEN: Readonly<Record<string, Schema>> = {
  id: STRING,
  name: STRING,
  ...SCOPE,
  created: TIME,
  end: TIME,
}

const EXAMPLE_TOKEN = {
  id: '5f1c2a3b4d5e6f70',
  name: 'beamline 7',
  writes: true,
  within: '/physics',
  created: EXAMPLE_TIME,
  end: EXAMPLE_TIME,
}

export const tokenSchemas: Schemas = {
  NewToken: {
    ...object({
      name: { ...STRING, description: 'A name by which the user knows the token again.' },
      end: { ...STRING, description: 'The end: a date, which begins in UTC, or a time in UTC.' },
      'writes?': { ...BOOLEAN, description: 'True: for reading and writing; otherwise for reading.' },
      'within?': SCOPE['within?'] ?? STRING,
    }),
    examples: [{ name: 'beamline 7', end: '2027-01-31', writes: true, within: '/physics' }],
  },
  TokenList: {
    ...object({ tokens: list(object({ ...TOKEN, ...USES })) }),
    examples: [{ tokens: [{ ...EXAMPLE_TOKEN, uses: 12, used: EXAMPLE_TIME }] }],
  },
  CreatedToken: {
    ...object({ ...TOKEN, token: { ...STRING, description: 'The secret, which is not shown again.' } }),
    examples: [{ ...EXAMPLE_TOKEN, token: 'hyperslab_...' }],
  },
}
