// The datasets of a domain that are worth a look first.

import { list, object, type Schemas, STRING } from '../../message/schema.ts'
import { HREFS } from './common.ts'

export const thumbnailSchemas: Schemas = {
  FirstDatasets: {
    ...object({
      datasets: list(
        object({ h5path: STRING }),
        'The dataset of the picture of the domain, if it has one, before others; empty if attributes lead to a default plot.',
      ),
      hrefs: HREFS,
    }),
    examples: [{ datasets: [{ h5path: '/series/temperature' }], hrefs: [] }],
  },
}
