// The paths of a domain, for a search.

import type { Schemas } from '../../message/schema.ts'

export const pathSchemas: Schemas = {
  PathList: {
    type: 'array',
    description:
      'A path, the kind of what is there (`link`: a link that is no hard link), and the id of a group.',
    items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
    examples: [
      [
        ['/', 'group', 'g-45a882e1-9d0111e8-8acf-0242ac-110009'],
        ['/temperature', 'dataset'],
      ],
    ],
  },
}
