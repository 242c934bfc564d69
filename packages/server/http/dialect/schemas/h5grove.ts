// The answers of the API of h5grove, which its clients describe.

import type { Schemas } from '../../message/schema.ts'

export const h5groveSchemas: Schemas = {
  H5groveAnswer: {
    description: 'An answer of the API of h5grove.',
    examples: [{ name: '/', kind: 'group', attributes: [], children: [] }],
  },
}
