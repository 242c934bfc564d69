// Identity providers.

import { BOOLEAN, list, object, type Schemas, STRING } from '../../../message/schema.ts'

export const providerSchemas: Schemas = {
  ProviderList: {
    ...object({
      providers: list(
        object({
          name: STRING,
          title: { ...STRING, description: 'The name to show.' },
          login: { ...STRING, description: 'The address that begins a login, which a person opens.' },
          available: { ...BOOLEAN, description: 'False: the provider does not answer at present.' },
        }),
      ),
    }),
    examples: [
      {
        providers: [
          { name: 'lab', title: 'Lab', login: 'https://data.example.org/login/lab', available: true },
        ],
      },
    ],
  },
}
